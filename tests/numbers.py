"""Every option that is a number refuses what is none: NaN, infinity, and what a double cannot hold.
    numbers.py PAGE FORKED PROGRAM...
The options are those of the tables in PAGE (docs/command-line.md); one that refuses `12monkeys` by its name
is taken for a number, or for a list of names, which no text of VALUES is in. FORKED is the library of
forked.py. A command whose program was not built is left out. Prints each fault and ends with 1."""
import pathlib
import sys

from forked import Forked
from options import rows

VALUES = ["nan", "-nan", "inf", "-inf", "infinity", "1e400", "-1e400"]
COUNTS = ["--limit"]  # those that CLI11 alone would take -1 for the largest count of
KNOWN = {"--limit", "--action-limit", "--trial-limit", "--at", "--alpha", "--threads",
         "--seed", "--aim-noise", "--pixel-size"}

# Of commands, the other programs than startle that have them.
PROGRAM_OF = {"surprise": "startle-surprise", "study-people": "startle-people",
              "threshold": "startle-people", "web": "startle-people"}


def refuses(program, command, option, value):
    """Whether the value is refused, by the option's name and with exit code 2. Nothing is run: another option
    that there is not would be refused next."""
    code, errors = program.run([*program.words(command), f"{option}={value}", "--no-such-option"])
    return code == 2 and option in errors and value in errors


def main():
    page, library, *programs = sys.argv[1:]
    text = pathlib.Path(page).read_text(encoding="utf-8")
    found = [(command, name) for command, name, value, *_ in rows(text) if name.startswith("--") and value]
    programs = {pathlib.Path(program).name: Forked(library, program) for program in programs}
    built = {}
    for command in {command for command, _ in found}:
        program = programs.get(PROGRAM_OF.get(command.split()[1], "startle"))
        if program and program.run([*program.words(command), "--help"])[0] == 0:
            built[command] = program
    found = [(built[command], command, name) for command, name in found if command in built]
    numbers = [option for option in found if refuses(*option, "12monkeys")]
    faults = [(command, name, value) for program, command, name in numbers
              for value in VALUES + ["-1"] * (name in COUNTS) if not refuses(program, command, name, value)]
    for command, name, value in faults:
        print(f"{command} {name}={value} is not refused by its name with exit code 2")
    missing = KNOWN - {name for *_, name in numbers}
    for name in missing:
        print(f"{name} was not taken for a number")
    print(f"{len(numbers)} of {len(found)} options of {len(built)} commands, {len(faults)} faults")
    sys.exit(bool(faults or missing))


if __name__ == "__main__":
    main()
