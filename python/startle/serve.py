"""A Python class as an agent of the batch runner. Standard library only (pictures: NumPy)."""
from __future__ import annotations

import base64
import itertools
import json
import os
import sys
import traceback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, TextIO

__all__ = ["serve"]


def serve(agent: Any, input: Optional[TextIO] = None, output: Optional[TextIO] = None) -> None:
    """Lets `agent` play under `startle agents run`: speaks JSON lines on standard input and output.

        import startle

        class Mine:
            def load(self): ...                      # optional: what takes long
            def begin(self, seed, levels): ...       # optional
            def act(self, observation, picture): ... # -> angle, or (angle, stretch, tap_time); rad, 0 to 1, s
            def report(self, shot, picture): ...     # -> likelihood, or (likelihood, description)
            def end(self): ...                       # optional

        startle.serve(Mine)

    `observation` and `shot` are dicts as docs/agent-protocol.md describes them ("of an observation"; the
    report message: "shot", "bird", "first_bird", "frames", "observation"). `picture(width=64, height=64,
    frame=None)` asks the runner for a picture of the level, or of a frame of the last shot: array (height,
    width, 3) of uint8, rows from the top.

    A class (or another function that makes an agent): one is made and loaded once, and each trial is played
    in a fork of this process. So loading is paid once for each thread of the run, and no trial knows of
    another. What is loaded must survive a fork: no threads that were started, no GPU. PyTorch, where it was
    imported, is set to one thread.

    An object with a method `reset()`: this process plays all trials, and `reset` is called between them. It
    promises that the agent then knows nothing of the trials before; results say so. For what cannot fork.

    Another object: this process plays one trial.

    From here on whatever is printed goes to standard error, also by libraries and by programs that the agent
    starts, and these find an empty standard input: the runner is spoken to by copies of both streams. An
    exception ends the trial as a crash, with its last line in the results; NaN and values out of range are
    refused there or by the runner. `input` and `output` replace the standard streams, except for a class.
    Raises ValueError for an answer of the wrong form.
    """
    kept = sys.stdout
    try:
        if isinstance(agent, type) or not hasattr(agent, "act"):
            with RunnersStreams() as streams:
                made = agent()
                if hasattr(made, "load"):
                    made.load()
                serve_forks(lambda lines: _play(made, lines, streams[1], None), *streams)
        elif input or output:
            sys.stdout = sys.stderr
            _serve_here(agent, input or sys.stdin, output or kept)
        else:
            with RunnersStreams() as streams:
                _serve_here(agent, *streams)
    finally:
        sys.stdout = kept


class RunnersStreams:
    """Copies of standard input and output, which programs that this one starts do not get. Meanwhile
    standard output is standard error, and standard input is empty."""

    def __enter__(self):
        self._copies = os.dup(0), os.dup(1)
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout.flush()  # what was printed before
        sys.stdout = sys.stderr
        self._streams = (open(self._copies[0], encoding="utf-8"),
                         open(self._copies[1], "w", encoding="utf-8"))
        return self._streams

    def __exit__(self, *error):
        for number, copy in enumerate(self._copies):
            os.dup2(copy, number)
        for stream in self._streams:
            stream.close()


def _serve_here(agent, input, output):
    if hasattr(agent, "load"):
        agent.load()
    resets = hasattr(agent, "reset")
    if resets:
        _write(output, {"type": "ready", "trials": "reset"})
    first = True
    while _play(agent, input, output, None if first or not resets else agent.reset):
        if not resets:
            return
        _write(output, {"type": "over"})
        first = False


def serve_forks(play: Any, input: TextIO, output: TextIO) -> None:
    """Plays all trials of this process, each in a fork: `play` gets the runner's lines, of which the first is
    that of "begin", and returns at the end of the trial."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)  # a fork would wait for ever for the threads that it lacks
    _write(output, {"type": "ready", "trials": "fork"})
    while True:
        # Byte by byte: what comes after the line is for the fork.
        line = bytearray()
        while not line.endswith(b"\n"):
            byte = os.read(input.fileno(), 1)
            if not byte:
                return
            line += byte
        if not line.startswith(b'{"type":"begin"'):
            continue  # what a fork has left unread
        child = os.fork()
        if child == 0:
            _play_in_fork(play, itertools.chain([line.decode()], input), output)
        state = os.waitpid(child, 0)[1]
        signal = state & 0x7f
        output.write("\n")  # a line that the fork has begun ends here
        _write(output, {"type": "over", "code": 0 if signal else state >> 8, "signal": signal})


def _play_in_fork(play, lines, output):
    code = 0
    try:
        play(lines)
    except BaseException:  # also SystemExit: nothing may run on into the parent's loop
        traceback.print_exc()
        code = 1
    for stream in (output, sys.stderr):
        stream.flush()
    os._exit(code)  # what is loaded need not be taken down


def _write(output, message):
    output.write(json.dumps(message, allow_nan=False) + "\n")
    output.flush()


def _play(agent, input, output, before):
    """A trial. `before` is called when it begins. False where the input ended first."""
    lines = iter(input)

    def picture(width=64, height=64, frame=None):
        _write(output, {"type": "picture", "width": int(width),
                        "height": int(height)} | ({} if frame is None else {"frame": int(frame)}))
        answer = json.loads(next(lines))
        import numpy as np  # here, so that agents that look at no pictures start without it

        return np.frombuffer(base64.b64decode(answer["rgb"]),
                             np.uint8).reshape(answer["height"], answer["width"], 3)

    for line in lines:
        message = json.loads(line)
        kind = message.pop("type")
        if kind == "begin":
            if before:
                before()
            if hasattr(agent, "begin"):
                agent.begin(message["seed"], message["levels"])
        elif kind == "act":
            _write(output, _shot(agent.act(message["observation"], picture)))
        elif kind == "report":
            _write(output, _report(agent.report(message, picture)))
        elif kind == "end":
            if hasattr(agent, "end"):
                agent.end()
            return True
    return False


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
