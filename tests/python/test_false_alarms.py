"""Likelihoods to report, with a bound on false alarms."""
import math
import random
import unittest

import startle


class FalseAlarms(unittest.TestCase):
    def test_scores_by_hand(self):
        scores = startle.CalibratedScores([3, 1, 2, 4], 0.75)
        self.assertEqual(len(scores), 4)
        self.assertAlmostEqual(scores.rank(4), 2 / 5)
        self.assertAlmostEqual(scores.p(5), 0.5)
        self.assertAlmostEqual(scores.p(4), 1 - math.sqrt(0.125))
        self.assertEqual(scores.p(0), 1)

    def test_a_trial_is_its_levels_one_after_the_other(self):
        normal = [i / 500 for i in range(500)]
        test, scores = startle.TrialTest(normal), startle.CalibratedScores(normal)
        test.begin(2)
        trial = startle.SequentialTest(2)

        def p_of(likelihood):
            return 0.05 * (1 - likelihood) / likelihood

        self.assertAlmostEqual(p_of(test.likelihood(1, 0.9)), trial.if_next(scores.p(0.9)))
        # The largest of the level counts.
        self.assertAlmostEqual(p_of(test.likelihood(1, 0.2)), trial.if_next(scores.p(0.9)))
        trial.add(scores.p(0.9))
        self.assertAlmostEqual(p_of(test.likelihood(2, 1.5)), trial.if_next(scores.p(1.5)))
        with self.assertRaisesRegex(startle.Error, "more than the 2 p-values"):
            test.likelihood(3, 0.5)
            test.likelihood(4, 0.5)
        test.begin(1)
        self.assertGreaterEqual(test.likelihood(1, 1.5), 0.5)  # an alarm

    def test_normal_trials_keep_the_bound(self):
        draw = random.Random(3)
        test = startle.TrialTest(draw.gauss(0, 1) for _ in range(1000))
        alarms = 0
        for _ in range(1000):
            test.begin(3)
            alarms += max(test.likelihood(level, draw.gauss(0, 1)) for level in (1, 2, 3)) >= 0.5
        self.assertLessEqual(alarms, 50)

    def test_bad_input(self):
        for normal, confidence in (([], 0.95), ([math.nan], 0.95), ([1.0], 1.0)):
            with self.assertRaises(startle.Error):
                startle.TrialTest(normal, confidence)
        with self.assertRaisesRegex(startle.Error, "found 0"):
            startle.TrialTest([1.0]).begin(0)
        with self.assertRaises(startle.Error):
            startle.TrialTest([1.0]).likelihood(1, math.nan)


if __name__ == "__main__":
    unittest.main()
