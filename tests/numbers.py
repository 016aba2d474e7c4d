"""Every option that is a number refuses what is none: NaN, infinity, and what a double cannot hold.
    numbers.py PAGE PROGRAM
The options are those of the tables in PAGE (docs/command-line.md); one that refuses `12monkeys` by its name
is taken for a number, or for a list of names, which no text of VALUES is in. A command whose program was not
built is left out. Prints each fault and ends with 1."""
import pathlib
import subprocess
import sys
from multiprocessing.pool import ThreadPool

from options import rows

VALUES = ["nan", "-nan", "inf", "-inf", "infinity", "1e400", "-1e400"]
COUNTS = ["--limit"]  # those that CLI11 alone would take -1 for the largest count of
KNOWN = {"--limit", "--action-limit", "--trial-limit", "--at", "--alpha", "--threads",
         "--seed", "--aim-noise", "--pixel-size"}


def refuses(program, command, option, value):
    """Whether the value is refused, by the option's name and with exit code 2. Nothing is run: another option
    that there is not would be refused next."""
    done = subprocess.run([program, *command.split()[1:], f"{option}={value}", "--no-such-option"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    return done.returncode == 2 and option in done.stderr and value in done.stderr


def main():
    page, program = sys.argv[1:]
    text = pathlib.Path(page).read_text(encoding="utf-8")
    found = [(command, name) for command, name, value, *_ in rows(text) if name.startswith("--") and value]
    commands = {command for command, _ in found}
    built = {command for command in commands if subprocess.run(
        [program, *command.split()[1:], "--help"], capture_output=True).returncode == 0}
    found = [(command, name) for command, name in found if command in built]
    with ThreadPool(4) as pool:
        is_number = pool.map(lambda option: refuses(program, *option, "12monkeys"), found)
        numbers = [option for option, number in zip(found, is_number) if number]
        tried = [(*option, value) for option in numbers
                 for value in VALUES + ["-1"] * (option[1] in COUNTS)]
        faults = [case for case, good in zip(tried, pool.map(lambda case: refuses(program, *case), tried))
                  if not good]
    for command, name, value in faults:
        print(f"{command} {name}={value} is not refused by its name with exit code 2")
    missing = KNOWN - {name for _, name in numbers}
    for name in missing:
        print(f"{name} was not taken for a number")
    print(f"{len(numbers)} of {len(found)} options of {len(built)} commands, {len(faults)} faults")
    sys.exit(bool(faults or missing))


if __name__ == "__main__":
    main()
