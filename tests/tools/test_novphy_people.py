"""tools/novphy-people: its arithmetic and its messages, from made data and a stand-in for startle, and its
tables of NovPhy's own data where that is at hand.

    python3 -B -m unittest test_novphy_people.py        in this folder

STARTLE_PEOPLE: the folder with NovPhy's data; STARTLE_PROGRAM: the built program. RealData needs both.
"""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/novphy-people"
HEADER = ("EvaluationIndex,LevelIndex,Score,LevelStatus,birdsRemaining,pigsRemaining,birdsAtStart,"
          "pigsAtStart, trial,levelName,playStatus,informed,novelty,noveltyDetected")
# What startle says of the templates 010101 (not covered), 010401 and 010601 (covered).
STAND_IN = """#!/usr/bin/env python3
import json, pathlib, sys
of = {"010101": (None, None, "no novelty of its own"), "010401": (0.9, "easy", None),
      "010601": (0.6, "medium", None)}
if sys.argv[1] == "levels":
    pathlib.Path(sys.argv[4]).write_text("{}")
elif sys.argv[1] == "difficulty":
    print(json.dumps({"results": [
        {"level": str(path), "p_level": of[path.name.split("_")[3]][0],
         "tier": of[path.name.split("_")[3]][1], "left_out": of[path.name.split("_")[3]][2],
         "detected_best": 0.99, "targets": 1} for path in sorted(pathlib.Path(sys.argv[2]).iterdir())]}))
elif sys.argv[1] == "observe":
    print("level,plays,p_level,low,high,false_alarms")
    print("a/00001_0_1_010401_4_1.json,16,1,0.8,1,0.125")
    print("a/00001_0_1_010601_6_1.json,16,0.9,0.8,1,0")
else:
    print("participants,power\\n5,0.8")
"""


def load():
    loader = importlib.machinery.SourceFileLoader("novphy_people", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


tool = load()


def rows(template, kind, said, onset, status="Pass"):
    """Of a trial: `said` has y or n for each level."""
    return [f"1,{i + 1},0,{status},0,0,1,1,1,0000{i}_0_1_{template}_{kind if i >= onset else 0}_1.xml,"
            f"training,informed,{'novel' if i >= onset else 'basic'},{'yes' if yes == 'y' else 'no'}"
            for i, yes in enumerate(said)]


def trial(person, template, said, onset):
    said = [yes == "y" for yes in said]
    return tool.Trial(person, int(template[2:4]), template, onset, said, [True] * len(said))


class Statistics(unittest.TestCase):
    def setUp(self):
        for name, draws in (("SHUFFLES", 200), ("SPLITS", 50), ("RESAMPLES", 200)):
            self.addCleanup(setattr, tool, name, getattr(tool, name))
            setattr(tool, name, draws)

    def test_wilson(self):
        found = tool.wilson(8, 10)
        self.assertAlmostEqual(found["value"], 0.8)
        self.assertAlmostEqual(found["low"], 0.4902, 4)  # of R, prop.test without correction
        self.assertAlmostEqual(found["high"], 0.9433, 4)
        self.assertEqual(tool.wilson(5, 5)["high"], 1)
        self.assertIsNone(tool.wilson(0, 0))
        self.assertEqual(tool.share([True, None, False])["n"], 2)

    def test_spearman_with_ties(self):
        self.assertEqual(tool.ranks([3, 1, 3, 2]), [3.5, 1, 3.5, 2])
        self.assertAlmostEqual(tool.spearman([1, 2, 3, 4], [4, 3, 2, 1]), -1)
        self.assertAlmostEqual(tool.spearman([1, 2, 2, 4], [1, 2, 3, 4]), 0.9486833)
        self.assertIsNone(tool.spearman([1, 1, 1], [1, 2, 3]))

    def test_a_detection_is_at_the_first_novel_level(self):
        late, early, right = (trial("1", "010101", said, 2) for said in ("nnny", "nyyy", "nnyy"))
        self.assertEqual([late.detected, late.false_report, late.first_report], [False, False, 3])
        self.assertEqual([early.detected, early.false_report, early.first_report], [True, True, 1])
        self.assertEqual([right.detected, right.false_report, right.first_report], [True, False, 2])
        self.assertIsNone(trial("1", "010101", "nnn", 2).first_report)
        columns, (kind, all_) = tool.people_table([late, early, right])
        value = {name: cell["value"] for name, cell in zip(columns[1:], all_[1:])}
        self.assertAlmostEqual(value["detected"], 2 / 3)
        self.assertAlmostEqual(value["without a false report before"], 1 / 2)
        self.assertAlmostEqual(value["by the last level"], 1)
        self.assertAlmostEqual(value["false report"], 1 / 3)
        self.assertEqual(kind[1:], all_[1:])

    def test_controls_know_nothing(self):
        draws = random.Random(3)
        seeing = [trial(str(i // 10), "010101", "n" * onset + "y" * 4, onset)
                  for i in range(200) for onset in [draws.choice([2, 3, 4])]]
        share = {row[0]: row[1]["value"] for row in tool.control_table(seeing)[1]}
        self.assertEqual(share["first report at the first novel level"], 1)
        self.assertAlmostEqual(share["the same, reports shuffled among the trials of each person"], 1 / 3,
                               delta=0.1)
        self.assertEqual(share["reports at level 3, still normal"], 0)
        self.assertEqual(share["reports at level 3, the first novel one"], 1)
        blind = [trial(t.person, t.template, "nn" + "y" * (len(t.said) - 2), t.onset) for t in seeing]
        share = {row[0]: row[1]["value"] for row in tool.control_table(blind)[1]}
        self.assertEqual(share["reports at level 3, still normal"], 1)
        self.assertAlmostEqual(share["the same, reports shuffled among the trials of each person"],
                               share["first report at the first novel level"])

    def test_templates_that_differ_and_templates_that_do_not(self):
        names = [f"01{kind:02}0{i}" for kind in (4, 6) for i in range(1, 6)]
        draws = random.Random(5)

        def people(chance):
            return [trial(str(person), name, "nn" + ("y" if draws.random() < chance(i) else "n"), 2)
                    for person in range(40) for i, name in enumerate(names)]

        graded = {name: i / 10 for i, name in enumerate(names)}
        differ, same = people(lambda i: 0.05 + 0.1 * i), people(lambda i: 0.95)
        self.assertLess(tool.alike(differ), 0.01)
        self.assertGreater(tool.alike(same), 0.05)
        self.assertGreater(tool.reliability(differ, names), 0.9)
        self.assertLess(tool.reliability(same, names), 0.5)
        rho = tool.rank_correlation(differ, graded)
        self.assertGreater(rho["low"], 0.7)
        rho = tool.rank_correlation(same, graded)
        self.assertLess(rho["low"], 0)
        self.assertGreater(rho["high"], 0)
        self.assertIsNone(tool.rank_correlation(differ, dict.fromkeys(names, 0.98)))


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.open_(tempfile.TemporaryDirectory()))
        self.program = self.folder / "stand-in"
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)
        for name in ("novphy", "novphy_templates", "novphy_agents"):
            (self.folder / name).mkdir()
        self.person = self.folder / "novphy/1.csv"
        self.lines = [HEADER, *rows("010101", 1, "nnyyyy", 2), *rows("010401", 4, "nnnyny", 3),
                      *rows("010601", 6, "nyyyyy", 2, status="")]
        self.write()
        for template, kind in (("010101", 1), ("010401", 4), ("010601", 6)):
            for novel in (0, kind):
                (self.folder / f"novphy_templates/00001_0_1_{template}_{novel}_1.xml").write_text("")
        self.agent = self.folder / "novphy_agents/random_ws-5_t-0.2.csv"
        self.agent.write_text("trial,distribution_shift,detected_level,detection_delay,cdt,novelty_type\n"
                              "0,4,5,1.0,1,010101\n1,4,7,3.0,1,010101\n2,4,4,,0,010101\n3,4,-1,,0,010101\n")

    def open_(self, context):
        self.addCleanup(context.cleanup)
        return context.name

    def write(self, *replaced):
        text = "\n".join(self.lines) + "\n"
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.person.write_text(text)

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, "-B", TOOL, self.folder, self.program, *arguments],
                              capture_output=True, text=True)

    def test_tables(self):
        ended = self.run_tool("--format", "json")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        found = json.loads(ended.stdout)
        self.assertEqual([found["people"], found["trials"]], [1, 3])
        tables = found["tables"]
        kinds = {row[0][:1]: row for row in tables["people"]["rows"]}
        self.assertEqual(kinds["a"][1]["value"], 1)
        self.assertAlmostEqual(kinds["a"][4]["value"], 1 / 3)
        self.assertIsNone(kinds["6"][6])  # whether the level was passed is not known
        prediction = {row[0]: row[2:] for row in tables["prediction"]["rows"]}
        self.assertEqual(prediction["1 objects"], ["0 of 1", None, None, None, None])
        self.assertEqual(prediction["4 interactions"], ["1 of 1", "0.90", "easy", "0.99", "1.00"])
        covered = tables["reasons"]["rows"][0]
        self.assertEqual(covered[:3], ["covered", 2, "1 of 4, 1 of 6"])
        self.assertEqual(covered[4:], ["0.60 to 0.90", "0.90 to 1.00", "0.06"])
        self.assertEqual(tables["reasons"]["rows"][1][:3], ["no novelty of its own", 1, "1 of 1"])
        self.assertEqual(tables["power"]["rows"][0], ["NovPhy's covered templates", "0.90", "0.60", 5])
        agent = tables["agents"]["rows"][0]
        self.assertEqual([cell["value"] for cell in agent[2:5]], [0.25, 0.5, 0.25])
        self.assertIn("| 4 interactions | 1.00 (0.21 to 1.00) n=1 | 1 of 1 |", self.run_tool().stdout)

    def test_without_agents(self):
        self.agent.unlink()
        self.agent.parent.rmdir()
        self.assertNotIn("agents", json.loads(self.run_tool("--format", "json").stdout)["tables"])

    def test_what_is_wrong_is_named(self):
        faults = [
            ([("LevelStatus", "Status")], "1.csv:1: found column 'Status', allowed are EvaluationIndex"),
            ([("Score,", "LevelIndex,")], "1.csv:1: found column 'LevelIndex' 2 times, expected once"),
            ([("yes\n", "maybe\n")], "1.csv:4: noveltyDetected: found 'maybe', allowed are yes, no"),
            ([("Pass", "Won")], "1.csv:2: LevelStatus: found 'Won', allowed are Pass, Fail, nothing"),
            ([(",no\n", "\n")], "1.csv:2: found 13 cells, expected 14"),
            ([("1,2,0", "1,3,0")], "1.csv:3: LevelIndex: found 3, expected 1 or one more than before"),
            ([("1,2,0", "1,x,0")], "1.csv:3: LevelIndex: found 'x', expected a whole number"),
            ([("00001_0_1", "one")], "1.csv:3: levelName: found 'one_010101_0_1.xml', expected a name"),
            ([("_1_1.xml,training,informed,novel", "_1_1.xml,training,informed,basic")],
             "1.csv:4: levelName 00002_0_1_010101_1_1.xml does not go with novelty basic"),
        ]
        for replaced, message in faults:
            self.write(*replaced)
            ended = self.run_tool()
            self.assertEqual(ended.returncode, 2, message)
            self.assertIn(message, ended.stderr)
            self.assertNotIn("Traceback", ended.stderr)

    def test_trials_that_are_none(self):
        self.lines = [HEADER, *rows("010101", 1, "nn", 2)]
        self.write()
        self.assertIn("has 2 normal levels of 2; expected normal and novel ones", self.run_tool().stderr)
        self.lines = [HEADER, *rows("010101", 1, "nnyy", 2)]
        self.lines[4] = self.lines[4].replace("_1_1.xml", "_0_1.xml").replace("novel", "basic")
        self.write()
        self.assertIn("1.csv:5: found a normal level after a novel one", self.run_tool().stderr)

    def test_empty_and_missing(self):
        for text, message in (("", "1.csv:1: found column 'EvaluationIndex' 0 times"),
                              (HEADER + "\n", "1.csv: found no rows")):
            self.person.write_text(text)
            self.assertIn(message, self.run_tool().stderr)
        self.person.unlink()
        self.assertIn("novphy: found no files *.csv", self.run_tool().stderr)
        self.write()
        (self.folder / "novphy_templates/00001_0_1_010401_4_1.xml").unlink()
        self.assertIn("found no novel level of 010401", self.run_tool().stderr)
        self.program.unlink()
        self.assertIn("stand-in: no such program", self.run_tool().stderr)
        self.folder /= "nowhere"
        self.assertIn("nowhere: no such folder", self.run_tool().stderr)

    def test_a_program_that_fails(self):
        self.program.write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
        ended = self.run_tool()
        self.assertEqual(ended.returncode, 2)
        self.assertIn("ended with 3", ended.stderr)
        self.assertIn("broken", ended.stderr)

    def test_the_result_says_what_it_lacks(self):
        left = {key: value for key, value in os.environ.items() if key != "STARTLE_PEOPLE"}
        ended = subprocess.run([sys.executable, "-B", ROOT / "scripts/results", "run", "novphy-people"],
                               capture_output=True, text=True, env=left)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("novphy-people: STARTLE_PEOPLE is not set", ended.stderr)


@unittest.skipUnless(os.environ.get("STARTLE_PEOPLE") and os.environ.get("STARTLE_PROGRAM"),
                     "STARTLE_PEOPLE does not name NovPhy's data")
class RealData(unittest.TestCase):
    def test_counts_are_those_of_the_files(self):
        """Two plays of each template, not 16: what people did and what is predicted do not depend on it."""
        ended = subprocess.run([sys.executable, "-B", TOOL, os.environ["STARTLE_PEOPLE"],
                                os.environ["STARTLE_PROGRAM"], "2", "--format", "json"],
                               capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        found = json.loads(ended.stdout)
        self.assertEqual([found["people"], found["trials"]], [48, 480])
        tables = found["tables"]
        detected = tables["people"]["rows"][-1][1]
        self.assertEqual([round(detected["value"] * 480), detected["n"]], [449, 480])
        # NovPhy's own summary of these files: 434 trials with no report before the first novel level and
        # one at it.
        first = {row[0]: row[1] for row in tables["controls"]["rows"]}
        self.assertEqual(round(first["first report at the first novel level"]["value"] * 480), 434)
        self.assertEqual(len(tables["templates"]["rows"]), 40)
        made = json.loads((ROOT / "docs/results/novphy-people.json").read_text("utf-8"))["tables"]
        for name in ("people", "controls", "agents"):  # no program has a part in these
            self.assertEqual(tables[name]["columns"], made[name]["columns"])
            for now, then in zip(tables[name]["rows"], made[name]["rows"], strict=True):
                self.assertEqual(json.dumps(now), json.dumps(then))


if __name__ == "__main__":
    unittest.main()
