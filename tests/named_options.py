"""Every option, shooter and detector that pages, examples of --help, messages and scripts name exists.

    named_options.py PAGE PROGRAM PATH...

The options are those of the tables in PAGE (docs/command-line.md, which tests/options.py holds to the
programs), the agents those of `PROGRAM agents list`. A PATH is a file, or a folder whose sources, pages and
scripts are read: of C++ the strings, of all others everything but C++ in pages. An option after
`startle COMMAND` must be that command's, one in the text of a section of PAGE that section's commands', any
other one of some command. Scripts, tools, benches and commands of the Python package have options of their
own: a paragraph that names one of them may name its options. So may a line that names another program
(OTHERS). Exit code 1 with faults.
"""
import pathlib
import re
import subprocess
import sys

MARK = re.compile(r"<!-- options: startle (?:surprise (?=probe -->))?(.+) -->")
ROW = re.compile(r"\| `(--[a-z0-9-]+)")
COMMON = re.compile(r"^Also (`--.*)\.$")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
AGENT = re.compile(r"(?<![\w+-])(SHOOTER|[a-z][a-z-]*)?\+(DETECTOR|[a-z][a-z-]*)(?![\w+*/-])")
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|//[^\n]*')
OWN = re.compile(r"(?:scripts|tools|tests|python|bench)/[\w./-]+|bench_\w+")
OTHERS = re.compile(r"\b(apt|apt-get|bwrap|clang-tidy|claude|cmake|ctest|docker|dpkg|git|inspect|mkdocs|"
                    r"mmdebstrap|mount|mpirun|node|pip|python3?|rm|SBATCH|sbatch|systemd-run|tar|unshare|"
                    r"xdotool|xvfb-run)\b")
EXAMPLE = re.compile(r"^```cpp\n.*?^```$", re.DOTALL | re.MULTILINE)
EVERY = {"--help", "--help-all", "--version"}
SKIPPED = {"agents/programs/sandbox.cpp",        # bwrap's options are those of its manual
           "app/former_options.cpp"}


def options_of(page):
    """{command: options} of the tables between marks, and the commands of each section."""
    commands, sections, command, heading = {}, {}, None, ""
    for line in open(page, encoding="utf-8"):
        mark = MARK.match(line)
        if line.startswith("#"):
            heading = line.strip()
        elif mark:
            command = mark.group(1)
            commands[command] = set(EVERY)
            sections.setdefault(heading, []).append(command)
        elif line.startswith("<!-- end of options -->"):
            command = None
        elif command:
            row, common = ROW.match(line), COMMON.match(line)
            also = OPTION.findall(common.group(1)) if common else []
            commands[command].update([row.group(1)] if row else also)
    return commands, sections


def agents_of(program):
    """(shooters, detectors)"""
    names, section = {}, None
    listed = subprocess.run([program, "agents", "list"], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        if re.fullmatch(r"[a-z][a-z ]*", line):
            section = names.setdefault(line, set())
        elif section is not None and line.startswith("  "):
            section.add(line.split()[0])
    return names["shooters"], names["detectors"]


def own_options(name):
    """Those of a script, tool or bench of the project that a page names, as its text has them."""
    is_bench = name.startswith("bench_")
    path = pathlib.Path("bench", name.removeprefix("bench_") + ".cpp") if is_bench else pathlib.Path(name)
    return set(OPTION.findall(path.read_text(encoding="utf-8"))) if path.is_file() else set()


def lines_of(string):
    return string.replace(r"\\\n", " ").split(r"\n")


def paragraphs(path):
    """(number, lines) of what stands together: of C++ strings that follow each other, else what no blank line
    parts. A line that ends with \\ goes on."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".cpp", ".hpp"):
        whole, first, end = "", 0, 0
        for found in STRING.finditer(text):
            if found.group(1) is None:
                continue
            if whole and text[end:found.start()].strip():
                yield first, lines_of(whole)
                whole = ""
            first = first if whole else text.count("\n", 0, found.start()) + 1
            whole, end = whole + found.group(1), found.end()
        yield first, lines_of(whole)
        return
    number, text = 1, EXAMPLE.sub(lambda found: "\n" * found.group(0).count("\n"), text)
    for part in re.split(r"(\n\s*\n)", text):
        yield number, part.replace("\\\n", " ").splitlines()
        number += part.count("\n")


def faults_of(path, page, commands, sections, agents):
    every, (shooters, detectors) = set().union(*commands.values()), agents
    names = "|".join(map(re.escape, sorted(commands, key=len, reverse=True)))
    call = re.compile(rf"(?:startle\"? |startle-surprise |`)({names})(?![\w-])([^`|;&]*)")
    if path.suffix == ".py" or path.parts[0] == "bench" or "argparse" in path.read_text(encoding="utf-8"):
        every = every | own_options(str(path))
    allowed = every
    for number, lines in paragraphs(path):
        named = re.sub(r"-m startle ([a-z]+)", r"python/startle/\1.py", "\n".join(lines))
        own = set().union(*map(own_options, OWN.findall(named)))
        for line in lines:
            place = f"{path}:{number}"
            if str(path) == page and line.startswith("#"):
                of_section = [commands[c] for c in sections.get(line.strip(), ())]
                allowed = set().union(*of_section) if of_section else every
            of_calls = set()
            for found in call.finditer(line):
                named = set(OPTION.findall(found.group(2)))
                of_calls |= named
                if not OTHERS.search(found.group(2)):
                    for option in sorted(named - commands[found.group(1)]):
                        yield f"{place}: startle {found.group(1)} has no {option}"
            if not OTHERS.search(line):
                known = (every if line.startswith("    ") else allowed) | own | of_calls
                for option in sorted(set(OPTION.findall(line)) - known):
                    yield f"{place}: no {option} in what this is about: {line.strip()[:90]}"
            for shooter, detector in AGENT.findall(line):
                if (shooter in shooters or shooter == "SHOOTER") and detector not in detectors | {"DETECTOR"}:
                    yield f"{place}: no detector is {detector}"
                is_detector = detector in detectors or detector == "DETECTOR"
                if is_detector and shooter not in shooters | {"SHOOTER", ""}:
                    yield f"{place}: no shooter is {shooter}"


def files(path):
    path = pathlib.Path(path)
    if not path.is_dir():
        return [path]
    found = [p for p in sorted(path.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
    return [p for p in found if p.suffix in (".cpp", ".hpp", ".py", ".md", "")]


def main(page, program, *given):
    commands, sections = options_of(page)
    agents = agents_of(program)
    paths = [p for path in given for p in files(path) if str(p) not in SKIPPED]
    faults = [fault for path in paths for fault in faults_of(path, page, commands, sections, agents)]
    print("\n".join(faults))
    print(f"{len(commands)} commands, {len(agents[0])} shooters, {len(agents[1])} detectors, "
          f"{len(paths)} files, {len(faults)} faults")
    return 1 if faults or not (commands and all(agents) and paths) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
