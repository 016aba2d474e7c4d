"""Copies and pickles of environments: from the same state on they play as the original, bit for bit, and by
themselves."""
import copy
import pickle
import unittest

import numpy as np

import startle
from common import some_levels

LEVELS = some_levels("T1/easy", 3)
WAYS = {"deepcopy": copy.deepcopy, "copy": copy.copy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


def over(env):
    seen = env.describe()
    return not seen["birds"] or all(o["kind"] != "pig" for o in seen["objects"])


def play_on(env, seed, steps=8):
    """Everything that comes back of `steps` random shots, over several episodes whose levels are drawn."""
    random = np.random.default_rng(seed)
    described = []
    for _ in range(steps):
        shot = (random.uniform(0.1, 1.2), 1.0, random.uniform(-1, 2))
        if over(env):
            described += [env.reset(), env.describe(), env.reports]
        else:
            described += [env.step(shot), env.describe(), env.describe_shot(), env.video(), env.render()]
    return described


class OneEnvironment(unittest.TestCase):
    def test_it_goes_on_as_the_original(self):
        for name, way in WAYS.items():
            for shots in range(3):  # after the reset, and in the midst of an episode
                env = startle.make(LEVELS, novelty=True, size=(24, 16))
                env.reset(seed=5, options={"level": 1})
                env.reset()
                env.action_space.seed(3)
                for _ in range(shots):
                    env.step((1.3, 0.2, -1.0))  # short of everything
                    env.report(0.4, "odd")
                twin = way(env)
                with self.subTest(way=name, shots=shots):
                    np.testing.assert_equal(twin.action_space.sample(), env.action_space.sample())
                    self.assertEqual(twin.reports, env.reports)
                    if shots:
                        self.assertEqual(twin.describe_shot(), env.describe_shot())
                        np.testing.assert_array_equal(twin.video(), env.video())
                    before = twin.describe()
                    theirs = play_on(env, 1)
                    self.assertEqual(twin.describe(), before)  # what the original does is nothing to the copy
                    np.testing.assert_equal(play_on(twin, 1), theirs)

    def test_of_one_that_was_never_reset(self):
        for name, way in WAYS.items():
            with self.subTest(way=name):
                env = startle.make(LEVELS, seed=4, size=(8, 8))
                twin = way(env)
                with self.assertRaisesRegex(startle.Error, "reset"):
                    twin.step((0.5, 1.0, -1.0))
                np.testing.assert_equal(twin.reset(), env.reset())

    def test_generated_levels_and_a_named_novelty_survive_a_pickle(self):
        env = startle.make(startle.generate("castles", count=2, seed=3), novelty="T2@2", profile="startle",
                           size=(8, 8))
        env.reset(seed=1)
        env.step((0.4, 1.0, -1.0))
        twin = pickle.loads(pickle.dumps(env))
        np.testing.assert_equal(play_on(twin, 2), play_on(env, 2))

    def test_what_cannot_have_been_played_is_refused(self):
        env = startle.make(LEVELS[0], size=(8, 8))
        env.reset(seed=1)
        build, (cls,), state = env._engine.__reduce_ex__(2)[:3]
        for games, message in (([], "found 0"), ([(1, 1, 1, [(7, [])])], "cannot have led"),
                               ([(1, 1, 1, [])], "cannot have led"),
                               ([(1, 1, 0, [(0, [])])], "cannot have led"),
                               ([(1, 9, 1, [(0, []), (0, [])])], "cannot have led"),
                               ([(1, 1, 1, [(0, [(float("nan"), 1, -1)])])], "angle"),
                               ([(1, 1, 1, [(0, [(1.5, 0.1, -1)] * 30)])], "over")):
            with self.subTest(games=games), self.assertRaisesRegex(startle.Error, message):
                build(cls).__setstate__(state[:-1] + (games,))


class Several(unittest.TestCase):
    def test_they_go_on_as_the_original(self):
        shots = np.stack([np.linspace(0.2, 1.2, 5), np.ones(5), -np.ones(5)], axis=-1)
        for name, way in WAYS.items():
            env = startle.make_vec(LEVELS, 5, novelty=True, seed=2, size=(16, 8), threads=2)
            env.reset()
            for _ in range(3):
                env.step(shots)
            twin = way(env)
            theirs = [env.step(shots[::-1]) for _ in range(6)]
            with self.subTest(way=name):
                np.testing.assert_equal([twin.step(shots[::-1]) for _ in range(6)], theirs)
                np.testing.assert_equal(twin.reset(), env.reset())


if __name__ == "__main__":
    unittest.main()
