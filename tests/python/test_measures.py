"""What the package says of a level is what the program says."""
import json
import math
import pathlib
import shutil
import tempfile
import unittest
import unittest.mock

import numpy as np

import startle
import startle.places
from common import PROGRAM, program_json, some_levels

EASY, HARD = some_levels("T1/easy", 1)[0], some_levels("T3/hard", 1)[0]


class AsTheProgram(unittest.TestCase):
    def test_explain(self):
        for options in ({}, {"method": "extended"}, {"state_update": "simulated"},
                        {"method": "published", "ties": "first", "known_normal": ["wood", "stone"]}):
            arguments = [part for name, value in options.items()
                         for part in ("--" + name.replace("_", "-"),
                                      value if isinstance(value, str) else ",".join(value))]
            self.assertEqual(startle.explain(EASY, "T1", **options),
                             program_json("explain", EASY, "--novelty", "T1", "--format", "json", *arguments))

    def test_simulate(self):
        for path, novelty in ((EASY, None), (EASY, "T1"), (HARD, "T3@2")):
            with tempfile.TemporaryDirectory() as folder:
                trace = pathlib.Path(folder) / "trace.json"
                named = [] if novelty is None else ["--novelty", novelty]
                theirs = program_json("simulate", path, "--shot", "20", "--shot", "35.5,1.25,0.9",
                                      "--format", "json", "--trace", trace, *named)
                frames = [shot["frames"] for shot in json.loads(trace.read_text())["shots"]]
            ours = startle.simulate(path, [20 * (math.pi / 180), (35.5 * (math.pi / 180), 0.9, 1.25)],
                                    novelty=novelty, every=1)
            for name in ("level", "novelty", "settle_shift", "cleared", "score", "birds_left", "pigs_left"):
                self.assertEqual(ours[name], theirs[name], name)
            self.assertEqual(len(ours["objects"]), theirs["objects"])
            self.assertEqual(len(ours["shots"]), len(theirs["shots"]))
            for shot, described, frame_list in zip(ours["shots"], theirs["shots"], frames):
                for name in ("bird", "stretch", "pigs_killed", "blocks_destroyed", "score", "end", "hash"):
                    self.assertEqual(shot[name], described[name], name)
                self.assertEqual(shot["seconds"], described["steps"] * 0.02)
                events = shot["events"]
                columns = [events[n].tolist() for n in ("step", "kind", "a", "b", "value", "position")]
                self.assertEqual([{"step": s, "kind": k, "a": a, "b": b, "value": v, "x": x, "y": y}
                                  for s, k, a, b, v, (x, y) in zip(*columns)], described["events"])
                self.assertEqual(len(shot["times"]), len(frame_list))
                for time, poses, life, frame in zip(shot["times"], shot["poses"], shot["life"], frame_list):
                    self.assertEqual(time, frame["step"] * 0.02)
                    there = ~np.isnan(life)
                    bodies = np.column_stack([np.flatnonzero(there), poses[there], life[there]])
                    np.testing.assert_array_equal(bodies, frame["bodies"])

    def test_what_is_recorded_changes_nothing(self):
        hashes = set()
        for every, frames in ((0, 0), (1, None), (50, None)):
            shot = startle.simulate(EASY, [0.4], every=every)["shots"][0]
            hashes.add(shot["hash"])
            if every:
                frames = int(round(shot["seconds"] / 0.02)) // every + 1
            self.assertEqual((len(shot["times"]), shot["poses"].shape[0]), (frames, frames))
        self.assertEqual(len(hashes), 1)

    def test_observer(self):
        for novelty in (None, "T1"):
            named = [] if novelty is None else ["--novelty", novelty]
            theirs = program_json("observe", EASY, "--shot", "25", "--launches", 3, "--simulations", 19,
                                  "--seed", 7, "--format", "json", *named)["shots"][0]["launches"]
            ours = startle.observer(EASY, 25 * (math.pi / 180), novelty=novelty, launches=3, simulations=19,
                                    seed=7, threads=2)
            self.assertEqual(ours["perturbation"].tolist(), [launch["perturbation_rad"] for launch in theirs])
            for mine, world in ((ours, "found"), (ours["normal"], "normal")):
                for name in ("p", "p_outcome", "p_motion", "detected"):
                    self.assertEqual(mine[name].tolist(), [launch[world][name] for launch in theirs])
                for findings, launch in zip(mine["findings"], theirs):
                    for finding, described in zip(findings, launch[world]["findings"]):
                        self.assertEqual({**finding, "time_s": finding["time"]},
                                         {**described, "time": finding["time"]})
            self.assertEqual(ours["novel_objects"] > 0, novelty is not None)
            for key in {*ours, *ours["findings"][0][0]}:
                self.assertRegex(startle.observer.__doc__, rf"\b{key}\b", "the docstring names every key")

    @unittest.skipUnless(pathlib.Path(PROGRAM + "-surprise").exists(), "built without learning")
    def test_surprise(self):
        theirs = program_json("surprise", "score", EASY, "--shot", "25", "--shot", "40,1,0.5", "--novelty",
                              "T1", "--format", "json")["clips"]
        ours = startle.surprise.score(startle.read_levels(EASY)[0],
                                      [math.radians(25), (math.radians(40), 0.5, 1)], novelty="T1")
        self.assertEqual([(clip["shot"], clip["world"]) for clip in ours],
                         [(1, "normal"), (1, "T1"), (2, "normal"), (2, "T1")])
        for clip, described in zip(ours, theirs):
            self.assertEqual((clip["level"], clip["first_step"], clip["stride"]),
                             tuple(described[name] for name in ("level", "first_step", "stride")))
            self.assertEqual(list(clip["scores"]), list(described["scores"]))
            for name, value in described["scores"].items():
                self.assertAlmostEqual(clip["scores"][name], value, delta=1e-4 * abs(value))
            np.testing.assert_allclose(clip["surprise"], described["surprise"], rtol=1e-4)
            np.testing.assert_allclose(clip["change"], described["change"], rtol=1e-9)
            for key in clip:
                self.assertRegex(startle.surprise.score.__doc__, rf"\b{key}\b")

    def test_the_program_answers_or_its_message_is_raised(self):
        self.assertTrue(startle.program("--version").startswith("startle "))
        with self.assertRaisesRegex(startle.Error, "T99"):
            startle.program("difficulty", EASY, "--novelty", "T99")


    def test_without_learning_surprise_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = pathlib.Path(folder) / "startle"  # without startle-surprise beside it
            shutil.copy2(PROGRAM, alone)
            with unittest.mock.patch.object(startle.places._engine, "PROGRAM", str(alone)):
                with self.assertRaisesRegex(startle.Error, "startle-surprise: not found; install the "
                                                           "package startle-surprise, "):
                    startle.program("surprise", "score", EASY, "--shot", 20)
                clip, = startle.surprise.score(EASY, [0.4])  # needs NumPy alone
            self.assertEqual(clip["surprise"].shape, (14,))


class Clips(unittest.TestCase):
    def test_worlds_share_the_frames_before_the_first_contact(self):
        normal, novel = startle.surprise.clips(EASY, [0.4], novelty="T1")
        self.assertEqual((normal["world"], novel["world"], normal["shot"]), ("normal", "T1", 1))
        self.assertEqual((normal["first_step"], normal["stride"]), (novel["first_step"], 6))
        self.assertEqual((normal["frames"].shape, normal["frames"].dtype), ((15, 64, 64, 3), np.uint8))
        np.testing.assert_array_equal(normal["frames"][:3], novel["frames"][:3])
        self.assertGreater(np.abs(normal["frames"] - novel["frames"]).sum(), 0)
        for key in normal:
            self.assertRegex(startle.surprise.clips.__doc__, rf"\b{key}\b", "the docstring names every key")

    def test_formats(self):
        clip, = startle.surprise.clips(EASY, [0.4], frames=4, pixels=16, stride=2, lead=1, view=8)
        self.assertEqual((clip["frames"].shape, clip["stride"]), ((4, 16, 16, 3), 2))

    def test_predictions_are_of_the_past_alone(self):
        network = startle.surprise.PredRNN(startle.surprise.MODEL)
        frames = startle.surprise.clips(EASY, [0.4])[0]["frames"]
        predictions = network(frames)
        self.assertEqual((predictions.shape, predictions.dtype), ((14, 64, 64, 3), np.float32))
        self.assertTrue(((predictions >= 0) & (predictions <= 1)).all())
        other = frames.copy()
        other[9:] = 0
        changed = network(other)
        np.testing.assert_array_equal(changed[:9], predictions[:9])
        self.assertGreater(np.abs(changed[9] - predictions[9]).max(), 0.1)

    def test_models_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder) / "cut.safetensors"
            cut.write_bytes(startle.surprise.MODEL.read_bytes()[:5000])
            motion = startle.surprise.MODEL.with_name("motion.safetensors")
            for model, message in ((cut, "cut.safetensors: .*damaged"),
                                   (motion, "motion.safetensors: .*network"),
                                   (pathlib.Path(folder) / "none", "none: no such file"),
                                   (EASY, "is no safetensors file")):
                with self.subTest(model=model), self.assertRaisesRegex(startle.Error, message):
                    startle.surprise.score(EASY, [0.4], model=model)


class Refused(unittest.TestCase):
    def test_bad_input(self):
        cases = (
            (lambda: startle.simulate(EASY, [math.nan]), "angle: found nan"),
            (lambda: startle.simulate(EASY, [40]), "angle: found 40"),
            (lambda: startle.simulate(EASY, [(0.5, 0)]), "stretch"),
            (lambda: startle.simulate(EASY, 0.5), "shots"),
            (lambda: startle.simulate(EASY, ["x"]), "shots: found 'x'"),
            (lambda: startle.simulate(EASY, [(1, 1, 1, 1)]), "allowed is an angle"),
            (lambda: startle.simulate(EASY, [0.5], novelty="T99"), "T99"),
            (lambda: startle.simulate(EASY, [0.5], every=-1), "every: found -1"),
            (lambda: startle.simulate(EASY.parent, [0.5]), "level: found .*allowed is one"),
            (lambda: startle.observer(EASY, 0.5, launches=0), "launches: found 0"),
            (lambda: startle.observer(EASY, 0.5, simulations=3), "simulations"),
            (lambda: startle.observer(EASY, 0.5, aim_noise=math.nan), "aim"),
            (lambda: startle.observer(EASY, math.nan), "angle"),
            (lambda: startle.explain(EASY, "T99"), "T99"),
            (lambda: startle.explain("nowhere.json", "T1"), "nowhere.json"),
            (lambda: startle.surprise.score(EASY, ["x"]), "shots"),
            (lambda: startle.surprise.clips(EASY, [0.1] * 20), "shots: found 20, allowed are as many as"),
            (lambda: startle.surprise.clips(EASY, [0.1], pixels=6), "pixels: found 6"),
            (lambda: startle.surprise.clips(EASY, [0.1], novelty="T99"), "T99"),
            (lambda: startle.surprise.PredRNN(startle.surprise.MODEL)(np.zeros((3, 8, 8, 3), np.uint8)),
             "clip: found uint8 of shape"))
        for i, (call, message) in enumerate(cases):
            with self.subTest(i=i), self.assertRaisesRegex(startle.Error, message):
                call()

    def test_no_shot_and_a_level_without_birds(self):
        self.assertEqual(startle.simulate(EASY, [])["shots"], [])
        text = json.loads(EASY.read_text())
        bare = startle.Level(json.dumps({key: value for key, value in text.items()
                                         if key not in ("provenance", "difficulty")} | {"birds": []}))
        self.assertEqual(startle.simulate(bare, [0.5])["shots"], [])
        with self.assertRaisesRegex(startle.Error, "bird"):
            startle.observer(bare, 0.5)
        empty = startle.Level(json.dumps({key: value for key, value in text.items()
                                          if key not in ("provenance", "difficulty")} | {"objects": []}))
        self.assertTrue(startle.simulate(empty, [0.5])["cleared"])


if __name__ == "__main__":
    unittest.main()
