"""A model of one's own by tier: what docs/surprise.md says of it is so, for startle surprise evaluate and
startle.evaluate."""
import collections
import csv
import importlib.util
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import startle
from common import BENCHMARK, PROGRAM, SOURCE, program


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def change(clip):
    """The error of a copy of the last frame, of a clip (T, H, W, 3) uint8."""
    return float((np.diff(clip / 255.0, axis=0) ** 2).sum())


@unittest.skipUnless(pathlib.Path(PROGRAM + "-surprise").exists(), "built without learned models")
@unittest.skipUnless(importlib.util.find_spec("h5py"), "needs h5py (python3-h5py)")
class OwnModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import h5py

        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        for part in (f"{novelty}/{tier}" for novelty in ("T2", "pig-restitution-up")
                     for tier in ("easy", "hard")):
            (cls.folder / "levels" / part).mkdir(parents=True)
            for file in sorted((BENCHMARK / part).glob("*-*.json"))[:2]:
                shutil.copy(file, cls.folder / "levels" / part)
        cls.common = ["surprise", "evaluate", "--levels", "levels", "--quiet"]
        program(*cls.common, "--write-clips", "clips.h5", cwd=cls.folder)
        with h5py.File(cls.folder / "clips.h5") as file:
            cls.metadata, cls.clips = file["metadata"][:], file["frames"][:]
        cls.ids = [int(clip) for clip in cls.metadata["level"]]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def scores(self, name, scores):
        text = "".join(f"{clip},{score}\n" for clip, score in scores)
        (self.folder / name).write_text("clip,score\n" + text)
        return name

    def refused(self, message, *arguments):
        done = subprocess.run([PROGRAM, *self.common, *arguments], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, message)

    def test_the_clips_give_nothing_away(self):
        self.assertEqual(self.ids, sorted(set(self.ids)))
        for name in self.metadata.dtype.names:
            if name != "level":
                self.assertEqual(len(set(self.metadata[name].tolist())), 1, name)

    def test_an_oracle_detects_all_that_differs_and_a_constant_nothing(self):
        self.scores("constant.csv", [(clip, -3) for clip in self.ids])
        program(*self.common, "--scores", "constant.csv", "--out", "first", cwd=self.folder)
        self.assertEqual(json.loads((self.folder / "first/results.json").read_text())["predictors"][:2],
                         ["constant", "PredRNN"])
        constant = [row for row in rows(self.folder / "first/cells.csv")
                    if row["predictor"] == "constant" and int(row["twins"]) > 0]
        self.assertGreater(len(constant), 10)
        for row in constant:
            self.assertEqual((row["paired_accuracy"], row["ties"], row["roc_auc"]),
                             ("0.5", row["twins"], "0.5"))

        # Which clip is novel only the results say: a copy of the last frame is off by its change.
        labels = collections.defaultdict(float)
        for row in rows(self.folder / "first/twins.csv"):
            if row["predictor"] == "copy-last":
                labels[float(row["sum_normal"])] += 0
                labels[float(row["sum_novel"])] += float(row["difference"])

        def oracle(clip):
            of_clip = change(clip)
            return next(label for known, label in labels.items()
                        if math.isclose(known, of_clip, rel_tol=1e-5))

        tables = startle.evaluate(oracle, self.folder / "levels", out=self.folder / "oracle")
        self.assertIn("The model mine.h5", (self.folder / "oracle/report.html").read_text())
        by_tier = {row["tier"]: row for row in tables["cells"]
                   if row["predictor"] == "mine" and row["novelty"] == "all" and row["shots"] == "all"
                   and row["score"] == "sum"}
        for row in by_tier.values():
            self.assertEqual(row["paired_accuracy"], row["best_accuracy"])
        self.assertGreater(by_tier["easy"]["paired_accuracy"], 0.75)
        self.assertLess(by_tier["hard"]["paired_accuracy"], by_tier["easy"]["paired_accuracy"])
        self.assertIn("mine, calibrated", {row["detector"] for row in tables["detection"]})
        # So few normal clips give no p-values.
        self.assertIsNone(next(row for row in tables["detection"] if row["detector"] == "mine, calibrated")
                          ["detected"])

    def test_predictions_that_copy_are_the_control_that_copies(self):
        tables = startle.evaluate(lambda clip: clip[:-1], self.folder / "levels")
        cells = [[row for row in tables["cells"] if row["predictor"] == name]
                 for name in ("mine", "copy-last")]
        self.assertTrue(cells[0])
        for mine, control in zip(*cells):
            self.assertEqual({**mine, "predictor": "copy-last"}, control)

    def test_bad_files_are_refused_with_file_place_found_and_allowed(self):
        whole = [(clip, 1) for clip in self.ids]
        missing = self.scores("missing.csv", whole[1:])
        self.refused(rf"missing\.csv: has no id {self.ids[0]}, .*needed are all that --write-clips writes",
                     "--scores", missing, "--out", "bad")
        self.refused(r'nan\.csv: line 2: found "\d+,nan", allowed are the id of a clip, a comma and a finite',
                     "--scores", self.scores("nan.csv", [(self.ids[0], "nan")] + whole[1:]), "--out", "bad")
        self.refused(r'twice\.csv: line \d+: found "\d+,1", but a line before has that id',
                     "--scores", self.scores("twice.csv", whole + whole[:1]), "--out", "bad")
        self.refused(r"clips\.h5: /clip is missing", "--scores", "clips.h5", "--out", "bad")
        self.refused(r"none\.h5: this file does not exist", "--predictions", "none.h5", "--out", "bad")
        self.refused(r"linear\.csv: found the name 'linear', which is that of a control",
                     "--scores", self.scores("linear.csv", whole), "--out", "bad")
        self.refused(r"--out: is missing")
        self.refused(r"--scores: is for testing", "--write-clips", "again.h5", "--scores", missing)
        for name in ("bad/results.json", "again.h5"):
            self.assertFalse((self.folder / name).exists())

    def test_answers_that_are_none_are_refused(self):
        levels = self.folder / "levels"
        for model, message in [
                (lambda clip: "much", r"model: found an answer of shape \(\) and type <U4 for clip 0"),
                (lambda clip: clip, r"shape \(15, 64, 64, 3\) and type uint8 for clip 0, allowed are"),
                (lambda clip: math.nan, r"/scores: entry 0: found nan, allowed are finite numbers"),
                (lambda clip: [-1.0] * 14, r"/errors: entry 0, of frame 1: found -1, allowed are finite"),
        ]:
            with self.subTest(message=message), self.assertRaisesRegex(startle.Error, message):
                startle.evaluate(model, levels, limit=1)
        answers = iter([1.0, [1.0] * 14])
        with self.assertRaisesRegex(startle.Error, r"shape \(14,\) for clip 1, allowed is \(\), as for the"):
            startle.evaluate(lambda clip: next(answers), levels, limit=1)

    def test_the_documented_program_writes_scores(self):
        page = (SOURCE / "docs/surprise.md").read_text()
        section = page[page.index("## Your own model"):]
        code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
        done = subprocess.run([sys.executable, "-B", "-c", code], cwd=self.folder, capture_output=True,
                              text=True, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({int(row["clip"]) for row in rows(self.folder / "mine.csv")}, set(self.ids))


if __name__ == "__main__":
    unittest.main()
