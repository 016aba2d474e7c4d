"""Environments side by side: each is as one alone, whatever runs beside it."""
import math
import threading
import unittest

import numpy as np

import startle
from common import some_levels

LEVELS = some_levels("T1/easy", 4)


def actions(steps, n, seed=0):
    random = np.random.default_rng(seed)
    shape = (steps, n)
    return np.stack([random.uniform(0.1, 1.2, shape), np.ones(shape), random.uniform(-1, 2, shape)], axis=-1)


class Vector(unittest.TestCase):
    def test_each_plays_as_one_alone_with_autoreset(self):
        n, steps = 5, 8
        shots = actions(steps, n)
        batch = startle.make_vec(LEVELS, n, novelty=True, size=(24, 16), threads=3)
        seen = [batch.reset(seed=11)]
        seen += [batch.step(a) for a in shots]
        ended = 0
        for i in range(n):
            env = startle.make(LEVELS, novelty=True, size=(24, 16))
            observation, info = env.reset(seed=11 + i)
            over = False
            for t in range(steps + 1):
                reward = 0.0
                if t > 0 and over:
                    observation, info = env.reset()
                    over = False
                    ended += 1
                elif t > 0:
                    observation, reward, over, truncated, info = env.step(shots[t - 1, i])
                for name, value in observation.items():
                    np.testing.assert_array_equal(seen[t][0][name][i], value)
                for name, value in info.items():
                    self.assertEqual(seen[t][-1][name][i], value)
                    self.assertTrue(seen[t][-1]["_" + name].all())
                if t > 0:
                    self.assertEqual(seen[t][1][i], reward)
                    self.assertEqual(seen[t][2][i], over)
                    self.assertFalse(seen[t][3][i])
        self.assertGreater(ended, 3)

    def test_the_number_of_threads_changes_nothing(self):
        runs = []
        for threads in (1, 2, 7):
            batch = startle.make_vec(LEVELS, 6, size=(16, 16), threads=threads)
            runs.append([batch.reset(seed=2)] + [batch.step(a) for a in actions(4, 6)])
        np.testing.assert_equal(runs[0], runs[1])
        np.testing.assert_equal(runs[0], runs[2])

    def test_pictures_are_written_to_an_array_given(self):
        one, two = (startle.make_vec(LEVELS, 3, size=(80, 40)) for _ in range(2))
        out = np.full((3, 40, 80, 3), 77, np.uint8)
        observations, _ = one.reset(seed=1, out=out)
        self.assertTrue(np.shares_memory(observations["picture"], out))
        np.testing.assert_array_equal(out, two.reset(seed=1)[0]["picture"])
        before = out.copy()
        shot = np.tile([0.2, 1.0, -1.0], (3, 1))  # flat enough to hit something
        first = one.step(shot, out=out)[0]["picture"]
        self.assertTrue(np.shares_memory(first, out))
        np.testing.assert_array_equal(out, two.step(shot)[0]["picture"])
        self.assertTrue((out != before).any())
        # Without one, each step has arrays of its own.
        self.assertFalse(np.shares_memory(two.reset(seed=1)[0]["picture"], two.reset(seed=1)[0]["picture"]))

    def test_what_is_refused_changes_nothing(self):
        batch, same = (startle.make_vec(LEVELS, 3, size=(20, 10)) for _ in range(2))
        good = np.tile([0.5, 1.0, -1.0], (3, 1))
        with self.assertRaisesRegex(startle.Error, "reset"):
            batch.step(good)
        for env in (batch, same):
            env.reset(seed=1)
        bad = good.copy()
        bad[1, 0] = math.nan
        read_only = np.zeros((3, 10, 20, 3), np.uint8)
        read_only.flags.writeable = False
        for action, out, message in ((bad, None, "environment 1: angle: found nan"),
                                     (good[:2], None, "shape"), (good[0], None, "shape"),
                                     (good, np.zeros((3, 20, 10, 3), np.uint8), "out"),
                                     (good, np.zeros((3, 10, 20, 3)), "out"),
                                     (good, np.zeros((3, 10, 20, 6), np.uint8)[..., ::2], "out"),
                                     (good, read_only, "out")):
            with self.subTest(message=message), self.assertRaisesRegex(startle.Error, message):
                batch.step(action, out=out)
        for reset, message in (({"seed": [1, 2]}, "2 seeds"),
                               ({"options": {"level": [0, 9, 0]}}, "allowed are 0 to 3"),
                               ({"seed": [1, -2, 3]}, "seed"),
                               ({"seed": 9, "out": read_only}, "out")):
            with self.subTest(reset=reset), self.assertRaisesRegex(startle.Error, message):
                batch.reset(**reset)
        np.testing.assert_equal(batch.step(good), same.step(good))

    def test_seeds_and_levels_for_each(self):
        batch = startle.make_vec(LEVELS, 3, size=(8, 8))
        by_list = batch.reset(seed=[7, 8, 9], options={"level": [3, 2, 1]})[0]["objects"]
        alone = [startle.make(LEVELS[i], size=(8, 8)).reset(seed=0)[0]["objects"] for i in (3, 2, 1)]
        for ours, theirs in zip(by_list, alone):
            np.testing.assert_array_equal(ours[:len(theirs)], theirs)
            self.assertFalse(ours[len(theirs):].any())
        np.testing.assert_equal(batch.reset(seed=7), batch.reset(seed=[7, 8, 9]))

    def test_spaces(self):
        batch = startle.make_vec(LEVELS, 3, size=(8, 8))
        observations, _ = batch.reset(seed=1)
        self.assertTrue(batch.observation_space.contains(observations))
        action = batch.action_space.sample()
        self.assertEqual(action.shape, (3, 3))
        batch.step(action)
        self.assertEqual(batch.single_action_space.shape, (3,))

    def test_two_python_threads_take_turns(self):
        batch = startle.make_vec(LEVELS, 4, size=(8, 8), threads=2)
        batch.reset(seed=1)
        failures = []

        def steps():
            try:
                for a in actions(20, 4):
                    batch.step(a)
            except Exception as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=steps) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
