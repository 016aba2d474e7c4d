"""Options mean one thing: in the tables of a page such as docs/command-line.md no name has two types or two
meanings, and each row says its default and what it takes in plain words.
    options.py PAGE [PROGRAM...]
With programs, the tables must also be those that `PROGRAM reference PAGE` prints. A meaning is what stands
before the first semicolon. Prints each fault and ends with 1; --update writes the programs' tables into the
page first."""
import re
import subprocess
import sys

MARK = re.compile(r"<!-- options: (.+) -->")
ROW = re.compile(r"\| `([^` ]+)(?: ([^`]*))?` \| (.*) \| (.*) \|$")


def printed(program, page):
    return subprocess.run([program, "reference", page], check=True, capture_output=True, text=True).stdout


def rows(text):
    """(command, name, value, meaning, default) of each row between marks."""
    command = None
    for line in text.splitlines():
        mark = MARK.fullmatch(line)
        if mark:
            command = mark.group(1)
        elif line == "<!-- end of options -->":
            command = None
        elif command and line.startswith("| `"):
            name, value, meaning, default = ROW.fullmatch(line.replace("\\|", "¦")).groups()
            yield command, name, value or "", meaning.split(";")[0], default.strip()


def faults(text):
    first = {}
    for command, name, value, meaning, default in rows(text):
        if not default:
            yield f"{command} {name}: no default"
        if not name.startswith("--"):
            continue
        if " in [" in value or " in {" in value:
            yield f"{command} {name}: '{value}' has a check's text"
        before = first.setdefault(name, (command, value, meaning))
        if (value, meaning) != before[1:]:
            yield f"{name}: '{value}', {meaning} in {command}, but '{before[1]}', {before[2]} in {before[0]}"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    page, programs = arguments[0], arguments[1:]
    found = []
    for program in programs:
        text = printed(program, page)
        if "--update" in sys.argv:
            with open(page, "w", encoding="utf-8") as out:
                out.write(text)
        with open(page, encoding="utf-8") as file:
            if text != file.read():
                found.append(f"{page}: not what {program} reference prints; tests/options.py --update {page} "
                             f"{program}")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    found += faults(text)
    count = sum(1 for _ in rows(text))
    print("\n".join(found + [f"{count} options, {len(found)} faults"]))
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
