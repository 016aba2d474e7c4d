"""No line is longer than 110 columns: of the C++, Python and CMake files of the checkout, or of those named.

    columns.py [FILE...]

Exempt is what cannot be broken or would no longer be the same text: raw strings of C++, quoted strings of
CMake, and lines with an address of the web. Prints each line that is too long, and ends with 1; 77, skipped,
where this is no checkout."""
import re
import subprocess
import sys

COLUMNS = 110
TABLE = "tests/words.py"  # a table of patterns, one in a line
ENDINGS = ("*.cpp", "*.hpp", "*.py", "*.cmake", "*CMakeLists.txt")
RAW = re.compile(r'R"([^()\s\\]{0,16})\(.*?\)\1"', re.DOTALL)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def without(pattern, text):
    """The text with nothing in place of what matches; its lines keep their numbers."""
    return pattern.sub(lambda match: "\n" * match.group(0).count("\n"), text)


def long_lines(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith((".cmake", "CMakeLists.txt")):
        text = without(QUOTED, text)
    elif not path.endswith(".py"):
        text = without(RAW, text)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and not re.search(r"https?://", line):
            yield number, len(line)


def main(paths):
    if not paths:
        listed = subprocess.run(["git", "ls-files", "-z", *ENDINGS], capture_output=True, text=True)
        if listed.returncode != 0:
            print("skipped: not a git checkout")
            return 77
        paths = [path for path in listed.stdout.split("\0") if path and path != TABLE]
    found = [(path, number, length) for path in paths for number, length in long_lines(path)]
    for path, number, length in found:
        print(f"{path}:{number}: {length} columns, allowed are {COLUMNS}")
    print(f"{len(paths)} files, {len(found)} lines too long")
    return 1 if found else 0


sys.exit(main(sys.argv[1:]))
