"""The examples do what they say."""
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import startle
from common import PROGRAM, SOURCE


def example(name, *arguments, cwd="/"):
    done = subprocess.run([sys.executable, "-B", SOURCE / "python/examples" / f"{name}.py", *arguments],
                          cwd=cwd, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def block(line, page="python.md"):
    """The code of the page in whose first lines this stands."""
    blocks = re.findall(r"```python\n(.*?)```", (SOURCE / "docs" / page).read_text(), re.DOTALL)
    return next(code for code in blocks if line in code)


def run(code):
    return subprocess.run([sys.executable, "-B", "-c", code], cwd="/", capture_output=True, text=True)


class Documents(unittest.TestCase):
    def test_the_first_example_of_the_page_works_from_any_folder(self):
        done = run(block("env = startle.make(startle.LEVELS / \"benchmark/T1\""))
        self.assertRegex(done.stdout, r"^\d+\.\d+ (None|\d+)\n$", done.stderr)

    def test_what_the_commands_compute_works_from_any_folder(self):
        code = block("world = startle.simulate(")
        if not pathlib.Path(PROGRAM + "-surprise").exists():
            code = "".join(line for line in code.splitlines(True) if "surprise" not in line)
        before = "import startle\nlevels = startle.generate('castles', count=1, seed=7)\n"
        done = run(before + code + "\nprint(bird.shape[1], len(seen['p']))")
        self.assertEqual(done.stdout, "2 16\n", done.stderr)

    def test_an_agent_with_a_bound_on_its_false_alarms_plays(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "mine.py").write_text(block("TrialTest", "false-alarms.md"))
            # A shot has fewer frames than any of them, so that nothing is an alarm.
            scores = "".join(f"{score}\n" for score in range(500, 900))
            (pathlib.Path(folder) / "normal_scores.txt").write_text(scores)
            done = subprocess.run([PROGRAM, "agents", "run", "--agent", f"mine={sys.executable} -B mine.py",
                                   "--levels", str(startle.LEVELS / "benchmark/T1"), "--limit", "1",
                                   "--quiet", "--out", "r.sqlite"],
                                  cwd=folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = sqlite3.connect(pathlib.Path(folder) / "r.sqlite").execute(
                "SELECT status, levels FROM trials").fetchall()
        self.assertEqual({status for status, _ in found}, {"ok"})
        reports = [shot["novelty"] for _, levels in found for level in json.loads(levels)
                   for shot in level["shots"]]
        self.assertTrue(reports)
        self.assertTrue(all(0 < novelty < 0.5 for novelty in reports))


class Examples(unittest.TestCase):
    def test_levels_at_a_set_difficulty(self):
        with tempfile.TemporaryDirectory() as folder:
            said = example("generate_levels", folder)
            for name, least, most in (("easy", 0.0, 0.15), ("hard", 0.85, 1.0)):
                levels = startle.read_levels(pathlib.Path(folder) / name)
                self.assertEqual(len(levels), 5)
                for level in levels:
                    self.assertTrue(least <= level.difficulty <= most)
                    self.assertAlmostEqual(startle.difficulty(level, "T2")["p_level"], 1 - level.difficulty)
                    self.assertEqual(level.tier, name)
                    self.assertIn(f"{name}: {level.name}, difficulty {level.difficulty:.2f}: detected", said)

    def test_a_level_played_by_a_planner(self):
        said = example("play_level")
        self.assertRegex(said, r"solved with a score of [1-9]")
        self.assertRegex(said, r"detected in [0-4] of 4 launches")

    def test_a_policy_is_trained(self):
        lines = example("train", "1").splitlines()
        self.assertRegex(lines[0], r"^before: clears [1-9]\d?% of 60 unseen levels$")
        self.assertRegex(lines[1], r"^generation 1: score \d\.\d\d, of the best \d\.\d\d$")
        self.assertRegex(lines[2], r"^after: clears \d+% of 60 unseen levels$")

    def test_agents_against_tiers(self):
        rows = [line.split() for line in example("score_agents", "1", "T2").splitlines()]
        self.assertEqual([row[:2] for row in rows[1:]],
                         [[agent, tier] for agent in ("best-target+chance", "best-target+simulation", "mine")
                          for tier in ("easy", "medium", "hard")])
        for row in rows[1:]:
            self.assertTrue(all(0 <= float(number) <= 1
                                for number in re.findall(r"[0-9]\.[0-9]+", " ".join(row[2:]))))


if __name__ == "__main__":
    unittest.main()
