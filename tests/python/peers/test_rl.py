"""Gymnasium of today: what test_gymnasium.py asks of a stand-in, its checker, its wrappers, its vectors."""
import unittest

import gymnasium
import numpy as np

import startle
import test_gymnasium
from common import some_levels

LEVELS = some_levels("T2/easy", 2)
SHOT = np.array([0.5, 1.0, -1.0])


class AsWithTheStandIn(test_gymnasium.WithGymnasium):
    def test_it_is_the_real_one(self):
        self.assertIsNotNone(test_gymnasium.check_env)
        self.assertGreaterEqual(tuple(map(int, gymnasium.__version__.split(".")[:2])), (1, 2))


class Gymnasium(unittest.TestCase):
    def test_its_checker_has_nothing_against_a_world_that_changes(self):
        env = gymnasium.make("startle/Levels-v0", levels=LEVELS, novelty=True, shift_after=1, normalised=True,
                             size=(16, 8))
        test_gymnasium.check_env(env.unwrapped)

    def test_processes_of_its_vector_play_as_one_environment(self):
        def make():
            return startle.make(LEVELS, novelty=True, size=(16, 8))

        with startle.make(LEVELS, novelty=True, size=(16, 8)) as single:
            vector = gymnasium.vector.AsyncVectorEnv([make] * 2)
            try:
                observations, _ = vector.reset(seed=5)
                for i in range(2):
                    observation, _ = single.reset(seed=5 + i)
                    for name, value in observation.items():
                        np.testing.assert_array_equal(observations[name][i], value)
                _, rewards, over, _, infos = vector.step(np.stack([SHOT, SHOT]))
                _, reward, terminated, _, info = single.step(SHOT)
                self.assertEqual((rewards[1], bool(over[1]), infos["score"][1]),
                                 (reward, terminated, info["score"]))
            finally:
                vector.close()

    def test_its_wrappers(self):
        env = gymnasium.make("startle/Levels-v0", levels=LEVELS, normalised=True, size=(16, 8))
        env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.wrappers.FlattenObservation(env))
        observation, _ = env.reset(seed=1)
        self.assertEqual(observation.shape, env.observation_space.shape)
        total, terminated = 0.0, False
        while not terminated:
            _, reward, terminated, _, info = env.step(np.zeros(3, np.float32))
            total += reward
        self.assertAlmostEqual(float(info["episode"]["r"]), total, places=3)


if __name__ == "__main__":
    unittest.main()
