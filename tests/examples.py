"""The examples in headers, \\code ... \\endcode, and in pages, ```cpp ... ```, are compiled, syntax only.
    examples.py COMPILER FOLDER MODULE|PAGE...
FOLDER is for the translation units. Runs in the root of the sources. Prints the examples' number; ends with 1
where one does not compile, or a module has a \\code without end.

A module is one translation unit. Each example in its headers becomes the body of a function. What it takes
as given it says in its first line,
    // given: const Level& level, Shot shot
which are the function's parameters; #include lines in it are put before. The header itself, <iostream> and
<vector> are included. What is no C++ stands in \\code{.unparsed}.

In a page (.md) the blocks below one heading are a recipe. A line that begins with a file's path says where
the lines after it go, in a copy of that file:
    // agents/detectors.cpp, at the end of "namespace {"
    // agents/detectors.cpp, before "return all;"
    // sim/parameters.hpp, in place of "angular_damping"
    // mine.cpp: a new file
The text in quotation marks begins one line of the file. "At the end of" is before the closing line of the
block that this line opens. Each .cpp of the recipe is compiled with all its changes."""
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

BEGIN, END = re.compile(r"\\code(\{\.unparsed\})?\s*$"), re.compile(r"\\endcode\s*$")
GIVEN = re.compile(r"\s*// given: (.*)$")
FENCE, HEADING = re.compile(r"```(\w*)\s*$"), re.compile(r"#+ ")
PLACE = re.compile(r'// ([\w/]+\.[ch]pp)(?:, (at the end of|before|in place of) "(.+?)")?(?:: .*)?$')


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


def recipes(page):
    """Of each heading of a page that has ```cpp blocks: how many, and their parts (path, where, text, line
    number, lines)."""
    found, fence, parts = [], None, None
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if match := FENCE.match(line):
            fence = match.group(1) if fence is None else None
            if fence == "cpp":
                if parts is None:
                    found.append([0, parts := []])
                found[-1][0] += 1
                whole = len(parts)
        elif fence is None and HEADING.match(line):
            parts = None
        elif fence == "cpp" and (match := PLACE.match(line)):
            parts.append((*match.groups(), number + 1, []))
        elif fence == "cpp":
            if len(parts) == whole:
                sys.exit(f"{page}:{number}: the block names no file")
            parts[-1][4].append(line)
    return found


def with_part(text, part, page):
    """The file's text with that part of a recipe; #line says where each line comes from."""
    path, where, anchor, number, lines = part
    added = [f'#line {number} "{page}"', *lines]
    if where is None:
        return "\n".join(added) + "\n"
    old = text.split("\n")
    begins = [i for i, line in enumerate(old) if line.lstrip().startswith(anchor)]
    if len(begins) != 1:
        raise ValueError(f"{page}:{number - 1}: {len(begins)} lines of {path} begin with '{anchor}', "
                         "needed is 1")
    first = begins[0]
    if where == "at the end of":
        close = re.match(" *", old[first]).group() + "}" + "  // namespace" * anchor.startswith("namespace")
        first = next(i for i in range(first + 1, len(old)) if old[i].startswith(close))
    rest = first + (where == "in place of")
    return "\n".join(old[:first] + added + [f'#line {rest + 1} "{path}"'] + old[rest:])


def copies(parts, folder, page):
    """Writes the files that a recipe changes below the folder; the .cpp among them."""
    shutil.rmtree(folder, ignore_errors=True)
    for part in parts:
        source, file = pathlib.Path(part[0]), folder / part[0]
        if (part[1] is None) == (source.exists() or file.exists()):
            raise ValueError(f"{page}:{part[3] - 1}: {source} " +
                             ("exists: where do the lines go?" if part[1] is None else "does not exist"))
        file.parent.mkdir(parents=True, exist_ok=True)
        text = (file if file.exists() else source).read_text(encoding="utf-8") if part[1] else ""
        file.write_text(with_part(text, part, page), encoding="utf-8")
    return sorted(folder.rglob("*.cpp"))


def main():
    compiler, folder, *names = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def compiled(file, *options):
        done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wno-unused",
                               "-Werror=switch", '-DSTARTLE_VERSION=""', *options, "-I.", "-Iinclude",
                               str(file)],
                              capture_output=True, text=True)
        sys.stderr.write(done.stderr)
        return done.returncode == 0

    def module(name):
        text, count = unit(name)
        if count == 0:
            return 0, True
        file = folder / (name.replace("/", "_") + ".cpp")
        file.write_text(text, encoding="utf-8")
        return count, compiled(file)

    def page(name):
        total, good = 0, True
        for index, (count, parts) in enumerate(recipes(pathlib.Path(name))):
            total += count
            changed = folder / name.replace("/", "_") / str(index)
            try:
                files = copies(parts, changed, name)
            except ValueError as error:
                print(error, file=sys.stderr)
                good = False
                continue
            good = all([compiled(file, f"-I{changed}") for file in files]) and good
        return total, good

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda name: (page if name.endswith(".md") else module)(name), names))
    count = sum(number for number, _ in results)
    bad = [name for name, (_, good) in zip(names, results) if not good]
    print(f"{count} examples" + (", do not compile in " + ", ".join(bad) if bad else ""))
    return 1 if bad or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
