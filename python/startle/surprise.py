"""Surprise of models that have learned the normal world: the PredRNN in NumPy, and any model by the program
`startle surprise`."""
from __future__ import annotations

import csv
import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, Iterable, List, Optional, Union

import numpy as np

from .arguments import named
from .engine import engine as _engine
from .levels import Level, Path, one_level
from .places import LEVELS, MODEL, Error, program
from .prediction import PredRNN
from .rollouts import h5py_module
from .simulation import Shot, shot_rows


@named
def clips(level: Union[Level, Path], shots: Iterable[Shot], *, novelty: Optional[str] = None,
          frames: int = 15, pixels: int = 64, stride: int = 6, lead: int = 2, view: float = 4.6,
          profile: str = "startle") -> List[Dict[str, Any]]:
    """Clips of shots at a level as models of the normal world see them: a list of dicts, a clip each.

    level     `Level` or the path of a file
    shots     a list, a bird each, as in `startle.simulate`
    novelty   each shot in the world with this novelty too, from the same state, seen by the same camera at
              the same times; None: the normal world alone
    frames, pixels   of a clip, and its width and height
    stride    steps of 0.02 s between two frames
    lead      frames before the bird's first contact
    view      world units that a frame is wide

    level, shot (from 1), world ("normal" or the novelty's name)
    first_step, stride   the clip's first frame, and the steps of 0.02 s between two
    frames    (frames, pixels, pixels, 3) uint8

    Raises Error for what is unknown or out of range, and for more shots than there are birds.
    """
    return _engine.clips(one_level(level, profile), shot_rows(shots), novelty, frames, pixels, stride, lead,
                         view, profile)


@named
def score(level: Union[Level, Path], shots: Iterable[Shot], *, novelty: Optional[str] = None,
          model: Optional[Path] = None, profile: str = "startle") -> List[Dict[str, Any]]:
    """How surprised a PredRNN is by shots at a level, as `startle surprise score` says it but for rounding: a
    list of dicts, a clip each.

    level, shots, novelty   as in `clips`
    model     file of a PredRNN made by `startle surprise train` or `python3 -m startle train`; None: MODEL,
              which comes with Startle. `startle.program("surprise", "score", ...)` takes other networks

    level, shot (from 1), world ("normal" or the novelty's name)
    surprise   (frames - 1,): squared distance of each frame from what was predicted, summed over pixels and
               channels in [0, 1]
    change     (frames - 1,): squared distance of each frame from the one before
    scores     dict: the scores of a clip, docs/surprise.md
    first_step, stride   the clip's first frame, and the steps of 0.02 s between two

    Needs NumPy alone. Raises Error for a file that is no PredRNN, and for what is unknown or out of range.
    """
    network = PredRNN(MODEL if model is None else model)
    found = clips(level, shots, novelty=novelty, profile=profile, **network.config["clips"])
    for clip in found:
        seen = clip.pop("frames")
        true = seen[1:] / 255.0
        clip["surprise"] = ((network(seen) - true) ** 2).sum(axis=(1, 2, 3))
        clip["change"] = ((true - seen[:-1] / 255.0) ** 2).sum(axis=(1, 2, 3))
        clip["scores"] = _scores(clip["surprise"], clip["change"])
    return found


def _scores(surprise: Any, change: Any) -> Dict[str, float]:
    """The scores of surprise/surprise_score.hpp."""
    return {name: float(value) for name, value in (
        ("sum", surprise.sum()), ("mean", surprise.mean()), ("maximum", surprise.max()),
        ("log", np.log(surprise + 0.1).sum()), ("relative", (surprise / (change + 1.0)).sum()))}


@named
def evaluate(model: Callable[[np.ndarray], Any], levels: Path = LEVELS / "benchmark", *, limit: int = 0,
             seed: int = 1, out: Optional[Path] = None,
             threads: int = 0) -> Dict[str, List[Dict[str, Any]]]:
    """How often a model of your own detects that physics has changed, by novelty and tier, as `startle
    surprise evaluate` finds it: a dict of two tables.

    model     gets a clip, (T, H, W, 3) uint8 (15 frames of 64 x 64), and returns one of
                a number                  how surprising the clip is; higher is more
                (T - 1,)                  the same of frame 1 to frame T - 1, each 0 or more
                (T - 1, H, W, 3)          predictions of those frames, each from the true ones before
                                          it; uint8, or floating-point numbers from 0 to 1
              the same kind for all clips. It is not told which clips belong together or are novel.
    levels    folder of levels made for tiers
    limit     levels of each novelty and tier at most; 0: all. P-values need 3 or more on the benchmark
    seed      of the shots at random targets and of the intervals
    out       a new folder for report.html, results.json and tables; None: none is kept
    threads   of the program; 0: all of the machine

    "detection"   rows of detection.csv, a dict each: your model is "mine, calibrated" in "detector" and,
                  where it predicts frames, "mine, direction test" too
    "cells"       rows of cells.csv: your model is "mine" in "predictor"

    docs/files.md has their columns. Numbers are int or float, and None where there is none. Needs h5py.
    Raises Error for what the model returns that is none of the above, and as `program`.
    """
    h5py = h5py_module()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        common = ["surprise", "evaluate", "--levels", os.fspath(levels), "--limit", limit, "--seed", seed,
                  "--threads", threads, "--quiet"]
        program(*common, "--write-clips", folder / "clips.h5")
        with h5py.File(folder / "clips.h5", "r") as clips:
            option, file = _answers(model, clips["frames"], clips["metadata"]["level"], folder, h5py)
        results = pathlib.Path(out) if out is not None else folder / "out"
        program(*common, option, file, "--out", results)
        return {table: _rows(results / f"{table}.csv") for table in ("detection", "cells")}


def _answers(model, frames, ids, folder, h5py):
    """Asks the model about every clip. The option of `startle surprise evaluate` for its answers, and their
    file."""
    kinds = {(): "scores", (frames.shape[1] - 1,): "errors",
             (frames.shape[1] - 1, *frames.shape[2:]): "frames"}
    shape = array = None
    with h5py.File(folder / "mine.h5", "w") as file:
        file["clip"] = ids
        for i, clip in enumerate(frames):
            answer = np.asarray(model(clip))
            if answer.shape not in kinds or answer.dtype.kind not in "buif":
                raise Error(f"model: found an answer of shape {answer.shape} and type {answer.dtype} for "
                            f"clip {i}, allowed are numbers of shape {', '.join(map(str, kinds))}")
            if array is None:
                shape = answer.shape
                dtype = answer.dtype if answer.dtype.kind == "f" or len(shape) == 4 else "float64"
                array = file.create_dataset(kinds[shape], (len(frames), *shape), dtype,
                                            **({"chunks": (1, *shape), "compression": 1} if shape else {}))
            if answer.shape != shape:
                raise Error(f"model: found an answer of shape {answer.shape} for clip {i}, allowed is "
                            f"{shape}, as for the clips before")
            array[i] = answer
    return "--predictions" if shape else "--scores", folder / "mine.h5"


def _rows(path: pathlib.Path) -> List[Dict[str, Any]]:
    """Rows of a table, with its numbers as numbers."""
    def value(text: str) -> Any:
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return text or None

    with open(path, newline="", encoding="utf-8") as file:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(file)]
