"""Shots at levels: what they do, and what an ideal observer detects of them. For whoever sets up an
experiment."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Sequence, Union

import numpy as np

from .arguments import named
from .engine import engine as _engine
from .levels import Error, Level, Path, one_level
from .serve import shot_numbers

#: An angle (rad), or (angle, stretch), or (angle, stretch, tap time): as an action of an environment.
Shot = Union[float, Sequence[float]]


def shot_rows(shots: Iterable[Shot]) -> np.ndarray:
    """The shots as rows of angle, stretch (1 where not given) and tap time (-1, never). Raises Error for what
    is no list of shots."""
    try:
        rows = [shot_numbers(shot) for shot in shots]
    except (TypeError, ValueError) as error:
        raise Error(f"shots: {error}") from None
    return np.array([row + [1.0, -1.0][len(row) - 1:] for row in rows], dtype=np.float64).reshape(-1, 3)


@named
def simulate(level: Union[Level, Path], shots: Iterable[Shot], *, novelty: Optional[str] = None,
             every: int = 5, profile: str = "startle") -> Dict[str, Any]:
    """Shoots at a level, as `startle simulate` does: a dict.

    level     `Level` or the path of a file; it settles in the normal world first
    shots     a list, a bird each: an angle (radians above +x), or (angle, stretch), or (angle, stretch, tap
              time); stretch over 0 up to 1, tap time in seconds after the release, negative: never
    novelty   name in the catalogue, "T2", or with a strength, "T2@0.5"; None: the normal world
    every     steps of 0.02 s between two recorded poses; 0: none is recorded

    level, novelty           names
    novel_objects            that the novelty changes
    settle_shift             furthest that an object moved while the level settled, world units
    gravity                  (x, y) of a body of gravity scale 1, m/s^2
    objects                  list of dicts: kind, type, material, novel (whether the novelty changes it) and
                             parameters (density, friction ..., a dict) of the object with that id
    shots                    list of dicts, of the shots that were flown: fewer than asked for where the pigs
                             or the birds came to their end
      bird, angle, stretch, tap_time
      pigs_killed, blocks_destroyed, score
      end, seconds           "settled", "cleared" or "time_limit"; after how long
      hash                   of all that happened: equal where it is equal bit for bit
      times                  (frames,) s after the release
      poses                  (frames, bodies, 3): x, y, angle (world units, rad); bodies are the objects by
                             id, then the bird and what came out of it; NaN where there is none
      life                   (frames, bodies) hit points left, NaN as above
      events                 dict of arrays: step, kind ("launch", "tap", "spawn", "contact", "damage",
                             "destroyed", "explosion", "out_of_world", "bird_gone"), a and b (bodies; -1 the
                             ground), value (m/s of launch and contact, hit points, score, radius), position
                             (events, 2)
    cleared, score, birds_left, pigs_left

    The same arguments give the same result, bit for bit. Raises Error for what is unknown or out of range.
    """
    result = _engine.simulate(one_level(level, profile), shot_rows(shots), novelty, every, profile)
    for shot in result["shots"]:
        shot["events"]["kind"] = np.array(shot["events"]["kind"], dtype=str)
    return result


@named
def observer(level: Union[Level, Path], shot: Shot, *, novelty: Optional[str] = None, launches: int = 1,
             aim_noise: float = 0.01, pixel: float = 4.6 / 64,
             simulations: int = 39, seed: int = 1, profile: str = "startle",
             threads: int = 0) -> Dict[str, Any]:
    """What the reference observer detects of the first shot at a level, as `startle observe` says it: a dict.
    It knows the normal world exactly.

    shot       as in `simulate`
    novelty    of the world that is observed; None: the normal one
    launches   of the shot, each perturbed by the aim noise, 1 to 1000
    aim_noise  standard deviation of the launch angle, rad, 0 to 0.5
    pixel      places are seen up to this, world units, over 0 to 1
    simulations  normal shots that each is compared with, 19 to 9999; the smallest p-value is
               1/(simulations + 1)
    threads    0: all of the machine; results do not depend on it

    p, p_outcome, p_motion   (launches,) p-values: of all, of what became of bodies, of how they moved.
                             Calibrated: in the normal world p <= 0.05 in at most 5 of 100
    detected                 (launches,) bool: p <= 0.05
    findings                 a list for each launch, of dicts, the most unlike first: subject, feature ("x",
                             "y", "presence", "fall", "slide"), time (s; None of fall and slide, which are
                             means), seen, expected, spread, sigmas
    perturbation             (launches,) rad by which the angle was off
    novel_objects            that the novelty changes
    normal                   the same entries up to findings, of the same launches in the normal world

    Takes about 40 simulated shots a launch; Ctrl-C ends it. Raises Error for what is unknown or out of range.
    """
    return _engine.observer(one_level(level, profile), shot_rows([shot]), novelty, launches, aim_noise,
                            pixel, simulations, seed, profile, threads)
