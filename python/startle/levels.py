"""Levels and their difficulty: for whoever sets up an experiment. Agents never see any of it."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .arguments import Error, named, real, several
from .engine import engine as _engine

Level = _engine.Level

Path = Union[str, "os.PathLike[str]"]


@named
def read_levels(paths: Union[Path, Iterable[Path]], profile: str = "startle") -> List[Level]:
    """The levels of one path or several: level files, or folders that are searched for .json and .xml; a list
    of `Level`, by path.

    Raises Error, naming the file, for what cannot be read or used under the profile ("startle", "anu" or
    "classic").
    """
    allowed = "a path, or a list of them"
    paths = several("levels", paths, allowed)
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise Error(f"levels: found {path!r}, allowed is {allowed}")
    return _engine.read_levels([os.fspath(path) for path in paths], profile)


@named
def generate(family: str = "", *, count: int = 10, seed: int = 1, novelty: Optional[str] = None,
             tier: Optional[str] = None,
             range: Optional[Tuple[float, float]] = None, measure: str = "p_level",
             method: str = "extended",
             profile: str = "startle", threads: int = 0) -> List[Level]:
    """New levels, each verified to stay put and to be solvable: a list of `Level`, the same as `startle
    levels generate` makes.

    family      "rows", "towers", "pyramids", "castles", "platforms", "dominoes" or "mixed"; with a novelty,
                none: all by turns
    count       levels wanted; a search for a difficulty may find fewer
    seed        0 to 2^64 - 1; the same seed gives the same levels, on any number of threads
    novelty     name in the catalogue, for example "T3": then levels in which it is as hard to detect as one
                of these says:
      tier        "easy", "medium" or "hard": a band of p_level, the same for all novelties
      range       (least, most) of the measure, within 0 to 1
      measure     "p_level": the chance that one play of the level detects the novelty; or "value", "pid",
                  "bid", 0 where it is easiest to detect
      method      of the latter: "extended" by what Pinto et al. leave out, or "published"
    threads     0: all of the machine

    Takes milliseconds a level, with a novelty up to seconds; Ctrl-C ends it. Raises Error for what is unknown
    or out of range.
    """
    if novelty is None:
        if tier is not None or range is not None or (measure, method) != ("p_level", "extended"):
            raise Error("generate: a difficulty needs a novelty")
        return _engine.generate_family(family, count, seed, profile, threads)
    if (tier is None) == (range is None):
        raise Error("generate: a novelty needs either tier or range")
    try:
        least, most = (0.0, 1.0) if range is None else (real("range", part) for part in range)
    except (TypeError, ValueError):
        raise Error(f"range: found {range!r}, allowed is (least, most), within 0 to 1") from None
    return _engine.search(novelty, tier or "", (least, most), measure, method, family, count, seed, profile,
                          threads)


def one_level(level: Union[Level, Path], profile: str) -> Level:
    """The level itself, or the one in the file."""
    if isinstance(level, Level):
        return level
    found = read_levels(level, profile)
    if len(found) != 1:
        raise Error(f"level: found {len(found)} in {os.fspath(level)}, allowed is one")
    return found[0]


@named
def difficulty(level: Union[Level, Path], novelty: str, *, alpha: float = 0.5, method: str = "extended",
               state_update: str = "qualitative", ties: str = "share", known_normal: Sequence[str] = (),
               profile: str = "startle") -> Dict[str, Any]:
    """How hard a novelty is to detect in a level, as `startle difficulty` computes it: a dict.

    pid, bid, value     0 (easiest) to 1 (hardest); value = alpha pid + (1 - alpha) bid
    birds               birds of the level
    novel_objects       0: the level holds nothing that the novelty changes; pid, bid and value are then 1
    targets             before the first shot
    detectable_targets  those of them that make the novelty visible
    detected_at         mean number of the shot, from 1, at which the best shots make it visible; None: never
    p_level             chance that one play of the level detects the novelty
    p_level_random      the same of plays of shots at random targets
    tier                "easy", "medium" or "hard": the band of p_level
    detected_best       expected share of best first shots that the reference observer detects
    detected_random     the same of first shots at random targets
    detected_any        chance that it detects at least one of the birds, each a best shot
    detected_after      expected number of best shots to the first that it detects; None: it never does

    The last seven are predicted by reasoning, and only by the extended method.

    `level` is a `Level` or the path of a file; `novelty` a name in the catalogue, "T2", or with a strength,
    "T2@0.5"; `method` "published" or "extended"; `state_update` "qualitative" or "simulated"; `ties`
    "share" or "first", the rule of Pinto et al.; `known_normal` what is known not to be novel, "wood",
    "wood RectFat" or "#3". Raises Error for what is unknown or out of range.
    """
    return _engine.difficulty(one_level(level, profile), novelty, alpha, method, state_update, ties,
                              list(known_normal), profile)


@named
def explain(level: Union[Level, Path], novelty: str, *, alpha: float = 0.5, method: str = "extended",
            state_update: str = "qualitative", ties: str = "share", known_normal: Sequence[str] = (),
            profile: str = "startle") -> Dict[str, Any]:
    """Every step by which the difficulty comes about, as `startle explain --format json` says it: a dict.

    "interactions": for each state and shot looked at, its probability, its targets with their trajectories
    and what each hit moves and shows, and the best shots; then "pid", "bid" and "value". Angles are in
    degrees there, times in seconds, lengths in world units. Arguments and errors are those of `difficulty`.
    """
    return json.loads(_engine.explain(one_level(level, profile), novelty, alpha, method, state_update, ties,
                                      list(known_normal), profile))
