"""Each tutorial of docs/tutorials/ does what it says: its commands run, in a folder with the build and the
sources in it, and print what the page prints.

A block ```sh is run; ```text after it is what it prints, with "..." for what may differ, alone on a line for
any lines. A block with title="FILE" is written first. A command that ends
in & has its port, the one that the page names, when it goes on. Other blocks are for people: windows, servers
that do not end. C++ is built by tests/install/installed.
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from common import PROGRAM, SOURCE, slow

FENCE = re.compile(r'^```(\w*)(?: title="([\w.]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
PROGRESS = re.compile(r"^\w+: \d+/\d+, .*\n", re.MULTILINE)  # of commands that take long, on standard error
PORT = re.compile(r"(?:127\.0\.0\.1|localhost):(\d+)")


def pattern(expected):
    """Of a block ```text, for what a command prints; blanks are as good as other blanks."""
    found = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            found += r"(?:.*\n)*?"
        else:
            parts = [r"[ \t]+".join(map(re.escape, part.split())) for part in line.split("...")]
            spaced = [("[ \t]*" if part else "") + part + ("[ \t]*" if part else "") for part in parts]
            found += ".*?".join(spaced) + r"\n"
    return re.compile(found)


def answers(port):
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def wait_for(port):
    for _ in range(600):
        if answers(port):
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing answers at port {port}")


class Tutorials(unittest.TestCase):
    maxDiff = None

    def follow(self, name):
        text = (SOURCE / "docs/tutorials" / f"{name}.md").read_text()
        self.assertLessEqual(len(text.split()), 700, "words")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for part in ("agents", "levels", "people", "surprise", "python"):
                (folder / part).symlink_to(SOURCE / part)
            (folder / "build").symlink_to(pathlib.Path(PROGRAM).parent)
            blocks = FENCE.findall(text)
            for _, title, code in blocks:
                if title:
                    (folder / title).write_text(code)
            output, started = "", []
            try:
                for kind, title, code in blocks:
                    if kind == "sh" and code.rstrip().endswith("&"):
                        port = int(PORT.search(text)[1])
                        if answers(port):
                            self.skipTest(f"port {port} is in use")
                        started.append(subprocess.Popen(["bash", "-c", code.rstrip()[:-1]], cwd=folder,
                                                        start_new_session=True, stderr=subprocess.DEVNULL,
                                                        stdout=subprocess.DEVNULL))
                        wait_for(port)
                        output = ""
                    elif kind == "sh":
                        done = subprocess.run(["bash", "-eo", "pipefail", "-c", code], cwd=folder,
                                              capture_output=True, text=True)
                        self.assertEqual(done.returncode, 0, f"{code}\n{done.stdout}\n{done.stderr}")
                        output = PROGRESS.sub("", done.stdout + done.stderr)
                    elif kind == "text":
                        self.assertRegex(output, pattern(code))
            finally:
                for process in started:
                    if process.poll() is None:
                        os.killpg(process.pid, signal.SIGTERM)
                    process.wait()

    def test_every_page_is_followed(self):
        tested = {name.removeprefix("test_").replace("_", "-") for kind in (Tutorials, Slow)
                  for name in vars(kind) if name.startswith("test_")}
        pages = {path.stem for path in (SOURCE / "docs/tutorials").glob("*.md")}
        self.assertEqual(pages - tested, {"cpp"})

    def test_agent(self):
        self.follow("agent")

    def test_language_model(self):
        self.follow("language-model")

    def test_levels(self):
        self.follow("levels")

    def test_science_birds(self):
        self.follow("science-birds")

    def test_study(self):
        self.follow("study")


@slow
@unittest.skipUnless(shutil.which("startle-surprise", path=str(pathlib.Path(PROGRAM).parent)),
                     "built without learned models")
class Slow(Tutorials):
    test_every_page_is_followed = test_agent = test_language_model = test_levels = None
    test_science_birds = test_study = None

    def test_world_model(self):
        self.follow("world-model")


if __name__ == "__main__":
    unittest.main()
