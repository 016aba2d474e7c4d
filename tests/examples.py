"""The examples in headers, \\code ... \\endcode, are compiled: one translation unit a module, syntax only.
    examples.py COMPILER FOLDER MODULE...
FOLDER is for the translation units. Runs in the root of the sources. Each example becomes the body of a
function. What it takes as given it says in its first line,
    // given: const Level& level, Shot shot
which are the function's parameters; #include lines in it are put before. The header itself, <iostream> and
<vector> are included. What is no C++ stands in \\code{.unparsed}. Prints the examples' number; ends with 1
where one does not compile, or a module has a \\code without end."""
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

BEGIN, END = re.compile(r"\\code(\{\.unparsed\})?\s*$"), re.compile(r"\\endcode\s*$")
GIVEN = re.compile(r"\s*// given: (.*)$")


def examples(path):
    """(line number, lines) of each example of a header."""
    found, inside, skipped = [], None, False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        comment = re.sub(r"^\s*(///|\*) ?", "", line)
        if inside is None and (begin := BEGIN.search(line)):
            inside, skipped = (number + 1, []), begin.group(1) is not None
        elif inside is not None and END.search(line):
            if not skipped:
                found.append(inside)
            inside = None
        elif inside is not None:
            inside[1].append(comment)
    if inside is not None:
        sys.exit(f"{path}:{inside[0]}: \\code without \\endcode")
    return found


def unit(module):
    """The module's translation unit, and how many examples are in it."""
    includes, bodies = ["<iostream>", "<vector>"], []
    for path in sorted(pathlib.Path(module).rglob("*.hpp")):
        for number, lines in examples(path):
            includes.append(f'"{path}"')
            given, body = "", [f'#line {number} "{path}"']
            for line in lines:
                if line.lstrip().startswith("#include "):
                    includes.append(line.strip().removeprefix("#include ").strip())
                    line = ""
                elif match := GIVEN.match(line):
                    given, line = match.group(1), ""
                body.append(line)
            bodies.append(f"[[maybe_unused]] void example_{len(bodies)}({given}) {{\n"
                          + "\n".join(body) + "\n}\n")
    head = "".join(f"#include {name}\n" for name in dict.fromkeys(includes))
    return head + "using namespace startle;\nnamespace {\n" + "\n".join(bodies) + "}\n", len(bodies)


def main():
    compiler, folder, *modules = sys.argv[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)

    def compiled(module):
        text, count = unit(module)
        if count == 0:
            return 0, True
        file = pathlib.Path(folder) / (module.replace("/", "_") + ".cpp")
        file.write_text(text, encoding="utf-8")
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wno-unused", "-I.",
                               str(file)], capture_output=True, text=True)
        sys.stderr.write(done.stderr)
        return count, done.returncode == 0

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(compiled, modules))
    count = sum(number for number, _ in results)
    bad = [module for module, (_, good) in zip(modules, results) if not good]
    print(f"{count} examples" + (", do not compile in " + ", ".join(bad) if bad else ""))
    return 1 if bad or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
