"""Options mean one thing: in the tables of a page such as docs/command-line.md no name, of an option or of a
positional argument, has two types or two meanings, no two positional arguments have one meaning, and each row
says its default and what it takes in plain words.
    options.py PAGE [PROGRAM...]
With programs, the tables must also be those that `PROGRAM reference PAGE` prints, and the faults of
tests/options/wordings.md those that it lists. A meaning is what stands before the first semicolon. A default
is one of DEFAULTS; that of a flag is `off`. Prints each fault and ends with 1; --update writes the programs'
tables into the page first."""
import pathlib
import re
import subprocess
import sys

MARK = re.compile(r"<!-- options: (.+) -->")
ROW = re.compile(r"\| `([^` ]+)(?: ([^`]*))?` \| (.*) \| (.*) \|$")
DEFAULTS = [
    r"required( with(out)? --.+)?",
    r"none( \(.+\))?",  # what then is: none (the normal world)
    r"`(?!(none|off|not?|required)`)[^`\s\"'\[\]{}]+`",  # a value, as it is typed: `0.25,0.5`
    r"by (--|the ).+",  # what decides: by --preset
    r"standard output|(the|an?) .+",  # what a value cannot say: the shipped one
]
DEFAULT = re.compile("|".join(f"(?:{default})" for default in DEFAULTS))
WORDINGS = pathlib.Path(__file__).parent / "options/wordings.md"


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
    first, positional = {}, {}
    for command, name, value, meaning, default in rows(text):
        is_option = name.startswith("--")
        is_flag = is_option and not value
        if not default:
            yield f"{command} {name}: no default"
        elif not (default == "off" if is_flag else DEFAULT.fullmatch(default)):
            yield f"{command} {name}: default {default}, in other words than those of tests/options.py"
        if " in [" in value or " in {" in value:
            yield f"{command} {name}: '{value}' has a check's text"
        if not is_option:
            if not re.fullmatch(r"[A-Z]+(_[A-Z]+)*", name):
                yield f"{command} {name}: a positional argument that is not in upper case"
            other = positional.setdefault(meaning, name)
            if name != other:
                yield f"{command} {name}: {meaning}, which is {other} elsewhere"
        before = first.setdefault(name, (command, value, meaning))
        if (value, meaning) != before[1:]:
            yield f"{name}: '{value}', {meaning} in {command}, but '{before[1]}', {before[2]} in {before[0]}"


def not_as_listed():
    """Where the faults of WORDINGS are others than its indented lines."""
    text = WORDINGS.read_text(encoding="utf-8")
    found, listed = list(faults(text)), re.findall("^    (.+)", text, re.MULTILINE)
    yield from (f"{WORDINGS.name}: not found: {fault}" for fault in listed if fault not in found)
    yield from (f"{WORDINGS.name}: not listed: {fault}" for fault in found if fault not in listed)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    page, programs = arguments[0], arguments[1:]
    found = list(not_as_listed()) if programs else []
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
