"""The examples do what they say."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import startle
from common import PROGRAM, SOURCE


def example(name, *arguments, cwd="/"):
    done = subprocess.run([sys.executable, "-B", SOURCE / "python/examples" / f"{name}.py", *arguments], cwd=cwd, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Documents(unittest.TestCase):
    def test_what_the_readme_shows_works_from_any_folder(self):
        code = re.search(r"```python\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)[1]
        if not pathlib.Path(PROGRAM + "-surprise").exists():
            code = "".join(line for line in code.splitlines(True) if "surprise" not in line)
        done = subprocess.run([sys.executable, "-B", "-c", code + "print(reward >= 0, level.novelty)"], cwd="/", capture_output=True, text=True)
        self.assertEqual(done.stdout, "True T2\n", done.stderr)


class Examples(unittest.TestCase):
    def test_levels_at_a_set_difficulty(self):
        with tempfile.TemporaryDirectory() as folder:
            said = example("generate_levels", folder)
            for name, least, most in (("easy", 0.0, 0.15), ("hard", 0.4, 0.6)):
                levels = startle.read_levels(pathlib.Path(folder) / name)
                self.assertEqual(len(levels), 5)
                for level in levels:
                    self.assertTrue(least <= startle.difficulty(level, "T2")["value"] <= most)
                    self.assertIn(f"{name}: {level.name}, value {level.difficulty:.2f}", said)

    def test_a_level_played_by_a_planner(self):
        said = example("play_level")
        self.assertRegex(said, r"solved with a score of [1-9]")
        self.assertRegex(said, r"detected in [0-4] of 4 launches")

    def test_agents_against_tiers(self):
        rows = [line.split() for line in example("score_agents", "1", "T2").splitlines()]
        self.assertEqual([row[:2] for row in rows[1:]], [[agent, tier] for agent in ("mine", "pig-shooter+simulation") for tier in ("easy", "medium", "hard")])
        for row in rows[1:]:
            self.assertTrue(all(0 <= float(number) <= 1 for number in re.findall(r"[0-9]\.[0-9]+", " ".join(row[2:]))))


if __name__ == "__main__":
    unittest.main()
