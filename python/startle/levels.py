"""Levels and their difficulty: for whoever sets up an experiment. Agents never see any of it."""
import os

from .engine import engine as _engine

Level = _engine.Level
Error = _engine.Error


def read_levels(paths, profile="startle"):
    """The levels of one path or several: level files, or folders that are searched for .json and .xml; a list of `Level`, by path.

    Raises Error, naming the file, for what cannot be read or used under the profile ("startle", "anu" or "classic").
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return _engine.read_levels([os.fspath(path) for path in paths], profile)


def generate(family="", *, count=10, seed=1, novelty=None, tier=None, difficulty=None, method="published", profile="startle", threads=0):
    """New levels, each proved to stay put and to be solvable: a list of `Level`, the same as `startle levels generate` makes.

    family      "rows", "towers", "pyramids", "castles", "platforms", "dominoes" or "mixed"; with a novelty, none: all by turns
    count       levels wanted; a search for a difficulty may find fewer
    seed        0 to 2^64 - 1; the same seed gives the same levels, on any number of threads
    novelty     name in the catalogue, for example "T3": then levels in which it is as hard to detect as one of these says:
      tier        "easy", "medium" or "hard", of a reference sample of 100 levels
      difficulty  (least, most) of the value, within 0 to 1
      method      "published", or "extended" by what its source leaves out
    threads     0: all of the machine

    Takes milliseconds a level, with a novelty up to seconds; Ctrl-C ends it. Raises Error for what is unknown or out of range.
    """
    if novelty is None:
        if tier is not None or difficulty is not None or method != "published":
            raise Error("generate: a difficulty needs a novelty")
        return _engine.generate_family(family, count, seed, profile, threads)
    if (tier is None) == (difficulty is None):
        raise Error("generate: a novelty needs either tier or difficulty")
    least, most = (0.0, 1.0) if difficulty is None else difficulty
    return _engine.search(novelty, tier or "", (least, most), method, family, count, seed, profile, threads)


def difficulty(level, novelty, *, alpha=0.5, method="published", state_update="qualitative", profile="startle"):
    """How hard a novelty is to detect in a level, as `startle difficulty` computes it: a dict.

    pid, bid, value     0 (easiest) to 1 (hardest); value = alpha pid + (1 - alpha) bid
    birds               birds of the level
    novel_objects       0: the level holds nothing that the novelty changes; pid, bid and value are then 1
    targets             before the first shot
    detectable_targets  those of them that show the novelty
    detected_at         mean number of the shot, from 1, at which the best shots show it; None: never

    `level` is a `Level` or the path of a file; `novelty` a name in the catalogue; `method` "published" or "extended"; `state_update`
    "qualitative" or "simulated". Raises Error for what is unknown or out of range.
    """
    if not isinstance(level, Level):
        level = read_levels(level, profile)[0]
    return _engine.difficulty(level, novelty, alpha, method, state_update, profile)
