"""Runs a test in a virtual environment that holds requirements.txt from PyPI: the real programs that Startle
works with. With STARTLE_SLOW it holds those of requirements-slow.txt besides, which are large.

    run.py FOLDER [TEST_FILE [ARGUMENT...]]

FOLDER is the environment: it is made, or made anew where requirements.txt has changed, by pip. Exit code 77,
which CTest takes for skipped, and a line that says why, where PyPI cannot be reached, does not give all of
them, or Debian's python3-venv is missing.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = [HERE / "requirements.txt"]
if os.environ.get("STARTLE_SLOW"):
    REQUIREMENTS.append(HERE / "requirements-slow.txt")
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def environment(folder):
    """The Python of the environment, which is there afterwards."""
    wanted = [hashlib.sha256(file.read_bytes() + sys.version.encode()).hexdigest() for file in REQUIREMENTS]
    stamp, python = folder / "requirements.hash", folder / "bin/python"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        found = stamp.read_text().split() if stamp.exists() else []
        if found[:len(wanted)] == wanted:  # it may hold the large ones, too
            return python
        if found != wanted[:1]:
            shutil.rmtree(folder, ignore_errors=True)
        made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, text=True)
        if made.returncode != 0:
            skip(f"no virtual environment can be made (Debian: python3-venv): {made.stdout.strip()[:200]}")
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input"]
        asked = subprocess.run([*pip, "--retries", "0", "--timeout", "10", "download", "--quiet", "--no-deps",
                                "--dest", folder / "asked", "sniffio"], capture_output=True, text=True)
        if asked.returncode != 0:
            skip("PyPI cannot be reached")
        installed = subprocess.run([*pip, "install", "--quiet", *(word for file in REQUIREMENTS
                                                                    for word in ("-r", file))],
                                   capture_output=True, text=True)
        if installed.returncode != 0:
            skip(f"pip cannot install the packages: {installed.stderr.strip()[-300:]}")
        stamp.write_text("\n".join(wanted))
    return python


def main():
    python = environment(pathlib.Path(sys.argv[1]).resolve())
    if len(sys.argv) > 2:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
        os.chdir(HERE)
        os.execv(python, [str(python), "-B", "-m", "unittest", "-v", *sys.argv[2:]])


main()
