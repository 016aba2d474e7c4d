"""scripts/results writes tables of results into pages, finds pages that differ, and says what is wrong.
Ends with 1 on a fault.

    results.py      from the root of the sources
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "scripts/results"
EASY = {"value": 0.714, "low": 0.68, "high": 0.744, "n": 800}
HARD = {"value": 0.5, "low": None, "high": None, "n": 90}
RATES = {"columns": ["tier", "detected", "shots"], "rows": [["easy", EASY, 12], ["hard", HARD, None]]}
RESULT = {"name": "x", "title": "t", "commands": ["c"], "commit": "abc", "date": "2026-01-01", "seed": 7,
          "looks": "1", "processor_s": 1, "tables": {"rates": RATES}}
PAGE = "# Page\n\nbefore\n\n<!-- results: x rates -->\n<!-- end of results -->\n\nafter\n"


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "docs/results").mkdir(parents=True)
        (self.root / "README.md").write_text("nothing\n")
        self.result = self.root / "docs/results/x.json"
        self.result.write_text(json.dumps(RESULT))
        self.page = self.root / "docs/page.md"
        self.page.write_text(PAGE)

    def run_tables(self, *arguments):
        return subprocess.run([sys.executable, "-B", PROGRAM, "tables", *arguments], capture_output=True,
                              text=True, env={**os.environ, "STARTLE_RESULTS_ROOT": str(self.root)})

    def test_written_tables_hold_the_cells_and_stay(self):
        self.assertEqual(self.run_tables("--check").returncode, 1)
        self.assertEqual(self.page.read_text(), PAGE)  # --check writes nothing
        self.assertEqual(self.run_tables().returncode, 0)
        text = self.page.read_text()
        self.assertIn("| easy | 0.71 (0.68 to 0.74) | 12 |", text)
        self.assertIn("| hard | 0.50 | - |", text)
        self.assertIn("n from 90 to 800, 95 % intervals; seed 7; commit abc; `scripts/results run x`", text)
        self.assertTrue(text.startswith("# Page\n\nbefore\n") and text.endswith("\nafter\n"))
        self.assertEqual(self.run_tables("--check").returncode, 0)
        self.run_tables()
        self.assertEqual(self.page.read_text(), text)

    def test_another_result_or_an_edited_table_is_found(self):
        self.run_tables()
        written = self.page.read_text()
        self.page.write_text(written.replace("0.71 (", "0.91 ("))
        found = self.run_tables("--check")
        self.assertEqual(found.returncode, 1)
        self.assertIn("docs/page.md", found.stdout)
        self.page.write_text(written)
        other = json.loads(json.dumps(RESULT).replace("0.714", "0.7"))
        self.result.write_text(json.dumps(other))
        self.assertEqual(self.run_tables("--check").returncode, 1)

    def test_each_table_names_its_commit_and_missing_results_are_found(self):
        (self.root / "docs/results/y.json").write_text(json.dumps({**RESULT, "name": "y"}))
        self.page.write_text(PAGE + PAGE.replace("x rates", "y rates"))
        self.run_tables()
        self.assertEqual(self.run_tables("--check").returncode, 0)
        (self.root / "docs/results/y.json").write_text(json.dumps({**RESULT, "commit": "def"}))
        self.run_tables()
        self.assertEqual(self.run_tables("--check").returncode, 0)
        for name, commit in (("x", "abc"), ("y", "def")):
            self.assertIn(f"commit {commit}; `scripts/results run {name}`", self.page.read_text())
        self.page.write_text(PAGE.replace("x rates", "cost difficulty"))  # one that scripts/results can make
        self.assertEqual(self.run_tables().returncode, 0)
        self.assertIn("Not measured yet", self.page.read_text())
        found = self.run_tables("--check")
        self.assertEqual(found.returncode, 1)
        self.assertIn("scripts/results run cost", found.stdout)

    def test_what_is_wrong_is_said_and_nothing_written(self):
        end = "<!-- end of results -->"
        for page, message in ((PAGE.replace("x rates", "y rates"), "y.json does not exist"),
                              (PAGE.replace("x rates", "x ratings"), "no table ratings, allowed are rates"),
                              (PAGE.replace(end, ""), f"without '{end}'"),
                              (f"{end}\n", "without a beginning")):
            self.page.write_text(page)
            found = self.run_tables()
            self.assertEqual(found.returncode, 2, page)
            self.assertIn(message, found.stderr)
            self.assertIn("docs/page.md", found.stderr)
            self.assertEqual(self.page.read_text(), page)


if __name__ == "__main__":
    unittest.main()
