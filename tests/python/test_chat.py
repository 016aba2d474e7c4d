"""python3 -m startle chat against a server that answers well, slowly, wrongly, not at all or in part."""
import base64
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from common import BENCHMARK, PROGRAM, program

CLIENT = ("-m", "startle", "chat")
LEVEL = sorted((BENCHMARK / "T2/easy").glob("T2*.json"))[0]


def completion(arguments, tool=None, text=None):
    message = {"role": "assistant", "content": text}
    if tool:
        message["tool_calls"] = [{"id": "1", "type": "function",
                                  "function": {"name": tool, "arguments": json.dumps(arguments)}}]
    return {"choices": [{"message": message}],
            "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}}


def tool_wanted(body):
    """What the last message asks for, with which a server knows it that is given no tools."""
    last = json.dumps([message for message in body["messages"] if message["role"] == "user"][-1])
    return "report" if "Call report" in last else "shoot"


class Model:
    """A server. `behave(number of the request, tool)` -> (status, headers, bytes), or None: it hangs up.
    `sees_body`: it is given the request's body in place of the number."""

    def __init__(self, behave, sees_body=False):
        model = self
        self.requests, self.keys = [], set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.requests.append(body)
                model.keys.add(self.headers.get("Authorization"))
                answer = behave(body if sees_body else len(model.requests) - 1, tool_wanted(body))
                if answer is None:
                    self.connection.close()
                    return
                status, headers, data = answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # a client that did not wait
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"


GOOD = {"shoot": {"angle": 30, "stretch": 0.9}, "report": {"novelty": 0.25, "description": "as {usual}"}}


def good(_, tool):
    return 200, {}, json.dumps(completion(GOOD[tool], tool)).encode()


def play(model, *options, key="secret-key"):
    """The trials of one level in both worlds."""
    with tempfile.TemporaryDirectory() as folder:
        results, report = pathlib.Path(folder) / "r.sqlite", pathlib.Path(folder) / "r.json"
        command = " ".join([sys.executable, "-B", *CLIENT, "--url", model.url, "--model", "tested",
                            "--wait", "0.001", *options])
        before = os.environ.get("OPENAI_API_KEY")
        os.environ["OPENAI_API_KEY"] = key
        try:
            program("agents", "run", "--agent", f"chat={command}", "--levels", LEVEL, "--action-limit", "60",
                    "--trial-limit", "600", "--threads", "1", "--retries", "0", "--quiet", "--out", results)
        finally:
            del os.environ["OPENAI_API_KEY"]
            if before is not None:
                os.environ["OPENAI_API_KEY"] = before
        program("agents", "report", results, "--out", report)
        stored = results.read_bytes()
        return json.loads(report.read_text())["runs"][0]["trials"], stored


class Chat(unittest.TestCase):
    def check_good(self, trials):
        self.assertEqual(len(trials), 2)
        for trial in trials:
            self.assertEqual(trial["status"], "ok", trial)
            for shot in trial["levels"][0]["shots"]:
                self.assertAlmostEqual(shot["angle"], 0.5235987755982988)
                self.assertEqual([shot[key] for key in ("stretch", "novelty", "description")],
                                 [0.9, 0.25, "as {usual}"])

    def test_it_plays_and_reports(self):
        with Model(good) as model, tempfile.TemporaryDirectory() as folder:
            trials, stored = play(model, "--transcripts", folder)
            self.check_good(trials)
            shots = sum(len(trial["levels"][0]["shots"]) for trial in trials)
            self.assertEqual(len(model.requests), 2 * shots)
            self.assertEqual(model.keys, {"Bearer secret-key"})
            self.assertNotIn(b"secret-key", stored)
            transcripts = sorted(pathlib.Path(folder).iterdir())
            self.assertEqual(len(transcripts), 2)
            for path in transcripts:
                lines = [json.loads(line) for line in path.read_text().splitlines()]
                self.assertEqual(lines[0]["model"], "tested")
                self.assertEqual(str(lines[0]["seed"]), path.stem)
                self.assertEqual(lines[-1]["tokens"], 100 * lines[-1]["requests"])
                self.assertNotIn("secret-key", path.read_text())
            # It is given what a player sees.
            texts = json.dumps([request["messages"] for request in model.requests])
            for word in ("T2", "easy", "restitution", "density", "friction", "tier"):
                self.assertNotIn(word, texts)
            first, last = model.requests[0]["messages"], model.requests[-1]["messages"]
            self.assertEqual([message["role"] for message in first], ["system", "user"])
            self.assertIn("Birds left", first[1]["content"])
            self.assertIn("What moved", last[-1]["content"])
            self.assertEqual({message["role"] for message in last[2::2]}, {"assistant"})

    def test_text_in_place_of_calls(self):
        def text(_, tool):
            said = completion(None, text=f"I think ```json\n{json.dumps(GOOD[tool])}\n```")
            return 200, {}, json.dumps(said).encode()

        with Model(text) as model:
            self.check_good(play(model)[0])

    def test_errors_that_pass(self):
        for name, first in {
                "busy": lambda: (429, {"Retry-After": "0"}, b"slow down"),
                "broken": lambda: (500, {}, b"<html>"),
                "half": lambda: (200, {}, json.dumps(completion(GOOD["shoot"], "shoot")).encode()[:40]),
                "short": lambda: (200, {"Content-Length": "1000"}, b"{"),
                "empty": lambda: (200, {}, b'{"choices": []}'),
                "gone": lambda: None}.items():
            def behave(n, tool, first=first):
                return good(n, tool) if n % 2 else first()

            with self.subTest(name), Model(behave) as model:
                trials, _ = play(model, "--request-limit", "1")
                self.check_good(trials)

    def test_a_slow_server(self):
        def slow(n, tool):
            time.sleep(0.6 if n == 0 else 0)
            return good(n, tool)

        with Model(slow) as model:
            self.check_good(play(model, "--request-limit", "0.3")[0])

    def test_an_answer_that_cannot_be_used_is_asked_for_again(self):
        for wrong in ({"angle": 999}, {"angle": None}, {}, {"angle": True}, [1]):
            def behave(n, tool, wrong=wrong):
                return good(n, tool) if n % 2 or tool == "report" else (
                    200, {}, json.dumps(completion(wrong, tool)).encode())

            with self.subTest(wrong), Model(behave) as model:
                trials, _ = play(model)
                self.assertEqual({trial["status"] for trial in trials}, {"ok"})
                self.assertIn("could not be used", model.requests[1]["messages"][-1]["content"])

    def test_what_ends_the_trial_says_why(self):
        def refused(_, tool):
            return 401, {}, b'{"error": "no such key"}'

        def stubborn(_, tool):
            return 200, {}, json.dumps(completion({}, text="I would rather not.")).encode()

        for behave, options, words, most in ((refused, (), "HTTP 401: no such key", 2),
                                             (stubborn, ("--attempts", "2"), "no complete JSON object", 4),
                                             (lambda *_: (503, {}, b""), ("--retries", "2"),
                                              "after 3 requests", 6),
                                             (good, ("--most-tokens", "150"), "used 200 tokens", 4)):
            with self.subTest(words), Model(behave) as model:
                trials, _ = play(model, *options)
                self.assertEqual({trial["status"] for trial in trials}, {"crash"})
                for trial in trials:
                    self.assertIn(words, trial["error"])
                self.assertLessEqual(len(model.requests), most)

    def test_a_dry_run_asks_nobody_and_counts(self):
        with Model(good) as model, tempfile.TemporaryDirectory() as folder:
            trials, _ = play(model, "--dry-run", "--transcripts", folder)
            self.assertEqual({(trial["status"], shot["novelty"]) for trial in trials
                              for shot in trial["levels"][0]["shots"]}, {("ok", 0)})
            self.assertEqual(model.requests, [])
            for path in pathlib.Path(folder).iterdir():
                lines = [json.loads(line) for line in path.read_text().splitlines()]
                self.assertGreater(lines[-1]["characters"], 5000)
                # All of what would be sent is there: the rules, the tools, and what was said.
                self.assertIn("look out for changes of the world", lines[1]["system"])
                self.assertEqual(list(lines[1]["tools"]), ["shoot", "report"])

    def test_pictures(self):
        with Model(good) as model:
            self.check_good(play(model, "--pictures", "--width", "64")[0])
            parts = model.requests[0]["messages"][1]["content"]
            self.assertEqual([part["type"] for part in parts], ["text", "image_url"])
            data = base64.b64decode(parts[1]["image_url"]["url"].split(",", 1)[1])
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", data[16:24]), (64, 32))
            start = data.index(b"IDAT")
            length = struct.unpack(">I", data[start - 4:start])[0]
            pixels = zlib.decompress(data[start + 4:start + 4 + length])
            self.assertEqual(len(pixels), 32 * (1 + 3 * 64))
            self.assertGreater(len(set(pixels)), 5)
            report = model.requests[1]["messages"][-1]["content"]
            self.assertGreaterEqual(len(report), 3)  # the text, and some frames of the shot

    def test_a_long_trial_keeps_the_last_messages(self):
        with Model(good) as model:
            self.check_good(play(model, "--history", "3")[0])
            for request in model.requests:
                roles = [message["role"] for message in request["messages"]]
                self.assertLessEqual(len(roles), 4)
                self.assertEqual(roles[:2], ["system", "user"])


# What other servers and models do. These play one shot by the messages themselves, without a runner.

ANSWERS = {"shoot": {"angle": 45}, "report": {"novelty": 0.125}}
DRAFTS = {"shoot": {"angle": 10}, "report": {"novelty": 0.9}}
OBSERVATION = {"level": 1, "shot": 1, "birds": ["BirdRed"], "rest": [-7, 0], "max_stretch": 1,
               "launch_speed": 9, "flight_gravity": 4, "ground_y": -3, "half_width": 17, "objects": []}
MESSAGES = [{"type": "begin", "seed": 7, "levels": 1}, {"type": "act", "observation": OBSERVATION},
            {"type": "report", "shot": {"angle": 0.7}, "bird": "BirdRed", "first_bird": 1,
             "frames": [{"time": 0.1, "moved": [[1, 0, 1, 0]], "gone": []}]}, {"type": "end"}]


def one_shot(model, *options, key="secret-key", shots=1, levels=1):
    """(angle in degrees, report, standard error, exit code) of a trial; the first two None where it ended
    before."""
    messages = [MESSAGES[0] | {"levels": levels}] + MESSAGES[1:3] * shots + MESSAGES[3:]
    done = subprocess.run([sys.executable, "-B", *CLIENT, "--url", model.url, "--model", "tested",
                           "--wait", "0.001", *options],
                          input="".join(json.dumps(message) + "\n" for message in messages), text=True,
                          capture_output=True, env=os.environ | {"OPENAI_API_KEY": key}, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    angle = round(answers[0]["angle"] * 180 / 3.141592653589793, 6) if answers else None
    return angle, answers[1] if len(answers) > 1 else None, done.stderr, done.returncode


def said(**message):
    return 200, {}, json.dumps({"choices": [{"message": {"role": "assistant", **message},
                                             "finish_reason": "stop"}], "usage": None}).encode()


def call(tool, arguments, name=None):
    return {"id": "1", "type": "function", "function": {"name": name or tool, "arguments": arguments}}


def error(status, headers=None, **about):
    return status, headers or {}, json.dumps({"error": about}).encode()


def text(tool):
    return json.dumps(ANSWERS[tool])


def draft(tool):
    return json.dumps(DRAFTS[tool])


# name: the reply's message. Each means ANSWERS.
REPLIES = {
    "plain": lambda t: said(content=text(t)),
    "think": lambda t: said(content=f"<think>Maybe {draft(t)}? No, that misses.</think>\n{text(t)}"),
    "think2": lambda t: said(content=f"<think>the set {{a, b}}</think>\n```json\n{text(t)}\n```"),
    "think without its opening": lambda t: said(content=f"Maybe {draft(t)}?\n</think>\n{text(t)}"),
    "think twice": lambda t: said(content=f"<think>{draft(t)}</think> So <think>{draft(t)}</think>{text(t)}"),
    "think after": lambda t: said(content=f"{text(t)}\n<think>or {draft(t)}"),
    "think nested": lambda t: said(content=f"<think>a<think>b</think>{draft(t)}</think>{text(t)}"),
    "think in brackets": lambda t: said(content=f"[THINK]{draft(t)}[/THINK]{text(t)}"),
    "draft and answer": lambda t: said(content=f"First {draft(t)}, no: {text(t)}. Done."),
    "thought field": lambda t: said(content=text(t), reasoning_content=f"Or {draft(t)}"),
    "thought part": lambda t: said(content=[{"type": "thinking", "thinking": [{"text": draft(t)}]},
                                            {"type": "text", "text": text(t)}]),
    "thought field alone": lambda t: said(content=None, reasoning_content=f"I think {draft(t)} {text(t)}",
                                          tool_calls=None),
    "null content": lambda t: said(content=None, tool_calls=[call(t, text(t))]),
    "empty calls": lambda t: said(content=text(t), tool_calls=[]),
    "calls and a draft": lambda t: said(content=draft(t), tool_calls=[call(t, text(t))]),
    "arguments as an object": lambda t: said(content="", tool_calls=[{"function": {
        "name": t, "arguments": ANSWERS[t]}}]),
    "arguments as text of text": lambda t: said(content=None, tool_calls=[call(t, json.dumps(text(t)))]),
    "old calls": lambda t: said(content=None, function_call={"name": t, "arguments": text(t)}),
    "prefixed name": lambda t: said(content=None, tool_calls=[call(t, text(t), "functions." + t)]),
    "wrapped": lambda t: said(content=json.dumps({"name": t, "arguments": ANSWERS[t]})),
    "wrapped as text": lambda t: said(content=json.dumps({"name": t, "parameters": text(t)})),
    "wrapped by name": lambda t: said(content=json.dumps({t: ANSWERS[t]})),
    "hermes": lambda t: said(content="<tool_call>" + json.dumps({"name": t, "arguments": ANSWERS[t]}) +
                             "</tool_call>"),
    "parts": lambda t: said(content=[{"type": "text", "text": None}, {"type": "text", "text": text(t)}]),
    "numbers as text": lambda t: said(content=json.dumps({k: str(v) for k, v in ANSWERS[t].items()})),
    "null description": lambda t: said(content=json.dumps(ANSWERS[t] | {"description": None})),
    "odd usage": lambda t: (200, {}, json.dumps({"choices": [{"message": {"content": text(t)}}],
                                                 "usage": [1]}).encode()),
}


class Habits(unittest.TestCase):
    def check_played(self, played):
        angle, report, errors, code = played
        self.assertEqual((angle, report, code),
                         (45, {"type": "report", "novelty": 0.125, "description": ""}, 0), errors)

    def test_what_replies_look_like(self):
        for name, reply in REPLIES.items():
            with self.subTest(name), Model(lambda _, tool, reply=reply: reply(tool)) as model:
                self.check_played(one_shot(model, "--attempts", "1"))
                self.assertEqual(len(model.requests), 2)

    def test_thoughts_alone_are_no_answer(self):
        for name, reply in {"unclosed": lambda t: said(content=f"<think>Maybe {draft(t)}"),
                            "field": lambda t: said(content="", reasoning=f"Maybe {draft(t)} or not"),
                            "cut off": lambda t: said(content=f'First {draft(t)}, but then {{"ang'),
                            "call of another": lambda t: said(content='{"name": "look", "arguments": {}}')
                            }.items():
            with self.subTest(name), Model(lambda _, tool, reply=reply: reply(tool)) as model:
                angle, _, errors, code = one_shot(model, "--attempts", "2")
                self.assertIsNone(angle)
                self.assertEqual((code, len(model.requests)), (1, 2))
                self.assertIn("no answer that could be used in 2 attempts", errors)

    def test_what_is_refused_is_left_out_for_the_session(self):
        def refuses(refused, status=400, **about):
            def behave(body, tool):
                return error(status, **about) if refused(body) else said(content=text(tool))
            return behave

        def system(body):
            return body["messages"][0]["role"] == "system"

        for name, behave, missing in (
                ("notools", refuses(lambda b: "tools" in b, message="m:4b does not support tools"), "tools"),
                ("jinja", refuses(lambda b: "tools" in b, 500, message="tools param requires --jinja flag",
                                  type="server_error"), "tools"),
                ("none for tools", refuses(lambda b: "tools" in b, 404, message="No endpoints found that "
                                           "support tool use.", code=404), "tools"),
                ("status 200", refuses(lambda b: "tools" in b, 200, message="tools are not supported"),
                 "tools"),
                ("choice", refuses(lambda b: isinstance(b.get("tool_choice"), dict), message="Invalid "
                                   "tool_choice type: 'object'. Supported: none, auto, required"), None),
                ("no choice", refuses(lambda b: "tool_choice" in b, message="Thinking mode does not support "
                                      "this tool_choice"), "tool_choice"),
                ("maxtok", refuses(lambda b: "max_tokens" in b, message="Unsupported parameter: 'max_tokens' "
                                   "is not supported with this model. Use 'max_completion_tokens' instead.",
                                   type="invalid_request_error", param="max_tokens"), "max_tokens"),
                ("temperature", refuses(lambda b: "temperature" in b, message="Unsupported value", param=
                                        "temperature", type="invalid_request_error"), "temperature"),
                ("system", refuses(system, message="System role not supported"), "system"),
                ("all", refuses(lambda b: system(b) or {"tools", "max_tokens", "temperature"} & set(b), 422,
                                message="max_tokens, temperature, tools, system message: unknown"),
                 "tools")):
            with self.subTest(name), Model(behave, sees_body=True) as model:
                self.check_played(one_shot(model, "--retries", "0", shots=2))
                last = model.requests[-1]
                self.assertNotIn(missing, last)
                self.assertEqual(system(last), name not in ("system", "all"))
                # It is asked in the old way once, and not with every shot.
                self.assertLessEqual(len(model.requests), 4 + (7 if name == "all" else 2))
                if missing == "tools":  # then the text says what it may answer
                    self.assertIn("tap_time", json.dumps(last["messages"]))
                if name == "maxtok":
                    self.assertEqual(last["max_completion_tokens"], 1024)

    def test_errors_say_what_the_server_said(self):
        for name, reply, words, most in (
                ("err200", error(200, message="Provider returned error", code=429),
                 "gave up after 2 requests: HTTP 200: Provider returned error", 2),
                ("refused in 200", error(200, message="no such model", code=404),
                 "startle chat: HTTP 200: no such model", 1),
                ("old form", (200, {}, b'{"object": "error", "message": "too long", "code": 400}'),
                 "HTTP 200: too long", 1),
                ("in the choice", (200, {}, json.dumps({"choices": [{"error": {
                    "message": "upstream", "code": 502}}]}).encode()),
                 "gave up after 2 requests: HTTP 200: upstream", 2),
                ("detail", (422, {}, b'{"detail": "model: required"}'), "HTTP 422: model: required", 1),
                ("no choices", (200, {}, b'{"id": "x", "choices": []}'), '{"id": "x", "choices": []}', 2),
                ("a page", (200, {}, b"<html>Sign in</html>"), "no chat completion", 2),
                ("deep", (200, {}, b"[" * 100000), "no chat completion", 2),
                ("quota", error(429, message="You exceeded your quota", type="insufficient_quota"),
                 "startle chat: HTTP 429: You exceeded your quota", 1),
                ("refused", error(403, message="not yours"), "startle chat: HTTP 403: not yours", 1),
                ("moved", (301, {"Location": "http://127.0.0.1:1/v1"}, b""), "is moved to http://127.0.0.1:1",
                 1)):
            with self.subTest(name), Model(lambda *_, reply=reply: reply) as model:
                angle, _, errors, code = one_shot(model, "--retries", "1")
                self.assertEqual((angle, code), (None, 1))
                self.assertIn(words, errors)
                self.assertEqual(len(model.requests), most)

    def test_waits_that_cannot_be_waited_for(self):
        for after in ("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT", "nan", "inf", "-5",
                      "soon", "1e400"):
            def behave(n, tool, after=after):
                return said(content=text(tool)) if n else error(429, {"Retry-After": after}, message="slow")

            with self.subTest(after), Model(behave) as model:
                self.check_played(one_shot(model))

    def test_the_key_appears_nowhere(self):
        def echo(_, tool):  # by a server that says what it got
            return said(content=json.dumps(ANSWERS[tool] | {
                "description": "sk-EXAMPLE, or Bearer sk-EXAMPLE"}))

        def refusing(*_):
            return error(401, message="Incorrect API key provided: sk-EXAMPLE.")

        for key in ("sk-EXAMPLE", "sk-EXAMPLE\r", " sk-EXAMPLE \n"):
            with self.subTest(key), Model(echo) as model, tempfile.TemporaryDirectory() as folder:
                angle, report, errors, code = one_shot(model, "--transcripts", folder, key=key)
                self.assertEqual((angle, code, model.keys), (45, 0, {"Bearer sk-EXAMPLE"}), errors)
                self.assertEqual(report["description"], "[key], or Bearer [key]")
                talk = (pathlib.Path(folder) / "7.jsonl").read_text()
                self.assertIn("Bearer [key]", talk)
                self.assertNotIn("sk-EXAMPLE", talk + errors)
            with self.subTest(key), Model(refusing) as model, tempfile.TemporaryDirectory() as folder:
                _, _, errors, code = one_shot(model, "--transcripts", folder, key=key)
                self.assertIn("HTTP 401: Incorrect API key provided: [key].", errors)
                talk = (pathlib.Path(folder) / "7.jsonl").read_text()
                self.assertNotIn("sk-EXAMPLE", talk + errors)
        for key in ("sk-EXA\rMPLE", "sk-EX\u00c4MPLE"):
            with self.subTest(key), Model(echo) as model:
                _, _, errors, code = one_shot(model, key=key)
                self.assertEqual((code, len(model.requests)), (1, 0))
                self.assertIn("the key in OPENAI_API_KEY", errors)
                self.assertNotIn("MPLE", errors)

    def test_a_trial_by_the_runner_holds_no_key_either(self):
        with Model(lambda *_: error(401, message="no: sk-EXAMPLE")) as model:
            trials, stored = play(model, key="sk-EXAMPLE\r")
            self.assertIn("HTTP 401: no: [key]", trials[0]["error"])
            self.assertNotIn(b"sk-EXAMPLE", stored)

    def test_history(self):
        for history, most in (("0", 2), ("1", 2), ("2", 4), ("60", 8)):
            with self.subTest(history), Model(lambda _, tool: said(content=text(tool))) as model:
                self.check_played(one_shot(model, "--history", history, shots=2))
                self.assertEqual(max(len(request["messages"]) for request in model.requests), most)
        # What was wrong with an answer is said together with the question.
        with Model(lambda n, tool: said(content=text(tool) if n else "no")) as model:
            self.check_played(one_shot(model, "--history", "0"))
            self.assertIn("Birds left", json.dumps(model.requests[1]))
            self.assertIn("could not be used", json.dumps(model.requests[1]))

    def test_the_rules_say_what_a_trial_is(self):
        for levels, told, other in ((1, "Half of the trials are normal", "the change"),
                                    (20, "This trial has 20 levels", "Half of the trials")):
            with Model(good) as model:
                one_shot(model, levels=levels)
                self.assertIn(told, model.requests[0]["messages"][0]["content"])
                self.assertNotIn(other, model.requests[0]["messages"][0]["content"])

    def test_missing_options_are_one_line(self):
        for given, missing in (([], "--url, --model;"), (["--url", "http://localhost:1/v1"], "--model;"),
                               (["--model", "m"], "--url;")):
            done = subprocess.run([sys.executable, "-B", *CLIENT, *given], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(f"missing: {missing} for example python3 -m startle chat --url", done.stderr)
            self.assertIn("--dry-run", done.stderr)

    def test_options_out_of_range(self):
        with Model(lambda _, tool: said(content=text(tool))) as model:
            for option, values in (("--history", ("-5", "1.5")), ("--temperature", ("nan", "-1", "inf")),
                                   ("--request-limit", ("nan", "0", "1e400")), ("--wait", ("nan", "-inf")),
                                   ("--retries", ("-1",)), ("--attempts", ("0",)),
                                   ("--answer-tokens", ("0",)), ("--width", ("nan", "0")),
                                   ("--most-tokens", ("-1", "nan")),
                                   ("--url", ("localhost:8000", "file:///etc/passwd"))):
                for value in values:
                    with self.subTest(f"{option} {value}"):
                        _, _, errors, code = one_shot(model, f"{option}={value}")
                        self.assertEqual(code, 2)
                        self.assertIn(f"{option}: found '{value}', allowed are", errors)
            self.assertEqual(model.requests, [])


if __name__ == "__main__":
    unittest.main()
