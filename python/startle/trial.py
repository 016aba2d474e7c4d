"""One trial of `startle agents run`, played by calls of tools as language models call them: what the MCP
server, the Inspect task and the OpenEnv environment have in common. Standard library only (practice: the
compiled module)."""
from __future__ import annotations

import base64
import dataclasses
import json
import math
import pathlib
import random
import threading
import time

from . import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

__all__ = ["Trial", "Result"]


@dataclasses.dataclass
class Result:
    """What a call gives: text, the same as data, and perhaps a picture (the bytes of a PNG). With `is_error`
    the text says what was found and what is allowed, and nothing has changed."""

    text: str
    structured: Optional[Dict[str, Any]] = None
    picture: Optional[bytes] = None
    is_error: bool = False


class ToolError(ValueError):
    """What is wrong with a call, for the model."""


class Runner:
    """The runner's side of a trial: JSON lines, docs/agent-protocol.md."""

    def __init__(self, lines, output):
        self._lines, self._output = iter(lines), output

    def read(self):
        line = next(self._lines, "")
        if not line:
            raise EOFError("the runner has gone")
        return json.loads(line)

    def ask(self, message):
        self._output.write(json.dumps(message) + "\n")
        self._output.flush()
        return self.read()

    def picture(self, width, height, frame):
        answer = self.ask({"type": "picture", "width": width,
                           "height": height} | ({} if frame is None else {"frame": frame}))
        return base64.b64decode(answer["rgb"])


class Practice:
    """Shots in the normal world, at the levels that are for training, one after the other in random order."""

    def __init__(self, seed):
        from .places import LEVELS

        self._files = sorted(path for path in (LEVELS / "data").rglob("*.json")
                             if path.name != "manifest.json")
        random.Random(seed).shuffle(self._files)
        self._next = 0
        self.next_level()

    def next_level(self):
        from .environment import make

        self._env = make(self._files[self._next % len(self._files)], size=(1, 1))
        self._env.reset(seed=0)
        self._next += 1

    def observation(self):
        return self._env.describe()

    def shoot(self, angle, stretch, tap_time):
        """The report message of the shot, and whether the level is over."""
        self._flown = self._env
        over = self._env.step((angle, stretch, tap_time))[2]
        return self._env.describe_shot(), over

    def picture(self, width, height, frame):
        if frame is None:
            return self._env._engine.picture(0, width, height).tobytes()
        return self._flown.video((width, height))[frame].tobytes()


class Trial:
    """A trial, from its first shot to its end.

    Calls come by turns: `due` is "shoot", "report" or "nothing". `call(tool, arguments)` never raises for
    what a model does wrong. Calls from several threads follow one another.

    lines, output   of the agent protocol: the runner's lines, and the text stream for the answers; the trial
                    begins when its first message has come
    practice        shots in the normal world before the trial, 0 to 1000: they are shot and looked at like
                    any, and nothing is reported on them
    pictures        False: `look` gives no pictures, and `tools` say so
    transcripts     folder: the trial goes to SEED.jsonl in it, a line of JSON each for the rules and tools,
                    and for each call with its result; None: it is not written down

    Raises EOFError, also from `call`, where the runner has gone.
    """

    def __init__(self, lines: Any, output: Any, *, practice: int = 0, pictures: bool = True,
                 transcripts: Any = None) -> None:
        self._runner = Runner(lines, output)
        begin = self._runner.read()
        #: Of the trial, below 2^53: for whatever is left to chance.
        self.seed: int = begin["seed"]
        self.levels: int = begin["levels"]
        self.pictures, self.due, self.shots = pictures, "shoot", 0
        self._practice_left = self._practice_shots = practice
        self._lock, self._transcript, self._started = threading.Lock(), None, time.monotonic()
        if transcripts is not None:
            folder = pathlib.Path(transcripts)
            folder.mkdir(parents=True, exist_ok=True)
            self._transcript = open(folder / f"{self.seed}.jsonl", "a", encoding="utf-8")
        self._shot = None  # the last one: what the runner said of it, and what stood there before
        self._before = None
        self._practice = Practice(self.seed) if practice else None
        self._first = self._runner.read()
        self._seen = self._practice.observation() if self._practice else self._first["observation"]
        self._note(seed=self.seed, rules=self.rules, tools=self.tools)

    @property
    def rules(self) -> str:
        """What the player is told before the first call: the system prompt."""
        told = words.rules(self.levels)
        if self._practice_shots:
            told += (f"\n\nFirst come {self._practice_shots} practice shots, at other levels, in the normal "
                     "world: see how objects behave in it. Nothing is reported on them.")
        return (f"{told}\n\nLook by calling look, shoot by calling shoot, and after each shot "
                f"{'of the trial ' if self._practice_shots else ''}report by calling report. Go on until the "
                "trial is over.")

    @property
    def tools(self) -> Dict[str, Dict[str, Any]]:
        """By name: "description" and "parameters", a JSON Schema."""
        if self.pictures:
            return words.TOOLS
        look = words.TOOLS["look"]
        frame = {"frame": look["parameters"]["properties"]["frame"]}
        return words.TOOLS | {"look": look | {"parameters": look["parameters"] | {"properties": frame}}}

    def call(self, tool: str, arguments: Optional[Dict[str, Any]] = None) -> Result:
        """Calls one of `tools`. What is wrong with the call is said in the result."""
        with self._lock:
            try:
                result = self._call(tool, {} if arguments is None else arguments)
            except ToolError as error:
                result = Result(f"{tool}: {error}", is_error=True)
            self._note(call=tool, arguments=arguments, text=result.text, structured=result.structured,
                       picture=None if result.picture is None else f"{len(result.picture)} bytes",
                       is_error=result.is_error)
            return result

    def _note(self, **what):
        if self._transcript:
            seconds = round(time.monotonic() - self._started, 2)
            self._transcript.write(json.dumps(what | {"seconds": seconds}) + "\n")
            self._transcript.flush()

    def _call(self, tool, given):
        if tool not in words.TOOLS:
            raise ToolError(f"found no such tool, allowed are {', '.join(words.TOOLS)}")
        if not isinstance(given, dict):
            raise ToolError(f"arguments: found {json.dumps(given)}, allowed is an object")
        known = self.tools[tool]["parameters"]["properties"]
        unknown = next((key for key in given if key not in known), None)
        if unknown is not None:
            raise ToolError(f"unknown argument {unknown!r}, allowed are {', '.join(known)}")
        given = {key: value for key, value in given.items() if value is not None}
        if self.due == "nothing":
            raise ToolError("the trial is over; there is nothing more to do")
        return {"look": self._look, "shoot": self._shoot, "report": self._report}[tool](given)

    # look

    def _look(self, given):
        kind = given.get("as", "objects")
        if kind not in ("objects", "picture"):
            raise ToolError(f"as: found {kind!r}, allowed are objects and picture")
        frame = None
        if "frame" in given:
            if not self._frames_can_be_seen():
                raise ToolError("frame: found one, allowed only while the report of a shot is due")
            frame = _whole(given, "frame", 0, len(self._shot["frames"]) - 1, None)
        if kind == "picture":
            return self._picture(frame, _whole(given, "width", 1, words.LARGEST_PICTURE, 512),
                                 _whole(given, "height", 1, words.LARGEST_PICTURE, 256))
        if "width" in given or "height" in given:
            raise ToolError("width and height: found with objects, allowed with picture")
        if frame is not None:
            return self._frame(frame)
        structured = _level(self._seen)
        if self._practice_left:
            structured["practice_shots_left"] = self._practice_left
        if self.due == "report":
            structured["last_shot"] = self._shot_data()
        structured["due"] = self.due
        told = self._shot_words() if self.due == "report" else "A shot is due: call shoot."
        practice = f" This is practice, in the normal world: {_count(self._practice_left, 'shot')} left."
        return Result(f"{words.level_text(self._seen)}\n\n{told}{practice if self._practice_left else ''}",
                      structured)

    def _frames_can_be_seen(self):
        """Of a practice shot until the next one."""
        return self.due == "report" or self._shot is not None and self._practice_left > 0

    def _frame(self, number):
        """Places of all bodies at a frame: those before the shot, and what has moved since."""
        places = {thing["id"]: (thing["x"], thing["y"], thing["angle"]) for thing in self._before["objects"]}
        for frame in self._shot["frames"][:number + 1]:
            places.update({body: (x, y, angle) for body, x, y, angle in frame["moved"]})
            for body in frame["gone"]:
                places.pop(body, None)
        bodies = [{"id": body, "what": self._names(body), "centre": [_rounded(x), _rounded(y)],
                   "angle": _degrees(angle)} for body, (x, y, angle) in sorted(places.items())]
        text = (f"Frame {number}, {frame['time']:.1f} s after the launch (number, what, centre, angle):" +
                "".join(f"\n{body['id']}: {body['what']} {words.at(*body['centre'])} "
                        f"{words.number(body['angle'])}" for body in bodies))
        return Result(text, {"frame": number, "time": _rounded(frame["time"]), "bodies": bodies})

    def _names(self, body):
        thing = next((thing for thing in self._before["objects"] if thing["id"] == body), None)
        if thing:
            return words.named(thing)
        return "bird" if body == self._shot["first_bird"] else "another bird"

    def _picture(self, frame, width, height):
        source = self._practice if self._practice_left else self._runner
        png = words.png(width, height, source.picture(width, height, frame))
        half, ground = self._seen["half_width"], self._seen["ground_y"]
        what = "The level as it stands" if frame is None else f"Frame {frame} of the shot"
        return Result(f"{what}. The picture shows x from {words.number(-half)} to {words.number(half)}; its "
                      f"lower border lies {words.number(half / 10)} below the ground at y = "
                      f"{words.number(ground)}.", picture=png)

    # shoot

    def _shoot(self, given):
        if self.due == "report":
            raise ToolError("the report of the last shot is due; call report first")
        angle = math.radians(_number(given, "angle", -360, 360))
        stretch = _number(given, "stretch", 0.01, 1, 1)
        tap_time = _number(given, "tap_time", -1, 1000, -1)
        if self._practice_left:
            return self._practice_shot(angle, stretch, tap_time)
        self._before = self._seen
        self._shot = self._runner.ask({"type": "shot", "angle": angle, "stretch": stretch,
                                       "tap_time": tap_time})
        self._seen, self.due, self.shots = self._shot["observation"], "report", self.shots + 1
        return Result(self._shot_words(), self._shot_data() | {"due": "report"})

    def _practice_shot(self, angle, stretch, tap_time):
        self._before = self._seen
        self._shot, over = self._practice.shoot(angle, stretch, tap_time)
        self._seen = self._shot["observation"]
        words_of_shot, structured = self._shot_words(), self._shot_data()
        self._practice_left -= 1
        if self._practice_left == 0:
            self._seen, self._shot = self._first["observation"], None
            told = f"Practice is over. The trial begins: level 1 of {self.levels}. Call look, then shoot."
        else:
            told = f"Practice, in the normal world: {_count(self._practice_left, 'shot')} left."
            if over:
                self._practice.next_level()
                self._seen = self._practice.observation()
                told += " The next one is at another level."
        structured |= {"practice_shots_left": self._practice_left, "due": "shoot"}
        return Result(f"{words_of_shot}\n{told}", structured)

    def _pigs(self):
        return sum(thing["kind"] == "pig" for thing in self._shot["observation"]["objects"])

    def _shot_words(self):
        """What a shot did, and what is due."""
        after, pigs = self._shot["observation"], self._pigs()
        over = (" The level is over: all pigs are gone." if pigs == 0 else
                " The level is over: no birds are left." if not after["birds"] else "")
        told = (f"{words.shot_text(self._before, self._shot)}\n\nPigs left: {pigs}. Birds left: "
                f"{', '.join(after['birds']) or 'none'}. Score {words.number(after['score'])}.{over}")
        if self._practice_left:
            return told
        return (f"{told}\nThe shot has frames 0 to {len(self._shot['frames']) - 1}. Its report is due: call "
                "report.")

    def _shot_data(self):
        motions, still = words.motions(self._before, self._shot)
        after, pigs = self._shot["observation"], self._pigs()
        moved = []
        for motion in motions:
            one = {"id": motion["id"], "what": motion["what"],
                   "time_x_y": [[_rounded(value) for value in place[:3]] for place in motion["places"]],
                   "turned": _degrees(motion["turned"])}
            moved.append(one if motion["gone"] is None else one | {"gone": _rounded(motion["gone"])})
        return {"bird": self._shot["bird"], "angle": _degrees(self._shot["shot"]["angle"]),
                "frames": len(self._shot["frames"]), "moved": moved, "hardly_moved": still,
                "pigs_left": pigs, "birds_left": after["birds"], "score": after["score"],
                "level_over": pigs == 0 or not after["birds"]}

    # report

    def _report(self, given):
        if self.due == "shoot":
            raise ToolError("practice shots are not reported on; call shoot" if self._practice_left else
                            "a shot is due; call shoot first")
        likelihood, description = _number(given, "novelty", 0, 1), given.get("description", "")
        if not isinstance(description, str):
            raise ToolError(f"description: found {description!r}, allowed is text")
        # Half a character, as a cut-off \ud83d leaves it, is no UTF-8.
        description = description[:1000].encode(errors="replace").decode()
        message = self._runner.ask({"type": "report", "novelty": likelihood, "description": description})
        self._shot = None
        if message["type"] == "end":
            self.due = "nothing"
            return Result("The report is taken. The trial is over; there is nothing more to do.",
                          {"due": "nothing"})
        self._seen, self.due = message["observation"], "shoot"
        level, shot = self._seen["level"], self._seen["shot"]
        told = (f"Level {level - 1} is over. Level {level} of {self.levels} begins: call look, then shoot."
                if shot == 1 else f"Shot {shot} of level {level} is due: call look, then shoot.")
        return Result(f"The report is taken. {told}", {"due": "shoot", "level": level, "shot": shot})


# Data

def _count(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def _rounded(value):
    return round(value, 3) + 0.0


def _degrees(angle):
    return _rounded(math.degrees(angle))


def _level(seen):
    objects = []
    for thing in seen["objects"]:
        one = {key: thing[key] for key in ("id", "kind", "type", "material") if thing.get(key) is not None}
        one |= {"centre": [_rounded(thing["x"]), _rounded(thing["y"])], "angle": _degrees(thing["angle"])}
        if "radius" in thing:
            one["radius"] = _rounded(thing["radius"])
        else:
            one["outline"] = [[_rounded(x), _rounded(y)] for x, y in thing["outline"]]
        objects.append(one)
    rounded = {key: _rounded(seen[key]) for key in ("max_stretch", "launch_speed", "flight_gravity",
                                                    "ground_y", "half_width")}
    return {"level": seen["level"], "shot": seen["shot"], "birds": seen["birds"], "score": seen["score"],
            "slingshot": [_rounded(x) for x in seen["slingshot"]],
            "rest": [_rounded(x) for x in seen["rest"]], **rounded, "objects": objects}


# Arguments

def _number_of(value):
    """A number, or text that is one, as some models write them; NaN for anything else."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _shown(given, key):
    return json.dumps(given[key])[:100] if key in given else "nothing"


def _number(given, key, low, high, otherwise=None):
    number = _number_of(given.get(key, otherwise))
    if not low <= number <= high:  # NaN fails it
        raise ToolError(f"{key}: found {_shown(given, key)}, allowed are numbers, {low} to {high}")
    return number


def _whole(given, key, low, high, otherwise):
    number = _number_of(given.get(key, otherwise))
    if not (low <= number <= high and number == int(number)):
        raise ToolError(f"{key}: found {_shown(given, key)}, allowed are whole numbers, {low} to {high}")
    return int(number)
