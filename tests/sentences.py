"""Fails where a sentence of a page is longer than 35 words, or a page longer than its readers want.

    sentences.py PAGE...

Prose is counted: paragraphs, items of lists and quotes, each item by itself. Headings, tables, code,
pictures, comments, and what stands between the markers of generated results are none. `Code` in a sentence
counts as one word, however long; a link as its text. A sentence ends with . ! or ? and a blank; "e.g.",
"et al." and other abbreviations do not end one, nor do numbers and names of files. Exit code 1 where one is
too long.
"""
import pathlib
import re
import sys

LONGEST = 35  # words
LINES = 250
LINES_OF = {"README.md": 120}
REFERENCE = {"command-line.md", "files.md", "level-format.md", "reasoning.md", "agent-protocol.md",
             "glossary.md"}

FENCE = re.compile(r"^\s*(```+|~~~+)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+")
GENERATED = re.compile(r"^<!-- results: .*?^<!-- end of results -->|^<!--.*?-->", re.DOTALL | re.MULTILINE)
ABBREVIATIONS = r"(?:\b(?:e\.g|i\.e|cf|vs|al|approx|resp|Fig|Figs|Eq|eq|Sec|Tab|No|pp|Dr|St)|\b[A-Z])\."
END = re.compile(r"(?<=[.!?])[)\]\"'*_”]*\s+")


def blocks(text):
    """(line number, text) of each paragraph and item, without the lines of code, tables and headings."""
    text = GENERATED.sub(lambda found: "\n" * found.group(0).count("\n"), text)
    block, start, fence, in_list, before = [], 0, None, False, ""
    for number, line in enumerate(text.split("\n") + [""], 1):
        mark = FENCE.match(line)
        if fence:
            fence = None if mark and mark.group(1).startswith(fence) else fence
            line, is_prose = "", False
        elif mark:
            fence, is_prose = mark.group(1), False
        else:
            of_item = in_list and len(line) - len(line.lstrip()) < 7
            code = line.startswith(("    ", "\t")) and not before.strip() and not of_item
            is_prose = bool(line.strip()) and not code and not line.lstrip().startswith(("|", "#", "<"))
        item = is_prose and ITEM.match(line)
        if block and (not is_prose or item):
            yield start, " ".join(block)
            block = []
        if is_prose:
            if not block:
                start = number
            block.append(re.sub(r"^\s*>\s?", "", ITEM.sub("", line)).strip())
        if line.strip():
            in_list = bool(item) or in_list and (line.startswith(" ") or bool(before.strip()))
        if is_prose or not line.strip():
            before = line
    if block:
        yield start, " ".join(block)


def sentences(text):
    text = re.sub(r"(`+).+?\1", "CODE", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<?https?://[^\s>)]+>?", "LINK", text)
    sentence = ""
    for part in END.split(text):
        sentence = f"{sentence} {part}".strip()
        if not re.search(ABBREVIATIONS + "$", sentence):
            yield sentence
            sentence = ""
    if sentence:
        yield sentence


def main(paths):
    count, longest, faults = 0, 0, 0
    for path in map(pathlib.Path, paths):
        text = path.read_text(encoding="utf-8")
        for line, block in blocks(text):
            for sentence in sentences(block):
                words = sum(bool(re.search(r"\w", word)) for word in sentence.split())
                count += 1
                longest = max(longest, words)
                if words > LONGEST:
                    faults += 1
                    print(f"{path}:{line}: {words} words: {sentence[:100]}")
        lines, most = GENERATED.sub("", text).count("\n"), LINES_OF.get(path.name, LINES)
        if lines > most and path.name not in REFERENCE:
            faults += 1
            print(f"{path}: {lines} lines, allowed are {most}")
    print(f"{count} sentences, the longest of {longest} words, {faults} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
