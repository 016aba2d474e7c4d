"""A Python class as an agent of the batch runner. Standard library only (pictures: NumPy)."""
from __future__ import annotations

import base64
import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, TextIO

__all__ = ["serve"]


def serve(agent: Any, input: Optional[TextIO] = None, output: Optional[TextIO] = None) -> None:
    """Lets `agent` play under `startle agents run`: speaks JSON lines on standard input and output until the
    trial is over.

        import startle

        class Mine:
            def begin(self, seed, levels): ...       # optional
            def act(self, observation, picture): ... # -> angle, or (angle, stretch, tap_time); rad, 0 to 1, s
            def report(self, shot, picture): ...     # -> likelihood, or (likelihood, description)
            def end(self): ...                       # optional

        startle.serve(Mine())

    `observation` and `shot` are dicts as docs/agent-protocol.md describes them ("of an observation"; the
    report message: "shot", "bird", "first_bird", "frames", "observation"). `picture(width=64, height=64,
    frame=None)` asks the runner for a picture of the level, or of a frame of the last shot: array (height,
    width, 3) of uint8, rows from the top.

    Each trial is a new process: what the agent keeps lasts for one trial. What it prints goes to standard
    error, as standard output belongs to the runner. An exception ends the trial as a crash, with its last
    line in the results; NaN and values out of range are refused there or by the runner. Raises ValueError for
    an answer of the wrong form.
    """
    input = input or sys.stdin
    output = output or sys.stdout
    kept, sys.stdout = sys.stdout, sys.stderr

    def write(message):
        output.write(json.dumps(message, allow_nan=False) + "\n")
        output.flush()

    def picture(width=64, height=64, frame=None):
        write({"type": "picture", "width": int(width),
               "height": int(height)} | ({} if frame is None else {"frame": int(frame)}))
        answer = json.loads(input.readline())
        import numpy as np  # here, so that agents that look at no pictures start without it

        return np.frombuffer(base64.b64decode(answer["rgb"]),
                             np.uint8).reshape(answer["height"], answer["width"], 3)

    try:
        for line in input:
            message = json.loads(line)
            kind = message.pop("type")
            if kind == "begin" and hasattr(agent, "begin"):
                agent.begin(message["seed"], message["levels"])
            elif kind == "act":
                write(_shot(agent.act(message["observation"], picture)))
            elif kind == "report":
                write(_report(agent.report(message, picture)))
            elif kind == "end":
                if hasattr(agent, "end"):
                    agent.end()
                return
    finally:
        sys.stdout = kept


def shot_numbers(action: Any) -> List[float]:
    """One to three numbers: an angle, or angle, stretch and tap time. Raises ValueError for anything else."""
    try:
        numbers = [float(x) for x in (action if hasattr(action, "__len__") else [action])]
    except (TypeError, ValueError):
        numbers = []
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"found {action!r}, allowed is an angle, or angle, stretch and tap time")
    return numbers


def _shot(action):
    """The message for a shot."""
    try:
        return {"type": "shot"} | dict(zip(("angle", "stretch", "tap_time"), shot_numbers(action)))
    except ValueError as error:
        raise ValueError(f"act: {error}") from None


def _report(answer):
    """The message for a likelihood, or for a likelihood and a text."""
    likelihood, description = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, "")
    try:
        return {"type": "report", "novelty": float(likelihood), "description": str(description)}
    except (TypeError, ValueError):
        raise ValueError(f"report: found {answer!r}, allowed is a likelihood, "
                         "or a likelihood and a text") from None
