"""startle probe --predictions: what docs/probes.md says of models in any language is so."""
import csv
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from common import PROGRAM, SOURCE, program


def rows_of(path, predictor):
    """Lines of a CSV file that are of one predictor, without its name."""
    with open(path, newline="") as file:
        return [{key: value for key, value in row.items() if value != predictor}
                for row in csv.DictReader(file) if predictor in row.values()]


@unittest.skipUnless(pathlib.Path(PROGRAM + "-surprise").exists(), "built without learned models")
@unittest.skipUnless(importlib.util.find_spec("h5py"), "needs h5py (python3-h5py)")
class Predictions(unittest.TestCase):
    code = re.search(r"```python\n(.*?)```", (SOURCE / "docs/probes.md").read_text(), re.DOTALL)[1]

    def copies_are_the_control(self, common, table, folder):
        """Writes the clips, has the documented program predict them, and compares."""
        program(*common, "--write-clips", "clips.h5", cwd=folder)
        done = subprocess.run([sys.executable, "-B", "-c", self.code], cwd=folder, capture_output=True,
                              text=True, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stderr)
        program(*common, "--predictions", "predictions.h5", "--out", "out", cwd=folder)
        for name in table, "cells.csv":
            copies, control = (rows_of(pathlib.Path(folder) / "out" / name, predictor)
                               for predictor in ("predictions", "copy-last"))
            self.assertTrue(copies)
            self.assertEqual(copies, control)

    def test_clips_of_others_are_written_and_scored_the_same_way(self):
        with tempfile.TemporaryDirectory() as folder:
            self.copies_are_the_control(["probe", "--from",
                                         SOURCE / "tests/surprise/probes/fixtures/physical_concepts",
                                         "--count", "1", "--quiet"], "tuples.csv", folder)
        with tempfile.TemporaryDirectory() as folder:
            program("surprise", "intphys", "--dev-sets", "1", "--seed", "3", "--quiet", "--out", "data",
                    cwd=folder)
            data = pathlib.Path(folder) / "data/dev"
            shutil.copytree(data / "O2/01", data / "O2/99")  # one set more than --count of its scenario
            self.copies_are_the_control(["probe", "--suite", "intphys", "--from", "data/dev", "--count", "1",
                                         "--quiet"], "clips.csv", folder)
            clips = rows_of(pathlib.Path(folder) / "out/clips.csv", "copy-last")
            self.assertEqual(len(clips), 4 * 54)

    def test_the_documented_program_is_the_control_that_copies(self):
        self.assertLessEqual(len(self.code.splitlines()), 30)
        for suite, table in (["--count", "2"], "tuples.csv"), (["--suite", "intphys", "--count", "1"],
                                                               "clips.csv"):
            with self.subTest(suite=suite), tempfile.TemporaryDirectory() as folder:
                common = ["probe", *suite, "--seed", "5", "--quiet"]
                self.copies_are_the_control(common, table, folder)
                other = subprocess.run([PROGRAM, *common[:-2], "6", "--predictions", "predictions.h5",
                                        "--out", "other"], cwd=folder, capture_output=True, text=True)
                self.assertEqual(other.returncode, 2)
                self.assertRegex(other.stderr, r"predictions\.h5: /clip: has no id \d+, .*seed")
                self.assertFalse((pathlib.Path(folder) / "other" / "results.json").exists())


if __name__ == "__main__":
    unittest.main()
