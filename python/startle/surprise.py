"""Surprise of models that have learned the normal world: by the program `startle surprise`, as this package
is without LibTorch."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Dict, Iterable, List, Optional, Union

import numpy as np

from .arguments import named
from .levels import Level, Path, one_level
from .places import program
from .simulation import Shot, shot_rows


@named
def score(level: Union[Level, Path], shots: Iterable[Shot], *, novelty: Optional[str] = None,
          model: Optional[Path] = None, profile: str = "startle",
          threads: int = 0) -> List[Dict[str, Any]]:
    """How surprised a model is by shots at a level, as `startle surprise score` says it: a list of dicts, a
    clip each.

    level     `Level` or the path of a file
    shots     a list, a bird each, as in `startle.simulate`; the program takes degrees, so that an angle may
              change in its last bit
    novelty   each shot in the world with this novelty too, from the same state, seen by the same camera at
              the same times; None: the normal world alone
    model     file made by `startle surprise train`; None: the shipped one
    threads   0: all of the machine

    level, shot (from 1), world ("normal" or the novelty's name)
    surprise   (frames - 1,): squared distance of each frame from what was predicted, summed over pixels and
               channels in [0, 1]
    change     (frames - 1,): squared distance of each frame from the one before
    scores     dict: the scores of a clip, docs/surprise.md
    first_step, stride   the clip's first frame, and the steps of 0.02 s between two

    Starts a program: a second and more, so give it all shots at once. Raises Error where that program was not
    built (LibTorch, STARTLE_BUILD_SURPRISE), and for what is unknown or out of range.
    """
    arguments: List[object] = ["--profile", profile, "--threads", threads, "--format", "json", "--quiet"]
    for angle, stretch, tap_time in shot_rows(shots):
        tap = repr(float(tap_time)) if tap_time >= 0 else ""
        arguments += ["--shot", f"{float(np.degrees(angle))!r},{tap},{float(stretch)!r}"]
    if novelty is not None:
        arguments += ["--novelty", novelty]
    if model is not None:
        arguments += ["--model", os.fspath(model)]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "level.json"
        one_level(level, profile).save(file)
        clips = json.loads(program("surprise", "score", file, *arguments))["clips"]
    for clip in clips:
        del clip["aim"]
        clip["surprise"], clip["change"] = np.array(clip["surprise"]), np.array(clip["change"])
    return clips
