"""Rollouts: what the command writes is what `startle.simulate` says, and loaders give it."""
import hashlib
import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

import startle
from common import PROGRAM, SOURCE, program

try:
    import h5py
except ImportError:
    h5py = None
LEVELS = SOURCE / "levels/data"
WHOLE = ("rollouts", "--levels", LEVELS / "castles", LEVELS / "towers", "--agent", "random", "--quiet")


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


@unittest.skipUnless(pathlib.Path(PROGRAM + "-rollouts").exists(), "built without STARTLE_BUILD_ROLLOUTS")
class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refused(self, *arguments):
        done = subprocess.run([PROGRAM, "rollouts", *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_bytes_are_the_same_on_any_number_of_threads_and_after_kills(self):
        rest = ("--shard-size", 3, "--trials", 3)
        program(*WHOLE, *rest, "--out", self.folder / "whole", "--threads", 1)
        whole = bytes_of(self.folder / "whole")
        self.assertEqual(len(whole), 16 + 2)
        program(*WHOLE, *rest, "--out", self.folder / "threads", "--threads", 3)
        self.assertEqual(bytes_of(self.folder / "threads"), whole)
        kills = 0
        for moment in range(1, 200):
            try:
                done = subprocess.run([PROGRAM, *map(str, WHOLE), *map(str, rest), "--out",
                                       self.folder / "killed"], timeout=0.15 + 0.01 * moment)
                self.assertEqual(done.returncode, 0)
                break
            except subprocess.TimeoutExpired:  # run() has killed it
                kills += 1
        self.assertGreater(kills, 0)
        killed = bytes_of(self.folder / "killed")
        killed = {name: data for name, data in killed.items() if ".tmp-" not in name}
        self.assertEqual(killed, whole)

    def test_an_interrupt_ends_it_and_keeps_what_is_whole(self):
        call = [PROGRAM, *map(str, WHOLE), "--trials", "500", "--shard-size", "10", "--out",
                str(self.folder / "out")]
        process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
        while not (self.folder / "out/rollouts-00000.h5").exists():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("the same command goes on from there", said)
        self.assertFalse((self.folder / "out/croissant.json").exists())
        if h5py:
            from startle.rollouts import Rollouts
            with self.assertRaisesRegex(ValueError, "not complete; run their command again: startle"):
                Rollouts(self.folder / "out")

    def test_bad_input_is_named(self):
        out = ("--out", self.folder / "out")
        self.assertIn("/nowhere", self.refused("--levels", "/nowhere", *out))
        levels = ("--levels", LEVELS / "castles")
        self.assertIn("found '8x', allowed is WIDTHxHEIGHT", self.refused(*levels, *out, "--size", "8x"))
        self.assertIn("--masks", self.refused(*levels, *out, "--masks"))
        self.assertIn("nobody", self.refused(*levels, *out, "--agent", "nobody"))
        self.assertIn("T99", self.refused(*levels, *out, "--novelty", "T99"))
        self.assertIn("no novelty stored", self.refused(*levels, *out, "--novelty", "stored"))
        self.assertIn("--every", self.refused(*levels, *out, "--every", 0))
        level = json.loads(next((LEVELS / "castles").glob("castles-*.json")).read_text())
        level["objects"][0]["x"] = float("nan")
        bad = self.folder / "bad"
        bad.mkdir()
        (bad / "level.json").write_text(json.dumps(level))
        self.assertIn("no level can be played", self.refused("--levels", bad, *out))
        (bad / "level.json").write_text("")
        self.assertIn("no level can be played", self.refused("--levels", bad, *out))
        program("rollouts", *levels, *out, "--quiet")
        self.assertIn("another seed: found 1, asked for is 2", self.refused(*levels, *out, "--seed", 2))

    def test_a_description_has_what_croissant_requires(self):
        program(*WHOLE, "--out", self.folder, "--size", "16x12", "--masks")
        description = json.loads((self.folder / "croissant.json").read_text())
        self.assertEqual(croissant_faults(description, self.folder), [])
        if h5py:
            with h5py.File(self.folder / "rollouts-00000.h5") as file:
                columns = {f"{table}/{name}" for table, group in file.items() for name in group}
            self.assertEqual({field["@id"] for records in description["recordSet"]
                              for field in records["field"]}, columns)


def croissant_faults(description, folder):
    """What a description lacks of what the specification of Croissant 1.1 requires."""
    faults = [f"no {key}" for key in ("@context", "@type", "conformsTo", "name", "description", "license",
                                      "url", "creator", "datePublished", "distribution", "recordSet",
                                      "rai:dataCollection", "rai:dataUseCases", "rai:dataLimitations",
                                      "rai:dataBiases", "rai:personalSensitiveInformation")
              if not description.get(key)]
    context = description["@context"]
    prefixes = {"sc", "cr", "rai", "dct"}
    faults += [f"no prefix {prefix}" for prefix in prefixes - set(context)]
    ids = []

    def visit(node, place):
        if isinstance(node, list):
            for item in node:
                visit(item, place)
        elif isinstance(node, dict):
            for key in node:
                known = key.startswith("@") or key.split(":")[0] in prefixes or key in context or key in (
                    "name", "description", "license", "url", "creator", "datePublished", "version",
                    "keywords", "distribution", "contentUrl", "contentSize", "encodingFormat", "sha256")
                faults.extend([] if known else [f"{place}: {key} is no word of the context"])
            if "@id" in node and "@type" in node:
                ids.append(node["@id"])
            for key, value in node.items():
                visit(value, f"{place}/{key}")

    visit({key: value for key, value in description.items() if key != "@context"}, "")
    faults += [f"{name} stands twice" for name in set(ids) if ids.count(name) > 1]
    for file in description["distribution"]:
        if file["@type"] == "cr:FileObject":
            faults += [f"{file['@id']}: no {key}" for key in ("contentUrl", "encodingFormat", "sha256")
                       if key not in file]
            data = (folder / file["contentUrl"]).read_bytes()
            if hashlib.sha256(data).hexdigest() != file["sha256"]:
                faults.append(f"{file['@id']}: another hash")
        elif not list(folder.glob(file["includes"])):
            faults.append(f"{file['@id']}: includes nothing")
    for records in description["recordSet"]:
        for field in records["field"]:
            source = field["source"].get("fileSet") or field["source"].get("fileObject")
            if source["@id"] not in ids or "extract" not in field["source"] or "dataType" not in field:
                faults.append(f"{field['@id']}: no source, extract or dataType")
    return faults


@unittest.skipUnless(h5py, "h5py is not installed")
@unittest.skipUnless(pathlib.Path(PROGRAM + "-rollouts").exists(), "built without STARTLE_BUILD_ROLLOUTS")
class Loader(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from startle.rollouts import Rollouts
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        program("rollouts", "--levels", LEVELS / "castles", LEVELS / "mixed", "--agent", "best-target",
                "--agent", "random", "--novelty", "T2", "--size", "32x24", "--masks", "--shard-size", 10,
                "--out", cls.folder, "--quiet")
        cls.rollouts = Rollouts(cls.folder)

    def test_episodes_are_what_simulate_says(self):
        simulated = {level.name: level for folder in ("castles", "mixed")
                     for level in startle.read_levels(LEVELS / folder)}
        for episode in list(self.rollouts)[::5]:
            shots = [(s.info["angle"], s.info["stretch"], s.info["tap_time"]) for s in episode.shots]
            said = startle.simulate(simulated[episode.info["level"]], shots,
                                    novelty="T2" if episode.info["novel"] else None)
            self.assertEqual(len(said["shots"]), len(episode.shots))
            objects, flyers = len(said["objects"]), 0
            for shot, expected in zip(episode.shots, said["shots"]):
                self.assertEqual(f"{int(shot.info['hash']):016x}", expected["hash"])
                count = expected["poses"].shape[1]
                ids = np.r_[np.arange(objects), np.arange(objects, count) + flyers]
                np.testing.assert_array_equal(shot.times, expected["times"])
                np.testing.assert_array_equal(shot.poses[:, ids], expected["poses"])
                movable = ~episode.bodies["fixed"][ids].astype(bool)
                np.testing.assert_array_equal(shot.life[:, ids][:, movable], expected["life"][:, movable])
                self.assertTrue(np.isnan(np.delete(shot.poses, ids, axis=1)).all())
                events = shot.events
                np.testing.assert_array_equal(events["kind"], expected["events"]["kind"])
                np.testing.assert_array_equal(events["value"], expected["events"]["value"])
                a = np.array(expected["events"]["a"])
                np.testing.assert_array_equal(events["a"], np.where(a >= objects, a + flyers, a))
                flyers += count - objects

    def test_velocities_are_the_change_of_places(self):
        checked = 0
        for episode in self.rollouts[:6]:
            for shot in episode.shots:
                bird = int(shot.events["a"][shot.events["kind"] == "launch"][0])
                touched = shot.events["step"][np.isin(shot.events["kind"], ("contact", "tap"))]
                free = shot.frames["step"] < touched.min(initial=10**6)
                poses, velocities = shot.poses[free, bird], shot.velocities[free, bird]
                between = np.diff(poses[:, :2], axis=0) / np.diff(shot.times[free])[:, None]
                np.testing.assert_allclose(between[:, 0], velocities[1:, 0], rtol=1e-4)
                checked += len(between)
        self.assertGreater(checked, 20)

    def test_energies_are_those_of_the_states(self):
        for episode in self.rollouts[:4]:
            bodies = episode.bodies
            for shot in episode.shots:
                v = shot.velocities
                kinetic = np.nansum(0.5 * bodies["mass"] * (v[..., 0]**2 + v[..., 1]**2)
                                    + 0.5 * bodies["inertia"] * v[..., 2]**2, axis=1)
                np.testing.assert_allclose(shot.frames["kinetic"], kinetic, rtol=1e-6, atol=1e-9)

    def test_contacts_and_supports_name_bodies_that_are_there(self):
        for episode in self.rollouts[:6]:
            for shot in episode.shots:
                there = ~np.isnan(shot.poses[..., 0])
                contacts = shot.contacts
                self.assertTrue((contacts["a"] < contacts["b"]).all() and (contacts["a"] >= -1).all())
                self.assertTrue((contacts["normal"] > 0).all())
                self.assertTrue((contacts["frame"] >= 0).all() and (contacts["frame"] < len(there)).all())
                supports = shot.supports
                self.assertGreater(len(supports["upper"]), 0)
                self.assertTrue(there[supports["frame"], supports["upper"]].all())
                self.assertTrue(there[supports["frame"], np.maximum(supports["lower"], 0)].all()
                                or (supports["lower"] == -1).any())

    def test_masks_show_the_bodies_at_their_places(self):
        episode = self.rollouts[0]
        shot = episode.shots[-1]
        self.assertEqual(shot.pictures.shape, (shot.info["frames"], 24, 32, 3))
        self.assertEqual(shot.masks.dtype, np.uint16)
        seen = set(np.unique(shot.masks).tolist()) - {0, 1}
        there = set((np.flatnonzero((~np.isnan(shot.poses[..., 0])).any(axis=0)) + 2).tolist())
        self.assertTrue(seen and seen <= there)
        bird = int(shot.events["a"][shot.events["kind"] == "launch"][0])
        self.assertIn(bird + 2, seen)

    def test_episodes_are_chosen_and_split_by_level(self):
        normal, novel = self.rollouts.where(novel=0), self.rollouts.where(novel=1, agent="random")
        self.assertEqual(len(normal), 2 * len(novel))
        self.assertTrue(all(episode.info["novel"] for episode in novel))
        training, testing = self.rollouts.split(0.25, seed=3)
        self.assertEqual(len(training) + len(testing), len(self.rollouts))
        self.assertFalse(set(training.table["level"]) & set(testing.table["level"]))
        some = self.rollouts[2:4]
        self.assertEqual(some.table["level"].tolist(), [episode.info["level"] for episode in some])
        twin = [e for e in self.rollouts if e.info["level"] == novel[0].info["level"]
                and e.info["agent"] == "random"]
        self.assertEqual(twin[0].shots[0].info["angle"], twin[1].shots[0].info["angle"])
        for wrong in (lambda: self.rollouts.where(nothing=1), lambda: self.rollouts.split(0),
                      lambda: self.rollouts.where(level="castles-1-0000").split()):
            self.assertRaises(ValueError, wrong)

    def test_windows_are_stretches_of_shots(self):
        from startle.rollouts import Windows
        windows = Windows(self.rollouts[:3], 8, stride=5, pictures=True)
        expected = sum(max(0, (shot.info["frames"] - 8) // 5 + 1) for episode in self.rollouts[:3]
                       for shot in episode.shots if shot.info["frames"] >= 8)
        self.assertEqual(len(windows), expected)
        shot = self.rollouts[0].shots[0]
        window = windows[1]
        count = shot.poses.shape[1]
        np.testing.assert_array_equal(window["states"][:, :count, :3],
                                      np.nan_to_num(shot.poses[5:13]).astype(np.float32))
        np.testing.assert_array_equal(window["present"][:, :count], ~np.isnan(shot.poses[5:13, :, 0]))
        self.assertFalse(window["present"][:, count:].any())
        np.testing.assert_array_equal(window["picture"], shot.pictures[5:13])
        shapes = {name: values.shape for name, values in window.items()}
        for other in (windows[0], windows[len(windows) - 1]):
            self.assertEqual({name: values.shape for name, values in other.items()}, shapes)
        few = Windows(self.rollouts[:1], 4, bodies=3)[0]
        self.assertEqual(few["states"].shape, (4, 3, 6))
        self.assertRaises(ValueError, Windows, self.rollouts, 0)

    def test_workers_and_pickles_read_for_themselves(self):
        from startle.rollouts import Windows
        windows = Windows(self.rollouts[:2], 5, pictures=True)
        copy = pickle.loads(pickle.dumps(windows))
        for name, values in windows[3].items():
            np.testing.assert_array_equal(copy[3][name], values)

    def test_tensors_for_pytorch(self):
        from startle.rollouts import Windows, torch_dataset
        windows = Windows(self.rollouts[:2], 5)
        torch, utils, data = (types.ModuleType(name) for name in ("torch", "torch.utils", "torch.utils.data"))
        torch.from_numpy, torch.utils, utils.data, data.Dataset = lambda a: ("tensor", a), utils, data, object
        modules = {"torch": torch, "torch.utils": utils, "torch.utils.data": data}
        with mock.patch.dict(sys.modules, modules):
            dataset = torch_dataset(self.rollouts[:2], 5)
        self.assertEqual(len(dataset), len(windows))
        for name, (kind, values) in dataset[2].items():
            self.assertEqual(kind, "tensor")
            np.testing.assert_array_equal(values, windows[2][name])
        with mock.patch.dict(sys.modules, {"torch": None}):
            with self.assertRaisesRegex(ImportError, "Windows gives NumPy arrays"):
                torch_dataset(self.rollouts, 5)

    def test_every_column_stands_in_the_page_of_files(self):
        page = (SOURCE / "docs/files.md").read_text()
        page = page[page.index("## startle rollouts"):]
        with h5py.File(self.folder / "rollouts-00000.h5") as file:
            missing = [f"{table}/{name}" for table, group in file.items() for name in group
                       if f"`{name}`" not in page]
        self.assertEqual(missing, [])


@unittest.skipUnless(h5py, "h5py is not installed")
@unittest.skipUnless(pathlib.Path(PROGRAM + "-rollouts").exists(), "built without STARTLE_BUILD_ROLLOUTS")
class Example(unittest.TestCase):
    def test_a_network_learns_more_than_constant_velocity(self):
        with tempfile.TemporaryDirectory() as folder:
            script = SOURCE / "python/examples/learn_dynamics.py"
            done = subprocess.run([sys.executable, "-B", script, folder, "1", "6"], cwd="/", text=True,
                                  capture_output=True, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = re.search(r"normal: network \S+ \((\S+)\), constant velocity \S+ \((\S+)\), "
                          r"stay put \S+ \((\S+)\)", done.stdout)
        network, velocity, put = map(float, found.groups())
        self.assertLess(network, 0.9 * velocity)
        self.assertLess(velocity, put)


class Errors(unittest.TestCase):
    def test_folders_that_hold_no_rollouts_are_named(self):
        if h5py is None:
            self.skipTest("h5py is not installed")
        from startle.rollouts import Rollouts
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ValueError, "holds no rollouts.json"):
                Rollouts(folder)
            for text in ("[", "[]", "{}"):
                pathlib.Path(folder, "rollouts.json").write_text(text)
                with self.assertRaisesRegex(ValueError, "holds no rollouts.json"):
                    Rollouts(folder)
            pathlib.Path(folder, "rollouts.json").write_text('{"format": "other", "version": 1}')
            with self.assertRaisesRegex(ValueError, "another format"):
                Rollouts(folder)
            pathlib.Path(folder, "rollouts.json").write_text(
                '{"format": "startle-rollouts", "version": 1, "complete": true, '
                '"shards": [{"file": "../a.h5"}]}')
            with self.assertRaisesRegex(ValueError, "'../a.h5' as a shard, allowed are names of files"):
                Rollouts(folder)

    def test_without_h5py_its_package_is_named(self):
        code = ("import sys; sys.modules['h5py'] = None\nimport startle.rollouts as r\n"
                "try: r.h5py_module()\nexcept ImportError as error: print(error)")
        done = subprocess.run([sys.executable, "-B", "-c", code], cwd="/", capture_output=True, text=True,
                              env=os.environ)
        self.assertIn("python3-h5py", done.stdout, done.stderr)


class Benchmark(unittest.TestCase):
    def test_the_description_of_the_benchmark_is_up_to_date_and_complete(self):
        done = subprocess.run([sys.executable, "-B", SOURCE / "tools/describe-benchmark", "--check"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        folder = SOURCE / "levels/benchmark"
        self.assertEqual(croissant_faults(json.loads((folder / "croissant.jsonld").read_text()), folder), [])


if __name__ == "__main__":
    unittest.main()
