"""The compiled module. What a user calls is documented in the files beside it; Level and Error are part of
the package as they are."""
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

__version__: str
ENGINE: str
"""The engine, "startle engine 4": programs of one engine compute the same."""
SOURCE_FOLDER: str
"""Source tree that the module was built from."""
PROGRAM: str
"""Where the program was built together with the module."""
OBJECT_TYPES: Tuple[str, ...]
BIRD_TYPES: Tuple[str, ...]
KINDS: Tuple[str, ...]
MATERIALS: Tuple[str, ...]

class Error(ValueError):
    """What was asked for cannot be done: the message says what was found and what is allowed."""

class Level:
    """A level as a file holds it: objects, birds, and, of a generated one, what was verified about it.

    It belongs to whoever sets up an experiment: it may name the novelty and tier that the level was made for.
    """

    def __init__(self, json: str) -> None:
        """From the text of a level file (docs/level-format.md)."""
    @property
    def name(self) -> str:
        """Of its file without extension, unless the file says otherwise."""
    @property
    def birds(self) -> int:
        """Number of birds."""
    @property
    def novelty(self) -> Optional[str]:
        """Name of the novelty that it was made for, "T2"; None where it was made for none."""
    @property
    def difficulty(self) -> Optional[float]:
        """How hard this novelty is to detect in it, 0 (easiest) to 1, as was computed when it was made; None
        where it was made for none."""
    @property
    def tier(self) -> Optional[str]:
        """"easy", "medium" or "hard"; None where it was made for no tier."""
    def json(self) -> str:
        """The text of its file."""
    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes .json or Science Birds .xml, as the name ends; the whole file or none."""
    def __eq__(self, other: object) -> bool: ...

class Environments:
    """Games side by side: what Env and VectorEnv are made of."""

    def __init__(self, levels: Sequence[Level], novelty: Union[bool, str], profile: str, count: int,
                 size: Tuple[int, int], threads: int, start_again: bool, shift_after: int) -> None: ...
    @property
    def levels(self) -> int: ...
    @property
    def most_objects(self) -> int: ...
    @property
    def most_birds(self) -> int: ...
    def reset(self, seeds: Sequence[Optional[int]], levels: Sequence[Optional[int]],
              out: Optional[npt.NDArray[np.uint8]]) -> Dict[str, npt.NDArray[Any]]: ...
    def step(self, actions: npt.NDArray[np.float64],
             out: Optional[npt.NDArray[np.uint8]]) -> Dict[str, npt.NDArray[Any]]: ...
    def observation(self, index: int) -> str: ...
    def last_shot(self, index: int) -> str: ...
    def picture(self, index: int, width: int, height: int) -> npt.NDArray[np.uint8]: ...
    def video(self, index: int, width: int, height: int) -> npt.NDArray[np.uint8]: ...
    def __deepcopy__(self, memo: Dict[int, Any]) -> "Environments": ...

def check_report(novelty: float, description: str) -> None: ...
def read_levels(paths: Sequence[str], profile: str) -> List[Level]: ...
def generate_family(family: str, count: int, seed: int, profile: str, threads: int) -> List[Level]: ...
def search(novelty: str, tier: str, range: Tuple[float, float], measure: str, method: str,
           family: str, count: int, seed: int, profile: str, threads: int) -> List[Level]: ...
def difficulty(level: Level, novelty: str, alpha: float, method: str, state_update: str, ties: str,
               known_normal: List[str], profile: str) -> Dict[str, Any]: ...
def explain(level: Level, novelty: str, alpha: float, method: str, state_update: str, ties: str,
            known_normal: List[str], profile: str) -> str: ...
def clips(level: Level, shots: npt.NDArray[np.float64], novelty: Optional[str], frames: int, pixels: int,
          stride: int, lead: int, view: float, profile: str) -> List[Dict[str, Any]]: ...
def simulate(level: Level, shots: npt.NDArray[np.float64], novelty: Optional[str], every: int,
             profile: str) -> Dict[str, Any]: ...
def observer(level: Level, shot: npt.NDArray[np.float64], novelty: Optional[str], launches: int,
             aim_noise: float, pixel: float, simulations: int, seed: int, profile: str,
             threads: int) -> Dict[str, Any]: ...

class CalibratedScores:
    """Scores of normal units, whatever the unit is; larger is less normal."""

    def __init__(self, normal: Sequence[float], confidence: float = 0.95) -> None:
        """Raises Error for no scores, NaN, and a confidence outside 0 to 1."""
    def p(self, score: float) -> float:
        """P-value of a score, over 0 to 1. With the confidence, over sets of normal scores, all p <= u have
        at once a chance of at most u (Bates, Candes, Lei, Romano and Sesia 2023). So it stays valid when the
        set is used again and again."""
    def rank(self, score: float) -> float:
        """(1 + scores at least as large)/(n + 1): valid in the mean over sets of normal scores."""
    def __len__(self) -> int: ...

class SequentialTest:
    """Evidence of at most `length` p-values, one after the other, as a p-value of all of them: the chance
    that so many uniform ones reach as much at any time."""

    def __init__(self, length: int) -> None: ...
    def add(self, p: float) -> float:
        """Takes one more, over 0 to 1, and returns the p-value of the sequence. Raises Error for other
        p-values and for too many."""
    def if_next(self, p: float) -> float:
        """What add(p) would return; nothing changes."""

class LevelsTest:
    """A trial of several levels: of each the smallest p-value so far counts, one after the other."""

    def __init__(self, levels: int) -> None: ...
    def likelihood(self, level: int, p: float) -> float:
        """Of the trial after a shot at this level, with a p-value of the level over 0 to 1."""
