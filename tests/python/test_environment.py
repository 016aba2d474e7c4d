"""One environment: what it does, and that it is the engine that does it."""
import copy
import json
import math
import pathlib
import pickle
import tempfile
import unittest

import numpy as np

import startle
from common import BENCHMARK, program_json, some_levels

NEVER = -1.0

LEVEL = some_levels("T1/easy", 1)[0]


class Arguments(unittest.TestCase):
    def refused(self, words, call, *args, **kwargs):
        with self.subTest(words=words, args=args, kwargs=kwargs):
            with self.assertRaises(startle.Error) as raised:
                call(*args, **kwargs)
            self.assertIn(words, str(raised.exception))

    def test_the_wrong_type_is_named(self):
        for size in (64, "64x64", (64,), (64, 64, 3), None, (value for value in [1])):
            self.refused(f"size: found {size!r}, allowed is (width, height)", startle.make, LEVEL, size=size)
            self.refused("size: found", startle.make_vec, LEVEL, 2, size=size)
        for size in ((64.0, 64), ("a", "b"), (10**12, 3), (0, 3), (True, 8)):
            self.refused("width of pictures: found", startle.make, LEVEL, size=size)
        for size in ([32, 24], np.array([32, 24]), (np.int16(32), 24)):
            self.assertIn("32 x 24", repr(startle.make(LEVEL, size=size)))
        for levels in (5, None, [5], [None], b"x"):
            self.refused("levels: found", startle.make, levels)
            self.refused("levels: found", startle.read_levels, levels)
        for call in (startle.make, startle.read_levels):
            self.refused("profile: found 5, allowed is text", call, LEVEL, profile=5)
        for value in ("3", 2.5, None, 10**12):
            self.refused("num_envs: found", startle.make_vec, LEVEL, value)
            self.refused("threads: found", startle.make_vec, LEVEL, 2, threads=value)
            self.refused("count: found", startle.generate, "rows", count=value)
            self.refused("launches: found", startle.observer, LEVEL, 0.5, launches=value)
        for value in ("x", -1, 2**70, 1.5):
            self.refused("seed: found", startle.generate, "rows", count=1, seed=value)
            self.refused("seed: found", startle.make, LEVEL, seed=value)
            self.refused("seed: found", startle.observer, LEVEL, 0.5, seed=value)
        for value in (0.5, "0:1", (0, 1, 2), ("a", "b")):
            self.refused("range: found", startle.generate, count=1, novelty="T1", range=value)
        for value in ("a", None, math.nan, math.inf, [1]):
            self.refused("alpha: found", startle.difficulty, LEVEL, "T1", alpha=value)
        self.refused("novelty: found 5, allowed is text", startle.explain, LEVEL, 5)
        self.refused("novelty: found 5, allowed is text", startle.simulate, LEVEL, [0.5], novelty=5)
        self.refused("every: found 2.5", startle.simulate, LEVEL, [0.5], every=2.5)
        self.refused("levels: found 5", startle.simulate, 5, [0.5])

    def test_the_wrong_type_is_named_in_an_episode(self):
        env = startle.make(LEVEL, size=(8, 8))
        self.refused("options: found 5, allowed is a dict", env.reset, options=5)
        env.reset(seed=1)
        env.step((0.5, 1.0, NEVER))
        for value in ("a", None, [1], math.nan):
            self.refused("novelty: found", env.report, value)
        self.refused("description: found 5, allowed is text", env.report, 0.5, 5)
        for size in (64, "64x64"):
            self.refused("size: found", env.video, size)
        env.report(np.float32(0.5))


class WithoutGymnasiumToo(unittest.TestCase):
    def test_members_of_its_environments(self):
        for env in (startle.make(LEVEL, size=(8, 8)), startle.make_vec(LEVEL, 2, size=(8, 8))):
            with env as entered:
                self.assertIs(entered, env)
                self.assertIs(env.unwrapped, env)
                self.assertIsNone(env.spec)
                self.assertLess(env.np_random.random(), 1)
                env.reset(seed=3)
            with self.assertRaises(KeyError), env:
                raise KeyError("passes through")
        with startle.make(LEVEL, size=(8, 8)) as env:
            env.reset(seed=3)
            self.assertEqual(env.np_random_seed, 3)
            first = env.np_random.random()
            self.assertEqual(first, np.random.default_rng(3).random())
            env.reset(seed=3)
            self.assertEqual(env.np_random.random(), first)


class SameAsTheProgram(unittest.TestCase):
    def compare(self, path, novelty, shots):
        """Plays the shots here and with `startle simulate`, and compares every pose at every frame, bit for
        bit."""
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.json"
            arguments = ["simulate", path, "--quiet", "--format", "json", "--trace", trace]
            for angle, tap in shots:
                arguments += ["--shot", f"{angle},{tap}" if tap >= 0 else f"{angle}"]
            if novelty:
                arguments += ["--novelty", novelty]
            summary = program_json(*arguments)
            theirs = json.loads(trace.read_text())
        env = startle.make(path, novelty=novelty, size=(8, 8))
        _, info = env.reset(seed=0)

        def standing():
            return {o["id"]: (o["x"], o["y"], o["angle"]) for o in env.describe()["objects"]
                    if o["kind"] != "platform"}

        static = {o["id"] for o in env.describe()["objects"] if o["kind"] == "platform"}
        poses = standing()
        played, rewards = 0, 0
        for (angle, tap), shot in zip(shots, theirs["shots"]):
            # As the program turns degrees into radians.
            _, reward, terminated, truncated, info = env.step((angle * (math.pi / 180), 1.0, tap))
            rewards += reward
            played += 1
            frames = shot["frames"][::5]  # steps of 0.02 s; agents see each 0.1 s
            seen = env.describe_shot()["frames"]
            self.assertEqual(len(seen), len(frames))
            for ours, frame in zip(seen, frames):
                for number in ours["gone"]:
                    del poses[number]
                poses.update({body[0]: tuple(body[1:]) for body in ours["moved"]})
                self.assertEqual(poses, {body[0]: tuple(body[1:4]) for body in frame["bodies"]
                                         if body[0] not in static})
            poses = standing()
            self.assertFalse(truncated)
            if terminated:
                break
        self.assertEqual(played, len(summary["shots"]))
        self.assertEqual(rewards, summary["score"])
        self.assertEqual(info["score"], summary["score"])
        self.assertEqual(info["pigs"], summary["pigs_left"])
        self.assertEqual(info["solved"], summary["cleared"])

    def test_poses_and_scores(self):
        for folder, novelty in (("T1/easy", False), ("T1/easy", "T1"), ("T3/medium", "T3"),
                                ("T2/hard", "T2")):
            for path in some_levels(folder, 2):
                with self.subTest(path=path.name, novelty=novelty):
                    self.compare(path, novelty, [(20.0, NEVER), (35.5, 1.25), (60.0, NEVER), (12.0, 0.5),
                                                 (45.0, NEVER)])


class Episodes(unittest.TestCase):
    def setUp(self):
        self.env = startle.make(some_levels("T1/easy", 3), seed=3, size=(64, 48))

    def play(self, seed, actions=((0.3, 1.0, NEVER), (0.7, 0.9, 1.0), (1.1, 1.0, 0.4))):
        observation, info = self.env.reset(seed=seed)
        described = [observation, info]
        for action in actions:
            *step, terminated, truncated, info = self.env.step(action)
            described += [*step, terminated, truncated, info]
            if terminated:
                break
        return described

    def test_equal_seeds_give_equal_results(self):
        first, again = self.play(5), self.play(5)
        np.testing.assert_equal(first, again)
        other = startle.make(some_levels("T1/easy", 3), size=(64, 48))
        self.env, env = other, self.env
        np.testing.assert_equal(first, self.play(5))
        self.env = env

    def test_the_seed_of_make_is_that_of_the_first_reset(self):
        one, two = self.env.reset()[0], startle.make(some_levels("T1/easy", 3),
                                                     size=(64, 48)).reset(seed=3)[0]
        np.testing.assert_equal(one, two)

    def test_levels_are_drawn_and_can_be_named(self):
        starts = [self.env.reset(seed=1, options={"level": i})[0]["objects"]
                  for i in range(self.env.level_count)]
        self.assertFalse(np.array_equal(starts[0], starts[1]) or np.array_equal(starts[1], starts[2]))
        drawn = [self.env.reset()[0]["objects"] for _ in range(40)]
        self.assertEqual({next(i for i, start in enumerate(starts) if np.array_equal(start, d))
                          for d in drawn}, {0, 1, 2})
        # Naming a level does not change which ones are drawn later.
        self.env.reset(seed=8)
        drawn = [self.env.reset()[0]["objects"] for _ in range(3)]
        self.env.reset(seed=8, options={"level": 2})
        np.testing.assert_equal(drawn, [self.env.reset()[0]["objects"] for _ in range(3)])

    def test_observations_lie_in_their_space_and_say_what_describe_says(self):
        observation, _ = self.env.reset(seed=1)
        over = False
        while not over:
            self.assertTrue(self.env.observation_space.contains(observation))
            said = self.env.describe()
            rows = {i: row for i, row in enumerate(observation["objects"]) if row[0] != 0}
            self.assertEqual(rows.keys(), {o["id"] for o in said["objects"]})
            for o in said["objects"]:
                row = dict(zip(startle.OBJECT_COLUMNS, rows[o["id"]]))
                self.assertEqual(startle.OBJECT_TYPES[int(row["type"])], o["type"])
                self.assertEqual(startle.KINDS[int(row["kind"])], o["kind"])
                self.assertEqual(startle.MATERIALS[int(row["material"])], o.get("material", ""))
                self.assertEqual((row["x"], row["y"], row["angle"]), (o["x"], o["y"], o["angle"]))
            birds = [startle.BIRD_TYPES[code] for code in observation["birds"] if code]
            self.assertEqual(birds, said["birds"])
            self.assertEqual(dict(zip(startle.LAUNCH_COLUMNS, observation["launch"]))["launch_speed"],
                             said["launch_speed"])
            observation, _, over, _, _ = self.env.step((0.4, 1.0, NEVER))

    def test_widths_and_heights(self):
        # Of objects that are not turned, from their outlines; a pig's is 0.004 wider than its type says.
        observation, _ = self.env.reset(seed=1)
        for o in self.env.describe()["objects"]:
            if "outline" in o and abs(o["angle"]) < 1e-6:
                xs, ys = zip(*o["outline"])
                row = observation["objects"][o["id"]]
                np.testing.assert_allclose(row[6:], (max(xs) - min(xs), max(ys) - min(ys)),
                                           atol=5e-3 if o["kind"] == "pig" else 2e-3)

    def test_actions_of_the_space_are_accepted(self):
        self.env.action_space.seed(4)
        for _ in range(20):
            action = self.env.action_space.sample()
            self.assertTrue(self.env.action_space.contains(action))
            self.env.reset()
            self.env.step(action)

    def test_normalised_actions_are_spread_over_the_plain_ones(self):
        levels = some_levels("T1/easy", 3)
        env = startle.make(levels, size=(8, 8), normalised=True)
        plain = self.env.action_space
        self.assertEqual((env.action_space.shape, float(env.action_space.low.min()),
                          float(env.action_space.high.max())), ((3,), -1.0, 1.0))
        for given in ((-1, -1, -1), (1, 1, 1), (0.13, 0.2, -0.9)):
            shot = plain.low + (np.array(given) + 1) / 2 * (plain.high - plain.low)
            env.reset(seed=2)
            self.env.reset(seed=2)
            np.testing.assert_equal(env.step(given)[1:], self.env.step(shot)[1:])
        many = startle.make_vec(levels, 2, size=(8, 8), normalised=True)
        many.reset(seed=2)
        env.reset(seed=2)
        self.assertEqual(many.step([(0.1, 1, -1)] * 2)[1][0], env.step((0.1, 1, -1))[1])
        for bad in ((1.01, 0, 0), (float("nan"), 0, 0)):
            with self.assertRaisesRegex(startle.Error, "from -1 to 1"):
                env.step(bad)

    def test_observations_have_finite_bounds(self):
        for part in (self.env.observation_space[name] for name in ("picture", "objects", "birds", "launch")):
            self.assertTrue(np.all(np.isfinite(part.low)) and np.all(np.isfinite(part.high)))

    def test_rewards_add_up_to_the_score_and_the_solution_clears_the_level(self):
        path = some_levels("T1/easy", 1)[0]
        solution = json.loads(path.read_text())["provenance"]["solution"]
        env = startle.make(path, size=(8, 8))
        env.reset()
        total = 0
        for shot in solution:
            _, reward, terminated, _, info = env.step((shot["angle_rad"], shot["stretch"],
                                                       shot["tap_time_s"]))
            total += reward
        self.assertTrue(terminated and info["solved"])
        self.assertEqual(info["pigs"], 0)
        self.assertEqual(total, info["score"])
        self.assertGreaterEqual(total, 5000)  # a pig

    def test_pictures(self):
        observation, _ = self.env.reset(seed=1)
        self.assertEqual(observation["picture"].shape, (48, 64, 3))
        self.assertGreater(len(np.unique(observation["picture"].reshape(-1, 3), axis=0)), 3)
        self.env.step((0.5, 1.0, NEVER))
        video = self.env.video()
        self.assertEqual(video.shape, (len(self.env.describe_shot()["frames"]), 48, 64, 3))
        self.assertTrue((video[0] != video[5]).any())
        self.assertEqual(self.env.video((10, 20)).shape[1:], (20, 10, 3))
        self.assertEqual(self.env.render().shape, (320, 640, 3))

    def test_render_modes(self):
        self.assertEqual(startle.Env.metadata["render_modes"], ["rgb_array", "rgb_array_list"])
        path = some_levels("T1/easy", 1)[0]
        still, moving = (startle.make(path, render_mode=mode)
                         for mode in startle.Env.metadata["render_modes"])
        for env in (still, moving):
            with self.assertRaisesRegex(startle.Error, "reset"):
                env.render()
            env.reset(seed=1)
        np.testing.assert_array_equal(moving.render(), [still.render()])
        for env in (still, moving):
            env.step((0.3, 1.0, NEVER))
        frames = moving.render()
        np.testing.assert_array_equal(frames, moving.video((640, 320)))
        # played at render_fps, they take as long as the shot
        shot = startle.simulate(path, [0.3])["shots"][0]
        self.assertAlmostEqual((len(frames) - 1) / startle.Env.metadata["render_fps"], shot["seconds"],
                               delta=0.1)
        self.assertEqual(still.render().shape, (320, 640, 3))

    def test_reports(self):
        self.env.reset(seed=1)
        with self.assertRaisesRegex(startle.Error, "one after each shot"):
            self.env.report(0.5)
        self.env.step((0.2, 1.0, NEVER))
        for bad in (math.nan, -0.1, 1.1):
            with self.assertRaisesRegex(startle.Error, "novelty: found"):
                self.env.report(bad)
        with self.assertRaisesRegex(startle.Error, "10000 bytes"):
            self.env.report(0.5, "x" * 10001)
        self.env.report(0.25)
        with self.assertRaisesRegex(startle.Error, "one after each shot"):
            self.env.report(0.25)
        self.assertIsNone(self.env.alarm_shot)
        self.env.step((0.2, 1.0, NEVER))
        self.env.report(0.5, "bounced")
        self.assertEqual(self.env.reports, [(1, 0.25, ""), (2, 0.5, "bounced")])
        self.assertEqual(self.env.alarm_shot, 2)
        self.env.reset()
        self.assertEqual(self.env.reports, [])


class Refused(unittest.TestCase):
    """Bad input: the engine's message as an exception, and nothing has changed."""

    def test_actions(self):
        env = startle.make(some_levels("T1/easy", 1), size=(8, 8))
        with self.assertRaisesRegex(startle.Error, "reset"):
            env.step((0, 1, -1))
        env.reset(seed=1)
        before = env.describe()
        for action, message in (((math.nan, 1, -1), "angle: found nan"), ((0, math.nan, -1), "stretch"),
                                ((0, 1, math.nan), "tap_time"),
                                ((0, 1, math.inf), "tap_time"), ((101, 1, -1), "angle"),
                                ((0, 0, -1), "stretch"), ((0, 1.1, -1), "stretch"),
                                ((0, 1), "shape"), (0.5, "shape"), ("abc", "found 'abc'"),
                                (None, "angle: found nan|shape|found None"),
                                ([[0, 1, -1]], "shape")):
            with self.subTest(action=action), self.assertRaisesRegex(startle.Error, message):
                env.step(action)
            self.assertEqual(env.describe(), before)
        with self.assertRaisesRegex(startle.Error, "no shot"):
            env.describe_shot()
        with self.assertRaisesRegex(startle.Error, "no shot"):
            env.video()

    def test_a_step_after_the_end(self):
        env = startle.make(some_levels("T1/easy", 1), size=(8, 8))
        env.reset(seed=1)
        terminated = False
        while not terminated:
            terminated = env.step((1.5, 0.1, NEVER))[2]
        before = env.describe()
        with self.assertRaisesRegex(startle.Error, "over"):
            env.step((0.5, 1.0, NEVER))
        self.assertEqual(env.describe(), before)

    def test_settings(self):
        path = some_levels("T1/easy", 1)[0]
        for settings, message in (({"novelty": "T99"}, "T99"), ({"novelty": 1}, "novelty"),
                                  ({"size": (0, 5)}, "width"),
                                  ({"size": (5, 1025)}, "height"), ({"seed": -1}, "seed"),
                                  ({"seed": 2**64}, "seed"), ({"seed": 1.5}, "seed"),
                                  ({"profile": "moon"}, "moon"), ({"render_mode": "human"}, "render_mode")):
            with self.subTest(settings=settings), self.assertRaisesRegex(startle.Error, message):
                startle.make(path, **settings)
        env = startle.make(path, size=(8, 8))
        for reset, message in (({"options": {"level": 1}}, "allowed are 0 to 0"),
                               ({"options": {"level": -1}}, "level"),
                               ({"options": {"lvel": 1}}, "lvel"), ({"seed": -1}, "seed")):
            with self.subTest(reset=reset), self.assertRaisesRegex(startle.Error, message):
                env.reset(**reset)

    def test_levels(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "broken.json"
            with self.assertRaisesRegex(startle.Error, "none|no level|holds no"):
                startle.make(folder)
            with self.assertRaisesRegex(startle.Error, "does not exist|nowhere"):
                startle.make(pathlib.Path(folder) / "nowhere")
            broken.write_text("{")
            with self.assertRaisesRegex(startle.Error, "broken.json"):
                startle.make(broken)
            with self.assertRaisesRegex(startle.Error, "none"):
                startle.make([])
            text = json.loads(some_levels("T1/easy", 1)[0].read_text())
            for key, value, message in (("birds", [], "no birds"),
                                        ("objects", [o for o in text["objects"] if o.get("kind") != "pig"],
                                         "no pigs")):
                broken.write_text(json.dumps({**{k: v for k, v in text.items()
                                                 if k not in ("provenance", "difficulty")}, key: value}))
                with self.subTest(key=key), self.assertRaisesRegex(startle.Error, message):
                    startle.make(broken)
        plain = startle.generate("castles", count=1, seed=1)[0]
        with self.assertRaisesRegex(startle.Error, "no novelty is stored"):
            startle.make(plain, novelty=True)
        with self.assertRaises(ValueError):
            startle.make(plain, novelty="T99")


class WorldsThatChange(unittest.TestCase):
    """shift_after: a row of levels, normal ones first, then novel ones."""

    SHOT = (0.2, 1.0, NEVER)  # tells the worlds of each of the levels apart

    @classmethod
    def setUpClass(cls):
        cls.levels = some_levels("T2/easy", 3)
        cls.alone = {}
        for novelty in (False, True):
            env = startle.make(cls.levels, novelty=novelty, size=(8, 8))
            for level in range(3):
                env.reset(seed=1, options={"level": level})
                cls.alone[novelty, level] = cls.played(env)

    @classmethod
    def played(cls, env):
        """Rewards of shots at one level."""
        rewards, terminated = [], False
        while not terminated:
            _, reward, terminated, _, _ = env.step(cls.SHOT)
            rewards.append(reward)
        return rewards

    def episode(self, env, seed):
        """(rewards, info) of each shot, by level."""
        _, info = env.reset(seed=seed)
        self.assertEqual(info["level"], 1)
        levels, terminated = [[]], False
        while not terminated:
            _, reward, terminated, truncated, after = env.step(self.SHOT)
            self.assertFalse(truncated)
            levels[-1].append((reward, after))
            self.assertIn(after["level"] - info["level"], (0, 1))
            if after["level"] != info["level"]:
                levels.append([])
            info = after
        return levels

    def test_levels_are_normal_first_and_then_novel_and_the_end_says_since_when(self):
        shifts = set()
        for seed in range(6):
            env = startle.make(self.levels, novelty=True, size=(8, 8), shift_after=2)
            levels = self.episode(env, seed)
            self.assertEqual(len(levels), 4)
            shift = levels[-1][-1][1]["shift"]
            shifts.add(shift)
            said = [info for level in levels for _, info in level]
            self.assertTrue(all("shift" not in info for info in said[:-1]))
            self.assertEqual([info["shots"] for info in said], list(range(1, len(said) + 1)))
            self.assertAlmostEqual(said[-1]["score"], sum(reward for level in levels for reward, _ in level))
            for number, level in enumerate(levels):
                rewards = [reward for reward, _ in level]
                self.assertIn(rewards, [self.alone[number >= shift, i] for i in range(3)])
                other = [self.alone[number < shift, i] for i in range(3)]
                self.assertNotIn(rewards, other)
            with self.assertRaisesRegex(startle.Error, "the episode is over"):
                env.step(self.SHOT)
        self.assertEqual(shifts, {1, 2})

    def test_the_last_shot_of_a_level_is_shown_and_the_next_level_seen(self):
        env = startle.make(self.levels, novelty=True, size=(8, 8), shift_after=1)
        env.reset(seed=1)
        info = {"level": 1}
        while info["level"] == 1:
            observation, _, _, _, info = env.step(self.SHOT)
            env.report(0.1)
        self.assertEqual(env.describe()["level"], 2)
        self.assertEqual(env.describe()["shot"], 1)
        shot = env.describe_shot()
        self.assertEqual(shot["observation"]["level"], 1)
        self.assertEqual(len(env.video()), len(shot["frames"]))
        present = {thing["id"] for thing in env.describe()["objects"]}
        self.assertEqual({i for i, row in enumerate(observation["objects"]) if row[0] != 0}, present)

    def test_several_play_as_one(self):
        many = startle.make_vec(self.levels, 3, novelty=True, size=(8, 8), shift_after=1, threads=2)
        many.reset(seed=4)
        singles = []
        for i in range(3):
            env = startle.make(self.levels, novelty=True, size=(8, 8), shift_after=1)
            singles.append([shot for level in self.episode(env, 4 + i) for shot in level])
        for step in range(max(map(len, singles))):
            _, rewards, over, _, infos = many.step(np.tile(self.SHOT, (3, 1)))
            for i, shots in enumerate(singles):
                if step < len(shots):
                    reward, info = shots[step]
                    self.assertEqual((rewards[i], infos["level"][i]), (reward, info["level"]))
                    self.assertEqual(bool(over[i]), step == len(shots) - 1)
                    if over[i]:
                        self.assertTrue(infos["_shift"][i])
                        self.assertEqual(infos["shift"][i], info["shift"])

    def test_copies_go_on_as_the_original(self):
        env = startle.make(self.levels, novelty=True, size=(8, 8), shift_after=2)
        for shots in (0, 1, 4, 6):
            env.reset(seed=9)
            for _ in range(shots):
                env.step(self.SHOT)
            for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
                self.assertEqual(twin.describe(), env.describe())
                if shots:
                    self.assertEqual(twin.describe_shot(), env.describe_shot())
                theirs, terminated = copy.deepcopy(env), False
                while not terminated:
                    expected = theirs.step(self.SHOT)
                    np.testing.assert_equal(twin.step(self.SHOT), expected)
                    terminated = expected[2]

    def test_what_cannot_be_is_refused(self):
        for settings, words in (({"shift_after": 2}, "shift_after: found 2 without a novelty"),
                                ({"shift_after": 0, "novelty": True}, "shift_after: found 0"),
                                ({"shift_after": 1.5, "novelty": True}, "shift_after: found 1.5")):
            with self.assertRaisesRegex(startle.Error, words):
                startle.make(self.levels, **settings)


class NovelWorlds(unittest.TestCase):
    def test_they_start_alike_and_play_otherwise(self):
        paths = some_levels("T1/easy", 6)
        normal, novel, named = (startle.make(paths, novelty=n, size=(16, 16)) for n in (False, True, "T1"))
        differs = 0
        for i in range(len(paths)):
            options = {"level": i}
            starts = [env.reset(seed=1, options=options)[0] for env in (normal, novel, named)]
            np.testing.assert_equal(starts[0], starts[1])
            np.testing.assert_equal(starts[0], starts[2])
            for angle in (0.2, 0.9):
                steps = [env.step((angle, 1.0, NEVER)) for env in (normal, novel, named)]
                np.testing.assert_equal(steps[1], steps[2])
                if steps[0][2] or steps[1][2]:
                    break
            differs += normal.describe_shot() != novel.describe_shot()
        self.assertGreater(differs, 0)

    def test_a_folder_with_its_stored_novelties(self):
        env = startle.make(BENCHMARK / "T2" / "easy", novelty=True, seed=3, size=(32, 32))
        self.assertGreater(env.level_count, 10)
        env.reset()


if __name__ == "__main__":
    unittest.main()
