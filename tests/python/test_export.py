"""Exports: rows are what the engine says, files are whole or not there, errors say what is allowed. Videos
and tables are stood in for, as Debian 12 has no PyArrow and an older PyAV; peers/test_export.py has real
ones."""
import contextlib
import importlib
import io
import json
import math
import os
import pathlib
import re
import shutil
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

import startle
from common import BENCHMARK, SOURCE, some_levels
from startle import export
from test_rollouts import croissant_faults

try:
    import h5py
except ImportError:
    h5py = None
LEVELS = some_levels("T2/easy", 2)
SIZE = (64, 36)


def module(name):
    if name in ("av", "pyarrow"):
        return types.SimpleNamespace(__version__="a stand-in")
    return importlib.import_module(name)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        self.videos = 0
        for name, stand_in in (("_module", module), ("write_video", self.write_video),
                               ("_write_table", lambda path, rows: path.write_text(json.dumps(rows)))):
            patch = mock.patch.object(export, name, stand_in)
            patch.start()
            self.addCleanup(patch.stop)
        patch = mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="1700000000")
        patch.start()
        self.addCleanup(patch.stop)

    def write_video(self, path, frames):
        self.videos += 1
        with open(path, "wb") as file:
            np.save(file, frames)

    def rows(self, out=None, split="test"):
        return json.loads(((out or self.out) / split / "metadata.parquet").read_text())

    def files(self, out):
        return {path.relative_to(out).as_posix(): path.read_bytes()
                for path in out.rglob("*") if path.is_file()}


class Rows(Case):
    def test_are_what_the_engine_says(self):
        counts = export.export(LEVELS[:1], self.out, shots=1, size=SIZE)
        self.assertEqual(counts, {"pairs": 2, "levels": 0})
        rows = self.rows()
        self.assertEqual([list(row) and set(row) for row in rows],
                         4 * [{name for name, _, _ in export.COLUMNS}])
        self.assertEqual([(row["shot"], row["twin"]) for row in rows],
                         [(0, "normal"), (0, "novel"), (1, "normal"), (1, "novel")])
        level, = startle.read_levels(LEVELS[0])
        about, first = startle.difficulty(level, "T2"), startle.explain(level, "T2")["interactions"][0]
        stored = json.loads(level.json())
        for row in rows:
            for name in ("pid", "bid", "birds", "novel_objects"):
                self.assertEqual(row[name], about[name], name)
            self.assertEqual((row["level"], row["novelty"], row["strength"], row["tier"], row["p_level"],
                              row["family"], row["level_seed"], row["change"], row["split"]),
                             (level.name, "T2", 1, "easy", stored["difficulty"]["p_level"],
                              stored["provenance"]["family"], 5005, "wood restitution x4", "test"))
            said = startle.simulate(level, [row["angle"]], every=5,
                                    novelty="T2" if row["twin"] == "novel" else None)["shots"][0]
            for name in ("hash", "seconds", "end", "score", "bird"):
                self.assertEqual(row[name], said[name], name)
            self.assertEqual((row["frames"], row["fps"]), (len(said["times"]), 10))
            with open(self.out / "test" / row["file_name"], "rb") as file:
                frames = np.load(file)
            with startle.make([level], novelty=row["twin"] == "novel", size=SIZE) as env:
                env.reset(seed=1)
                env.step((row["angle"], 1.0, -1.0))
                np.testing.assert_array_equal(frames, env.video())
        best = max(first["best_shots"], key=lambda shot: shot["detected"])
        self.assertEqual((rows[0]["p_shot"], rows[0]["target"]), (best["detected"], best["object"]))
        angles = {math.radians(way["angle_deg"]) for target in first["targets"]
                  if target["object"] == rows[2]["target"] for way in target["trajectories"]}
        self.assertTrue(min(abs(rows[2]["angle"] - angle) for angle in angles) < 1e-9)

    def test_the_moment_of_divergence_is_that_of_the_poses(self):
        export.export(LEVELS, self.out, size=SIZE)
        for row in self.rows()[::2]:
            normal, novel = (startle.simulate(row["level"] and path, [row["angle"]], novelty=novelty,
                                              every=1)["shots"][0]["poses"]
                             for path in LEVELS if path.stem == row["level"] for novelty in (None, "T2"))
            step = round(row["divergence_s"] / 0.02)
            count = min(normal.shape[1], novel.shape[1])
            away = np.hypot(*np.moveaxis(normal[:step, :count, :2] - novel[:step, :count, :2], -1, 0))
            runs = np.lib.stride_tricks.sliding_window_view(np.nan_to_num(away) > 0.1, 3, axis=0)
            self.assertFalse(runs.all(-1).any())
            self.assertIsNotNone(row["first_different_frame"])

    def test_true_parameters_are_those_of_the_novelty(self):
        for novelty, parameter, factor in (("T2", "restitution", 4), ("T1", "gravity_scale", 0.5),
                                           ("gravity-down", "gravity_y", 0.6)):
            out = self.folder / novelty
            export.export(LEVELS[:1], out, novelty=novelty, size=SIZE)
            row = self.rows(out)[0]
            self.assertEqual(row["parameter"], parameter)
            self.assertAlmostEqual(row["after"] / row["before"], factor)
            self.assertRegex(row["engine"], r"startle engine \d+")
        row = self.rows(self.folder / "T2")[0]
        self.assertEqual((row["before"], row["after"]), (0.1, 0.4))
        self.assertEqual(sum(part["objects"] for part in json.loads(row["parameters"])),
                         row["novel_objects"])

    def test_no_level_is_in_two_splits(self):
        levels = self.folder / "levels"
        levels.mkdir()
        for i, path in enumerate(some_levels("T2/easy", 6)):
            level = json.loads(path.read_text())
            for copy in (0, 1):  # the same level twice, of an even and of an odd seed
                level["name"], level["provenance"]["seed"] = f"{i}-{copy}", 2 * i + (copy if i < 3 else 0)
                (levels / f"{i}-{copy}.json").write_text(json.dumps(level))
        for split in ("seed", "40:20:40"):
            items = export._items([levels], "stored")
            parts = export._splits(items, split)
            self.assertEqual(len(parts), 6)
            self.assertGreater(len(set(parts.values())), 1)
        parts = export._splits(items, "seed")
        for item in items:
            self.assertEqual(parts[item.hash], "test" if item.level.name < "3" else "train")
        self.assertEqual(set(export._splits(items, "0:100:0").values()), {"validation"})
        self.assertEqual(len({item.name for item in items}), 12)


class Moments(unittest.TestCase):
    def test_divergence_is_held_and_counts_what_is_gone(self):
        still = np.zeros((20, 2, 3))
        self.assertIsNone(export.divergence_step(still, still))
        flicker, away, turned, gone = (still.copy() for _ in range(4))
        flicker[5:7, 0, 0] = 1  # two steps are too few
        self.assertIsNone(export.divergence_step(still, flicker))
        away[5:8, 1, 1] = 0.11
        self.assertEqual(export.divergence_step(still, away), 5)
        turned[:, 0, 2] = 2 * np.pi  # a full turn is no difference
        self.assertIsNone(export.divergence_step(still, turned))
        turned[9:, 0, 2] += 0.2
        self.assertEqual(export.divergence_step(still, turned), 9)
        gone[12:, 1] = np.nan
        self.assertEqual(export.divergence_step(gone, still), 12)
        late = still.copy()
        late[19, 0, 0] = 1  # at the end it stays away
        self.assertEqual(export.divergence_step(still, late), 19)
        self.assertEqual(export.divergence_step(still[:4], away), 5)  # the shorter stays where it is
        more = np.concatenate([still, np.full((20, 1, 3), np.nan)], 1)
        self.assertIsNone(export.divergence_step(still, more))

    def test_pictures(self):
        film = np.zeros((5, 2, 2, 3), np.uint8)
        self.assertIsNone(export.first_difference(film, film[:3]))
        other = film.copy()
        other[3, 1, 1, 0] = 1
        self.assertEqual(export.first_difference(film, other), 3)
        self.assertEqual(export.first_difference(film[:2], other), 3)


class Pages(unittest.TestCase):
    def test_have_every_column(self):
        page = (SOURCE / "docs/files.md").read_text("utf-8")
        for name, kind, meaning in export.COLUMNS:
            self.assertIn(f"| `{name}` | {kind} | {meaning} |", page)
        for name, meaning in export.STEP_COLUMNS:
            self.assertIn(f"| `{name}` | {meaning} |", page)


class Folder(Case):
    def test_describes_itself_and_names_no_machine(self):
        shutil.copytree(BENCHMARK / "T2/easy", self.folder / "secret", ignore=lambda _, names: [
            name for name in names if name not in (LEVELS[0].name, "manifest.json")])
        export.export([self.folder / "secret"], self.out, size=SIZE)
        self.assertEqual({path.name for path in self.out.iterdir()},
                         {"README.md", "croissant.json", "export.json", "test"})
        self.assertEqual(list(self.folder.glob("*.partial")), [])
        croissant = json.loads((self.out / "croissant.json").read_text())
        self.assertEqual(croissant_faults(croissant, self.out), [])
        self.assertEqual([field["name"] for field in croissant["recordSet"][0]["field"]],
                         [name for name, _, _ in export.COLUMNS])
        card = (self.out / "README.md").read_text()
        for path in re.findall(r"^    - (\S+)$", card.split("---")[1], re.M):
            self.assertTrue(list(self.out.glob(path)), path)
        self.assertIn("--seed 5005", card)  # how the levels were made
        self.assertNotRegex(card, r"\{\w+\}")
        for path in ("README.md", "croissant.json", "export.json"):
            self.assertNotIn(str(self.folder), (self.out / path).read_text())

    def test_the_command_of_the_card_makes_the_same_bytes(self):
        export.export(LEVELS[:1], self.out, size=SIZE, shots=2, seed=4, split="50:0:50")
        command = json.loads((self.out / "export.json").read_text())["command"]
        words = command.split()
        self.assertEqual(words[:5], ["python3", "-m", "startle", "export", "DIR"])
        words[words.index("DIR", 5)] = str(self.folder / "again")
        export.main([str(LEVELS[0]), *words[5:], "--quiet"])
        self.assertEqual(self.files(self.folder / "again"), self.files(self.out))
        export.export(LEVELS[:1], self.folder / "other", size=SIZE, shots=2, seed=5, split="50:0:50")
        split = next(self.out.glob("t*")).name
        shots = [[row["angle"] for row in self.rows(out, split)]
                 for out in (self.out, self.folder / "other")]
        self.assertEqual(shots[0][:2], shots[1][:2])
        self.assertNotEqual(shots[0], shots[1])

    def test_broken_off_it_goes_on_and_ends_with_the_same_bytes(self):
        export.export(LEVELS, self.folder / "whole", size=SIZE)
        made, self.videos = self.videos, 0

        def breaks(path, frames):
            if self.videos == 3:
                path.write_bytes(b"half")
                raise KeyboardInterrupt
            self.write_video(path, frames)

        with mock.patch.object(export, "write_video", breaks), self.assertRaises(KeyboardInterrupt):
            export.export(LEVELS, self.out, size=SIZE)
        self.assertFalse(self.out.exists())
        self.videos = 0
        export.export(LEVELS, self.out, size=SIZE)
        self.assertEqual((made, self.videos), (4, 2))  # the first pair is not made again
        self.assertEqual(self.files(self.out), self.files(self.folder / "whole"))
        self.videos = 0
        export.export(LEVELS, self.out, size=SIZE)  # nothing is left to do
        self.assertEqual(self.videos, 0)

    @unittest.skipUnless(h5py, "needs h5py")
    def test_steps_are_those_of_the_videos(self):
        export.export(LEVELS, self.out, size=SIZE, hdf5=True)
        rows = self.rows()
        with h5py.File(self.out / "test/steps.h5") as file:
            steps = {name: file[name][()] for name in file}
        self.assertEqual(set(steps), {name for name, _ in export.STEP_COLUMNS})
        total = sum(row["frames"] for row in rows)
        for name, values in steps.items():
            self.assertEqual(len(values), 4 if name in ("ep_len", "ep_offset") else total, name)
        np.testing.assert_array_equal(np.flatnonzero(steps["terminated"]),
                                      steps["ep_offset"] + steps["ep_len"] - 1)
        for i, row in enumerate(rows):
            own = slice(steps["ep_offset"][i], steps["ep_offset"][i] + steps["ep_len"][i])
            with open(self.out / "test" / row["file_name"], "rb") as video:
                np.testing.assert_array_equal(steps["pixels"][own], np.load(video))
            np.testing.assert_allclose(steps["action"][own], [[row["angle"], 1, -1]] * row["frames"],
                                       rtol=1e-6)
            self.assertEqual(set(steps["variation.novel"][own]), {row["twin"] == "novel"})
            self.assertEqual(steps["reward"][own].sum(), row["score"])
            self.assertEqual((set(steps["ep_idx"][own]), list(steps["step_idx"][own])),
                             ({i}, list(range(row["frames"]))))
            path = next(path for path in LEVELS if path.stem == row["level"])
            said = startle.simulate(path, [row["angle"]],
                                    novelty="T2" if row["twin"] == "novel" else None)["shots"][0]
            bird = np.nan_to_num(said["poses"][:, row["objects"]])
            np.testing.assert_allclose(steps["proprio"][own], bird, rtol=1e-6)


class Refused(Case):
    def refused(self, *arguments, out=None):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            export.main([*map(str, arguments), "--out", str(out or self.out), "--size", "64x36"])
        self.assertEqual(ended.exception.code, 2, said.getvalue())
        self.assertNotIn("Traceback", said.getvalue())
        return said.getvalue()

    def test_bad_input_is_named(self):
        level = LEVELS[0]
        self.assertIn("/nowhere: does not exist", self.refused("/nowhere"))
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("found no levels", self.refused(empty))
        plain = startle.LEVELS / "data/castles"
        self.assertIn("no novelty is stored with the level; --novelty", self.refused(plain))
        self.assertIn("T99", self.refused(level, "--novelty", "T99"))
        self.assertIn("fan", self.refused(level, "--novelty", "fan"))
        self.assertIn("--split: found '1:2', allowed are seed", self.refused(level, "--split", "1:2"))
        self.assertIn("seed: found -1", self.refused(level, "--seed", "-1"))
        self.assertIn("shots: found -1", self.refused(level, "--shots", "-1"))
        self.assertIn("'nan'", self.refused(level, "--shots", "nan"))
        self.assertIn("allowed is WIDTHxHEIGHT", self.refused(level, "--size", "nan"))
        self.assertIn("license: found", self.refused(level, "--license", "all rights"))
        broken = json.loads(level.read_text())
        broken["objects"][0]["x"] = math.nan
        path = self.folder / "broken.json"
        path.write_text(json.dumps(broken))
        self.assertIn("broken.json", self.refused(path))
        path.write_text("")
        self.assertIn("broken.json", self.refused(path))
        none = json.loads(level.read_text())
        none["objects"] = [thing for thing in none["objects"] if thing.get("material") != "wood"]
        path.write_text(json.dumps(none))
        self.assertIn("found no level in which the novelty changes something", self.refused(path))
        self.assertFalse(self.out.exists())
        self.assertEqual(list(self.folder.glob("*.partial")), [])
        for value in (15, 17, 2000):
            with self.assertRaisesRegex(startle.Error, f"found {value}"):
                export.export([level], self.out, size=(value, 36))

    def test_what_is_in_the_way_stays(self):
        levels = self.folder / "levels"
        levels.mkdir()
        shutil.copy(LEVELS[0], levels)
        self.assertIn("holds the levels", self.refused(levels, out=levels))
        self.assertIn("holds the levels", self.refused(levels, out=levels / "in"))
        self.assertIn("holds the levels", self.refused(levels, out=self.folder))
        other = self.folder / "other"
        other.mkdir()
        (other / "thesis.txt").write_text("mine")
        self.assertIn("is not empty and holds no export", self.refused(levels, out=other))
        self.assertIn("which is a file", self.refused(levels, out=other / "thesis.txt"))
        self.assertIn("there is no folder", self.refused(levels, out=self.folder / "a/b"))
        export.export([levels], self.out, size=SIZE)
        before = self.files(self.out)
        self.assertIn("another seed: found 1, asked for is 2", self.refused(levels, "--seed", "2"))
        self.assertEqual(self.files(self.out), before)
        partial = self.folder / "new.partial"
        partial.mkdir()
        (partial / "thesis.txt").write_text("mine")
        self.assertIn("holds no begun export", self.refused(levels, out=self.folder / "new"))
        self.assertEqual((partial / "thesis.txt").read_text(), "mine")

    def test_a_missing_package_is_named(self):
        mock.patch.stopall()
        for name in ("av", "pyarrow"):
            with mock.patch.dict("sys.modules", {name: None}):
                with self.assertRaisesRegex(startle.Error, rf"no {name} .*pip install 'av>=14' h5py pyarrow"):
                    export._module(name)


if __name__ == "__main__":
    unittest.main()
