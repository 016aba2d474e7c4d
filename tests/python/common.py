"""What the tests of the Python package share."""
import json
import os
import pathlib
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["STARTLE_SOURCE"])
BENCHMARK = SOURCE / "levels" / "benchmark"
PROGRAM = os.environ["STARTLE_PROGRAM"]

# Of tests that take long and find what others seldom miss; CTest runs them under the label slow.
slow = unittest.skipUnless(os.environ.get("STARTLE_SLOW"), "slow: scripts/test -L slow")


def program(*arguments, **options):
    """Standard output of `startle` with these arguments."""
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True,
                          **options).stdout


def program_json(*arguments):
    return json.loads(program(*arguments))


def some_levels(folder, count):
    """Paths of the first levels of a benchmark folder, for example "T1/easy"."""
    return sorted(path for path in (BENCHMARK / folder).glob("*.json")
                  if path.name != "manifest.json")[:count]
