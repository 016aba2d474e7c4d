"""Runs a program on many command lines, and loads it once: tests/app/forked.c."""
import os
import pathlib
import subprocess
import tempfile


class Forked:
    """A program, by the library that forked.c has become."""

    def __init__(self, library, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory()
        # The address sanitizer's library would come first.
        environment = {"LD_PRELOAD": os.path.abspath(library), "ASAN_OPTIONS": "verify_asan_link_order=0"}
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=os.environ | environment)

    def run(self, words, cwd="."):
        """The exit code, and what it wrote to standard error."""
        errors = pathlib.Path(self.folder.name) / "errors.txt"
        self.process.stdin.write("\x1f".join([os.path.abspath(cwd), str(errors), *words]) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline()), errors.read_text(encoding="utf-8")

    def words(self, command):
        """Those of a command's name: `startle surprise score` is `score` of startle-surprise."""
        return command.split()[2 if os.path.basename(self.program) == "startle-surprise" else 1:]
