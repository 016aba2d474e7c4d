#!/usr/bin/env python3
"""An agent that asks a language or vision-language model: any server with the OpenAI-compatible chat API.

    startle agents run --action-limit 300 --trial-limit 3600 --levels levels/benchmark/T1 --limit 3 \\
        --agent 'model=python3 agents/clients/chat.py --url http://localhost:8000/v1 --model NAME' --out chat.sqlite

Each trial is a conversation of its own. The key is read from the environment and stored nowhere. Standard
library only. docs/chat-models.md has the prompts, what to expect, and what it costs.
"""
import argparse
import base64
import http.client
import json
import math
import os
import struct
import sys
import time
import urllib.error
import urllib.request
import zlib
from pathlib import Path

SYSTEM = """You play a two-dimensional physics game in the manner of Angry Birds, and you look out for \
changes of the world. A bird is launched from a slingshot at structures of wood, ice and stone blocks, at \
pigs and TNT. A level is won when all pigs are gone. Lengths are in world units, x to the right, y up; times \
are in seconds; angles are in degrees, 0 to the right, 90 straight up.

In some trials the world is novel: some objects look as always but behave differently. They may bounce, \
slide, fall, weigh or break otherwise than such objects do. After each shot you say how likely it is, from 0 \
to 1, that the world of this trial is novel. 0.5 or more counts as an alarm. Half of the trials are normal, \
and a false alarm counts against you.

Shoot by calling shoot, and report by calling report. If you cannot call functions, answer with the \
arguments as one JSON object and nothing else."""

TOOLS = {
    "shoot": {
        "description": "Launches the next bird.",
        "parameters": {
            "type": "object",
            "properties": {
                "angle": {"type": "number", "description": "direction of the launch in degrees, -90 to 180"},
                "stretch": {"type": "number",
                            "description": "share of the longest pull, over 0 to 1; default 1"},
                "tap_time": {"type": "number",
                             "description": "when the bird uses its power, seconds after the launch; -1: "
                                            "never, the default"}},
            "required": ["angle"]}},
    "report": {
        "description": "Says how likely it is that the world of this trial is novel.",
        "parameters": {
            "type": "object",
            "properties": {
                "novelty": {"type": "number", "description": "likelihood, 0 to 1"},
                "description": {"type": "string", "description": "what behaves differently, in a few words"}},
            "required": ["novelty"]}}}

PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # HTTP errors after which the same request may succeed
DRY_RUN = {"shoot": '{"angle": 30}', "report": '{"novelty": 0}'}
TIMES = 8  # places given of each thing that moves, about
STILL = 0.1  # world units and radians: what moves by less is named by number alone


class Failure(Exception):
    """What ends the trial, for people."""


# What the model is given

def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= 0.005 else "0"


def at(x, y):
    return f"({number(x)}, {number(y)})"


def named(thing):
    return " ".join(str(thing[key]) for key in ("material", "kind", "type") if thing.get(key))


def size(thing):
    """Width and height as it stands."""
    if "radius" in thing:
        return f"radius {number(thing['radius'])}"
    xs, ys = zip(*thing["outline"])
    return f"{number(max(xs) - min(xs))} x {number(max(ys) - min(ys))}"


def level_text(seen):
    """A text of an observation."""
    lines = [f"Level {seen['level']}, shot {seen['shot']}. Birds left, the next one first: "
             f"{', '.join(seen['birds'])}.",
             f"The bird starts from {at(*seen['rest'])}, pulled back by up to "
             f"{number(seen['max_stretch'])}, with speed {number(seen['launch_speed'])} at the longest "
             f"pull, and falls with {number(seen['flight_gravity'])} per second squared. The ground is at "
             f"y = {number(seen['ground_y'])}; the world ends at x = +-{number(seen['half_width'])}.",
             "Objects (number, what, centre, size as it stands):"]
    lines += [f"{thing['id']}: {named(thing)} {at(thing['x'], thing['y'])} {size(thing)}"
              for thing in seen["objects"]]
    return "\n".join(lines)


def waypoints(path):
    """About TIMES of the places, the first and the last of them, at about equal lengths of way."""
    lengths = [0.0]
    for (_, x, y, _), (_, x2, y2, _) in zip(path, path[1:]):
        lengths.append(lengths[-1] + math.hypot(x2 - x, y2 - y))
    marks = [lengths[-1] * i / (TIMES - 1) for i in range(TIMES)]
    kept = {min(range(len(path)), key=lambda i, mark=mark: abs(lengths[i] - mark)) for mark in marks}
    return [path[i] for i in sorted(kept | {0, len(path) - 1})]


def shot_text(seen_before, message):
    """A text of what a shot did."""
    names = {thing["id"]: named(thing) for thing in seen_before["objects"]}
    paths, gone = {}, {}
    for frame in message["frames"]:
        for body, x, y, angle in frame["moved"]:
            paths.setdefault(body, []).append((frame["time"], x, y, angle))
        for body in frame["gone"]:
            gone[body] = frame["time"]
    start = {thing["id"]: (0.0, thing["x"], thing["y"], thing["angle"])
             for thing in seen_before["objects"]}
    angle = math.degrees(message["shot"]["angle"])
    lines = [f"The {message['bird']} was launched at {number(angle)} degrees. What moved, with places "
             "at times; a turn is over all of it:"]
    still = []
    for body in sorted(set(paths) | set(gone)):
        path = ([start[body]] if body in start else []) + paths.get(body, [])
        if not path:
            continue
        if body not in gone and all(abs(now - then) < STILL for place in path
                                    for now, then in zip(place[1:], path[0][1:])):
            still.append(str(body))
            continue
        words = " ".join(f"t={number(t)}{at(x, y)}" for t, x, y, _ in waypoints(path))
        turn = math.degrees(path[-1][3] - path[0][3])
        what = names.get(body, "bird" if body == message["first_bird"] else "another bird")
        turned = f" turned {turn:.0f} degrees" if abs(turn) >= 1 else ""
        ended = f" destroyed or gone at t={number(gone[body])}" if body in gone else ""
        lines.append(f"{body}: {what}: {words}{turned}{ended}")
    if still:
        lines.append(f"Moved by less than {STILL}, or turned by a few degrees: {', '.join(still)}")
    if len(lines) == 1:
        lines.append("nothing")
    return "\n".join(lines)


def png(width, height, rgb):
    """The bytes of a picture file."""
    rows = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# What the model answers

def text_of(content):
    """Of a message's content, which may be a text, parts, or nothing."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def arguments_of(message, tool):
    """Of a call of the tool, or of the first JSON object in the text. Raises ValueError, in words for the
    model."""
    for call in message.get("tool_calls") or []:
        if (call.get("function") or {}).get("name") == tool:
            text = call["function"].get("arguments") or ""
            break
    else:
        text = text_of(message.get("content"))
        if "{" not in text:
            raise ValueError(f"there was no call of {tool} and no JSON object")
        text = text[text.index("{"):]
    try:
        given = json.JSONDecoder().raw_decode(text)[0] if isinstance(text, str) else text
    except ValueError as error:
        raise ValueError(f"the arguments are no JSON: {error}") from None
    if not isinstance(given, dict):
        raise ValueError("the arguments are no JSON object")
    return given


def in_range(given, key, low, high, otherwise=None):
    value = given.get(key, otherwise)
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            pass
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"{key}: found {value!r}, allowed are {low} to {high}")
    return float(value)


def shot_of(given):
    return {"type": "shot", "angle": math.radians(in_range(given, "angle", -360, 360)),
            "stretch": in_range(given, "stretch", 0.01, 1, 1),
            "tap_time": in_range(given, "tap_time", -1, 1000, -1)}


def report_of(given):
    return {"type": "report", "novelty": in_range(given, "novelty", 0, 1),
            "description": str(given.get("description", ""))[:1000]}


class Chat:
    """The conversation of one trial."""

    def __init__(self, options, transcript):
        self.options, self.transcript = options, transcript
        self.messages = [{"role": "system", "content": SYSTEM}]
        self.tokens, self.requests, self.characters, self.started = 0, 0, 0, time.monotonic()

    def note(self, **what):
        if self.transcript:
            seconds = round(time.monotonic() - self.started, 2)
            print(json.dumps(what | {"seconds": seconds}), file=self.transcript, flush=True)

    def say(self, content):
        self.messages.append({"role": "user", "content": content})
        self.note(said=text_of(content))

    def ask(self, content, tool, read):
        """What `read` makes of the model's arguments; it is shown what was wrong, and asked again."""
        self.say(content)
        wrong = ""
        for _ in range(self.options.attempts):
            message = self.answer(tool)
            # Kept as text: what a server makes of calls that were no good differs.
            try:
                given = arguments_of(message, tool)
                answer = read(given)
                self.messages.append({"role": "assistant", "content": json.dumps(given)})
                return answer
            except ValueError as error:
                wrong = str(error)
                self.messages.append({"role": "assistant",
                                      "content": text_of(message.get("content")) or "(nothing)"})
                self.say(f"That could not be used: {wrong}. Call {tool} again.")
        raise Failure(f"no answer that could be used in {self.options.attempts} attempts: {wrong}")

    def answer(self, tool):
        """The model's message, after errors that pass were waited for."""
        if self.options.most_tokens and self.tokens >= self.options.most_tokens:
            raise Failure(f"used {self.tokens} tokens, allowed are {self.options.most_tokens} a trial")
        kept = self.messages[1:][-self.options.history:]
        while kept[0]["role"] != "user":  # chat templates want turns
            kept.pop(0)
        body = {"model": self.options.model, "messages": self.messages[:1] + kept,
                "temperature": self.options.temperature, "max_tokens": self.options.answer_tokens,
                "tools": [{"type": "function", "function": {"name": tool, **TOOLS[tool]}}],
                "tool_choice": {"type": "function", "function": {"name": tool}}}
        self.characters += sum(len(text_of(message["content"])) for message in body["messages"])
        if self.options.dry_run:
            self.requests += 1
            return {"content": DRY_RUN[tool]}
        for attempt in range(self.options.retries + 1):
            wait = min(2.0 ** attempt, 60)
            try:
                reply = self.post(body)
                message = reply["choices"][0]["message"]
                if not isinstance(message, dict):
                    raise TypeError("message is no object")
                usage = reply.get("usage") or {}
                self.tokens += int(usage.get("total_tokens") or 0)
                self.note(answered=message, usage=usage)
                return message
            except urllib.error.HTTPError as error:
                said = error.read(500).decode(errors="replace").strip()
                problem = f"HTTP {error.code}: {said}"
                if error.code not in PASSING:
                    raise Failure(problem) from None
                try:
                    wait = min(float(error.headers.get("Retry-After", wait)), 60)
                except ValueError:
                    pass
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                problem = f"no answer: {error}"
            except (ValueError, KeyError, IndexError, TypeError) as error:
                problem = f"an answer that is no chat completion: {error!r}"
            self.note(problem=problem)
            if attempt < self.options.retries:
                time.sleep(wait * self.options.wait)
        raise Failure(f"gave up after {self.options.retries + 1} requests: {problem}")

    def post(self, body):
        request = urllib.request.Request(self.options.url.rstrip("/") + "/chat/completions",
                                         json.dumps(body).encode(), {"Content-Type": "application/json"})
        key = os.environ.get(self.options.key_variable)
        if key:
            request.add_header("Authorization", f"Bearer {key}")
        self.requests += 1
        with urllib.request.urlopen(request, timeout=self.options.request_limit) as answer:
            return json.loads(answer.read())


# The trial

class Trial:
    def __init__(self, options):
        self.options, self.chat, self.before = options, None, None

    def picture(self, frame=None):
        """Asks the runner. A part of a message."""
        write({"type": "picture", "width": self.options.width, "height": self.options.width // 2} |
              ({} if frame is None else {"frame": frame}))
        answer = json.loads(sys.stdin.readline())
        data = png(answer["width"], answer["height"], base64.b64decode(answer["rgb"]))
        return {"type": "image_url",
                "image_url": {"url": "data:image/png;base64," + base64.b64encode(data).decode()}}

    def content(self, text, frames=(None,)):
        if not self.options.pictures:
            return text
        return [{"type": "text", "text": text}, *(self.picture(frame) for frame in frames)]

    def begin(self, message):
        transcript = None
        if self.options.transcripts:
            folder = Path(self.options.transcripts)
            folder.mkdir(parents=True, exist_ok=True)
            transcript = open(folder / f"{message['seed']}.jsonl", "w", encoding="utf-8")
        self.chat = Chat(self.options, transcript)
        self.chat.note(seed=message["seed"], model=self.options.model, levels=message["levels"])

    def act(self, message):
        self.before = message["observation"]
        return self.chat.ask(self.content(level_text(self.before) + "\n\nCall shoot."), "shoot", shot_of)

    def report(self, message):
        last = len(message["frames"]) - 1
        frames = sorted({last * i // 4 for i in range(1, 5)})
        text = shot_text(self.before, message) + "\n\nCall report."
        return self.chat.ask(self.content(text, frames), "report", report_of)

    def end(self):
        self.chat.note(tokens=self.chat.tokens, requests=self.chat.requests,
                       characters=self.chat.characters)


def write(message):
    print(json.dumps(message), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="of the API, for example http://localhost:8000/v1")
    parser.add_argument("--model", help="name of the model, as the server knows it")
    parser.add_argument("--dry-run", action="store_true",
                        help="asks nobody: shoots at 30 degrees and reports 0; to read and count the prompts")
    parser.add_argument("--key-variable", default="OPENAI_API_KEY", metavar="NAME",
                        help="variable of the environment with the key (default: %(default)s)")
    parser.add_argument("--pictures", action="store_true", help="the model sees pictures beside the text")
    parser.add_argument("--width", type=int, default=512, help="of pictures, pixels (default: %(default)s)")
    parser.add_argument("--temperature", type=float, default=0, help="(default: %(default)s)")
    parser.add_argument("--answer-tokens", type=int, default=1024,
                        help="most of one answer (default: %(default)s)")
    parser.add_argument("--history", type=int, default=60,
                        help="messages kept in mind (default: %(default)s)")
    parser.add_argument("--attempts", type=int, default=3,
                        help="times that it is asked for an answer that can be used (default: %(default)s)")
    parser.add_argument("--retries", type=int, default=6,
                        help="requests again after 429, 5xx or no connection (default: %(default)s)")
    parser.add_argument("--wait", type=float, default=1, metavar="FACTOR",
                        help="of the 1, 2, 4 ... s between them (default: %(default)s)")
    parser.add_argument("--request-limit", type=float, default=120,
                        help="s for one request (default: %(default)s)")
    parser.add_argument("--most-tokens", type=int, default=0,
                        help="of a trial, as the server counts them; 0: no limit (default: %(default)s)")
    parser.add_argument("--transcripts", metavar="DIR",
                        help="writes each trial's conversation to DIR/SEED.jsonl")
    options = parser.parse_args()
    if not options.dry_run and not (options.url and options.model):
        parser.error("--url and --model are needed, or --dry-run")
    trial = Trial(options)
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        try:
            answer = getattr(trial, message["type"])(*([] if message["type"] == "end" else [message]))
        except Failure as failure:
            sys.exit(f"chat.py: {failure}")
        if message["type"] == "end":
            return
        if answer:
            write(answer)


if __name__ == "__main__":
    main()
