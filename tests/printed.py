"""What pages say that a command prints is what it prints. A page shows it as an indented block that begins
with "$ startle ...", or with "build/startle ..." and a blank line; "..." stands for any number of lines.

    python3 tests/printed.py [--update] PROGRAM PAGE...

Commands run in a folder with the project's levels and tests, the levels of tests/app, and three generated
castles; those of files that are not there are left out. --update writes what is printed into the pages, but
for blocks with "...".
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def examples(lines):
    """(first line, line after the last one, arguments) of what pages show of each command's output."""
    other = r"    (?!\$|(build/|)startle|/)"  # than a command
    for at, line in enumerate(lines):
        command = re.fullmatch(r"    (\$ |)(build/|)startle (.*[^\\])", line)
        if not command or not (command[1] or not lines[at + 1]):
            continue
        first = at + 1 if command[1] else at + 2
        last = first
        while re.match(other, lines[last]) or (not lines[last] and last > first and
                                               re.match(other, lines[last + 1])):
            last += 1
        if last > first:
            yield first, last, command[3]


def fits(expected, found):
    """The first line that is not where it is expected, or is not shown; None where all are."""
    place = 0
    anywhere = False
    for line in expected:
        if line.strip() == "...":
            anywhere = True
            continue
        rest = found[place:] if anywhere else found[place:place + 1]
        if line not in rest:
            return line
        place += rest.index(line) + 1
        anywhere = False
    return None if anywhere or place == len(found) else found[place]


def printed(program, arguments, folder):
    """What a command prints to standard output; None where it reads a file that is not there."""
    words = shlex.split(arguments)
    if any(word.endswith((".xml", ".json")) and not pathlib.Path(folder, word).exists() for word in words):
        return None
    if "castles" in words and not pathlib.Path(folder, "castles").exists():
        subprocess.run([program, "levels", "generate", "--family", "castles", "--count", "3", "--quiet",
                        "--out", "castles"], cwd=folder, check=True)
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True).stdout


def main(arguments):
    update = arguments[:1] == ["--update"]
    program, *pages = arguments[update:]
    faults = count = left_out = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("levels", "tests"):
            pathlib.Path(folder, name).symlink_to(ROOT / name)
        for level in (ROOT / "tests/app/levels").iterdir():
            pathlib.Path(folder, level.name).symlink_to(level)
        for page in map(pathlib.Path, pages):
            lines = page.read_text(encoding="utf-8").split("\n")
            for first, last, command in reversed(list(examples(lines))):
                out = printed(pathlib.Path(program).resolve(), command, folder)
                if out is None:
                    left_out += 1
                    continue
                count += 1
                shown = [line[4:].rstrip() for line in lines[first:last] if line]
                wrong = fits(shown, [line.rstrip() for line in out.split("\n") if line.strip()])
                if wrong is None:
                    continue
                if update and "..." not in "\n".join(shown):
                    lines[first:last] = [f"    {line}".rstrip() for line in out.rstrip().split("\n")]
                    continue
                faults += 1
                print(f"{page}:{first + 1}: startle {command}: '{wrong}' differs, printed is\n{out}")
            if update:
                page.write_text("\n".join(lines), encoding="utf-8")
    print(f"{count} examples, {left_out} left out, {faults} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
