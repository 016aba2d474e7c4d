"""startle mcp: scripted clients of the Model Context Protocol play under agents run, well and badly."""
import json
import math
import os
import pathlib
import shlex
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import zlib

from common import BENCHMARK, PROGRAM, SOURCE, program

sys.path.insert(0, str(SOURCE / "agents/clients"))
import chat  # noqa: E402

HERE = pathlib.Path(__file__).parent
LEVEL = sorted((BENCHMARK / "T2/easy").glob("T2*.json"))[0]
SECRET = "0123456789abcdef0123456789abcdef"
WORDS = "fällt \U0001f426 \"langsam\""
CHOICES = f"angle=31.7, novelty=0.75, description={WORDS!r}"

HEAD = """
import json, os, sys, time
sys.path.insert(0, {here!r})
from mcp_client import Client, play, text_of
config = sys.argv[1]
def note(value):
    with open({notes!r}, "a", encoding="utf-8") as file:
        file.write(json.dumps(value) + "\\n")
"""

# The same choices by lines of JSON, which also keeps what it was sent.
LINES = """
import json, math, sys
for line in sys.stdin:
    message = json.loads(line)
    with open({notes!r}, "a", encoding="utf-8") as file:
        file.write(line)
    if message["type"] == "act":
        print(json.dumps({{"type": "shot", "angle": math.radians(31.7), "stretch": 0.9}}), flush=True)
    if message["type"] == "report":
        print(json.dumps({{"type": "report", "novelty": 0.75, "description": {words!r}}}), flush=True)
"""


class Mcp(unittest.TestCase):
    def setUp(self):
        # Not where pytest and the like put theirs: a socket's path is short.
        self.folder = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.notes_path = self.folder / "notes"

    def notes(self):
        return [json.loads(line) for line in self.notes_path.read_text(encoding="utf-8").splitlines()]

    def client(self, body):
        """The command of an agent: a client that runs this Python."""
        path = self.folder / "client.py"
        head = HEAD.format(here=str(HERE), notes=str(self.notes_path))
        path.write_text(head + textwrap.dedent(body), encoding="utf-8")
        return f"{PROGRAM} mcp -- {sys.executable} -B {path} {{config}}"

    def run_agents(self, *agents, action_limit=60, options=()):
        """The trials of one level in both worlds, by agent."""
        results, report = self.folder / "r.sqlite", self.folder / "r.json"
        named = [word for i, agent in enumerate(agents) for word in ("--agent", f"agent{i}={agent}")]
        (self.folder / "tmp").mkdir(exist_ok=True)
        program("agents", "run", *named, "--levels", LEVEL, "--action-limit", action_limit, "--trial-limit",
                "600", "--secret", SECRET, "--threads", "1", "--retries", "0", "--quiet", "--out", results,
                *options, env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        program("agents", "report", results, "--out", report)
        return [[trial for trial in json.loads(report.read_text())["runs"][0]["trials"]
                 if trial["agent"] == f"agent{i}"] for i in range(len(agents))]

    def trials(self, body, **options):
        return self.run_agents(self.client(body), **options)[0]

    def assert_statuses(self, trials, status, words=""):
        self.assertEqual([trial["status"] for trial in trials], [status] * 2, trials)
        for trial in trials:
            self.assertIn(words, trial.get("error", ""))

    def assert_tidy(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_results_are_those_of_the_same_choices_by_lines(self):
        lines = self.folder / "lines.py"
        sent = self.folder / "sent"
        lines.write_text(LINES.format(notes=str(sent), words=WORDS), encoding="utf-8")
        by_client, by_lines = self.run_agents(
            self.client(f"""
                client = Client(config)
                note(text_of(client.call("look")))
                for result in play(client, {CHOICES}):
                    note(text_of(result))
                assert client.close() == 0
                """), f"{sys.executable} -B {lines}")
        self.assert_statuses(by_client, "ok")
        played = [[trial[key] for key in ("world", "levels")] for trial in by_client]
        self.assertEqual(played, [[trial[key] for key in ("world", "levels")] for trial in by_lines])
        shots = [shot for trial in by_client for shot in trial["levels"][0]["shots"]]
        self.assertGreater(len(shots), 2)
        for shot in shots:
            self.assertEqual([shot[key] for key in ("angle", "stretch", "novelty", "description")],
                             [math.radians(31.7), 0.9, 0.75, WORDS])
        # Its words are those of chat.py, to the letter.
        words, seen = "\n".join(self.notes()), None
        for line in sent.read_text(encoding="utf-8").splitlines():
            message = json.loads(line)
            if message["type"] == "act":
                seen = message["observation"]
                if seen["shot"] == 1:
                    self.assertIn(chat.level_text(seen) + "\n\nA shot is due", words)
            if message["type"] == "report":
                self.assertIn(chat.shot_text(seen, message) + "\n\nPigs left", words)
        self.assert_tidy()

    def test_a_trial_of_several_levels(self):
        trials = self.trials("""
            client = Client(config)
            results = play(client)
            note([text_of(result) for result in results if "begins" in text_of(result)])
            """, options=("--protocol", "shift", "--before", "1", "--after", "1"))
        self.assertEqual([trial["status"] for trial in trials], ["ok"])
        self.assertEqual(self.notes(), [["The report is taken. Level 1 is over. Level 2 of 2 begins: call "
                                         "look, then shoot."]])

    def test_the_folder_is_private_and_the_file_names_this_program(self):
        self.assert_statuses(self.trials("""
            mode = oct(os.stat(os.path.dirname(config)).st_mode & 0o777)
            server = json.load(open(config))["mcpServers"]["startle"]
            note([mode, server["command"], server["args"][:2], os.environ["STARTLE_MCP_CONFIG"] == config,
                  sys.stdin.read()])
            client = Client(config, environment={})  # as clients do that keep their variables
            print("a client's output is no message")
            play(client)
            """), "ok")
        self.assertEqual(self.notes(), 2 * [["0o700", os.path.realpath(PROGRAM), ["mcp", "--connect"], True,
                                             ""]])
        self.assert_tidy()

    def test_pictures(self):
        self.assert_statuses(self.trials("""
            client = Client(config)
            note(client.call("look", **{"as": "picture", "width": 70, "height": 30})["content"][0])
            client.call("shoot", angle=31)
            note(client.call("look", **{"as": "picture", "frame": 12})["content"][0])
            client.call("report", novelty=0)
            play(client)
            """), "ok")
        for part, size in zip(self.notes(), 2 * [(70, 30), (512, 256)], strict=True):
            self.assertEqual((part["type"], part["mimeType"]), ("image", "image/png"))
            data = chat.base64.b64decode(part["data"], validate=True)
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            at, pixels = 8, b""
            while at < len(data):
                length, kind = struct.unpack(">I4s", data[at:at + 8])
                body = data[at + 8:at + 8 + length]
                self.assertEqual(struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0],
                                 zlib.crc32(kind + body))
                if kind == b"IHDR":
                    self.assertEqual(struct.unpack(">IIBB", body[:10]), (*size, 8, 2))
                if kind == b"IDAT":
                    pixels += body
                at += 12 + length
            pixels = zlib.decompress(pixels)
            self.assertEqual(len(pixels), size[1] * (1 + 3 * size[0]))
            self.assertGreater(len(set(pixels)), 5)

    def test_what_is_wrong_is_answered_and_the_trial_goes_on(self):
        self.assert_statuses(self.trials("""
            client = Client(config, version=None)
            for line in ('{"jsonrpc": "2.0", "id": 1, "meth', '[]', ''):
                client.write_line(line)
            note([client.read()["error"]["code"] for _ in range(2)])
            note(client.request("tools/call", name="shoot", arguments={"angle": 3})["error"]["code"])
            client.request("initialize", protocolVersion="2024-11-05")
            client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
            note(client.request("prompts/list")["error"]["code"])
            note(client.request("tools/call", name="jump")["error"]["code"])
            for tool, arguments in (("report", {"novelty": 0}), ("shoot", {"angle": 999})):
                result = client.call(tool, **arguments)
                note([result["isError"], text_of(result)])
            client.close()
            play(Client(config))
            """), "ok")
        self.assertEqual(self.notes()[:6], [
            [-32700, -32600], -32600, -32601, -32602,
            [True, "report: a shot is due; call shoot first"],
            [True, "shoot: angle: found 999, allowed are numbers, -360 to 360"]])

    def test_a_message_that_never_ends_ends_its_connection_alone(self):
        self.assert_statuses(self.trials("""
            flood = Client(config)
            try:
                flood.write_line("x" * (4 << 20))
            except BrokenPipeError:
                pass
            note(flood.process.wait(10))
            play(Client(config))
            """), "ok")
        self.assertEqual(self.notes(), [0, 0])

    def test_one_connection_plays_and_the_next_goes_on(self):
        self.assert_statuses(self.trials("""
            first = Client(config)
            first.call("shoot", angle=85)  # hits nothing: the trial goes on
            second = Client(config)
            note(second.hello["error"])
            note(first.call("look")["structuredContent"]["due"])
            first.close()
            note(second.request("initialize", protocolVersion="2025-06-18")["error"]["code"])
            third = Client(config)  # who comes when nobody plays
            note(second.request("ping")["error"]["code"])
            second.close()
            note(third.call("look")["structuredContent"]["due"])
            third.call("report", novelty=0.5)
            # Half a message, and one whose answer nobody awaits.
            third.write({"jsonrpc": "2.0", "id": 9, "method": "tools/call",
                         "params": {"name": "shoot", "arguments": {"angle": 85}}})
            third.process.stdin.write(b'{"jsonrpc"')
            third.close()
            fourth = Client(config)
            due = fourth.call("look")["structuredContent"]["due"]
            note(due)
            fourth.call("report", novelty=0.5)
            fourth.close()
            fifth = Client(config)
            play(fifth)
            """), "ok")
        for notes in (self.notes()[:6], self.notes()[6:]):
            self.assertEqual(notes[0], {"code": -32000, "message":
                                        "another connection plays this trial, or did when this one came; "
                                        "once it has ended, connect again"})
            self.assertEqual(notes[1:], ["report", -32000, -32000, "report", "report"])

    def test_a_client_that_ends_early_or_never_connects_is_a_crash(self):
        for body, words in (("sys.exit(3)", "the client ended with exit code 3 before the trial was over; it "
                                            "has never connected"),
                            ("Client(config).close()", "the client ended with exit code 0 before the trial "
                                                       "was over; a shot is due"),
                            ("Client(config).call('shoot', angle=30)", "a report is due"),
                            ("import signal; os.kill(os.getpid(), signal.SIGTERM)", "killed by signal 15")):
            with self.subTest(words):
                self.assert_statuses(self.trials(body), "crash", words)
                self.assert_tidy()
                shutil.rmtree(self.folder / "tmp")
                (self.folder / "r.sqlite").unlink()

    def test_arguments_reach_the_client_as_they_are(self):
        given = ["[1,2]", "", "--", "--connect", "a,b", "it's", "x{config}y{config}"]
        command = self.client("""
            note([argument.replace(config, "C") for argument in sys.argv[2:]])
            play(Client(config))
            """)
        trials, = self.run_agents(" ".join([command, *map(shlex.quote, given)]))
        self.assert_statuses(trials, "ok")
        self.assertEqual(self.notes(), 2 * [[*given[:-1], "xCyC"]])

    def test_no_such_client_is_a_crash(self):
        trials, = self.run_agents(f"{PROGRAM} mcp -- no-such-client {{config}}")
        self.assert_statuses(trials, "crash", "no-such-client: no such program")
        self.assert_tidy()

    def test_a_client_that_hangs_is_a_timeout_and_does_not_stay(self):
        for body in ("time.sleep(600)", "Client(config).call('look'); time.sleep(600)"):
            with self.subTest(body):
                self.assert_statuses(self.trials(f"note(os.getpid()); {body}", action_limit=2), "timeout")
                self.assert_gone()
                # Of the first trial the folder is gone since the second one, if nobody held it any more.
                self.assertIn(len(list((self.folder / "tmp").iterdir())), (1, 2))
                (self.folder / "r.sqlite").unlink()
                self.trials("play(Client(config))")
                self.assert_tidy()
                shutil.rmtree(self.folder / "tmp")
                (self.folder / "r.sqlite").unlink()
                self.notes_path.unlink()

    def test_a_client_that_hangs_after_the_end_is_killed_with_what_it_started(self):
        start = time.monotonic()
        self.assert_statuses(self.trials("""
            import subprocess
            note(os.getpid())
            note(subprocess.Popen(["sleep", "600"]).pid)
            client = Client(config)
            play(client)
            result = client.call("look")
            assert result["isError"] and "the trial is over" in text_of(result)
            time.sleep(600)
            """), "ok")
        self.assertLess(time.monotonic() - start, 100)
        self.assertEqual(len(self.notes()), 4)
        self.assert_gone()
        self.assert_tidy()

    def test_a_client_has_time_to_end(self):
        self.assert_statuses(self.trials("""
            play(Client(config))
            time.sleep(2)
            note("ended by itself")
            """), "ok")
        self.assertEqual(self.notes(), 2 * ["ended by itself"])

    def assert_gone(self):
        """No process of the notes runs."""
        for pid in self.notes():
            try:
                state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except FileNotFoundError:
                continue
            self.assertEqual(state, "Z")

    def test_in_a_sandbox(self):
        if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode:
            self.skipTest("no sandbox can be made")
        box = self.folder / "box"
        box.mkdir()
        shutil.copy(PROGRAM, box / "startle")
        shutil.copy(HERE / "mcp_client.py", box)
        (box / "client.py").write_text("import sys\nfrom mcp_client import Client, play\n"
                                       "play(Client(sys.argv[1]), novelty=0.75)\n")
        agent = "./startle mcp -- /usr/bin/python3 -B client.py {config}"
        trials, = self.run_agents(agent, options=("--sandbox", box))
        self.assert_statuses(trials, "ok")
        self.assertEqual({shot["novelty"] for trial in trials for shot in trial["levels"][0]["shots"]},
                         {0.75})

    def test_the_command_line_says_what_is_missing(self):
        for arguments, words in (((), "CLIENT: found none"),
                                 (("--",), "CLIENT: found none"),
                                 (("--conect", "x"), "found '--conect', allowed are"),
                                 (("python3", "x"), "found 'x', allowed are"),
                                 (("--connect", "/nowhere/socket"), "no trial is there"),
                                 (("--connect", "/nowhere/socket", "--", "x"), "excludes")):
            result = subprocess.run([PROGRAM, "mcp", *arguments], capture_output=True, text=True, check=False,
                                    stdin=subprocess.DEVNULL)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
