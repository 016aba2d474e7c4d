"""An agent that asks a language or vision-language model: any server with the OpenAI-compatible chat API.

    startle agents run --action-limit 300 --trial-limit 3600 --levels levels/benchmark/T1 --limit 3 \\
        --agent 'model=python3 -m startle chat --url http://localhost:8000/v1 --model NAME' \\
        --out chat.sqlite

Each trial is a conversation of its own. The key is read from the environment and stored nowhere. Standard
library only. docs/language-models.md says what a model is given, what to expect, and what it costs.
"""
import argparse
import base64
import datetime
import email.utils
import http.client
import json
import math
import os
import re
import ssl
import sys
import time
import traceback
import urllib.error
import urllib.request
from pathlib import Path

from . import words
from .words import level_text, png, shot_text

HOW_TO_ANSWER = """Shoot by calling shoot, and report by calling report. If you cannot call functions, \
answer with the arguments as one JSON object and nothing else."""
TOOLS = {name: words.TOOLS[name] for name in ("shoot", "report")}

WITHOUT_TOOLS = ("\n\nYou cannot call functions here. Answer with the arguments as one JSON object and "
                 "nothing else.")

PASSING = (408, 409, 425, 429, 500, 502, 503, 504)  # HTTP errors after which the same request may succeed
# Kinds of errors that stay, whatever their number is: some servers give none, or one of those above.
LASTING = re.compile("invalid_request|authentication|permission|not_found|insufficient_quota|billing", re.I)
ABOUT_ACCESS = (401, 403, 408, 409, 425, 429)  # HTTP errors that say nothing of a request's parameters
LONGEST_WAIT = 60  # s
LARGEST_REPLY = 1 << 24  # bytes
DRY_RUN = {"shoot": '{"angle": 30}', "report": '{"novelty": 0}'}


class Failure(Exception):
    """What ends the trial, for people."""


class Problem(Exception):
    """What is wrong with one reply of the server. `code`: of HTTP, or what the reply itself gives for it;
    None without a word of the server. `about`: where it may name a parameter. `wait`: s that it asks for."""

    def __init__(self, words, code=None, about="", wait=None, lasts=False):
        super().__init__(words)
        self.code, self.about, self.wait, self.lasts = code, about, wait, lasts


# The key

HIDDEN: list[str] = []  # texts that leave this program nowhere but in the header of a request
PLACEHOLDER = 6  # characters; shorter keys ("none", "EMPTY") are no secret, and are words of other texts


def key_of(variable):
    """Without the blanks and line ends that a file or a copied line leaves around it."""
    key = os.environ.get(variable, "").strip()
    if len(key) >= PLACEHOLDER:
        HIDDEN.append(key)
    if not all("!" <= c <= "~" for c in key):
        raise Failure(f"the key in {variable} has blanks, control characters or others than ASCII inside; "
                      "no request can carry it")
    return key


def without_key(value):
    """The value with the key taken out of all its texts."""
    if isinstance(value, str):
        for key in HIDDEN:
            value = value.replace(key, "[key]")
        return value
    if isinstance(value, dict):
        return {without_key(name): without_key(part) for name, part in value.items()}
    return [without_key(part) for part in value] if isinstance(value, (list, tuple)) else value


# What the model answers

# The marks around thoughts: <think>, <thinking>, [THINK], <seed:think>, and the like.
THOUGHT = r"(?:\w+:)?(?:think|thinking|thoughts?|reasoning)"
OPENING = re.compile(rf"<{THOUGHT}>|\[{THOUGHT}\]|◁think▷", re.I)
CLOSING = re.compile(rf"</{THOUGHT}>|\[/{THOUGHT}\]|◁/think▷", re.I)
THOUGHT_FIELDS = ("reasoning_content", "reasoning")
THOUGHT_PARTS = ("thinking", "reasoning", "thought")
LONGEST_READ = 20000  # characters of a reply that are looked at: the last ones


def text_of(content):
    """Of a message's content, which may be a text, parts, or nothing; thoughts that are parts of their own
    are left out."""
    if isinstance(content, list):
        return "".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return "" if content.get("type") in THOUGHT_PARTS else text_of(content.get("text"))
    return content if isinstance(content, str) else ""


def without_thoughts(text):
    """What stands outside the marks. Those who open may lack, as where the server's template writes them, and
    so may those who close, as where the reply was cut off."""
    depth, said, at = 0, [], 0
    for mark in sorted([*OPENING.finditer(text), *CLOSING.finditer(text)], key=re.Match.start):
        if OPENING.fullmatch(mark.group()):
            if depth == 0:
                said.append(text[at:mark.start()])
            depth += 1
        elif depth > 0:
            depth -= 1
        else:
            said.clear()
        at = mark.end()
    return "".join(said) + (text[at:] if depth == 0 else "")


def last_object(text):
    """The last complete JSON object of the text, and what follows it; None without any."""
    text = text[-LONGEST_READ:]
    found, at = None, text.find("{")
    while at >= 0:
        end = at + 1
        try:
            given, end = json.JSONDecoder().raw_decode(text, at)
            found = given, text[end:]
        except (ValueError, RecursionError):
            pass
        at = text.find("{", end)
    return found


def unwrapped(given, tool):
    """The arguments, from what some models and servers put around them: JSON as text, {"name": ...,
    "arguments": ...}, {"shoot": {...}}, a list of one."""
    for _ in range(8):
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"the arguments are no JSON: {error}") from None
        elif isinstance(given, list) and len(given) == 1:
            given = given[0]
        elif isinstance(given, dict):
            name = next((given[key] for key in ("name", "function", "tool")
                         if isinstance(given.get(key), str)), None)
            if name is not None and not is_call({"name": name}, tool):
                raise ValueError(f"found a call of {name[:60]!r}, allowed is {tool}")
            inner = next((given[key] for key in ("arguments", "parameters", "args", "function", tool)
                          if isinstance(given.get(key), (dict, list) if key in ("function", tool)
                                        else (dict, list, str))), None)
            if inner is None:
                break
            given = inner
        else:
            break
    if not isinstance(given, dict):
        raise ValueError("the arguments are no JSON object")
    return given


def is_call(function, tool):
    """Names may have something before them: functions.shoot."""
    name = function.get("name") if isinstance(function, dict) else None
    return isinstance(name, str) and re.fullmatch(rf"(.*[^A-Za-z])?{tool}", name.strip()) is not None


def arguments_of(message, tool):
    """Of a call of the tool, or of the last JSON object in the text outside thoughts. Where the server gives
    nothing but thoughts, the answer may be at their end. Raises ValueError, in words for the model."""
    calls = message.get("tool_calls")
    functions = [call.get("function") or call for call in (calls if isinstance(calls, list) else [])
                 if isinstance(call, dict)]
    functions.append(message.get("function_call"))
    for function in functions:
        if is_call(function, tool) and function.get("arguments"):
            return unwrapped(function["arguments"], tool)
    text = without_thoughts(text_of(message.get("content")))
    found = last_object(text)
    if found is None and not text.strip():
        for field in THOUGHT_FIELDS:
            ending = last_object(text_of(message.get(field)))
            if ending and not re.search(r"\w", ending[1]):  # a draft has more words after it
                found = ending
    if found is None or re.search(r'\{\s*("|$)', found[1]):  # what follows is an object that was cut off
        raise ValueError(f"there was no call of {tool} and no complete JSON object")
    return unwrapped(found[0], tool)


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
    description = given.get("description")
    description = "" if description is None else str(description)
    return {"type": "report", "novelty": in_range(given, "novelty", 0, 1),
            # half a character, as a cut-off \\ud83d leaves it, is no UTF-8
            "description": description[:1000].encode(errors="replace").decode()}


# What the server says

class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirected request would take the key to whom it is not for."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def seconds_asked(header):
    """Of Retry-After: seconds, or a date. None where it says nothing that can be waited for."""
    try:
        seconds = float(header)
    except (TypeError, ValueError):
        try:
            then = email.utils.parsedate_to_datetime(header)
            seconds = (then - datetime.datetime.now(then.tzinfo)).total_seconds()
        except (TypeError, ValueError, OverflowError):
            return None
    return min(seconds, LONGEST_WAIT) if seconds >= 0 else None  # NaN fails the comparison


def error_in(reply):
    """(words, kind, code, parameter) where a reply says that something is wrong; None where it does not. Some
    say it with HTTP status 200."""
    if not isinstance(reply, dict):
        return None
    choices = reply.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    error = reply.get("error") or (first.get("error") if isinstance(first, dict) else None)
    if not error and (reply.get("object") == "error" or "choices" not in reply):
        error = {key: reply[key] for key in ("message", "detail", "type", "code", "param") if reply.get(key)}
    if not error:
        return None
    if not isinstance(error, dict):
        return str(error), "", None, ""
    words = error.get("message") or error.get("detail") or json.dumps(error)
    code = error.get("code")
    named = code if isinstance(code, int) and 400 <= code < 600 else None
    return str(words), f"{error.get('type')} {code}", named, str(error.get("param") or "")


def read_completion(status, headers, data):
    """(the model's message, why it ended, the usage). Raises Problem."""
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        reply = None
    said = error_in(reply)
    if said or status >= 300:
        words, kind, code, parameter = said or (data[:500].decode(errors="replace").strip(), "", None, "")
        if status < 400 and "Location" in headers:
            words = f"is moved to {headers['Location']}; --url names the place itself"
        raise Problem(f"HTTP {status}: {words[:500]}", code if code and status < 300 else status,
                      f"{parameter} {words}", seconds_asked(headers.get("Retry-After")),
                      lasts=bool(LASTING.search(kind)))
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        usage = reply.get("usage")
        if not isinstance(message, dict):
            raise TypeError("message is no object")
        return message, choice.get("finish_reason"), usage if isinstance(usage, dict) else {}
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        start = data[:200].decode(errors="replace").strip()
        raise Problem(f"an answer that is no chat completion ({error!r}): {start}") from None


class Server:
    """The server as this session knows it: which parts of the API it refuses. All trials share it."""

    def __init__(self, options):
        self.options, self.key = options, key_of(options.key_variable)
        self.with_tools = self.with_temperature = self.with_system = True
        self.levels = 1  # of a trial: the rules say what they are for
        self.choice = ["named", "required", None]  # what is left to try of tool_choice, the first one is sent
        self.limit = ["max_tokens", "max_completion_tokens", None]  # the same of the name of the limit

    def body(self, messages, tool):
        """A request. `messages`: without the system's."""
        body = {"model": self.options.model, "messages": self.with_rules(messages)}
        if self.with_temperature:
            body["temperature"] = self.options.temperature
        if self.limit[0]:
            body[self.limit[0]] = self.options.answer_tokens
        if self.with_tools:
            body["tools"] = [{"type": "function", "function": {"name": tool, **TOOLS[tool]}}]
            if self.choice[0] == "named":
                body["tool_choice"] = {"type": "function", "function": {"name": tool}}
            elif self.choice[0]:
                body["tool_choice"] = self.choice[0]
        return body

    def rules(self):
        told = f"{words.rules(self.levels)}\n\n{HOW_TO_ANSWER}"
        return told if self.with_tools else told + WITHOUT_TOOLS + "".join(
            f"\nArguments of {tool}, as a JSON Schema: {json.dumps(about['parameters'])}"
            for tool, about in TOOLS.items())

    def with_rules(self, messages):
        if self.with_system:
            return [{"role": "system", "content": self.rules()}, *messages]
        first = messages[0]["content"]
        parts = first if isinstance(first, list) else [{"type": "text", "text": first}]
        joined = (self.rules() + "\n\n" + first if isinstance(first, str)
                  else [{"type": "text", "text": self.rules() + "\n\n"}, *parts])
        return [{"role": "user", "content": joined}, *messages[1:]]

    def adapts(self, problem):
        """Whether a refusal names a part of the API that can be done without, or said in another way; from
        now on it is."""
        words = "" if problem.code is None or problem.code in ABOUT_ACCESS else problem.about
        if self.with_tools and self.choice[0] and re.search(r"tool[_ ]choice", words, re.I):
            self.choice.pop(0)
        elif self.limit[0] and re.search(r"max_(completion_)?tokens", words, re.I):
            self.limit.pop(0)
        elif self.with_temperature and re.search(r"temperature", words, re.I):
            self.with_temperature = False
        elif self.with_tools and re.search(r"\btools?\b|function call|tool[_ ]", words, re.I):
            self.with_tools = False
        elif self.with_system and re.search(r"system (role|message|prompt)|role.{0,30}system", words, re.I):
            self.with_system = False
        else:
            return False
        return True

    def post(self, body):
        """(status, headers, bytes)"""
        request = urllib.request.Request(self.options.url.rstrip("/") + "/chat/completions",
                                         json.dumps(body).encode(), {"Content-Type": "application/json"})
        if self.key:
            request.add_header("Authorization", f"Bearer {self.key}")
        try:
            with OPENER.open(request, timeout=self.options.request_limit) as answer:
                return answer.status, answer.headers, answer.read(LARGEST_REPLY)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read(LARGEST_REPLY)


class Chat:
    """The conversation of one trial."""

    def __init__(self, server, transcript):
        self.server, self.options, self.transcript = server, server.options, transcript
        self.messages = []  # without the system's
        self.question = 0  # where the one that waits for its answer begins
        self.tokens, self.requests, self.characters, self.started = 0, 0, 0, time.monotonic()

    def note(self, **what):
        if self.transcript:
            seconds = round(time.monotonic() - self.started, 2)
            print(json.dumps(without_key(what | {"seconds": seconds})), file=self.transcript, flush=True)

    def note_rules(self):
        """What each request begins with."""
        self.note(system=self.server.rules(), tools=TOOLS if self.server.with_tools else {})

    def say(self, content):
        self.messages.append({"role": "user", "content": content})
        self.note(said=text_of(content))

    def ask(self, content, tool, read):
        """What `read` makes of the model's arguments; it is shown what was wrong, and asked again."""
        self.question = len(self.messages)
        self.say(content)
        wrong = ""
        for _ in range(self.options.attempts):
            message, ended = self.answer(tool)
            # Kept as text: what a server makes of calls that were no good differs.
            try:
                given = arguments_of(message, tool)
                answer = read(given)
                self.messages.append({"role": "assistant", "content": json.dumps(given)})
                return answer
            except ValueError as error:
                wrong = str(error)
                if ended == "length":
                    wrong += f" (the reply was cut off: --answer-tokens is {self.options.answer_tokens})"
                said = without_thoughts(text_of(message.get("content")))
                self.messages.append({"role": "assistant", "content": said or "(nothing)"})
                self.say(f"That could not be used: {wrong}. Call {tool} again.")
        raise Failure(f"no answer that could be used in {self.options.attempts} attempts: {wrong}")

    def kept(self):
        """The question that waits, and the messages before it that are kept in mind."""
        earlier = self.messages[max(0, self.question - self.options.history):self.question]
        while earlier and earlier[0]["role"] != "user":  # chat templates want turns
            earlier.pop(0)
        return earlier + self.messages[self.question:]

    def answer(self, tool):
        """The model's message and why it ended, after errors that pass were waited for."""
        if self.options.most_tokens and self.tokens >= self.options.most_tokens:
            raise Failure(f"used {self.tokens} tokens, allowed are {self.options.most_tokens} a trial")
        body = self.server.body(self.kept(), tool)
        self.characters += sum(len(text_of(message["content"])) for message in body["messages"])
        if self.options.dry_run:
            self.requests += 1
            return {"content": DRY_RUN[tool]}, "stop"
        attempt = 0
        while True:
            wait = min(2.0 ** attempt, LONGEST_WAIT)
            try:
                self.requests += 1
                message, ended, usage = read_completion(*self.server.post(body))
                tokens = usage.get("total_tokens")
                self.tokens += tokens if isinstance(tokens, int) else 0
                self.note(answered=message, usage=usage)
                return message, ended
            except Problem as found:
                problem = found
            except (http.client.HTTPException, OSError) as error:  # urllib's errors are OSErrors
                problem = Problem(f"no answer: {error}", lasts=isinstance(getattr(error, "reason", error),
                                                                          ssl.SSLCertVerificationError))
            self.note(problem=str(problem))
            if self.server.adapts(problem):
                self.note_rules()
                body = self.server.body(self.kept(), tool)
                continue
            if problem.lasts or (problem.code or 0) >= 300 and problem.code not in PASSING:
                raise Failure(str(problem))
            if attempt == self.options.retries:
                raise Failure(f"gave up after {attempt + 1} requests: {problem}")
            attempt += 1
            time.sleep((wait if problem.wait is None else problem.wait) * self.options.wait)


# The trial

class Trial:
    def __init__(self, options):
        self.options, self.server, self.chat, self.before = options, Server(options), None, None

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
        self.server.levels = message["levels"]
        self.chat = Chat(self.server, transcript)
        self.chat.note(seed=message["seed"], model=self.options.model, levels=message["levels"])
        self.chat.note_rules()

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
    print(json.dumps(without_key(message)), flush=True)


def number_from(low, high, kind):
    """A reader of an option's text: NaN and what is out of range are refused."""
    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            what = "whole numbers" if kind is int else "numbers"
            raise argparse.ArgumentTypeError(f"found {text!r}, allowed are {what} from {low} to {high:g}")
        return value

    return read


def parsed_options(arguments):
    parser = argparse.ArgumentParser("python3 -m startle chat", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="of the API, for example http://localhost:8000/v1")
    parser.add_argument("--model", help="name of the model, as the server knows it")
    parser.add_argument("--dry-run", action="store_true",
                        help="makes no API calls: shoots at 30 degrees and reports 0; to read and count "
                             "the prompts")
    parser.add_argument("--key-variable", default="OPENAI_API_KEY", metavar="NAME",
                        help="variable of the environment with the key (default: %(default)s)")
    parser.add_argument("--pictures", action="store_true", help="the model sees pictures beside the text")
    parser.add_argument("--width", type=number_from(2, 1024, int), default=512,
                        help="of pictures, pixels (default: %(default)s)")
    parser.add_argument("--temperature", type=number_from(0, 100, float), default=0,
                        help="(default: %(default)s)")
    parser.add_argument("--answer-tokens", type=number_from(1, 1e9, int), default=1024,
                        help="most tokens of one answer, thoughts included (default: %(default)s)")
    parser.add_argument("--history", type=number_from(0, 1e9, int), default=60,
                        help="messages kept in mind besides the question; 0: none (default: %(default)s)")
    parser.add_argument("--attempts", type=number_from(1, 1000, int), default=3,
                        help="most times that the model is asked for a usable answer (default: %(default)s)")
    parser.add_argument("--retries", type=number_from(0, 1000, int), default=6,
                        help="repeated requests after 429, 5xx or no connection (default: %(default)s)")
    parser.add_argument("--wait", type=number_from(0, 1000, float), default=1, metavar="FACTOR",
                        help="multiplies the waits of 1, 2, 4 ... s between them (default: %(default)s)")
    parser.add_argument("--request-limit", type=number_from(0.001, 1e6, float), default=120,
                        help="s for one request (default: %(default)s)")
    parser.add_argument("--most-tokens", type=number_from(0, 1e12, int), default=0,
                        help="of a trial, as the server counts them; 0: no limit (default: %(default)s)")
    parser.add_argument("--transcripts", metavar="DIR",
                        help="writes each trial's conversation to DIR/SEED.jsonl")
    options = parser.parse_args(arguments)
    missing = [name for name in ("url", "model") if not getattr(options, name)]
    if missing and not options.dry_run:
        parser.exit(2, f"startle chat: missing: {', '.join('--' + name for name in missing)}; for example "
                       "python3 -m startle chat --url http://localhost:8000/v1 --model NAME, or --dry-run, "
                       "which makes no API calls\n")
    if options.url and not re.match(r"https?://[^/]", options.url):
        parser.error(f"--url: found {options.url!r}, allowed are addresses after http:// or https://")
    return options


def play(options):
    trial = Trial(options)
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        answer = getattr(trial, message["type"])(*([] if message["type"] == "end" else [message]))
        if message["type"] == "end":
            return
        if answer:
            write(answer)


def main(arguments):
    options = parsed_options(arguments)
    try:
        play(options)
    except Failure as failure:
        sys.exit(without_key(f"startle chat: {failure}"))
    except Exception:  # no traceback but one without the key
        sys.exit(without_key(traceback.format_exc()).rstrip())

