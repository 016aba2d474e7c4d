"""No command writes over what it reads. For each command of the programs, each option that names what it
writes, and each that names what it reads, the two are given the same file: by the same name, by others, by a
hard and a symbolic link, and in a folder that is searched. The command must end with 2, name both, and leave
the file as it was. Two outputs of one name, and an output that is a symbolic link, are refused, too.
    paths.py PAGE FORKED PROGRAM...
PAGE is docs/command-line.md, whose tables say which options are required. FORKED is the library of
forked.py. Prints each fault and ends with 1."""
import os
import pathlib
import subprocess
import sys
import tempfile

import options
from forked import Forked

READS, WRITES = ("reads", "reads_levels"), "writes"
CONTENT = b"what the user wants to keep\n"
# Commands whose output may take the place of this input, as its new version.
NEW_VERSIONS = {("startle dynamics calibrate", "--model"), ("startle levels convert", "LEVEL")}
# What a required option is given, by its name or by what it takes.
VALUES = {"--novelty": "T1", "--family": "castles", "--shot": "40", "--agent": "random",
          "--shooter": "random", "--world": "normal", "--level": "a", "--description": "{}",
          "--split": "train", "N": "2", "CODE": "A"}


def used(program):
    """(command, option, use) of each option that takes paths."""
    text = subprocess.run([program, "paths"], check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in text.splitlines()]


class Case:
    """A folder with `kept.json`, which is both read and written."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "kept.json"
        (folder / "sub").mkdir()
        self.file.write_bytes(CONTENT)
        (folder / "other.json").write_bytes(b"{}")

    def ways(self, searched):
        """Pairs (what is read, what is written) that lead to one file."""
        os.link(self.file, self.folder / "hard.json")
        (self.folder / "soft.json").symlink_to("kept.json")
        yield "kept.json", "kept.json"
        yield "kept.json", "./kept.json"
        yield "kept.json", "sub/../kept.json"
        yield str(self.file), "kept.json"
        yield "kept.json", "hard.json"
        yield "kept.json", "soft.json"
        yield "soft.json", "kept.json"
        if searched:
            yield ".", "kept.json"

    def whole(self):
        return self.file.read_bytes() == CONTENT


def arguments(program, command, rows, given):
    """The words of a command with these options, and with those that it requires."""
    words, given_options, positional = program.words(command), [], []
    for name, value, default in rows[command]:
        takes = given.get(name)
        if takes is None and default == "required":
            takes = VALUES.get(name, VALUES.get(value.split(" ")[0], "other.json"))
        if takes is None:
            continue
        if name.startswith("--"):
            given_options += [name, takes]
        else:
            positional += [takes, "other.json"] if name == "EVALUATIONS" else [takes]
    return words + positional + given_options


def main():
    page, library, *programs = sys.argv[1:]
    rows, faults, tried = {}, [], 0
    with open(page, encoding="utf-8") as file:
        for command, name, value, _, default in options.rows(file.read()):
            rows.setdefault(command, []).append((name, value, default))

    def refused(program, command, given, words):
        nonlocal tried
        with_all = arguments(program, command, rows, given)
        tried += 1
        code, errors = program.run(with_all, case.folder)
        text = "startle " + " ".join(with_all)
        if code != 2 or any(word not in errors for word in words):
            faults.append(f"{text}: ends with {code}: {errors.strip()[:300]}")
        elif not case.whole():
            faults.append(f"{text}: the file is another one")

    for program in (Forked(library, program) for program in programs):
        by_command = {}
        for command, name, use in used(program.program):
            by_command.setdefault(command, []).append((name, use))
        for command, paths in by_command.items():
            outputs = [name for name, use in paths if use == WRITES]
            for out in outputs:
                for read, use in paths:
                    if use not in READS or (command, read) in NEW_VERSIONS:
                        continue
                    with tempfile.TemporaryDirectory() as folder:
                        case = Case(pathlib.Path(folder))
                        for given, written in case.ways(use == "reads_levels"):
                            same = ["is the same file as", read, out]
                            refused(program, command, {read: given, out: written},
                                    ["symbolic link"] if written == "soft.json" else same)
                with tempfile.TemporaryDirectory() as folder:
                    case = Case(pathlib.Path(folder))
                    (case.folder / "link").symlink_to("kept.json")
                    refused(program, command, {out: "link"}, [out, "symbolic link"])
                    for other in outputs[:outputs.index(out)]:
                        refused(program, command, {out: "new.json", other: "sub/../new.json"}, [out, other])
    print("\n".join(faults + [f"{tried} command lines, {len(faults)} faults"]))
    return 1 if faults or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
