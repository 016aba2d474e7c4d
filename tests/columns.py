"""No line is longer than 110 columns: of code, of scripts and of the prose of Markdown pages.

    columns.py [FILE...]        default: all such files of the checkout that git does not ignore, below this
                                folder

Code is C++, Python, shell and CMake. Scripts are the files of scripts/ and tools/ without an extension, and
any other file that begins with #!. Exempt is what cannot be broken or would no longer be the same text:

- of C++ raw strings, of CMake quoted strings, and of all code lines with an address of the web;
- of Markdown tables, results that a command wrote, code in fences or indented, comments, and lines that are
  one link, one picture or one word.

Prints each line that is too long. Exit code 1 where there is one, and 77, skipped, where this is no checkout.
"""
import os
import re
import subprocess
import sys

COLUMNS = 110
EXEMPT = re.compile(r"""
    ^tests/words\.py$              # a table of patterns, one a line
    |^docs/command-line\.md$       # the programs write it (tests/options.py)
    |^tests/(columns|options|sentences)/  # wrong on purpose; their tests name the lines
""", re.VERBOSE)
CODE = re.compile(r"\.(cpp|hpp|h|py|pyi|sh|cmake)$|(^|/)CMakeLists\.txt$|^(scripts|tools)/[^.]+$")
CMAKE = re.compile(r"\.cmake$|(^|/)CMakeLists\.txt$")
CPP = re.compile(r"\.(cpp|hpp|h|txt)$")
RAW = re.compile(r'R"([^()\s\\]{0,16})\(.*?\)\1"', re.DOTALL)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
ADDRESS = re.compile(r"https?://")

WRITTEN = re.compile(r"^<!-- results: .*?^<!-- end of results -->|^<!--.*?-->", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^\s*(```+|~~~+)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+")
LEAD = re.compile(r"^\s*(?:> ?)*(?:(?:[-*+]|\d{1,2}[.)])\s+)?")
IMAGE = r"!\[[^\[\]]*\]\([^()]*\)"
LINK = re.compile(rf"(?:{IMAGE}|\[(?:[^\[\]]|{IMAGE})*\]\([^()]*\)|\[[^\[\]]*\]: \S+)[.,;:]?$")


def without(pattern, text):
    """The text with nothing in place of what matches; its lines keep their numbers."""
    return pattern.sub(lambda match: "\n" * match.group(0).count("\n"), text)


def prose(text):
    """The lines of a Markdown page, empty where they may be long."""
    fence, column, before = None, 0, ""  # column: where the text of a list's item begins
    for line in without(WRITTEN, text).split("\n"):
        mark = FENCE.match(line)
        if fence:
            fence = None if mark and mark.group(1).startswith(fence) else fence
            yield ""
            continue
        if mark:
            fence = mark.group(1)
            yield ""
            continue
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        code = indent >= column + 4 and not before.strip()
        words = LEAD.sub("", line).rstrip()
        table = words.startswith("|")
        yield "" if code or table or LINK.match(words) or not re.search(r"\s", words) else line
        item = not code and ITEM.match(line)
        if item:
            column = len(item.group(0))
        elif line.strip() and not indent and not before.strip():
            column = 0
        if not code:
            before = line


def long_lines(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    is_page = path.endswith(".md")
    if CMAKE.search(path):
        text = without(QUOTED, text)
    elif CPP.search(path):
        text = without(RAW, text)
    for number, line in enumerate(prose(text) if is_page else text.split("\n"), 1):
        if len(line) > COLUMNS and (is_page or not ADDRESS.search(line)):
            yield number, len(line)


def is_checked(path):
    if EXEMPT.search(path) or not os.path.isfile(path):
        return False
    if CODE.search(path) or path.endswith(".md"):
        return True
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main(paths):
    if not paths:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, capture_output=True, text=True)
        if listed.returncode != 0:
            print("skipped: not a git checkout")
            return 77
        paths = sorted(path for path in set(listed.stdout.split("\0")) if is_checked(path))
    found = [(path, number, length) for path in paths for number, length in long_lines(path)]
    for path, number, length in found:
        print(f"{path}:{number}: {length} columns, allowed are {COLUMNS}")
    print(f"{len(paths)} files, {len(found)} lines too long")
    return 1 if found or not paths else 0


sys.exit(main(sys.argv[1:]))
