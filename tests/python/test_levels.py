"""Levels and difficulty: what the program makes and computes."""
import json
import pathlib
import pickle
import tempfile
import unittest

import startle
from common import program, program_json, some_levels


class Levels(unittest.TestCase):
    def made_by_program(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            program("levels", "generate", *arguments, "--out", folder, "--quiet")
            names = json.loads((pathlib.Path(folder) / "manifest.json").read_text())["levels"]
            return [(pathlib.Path(folder) / name).read_text() for name in names]

    def test_families(self):
        ours = startle.generate("towers", count=3, seed=5)
        self.assertEqual([level.json() for level in ours],
                         self.made_by_program("--family", "towers", "--count", 3, "--seed", 5))

    def test_a_range_of_difficulty(self):
        for measure in ("value", "p_level"):
            ours = startle.generate("dominoes", count=2, seed=4, novelty="T2", range=(0.2, 0.6),
                                    measure=measure)
            theirs = self.made_by_program("--family", "dominoes", "--novelty", "T2", "--range", "0.2:0.6",
                                          "--measure", measure, "--count", 2, "--seed", 4)
            self.assertEqual([level.json() for level in ours], theirs)
            for level in ours:
                self.assertTrue(0.2 <= startle.difficulty(level, "T2")[measure] <= 0.6)

    def test_tiers_are_bands_of_p_level(self):
        for tier, low, high in (("easy", 0.85, 1), ("medium", 0.4, 0.6), ("hard", 0, 0.15)):
            ours = startle.generate("towers", count=1, seed=4, novelty="T2", tier=tier)
            theirs = self.made_by_program("--family", "towers", "--novelty", "T2", "--tier", tier, "--count",
                                          1, "--seed", 4)
            self.assertEqual([level.json() for level in ours], theirs)
            for level in ours:
                found = startle.difficulty(level, "T2")
                self.assertEqual((level.tier, found["tier"]), (tier, tier))
                self.assertTrue(low <= found["p_level"] <= high)
                self.assertEqual(level.difficulty, 1 - found["p_level"])

    def test_files(self):
        paths = some_levels("T1/easy", 2)
        levels = startle.read_levels(paths)
        self.assertEqual([level.name for level in levels], [path.stem for path in paths])
        self.assertEqual(levels[0].json(), paths[0].read_text())
        self.assertEqual(pickle.loads(pickle.dumps(levels[0])), levels[0])
        self.assertEqual(startle.Level(levels[0].json()), levels[0])
        self.assertNotEqual(levels[0], levels[1])
        with tempfile.TemporaryDirectory() as folder:
            levels[0].save(pathlib.Path(folder) / "copy.json")
            self.assertEqual(startle.read_levels(folder)[0], levels[0])
            with self.assertRaisesRegex(startle.Error, "copy.txt"):
                levels[0].save(pathlib.Path(folder) / "copy.txt")

    def test_what_a_level_was_made_for(self):
        for folder in ("T1/easy", "T3/hard"):
            path = some_levels(folder, 1)[0]
            stored = json.loads(path.read_text())["difficulty"]
            level = startle.read_levels(path)[0]
            self.assertEqual((level.novelty, level.tier, level.difficulty),
                             (*folder.split("/"), 1 - stored["p_level"]))
            self.assertEqual(stored["method"], "p_level")
            self.assertAlmostEqual(stored["p_level"], startle.difficulty(level, level.novelty)["p_level"], 12)
        made_by_value = startle.generate(novelty="T2", range=(0.0, 0.5), measure="value", count=1,
                                         seed=1)[0]
        self.assertEqual(made_by_value.difficulty, startle.difficulty(made_by_value, "T2")["value"])
        self.assertEqual((made_by_value.novelty, made_by_value.tier), ("T2", None))
        plain = startle.generate("castles", count=1, seed=1)[0]
        self.assertEqual((plain.novelty, plain.tier, plain.difficulty), (None, None, None))

    def test_difficulty(self):
        for path in some_levels("T1/easy", 2) + some_levels("T3/hard", 2):
            for novelty in ("T1", "T2", "T3"):
                for method in ("published", "extended"):
                    theirs = program_json("difficulty", path, "--novelty", novelty, "--method", method,
                                          "--format", "json")["results"][0]
                    ours = startle.difficulty(path, novelty, method=method)
                    for name in ("pid", "bid", "value", "birds", "novel_objects", "targets",
                                 "detectable_targets", "detected_at", "detected_best", "detected_random",
                                 "detected_any", "detected_after", "p_level", "p_level_random"):
                        if theirs.get(name) is None:
                            self.assertIsNone(ours.get(name))
                        else:
                            self.assertEqual(ours[name], theirs[name], (path.name, novelty, name))

    def test_refused(self):
        level = startle.read_levels(some_levels("T1/easy", 1))[0]
        for call, message in ((lambda: startle.difficulty(level, "T99"), "T99"),
                              (lambda: startle.difficulty(level, "T1", alpha=2), "alpha"),
                              (lambda: startle.difficulty(level, "T1", method="x"), "method"),
                              (lambda: startle.difficulty(level, "T1", state_update="x"), "state_update"),
                              (lambda: startle.generate("huts"), "huts"),
                              (lambda: startle.generate("rows", tier="easy"), "novelty"),
                              (lambda: startle.generate(novelty="T1"), "tier or range"),
                              (lambda: startle.generate(novelty="T1", range=(0.6, 0.2)), "0.6|range"),
                              (lambda: startle.generate(novelty="T1", tier="harder"), "harder"),
                              (lambda: startle.generate(novelty="T1", tier="easy", measure="aim"), "'aim'"),
                              (lambda: startle.generate(novelty="T1", tier="easy", method="published"),
                               "allowed is extended"),
                              (lambda: startle.generate(novelty="T1", tier="easy", measure="value"),
                               "tier: is for the measure p_level; found 'value'"),
                              (lambda: startle.generate("rows", measure="pid"), "novelty"),
                              (lambda: startle.Level("{}"), "level")):
            with self.assertRaisesRegex(startle.Error, message):
                call()


if __name__ == "__main__":
    unittest.main()
