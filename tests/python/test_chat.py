"""agents/clients/chat.py against a local server that answers well, slowly, wrongly, not at all or in part."""
import base64
import json
import os
import pathlib
import struct
import sys
import tempfile
import threading
import time
import unittest
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from common import BENCHMARK, PROGRAM, SOURCE, program

CLIENT = SOURCE / "agents/clients/chat.py"
LEVEL = sorted((BENCHMARK / "T2/easy").glob("T2*.json"))[0]


def completion(arguments, tool=None, text=None):
    message = {"role": "assistant", "content": text}
    if tool:
        message["tool_calls"] = [{"id": "1", "type": "function",
                                  "function": {"name": tool, "arguments": json.dumps(arguments)}}]
    return {"choices": [{"message": message}],
            "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}}


class Model:
    """A server. `behave(number of the request, tool)` -> (status, headers, bytes), or None: it hangs up."""

    def __init__(self, behave):
        model = self
        self.requests, self.keys = [], set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.requests.append(body)
                model.keys.add(self.headers.get("Authorization"))
                tool = body["tool_choice"]["function"]["name"]
                answer = behave(len(model.requests) - 1, tool)
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
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

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
        command = " ".join([sys.executable, "-B", str(CLIENT), "--url", model.url, "--model", "tested",
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

        for behave, options, words, most in ((refused, (), "HTTP 401: {\"error\": \"no such key\"}", 2),
                                             (stubborn, ("--attempts", "2"), "no JSON object", 4),
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
                self.assertGreater(json.loads(path.read_text().splitlines()[-1])["characters"], 5000)

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


if __name__ == "__main__":
    unittest.main()
