"""What is hidden stays hidden: everything that an environment returns, shows or holds is searched."""
import json
import re
import unittest

import numpy as np

import startle
from common import BENCHMARK, SOURCE, some_levels

# Names of parameters and tiers, and everything that says that there is a novelty; as in
# tests/agents/game.cpp.
WORDS = ["density", "friction", "restitution", "defence", "gravity_scale", "damping", "easy", "medium",
         "hard", "tier", "difficulty", "bid",
         "family", "solution", "T1", "T2", "T3", "mass", "rest_mark", "provenance", str(BENCHMARK),
         "benchmark"]


def everything(value, seen=None):
    """All that can be reached from a value: entries, attributes, representations, as one text. Code and
    NumPy's insides are left out."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return ""
    seen.add(id(value))
    text = repr(value) + "\n" + str(value) + "\n"
    if isinstance(value, np.ndarray):
        # there are no words in a picture
        return text if value.dtype == np.uint8 else text + repr(value.tolist())
    if isinstance(value, dict):
        return text + "".join(everything(k, seen) + everything(v, seen) for k, v in value.items())
    if isinstance(value, (list, tuple, set)):
        return text + "".join(everything(v, seen) for v in value)
    if isinstance(value, (str, bytes, int, float, bool, type(None), np.generic, np.dtype,
                          np.random.Generator)) or callable(value):
        return text
    for name in dir(value):
        if name.startswith("__"):
            continue
        text += name + "\n"
        try:
            member = getattr(value, name)
        except startle.Error:
            continue
        if not callable(member):
            text += everything(member, seen)
    return text


class Hidden(unittest.TestCase):
    def search(self, text, path):
        for word in WORDS + [path.stem]:
            if word in text:  # and not within another word
                self.assertIsNone(re.search(r"(?<![A-Za-z0-9])" + re.escape(word), text), word)

    def test_the_search_finds_what_there_is(self):
        class Holder:
            def __init__(self):
                self._inner = [{"x": ("T2",)}]

        with self.assertRaises(AssertionError):
            self.search(everything(Holder()), SOURCE / "none.json")

    def test_of_one_environment(self):
        for folder in ("T1/easy", "T3/hard", "wood-density-up/medium"):
            for path in some_levels(folder, 2):
                env = startle.make(path, novelty=True, seed=1, size=(16, 16))
                described = [env.reset(), env]
                terminated = False
                while not terminated:
                    described.append(env.step((0.5, 1.0, -1.0)))
                    terminated = described[-1][2]
                    env.report(0.6, "odd")
                    described += [env.describe(), env.describe_shot(), json.dumps(env.describe_shot()),
                                  env.reports, env.alarm_shot, env.video(), env.render()]
                try:
                    env.step((0.5, 1.0, -1.0))
                except startle.Error as error:
                    described.append(error)
                with self.subTest(path=path.name):
                    text = everything(described)
                    self.assertGreater(len(text), 10000)
                    self.search(text, path)
                    # "novel" is in the words of the interface, and nowhere in what comes back.
                    self.assertNotIn("novel", everything(described[2]) + json.dumps(env.describe()) +
                                     json.dumps(env.describe_shot()))

    def test_of_several(self):
        path = some_levels("T3/hard", 1)[0]
        batch = startle.make_vec(path, 2, novelty="T3", seed=1, size=(16, 16))
        described = [batch.reset(), batch]
        described += [batch.step(np.tile([0.5, 1.0, -1.0], (2, 1))) for _ in range(6)]
        self.search(everything(described), path)

    def test_a_novel_world_looks_as_the_normal_one_before_the_first_shot(self):
        for path in some_levels("T2/easy", 3):
            normal, novel = (startle.make(path, novelty=n, seed=1, size=(64, 64)) for n in (False, True))
            np.testing.assert_equal(normal.reset(), novel.reset())
            self.assertEqual(normal.describe(), novel.describe())
            self.assertEqual(repr(normal), repr(novel))
            np.testing.assert_array_equal(normal.render(), novel.render())


if __name__ == "__main__":
    unittest.main()
