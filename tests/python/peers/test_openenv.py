"""The OpenEnv server, by OpenEnv's own client: an episode is a trial, results are those of every agent."""
import base64
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from openenv.core import GenericEnvClient

from common import BENCHMARK, program, slow

LEVELS = BENCHMARK / "T2/easy"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def start_server(*options):
    """The process and its port, when it answers."""
    port = free_port()
    command = [sys.executable, "-B", "-m", "startle", "openenv", "--port", str(port), *options]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    if "trials, " not in (said := server.stderr.readline()):
        raise AssertionError(said)
    end = time.monotonic() + 100
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=10):
                return server, port
        except urllib.error.URLError as error:
            if server.poll() is not None or time.monotonic() > end:
                raise AssertionError("the server does not answer") from error
            time.sleep(0.1)


def stop_server(server):
    server.kill()
    server.wait()
    server.stderr.close()


class OpenEnv(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out, self.server = self.folder / "r.sqlite", None
        self.addCleanup(self.stop)

    def serve(self, *options):
        self.server, self.port = start_server("--levels", LEVELS, "--limit", "1", "--out", self.out, *options)

    def stop(self):
        if self.server:
            stop_server(self.server)
            self.server = None

    def client(self):
        return GenericEnvClient(base_url=f"http://127.0.0.1:{self.port}", message_timeout_s=300).sync()

    def trials(self):
        report = self.folder / "r.json"
        program("agents", "report", self.out, "--out", report)
        return json.loads(report.read_text())["runs"][0]["trials"]

    @staticmethod
    def call(env, tool, **arguments):
        return env.step({"tool": tool, "arguments": arguments})

    def play(self, env, novelty):
        """The last result of a trial."""
        while True:
            self.assertFalse(self.call(env, "shoot", angle=30).done)
            result = self.call(env, "report", novelty=novelty, description="as usual")
            if result.done:
                return result
            self.assertEqual(result.reward, 0)

    def test_episodes_are_trials_and_the_reward_says_whether_they_were_right(self):
        self.serve("--protocol", "single", "--practice", "0", "--transcripts", str(self.folder / "talks"))
        rewards = []
        with self.client() as env:
            for _ in range(2):
                begun = env.reset()
                self.assertIn("Half of the trials are normal", begun.observation["rules"])
                self.assertEqual(list(begun.observation["tools"]), ["look", "shoot", "report"])
                rewards.append(self.play(env, 0.75).reward)
                self.assertTrue(self.call(env, "look").observation["is_error"])  # the trial is over
        self.assertEqual(sorted(rewards), [0, 1])  # an alarm in both: right in the novel world alone
        trials = self.trials()
        self.assertEqual([(trial["world"], trial["status"]) for trial in trials],
                         [("normal", "ok"), ("novel", "ok")])
        shots = [shot for trial in trials for shot in trial["levels"][0]["shots"]]
        self.assertEqual({shot["novelty"] for shot in shots}, {0.75})
        talks = [path.read_text().splitlines() for path in (self.folder / "talks").iterdir()]
        self.assertEqual(len(talks), 2)
        self.assertIn("Half of the trials are normal", json.loads(talks[0][0])["rules"])
        with self.client() as env, self.assertRaisesRegex(Exception, "all trials are finished"):
            env.reset()
        self.server.kill()
        self.assertNotIn("Traceback", self.server.stderr.read())  # clients that have gone

    def test_practice_looks_pictures_and_errors(self):
        self.serve("--protocol", "single")
        with self.client() as env:
            env.reset()
            for left in range(9, -1, -1):
                data = self.call(env, "shoot", angle=20).observation
                self.assertEqual(data["structured"]["practice_shots_left"], left)
                self.assertEqual(data["due"], "shoot")
            wrong = self.call(env, "shoot", angle="steep")
            self.assertTrue(wrong.observation["is_error"])
            self.assertIn("allowed are numbers", wrong.observation["text"])
            look = self.call(env, "look", **{"as": "picture", "width": 64, "height": 32}).observation
            self.assertEqual(base64.b64decode(look["picture"])[:8], b"\x89PNG\r\n\x1a\n")
            self.assertNotIn("practice_shots_left", self.call(env, "look").observation["structured"])
            self.assertEqual(self.call(env, "shoot", angle=30).observation["due"], "report")
            with self.assertRaises(Exception):
                env.step({"tool": "jump"})
            self.assertEqual(self.call(env, "look").observation["due"], "report")  # the session goes on

    @slow
    def test_a_client_that_goes_leaves_the_others_alone(self):
        self.serve("--protocol", "single", "--practice", "0")
        with self.client() as stays:
            stays.reset()
            with self.client() as goes:
                goes.reset()
                self.call(goes, "shoot", angle=30)
                self.call(goes, "report", novelty=0.5)
            self.play(stays, 0.25)
        end = time.monotonic() + 60
        while not self.out.exists() or len(self.trials()) < 2:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.2)
        trials = sorted(self.trials(), key=lambda trial: trial["status"])
        self.assertEqual([trial["status"] for trial in trials], ["crash", "ok"])
        self.assertIn("the client has gone before the trial was over; a shoot was due", trials[0]["error"])
        self.assertEqual(len(trials[0]["levels"][0]["shots"]), 1)  # what was reported counts

    @slow
    def test_a_server_that_is_killed_records_nothing_of_what_was_under_way(self):
        self.serve("--protocol", "single", "--practice", "0")
        with self.client() as env:
            env.reset()
            self.play(env, 0.25)
            env.reset()
            self.call(env, "shoot", angle=30)
            self.stop()
        time.sleep(1)
        self.assertEqual([trial["status"] for trial in self.trials()], ["ok"])
        self.serve("--protocol", "single", "--practice", "0")
        with self.client() as env:
            env.reset()
            self.play(env, 0.25)
        self.assertEqual([trial["status"] for trial in self.trials()], 2 * ["ok"])

    def test_nothing_but_a_session_begins_a_trial(self):
        self.serve()
        for path in ("/reset", "/step"):
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", b"{}",
                                             {"Content-Type": "application/json"})
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=10)
            refused.exception.close()
            self.assertIn(refused.exception.code, (404, 405))

    def test_levels_come_from_several_folders(self):
        server = subprocess.Popen(
            [sys.executable, "-B", "-m", "startle", "openenv", "--port", str(free_port()), "--levels", LEVELS,
             BENCHMARK / "T1/easy", "--limit", "1", "--out", self.out], stderr=subprocess.PIPE, text=True)
        self.addCleanup(stop_server, server)
        self.assertIn("4 trials, 0 finished", server.stderr.readline())

    def test_bad_options_say_what_is_allowed(self):
        for options, said in ((("--practice", "-1"), "practice: found -1"),
                              (("--levels", "/nowhere"), "/nowhere"),
                              (("--protocol", "twice"), "invalid choice")):
            done = subprocess.run([sys.executable, "-B", "-m", "startle", "openenv", "--out", self.out,
                                   *options], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
