"""A bound on the false alarms of an agent of your own. For learners and agents."""
from __future__ import annotations

from typing import Iterable

from .engine import engine as _engine
from .levels import Error

CalibratedScores = _engine.CalibratedScores
SequentialTest = _engine.SequentialTest


class TrialTest:
    """Turns scores of levels into likelihoods to report, so that at most 5 % of normal trials have an alarm.

    `normal`: one score of each of many normal levels, played by the same agent: the largest after any of its
    shots. Larger is less normal; a few hundred are needed for any alarm at all. `confidence`: over sets of
    normal levels, how surely the bound holds for this one (docs/false-alarms.md). It holds for levels that
    are drawn as those were.

        test = startle.TrialTest(scores)       # once
        test.begin(levels)                     # at the begin of a trial
        test.likelihood(level, score)          # after each shot: what to report

    Raises Error for no scores, NaN, and a confidence outside 0 to 1.
    """

    def __init__(self, normal: Iterable[float], confidence: float = 0.95) -> None:
        self.normal = CalibratedScores([float(score) for score in normal], confidence)
        self.begin(1)

    def begin(self, levels: int) -> None:
        """A trial of so many levels begins."""
        if levels < 1:
            raise Error(f"levels: found {levels}, needed is at least 1")
        self._trial = _engine.LevelsTest(levels)

    def likelihood(self, level: int, score: float) -> float:
        """Of the trial after a shot at level number `level` with this score: over 0 to 1, an alarm from 0.5
        on. Of a level its largest score counts. Raises Error for NaN, and for more levels than begin() was
        given."""
        return self._trial.likelihood(level, self.normal.p(score))
