"""With Gymnasium: subclasses, spaces and registration. Where it is neither installed nor in the folder that
STARTLE_GYMNASIUM names, a stand-in for the parts that are touched."""
import json
import os
import pathlib
import sys
import unittest
import warnings

import numpy as np

sys.path[:0] = [os.environ["STARTLE_GYMNASIUM"]] if "STARTLE_GYMNASIUM" in os.environ else []
try:
    import gymnasium
    from gymnasium.utils.env_checker import check_env
except ImportError:
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "stand_in"))
    import gymnasium

    check_env = None

import startle
from common import some_levels

LEVELS = some_levels("T2/easy", 2)


class WithGymnasium(unittest.TestCase):
    def test_made_by_name_it_is_the_environment_of_the_package(self):
        settings = {"levels": LEVELS, "novelty": True, "size": (32, 24)}
        theirs, ours = gymnasium.make("startle/Levels-v0", **settings), startle.make(**settings)
        self.assertIsInstance(theirs.unwrapped, startle.Env)
        self.assertIsInstance(theirs.unwrapped, gymnasium.Env)
        self.assertIsInstance(theirs.observation_space, gymnasium.spaces.Dict)
        observation, info = theirs.reset(seed=5)
        np.testing.assert_equal((observation, info), ours.reset(seed=5))
        self.assertTrue(theirs.observation_space.contains(observation))
        terminated = False
        while not terminated:
            action = np.array([0.5, 1.0, -1.0])
            self.assertTrue(theirs.action_space.contains(action))
            observation, reward, terminated, truncated, info = theirs.step(action)
            np.testing.assert_equal((observation, reward, terminated, truncated, info), ours.step(action))
            self.assertTrue(theirs.observation_space.contains(observation))
            self.assertFalse(truncated)
        theirs.close()

    def test_many_made_by_name(self):
        settings = {"levels": LEVELS, "novelty": True, "size": (32, 24)}
        theirs, ours = gymnasium.make_vec("startle/Levels-v0", num_envs=3,
                                          **settings), startle.make_vec(num_envs=3, **settings)
        self.assertIsInstance(theirs.unwrapped, startle.VectorEnv)
        self.assertIsInstance(theirs.unwrapped, gymnasium.vector.VectorEnv)
        self.assertIs(theirs.unwrapped.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode.NEXT_STEP)
        observations, infos = theirs.reset(seed=5)
        np.testing.assert_equal((observations, infos), ours.reset(seed=5))
        for _ in range(6):
            actions = np.tile([0.5, 1.0, -1.0], (3, 1))
            stepped = theirs.step(actions)
            np.testing.assert_equal(stepped, ours.step(actions))
            self.assertTrue(theirs.observation_space.contains(stepped[0]))
        theirs.close()

    def test_the_spec_holds_paths_as_text(self):
        env = gymnasium.make("startle/Levels-v0", levels=LEVELS, size=(np.int64(32), 24))
        self.assertEqual(env.unwrapped.spec.kwargs["levels"], [str(path) for path in LEVELS])
        self.assertEqual(json.loads(json.dumps(env.unwrapped.spec.kwargs))["size"], [32, 24])
        vector = gymnasium.make_vec("startle/Levels-v0", num_envs=2, levels=LEVELS[0])
        self.assertEqual(vector.unwrapped.spec.kwargs["levels"], str(LEVELS[0]))

    @unittest.skipUnless(check_env, "Gymnasium is not installed")
    def test_a_spec_as_json_makes_the_same_environment(self):
        env = gymnasium.make("startle/Levels-v0", levels=startle.LEVELS / "benchmark/T1/easy", size=(32, 24))
        again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
        np.testing.assert_equal(again.reset(seed=5), env.reset(seed=5))

    @unittest.skipUnless(check_env, "Gymnasium is not installed")
    def test_the_checker_of_gymnasium(self):
        check_env(gymnasium.make("startle/Levels-v0", levels=LEVELS, size=(32, 24)).unwrapped)

    @unittest.skipUnless(check_env, "Gymnasium is not installed")
    def test_normalised_the_checker_has_nothing_to_warn_of(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            check_env(gymnasium.make("startle/Levels-v0", levels=LEVELS, normalised=True,
                                     render_mode="rgb_array").unwrapped)
        self.assertEqual([str(warning.message) for warning in said], [])


if __name__ == "__main__":
    unittest.main()
