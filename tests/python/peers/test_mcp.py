"""python3 -m startle mcp: clients of the official MCP SDK play under agents run, well and badly."""
import base64
import json
import math
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

from common import BENCHMARK, PROGRAM, program, slow
from startle import words

PLAYER = pathlib.Path(__file__).parent / "mcp_player.py"
LEVEL = sorted((BENCHMARK / "T2/easy").glob("T2*.json"))[0]
SECRET = "0123456789abcdef0123456789abcdef"
WORDS = "fällt \U0001f426 \"langsam\""
MCP = (sys.executable, "-B", "-m", "startle", "mcp")

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

    def client(self, body, *options):
        """The command of an agent: a client that does this."""
        return shlex.join([*MCP, *options, "--", sys.executable, "-B", str(PLAYER), "{config}",
                           str(self.notes_path), body])

    def run_agents(self, *agents, action_limit=300, options=()):
        """The trials of one level in both worlds, by agent."""
        results, report = self.folder / "r.sqlite", self.folder / "r.json"
        named = [word for i, agent in enumerate(agents) for word in ("--agent", f"agent{i}={agent}")]
        (self.folder / "tmp").mkdir(exist_ok=True)
        program("agents", "run", *named, "--levels", LEVEL, "--action-limit", action_limit, "--trial-limit",
                "1800", "--secret", SECRET, "--threads", "1", "--retries", "0", "--quiet", "--out", results,
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
        lines, sent = self.folder / "lines.py", self.folder / "sent"
        lines.write_text(LINES.format(notes=str(sent), words=WORDS), encoding="utf-8")
        by_client, by_lines = self.run_agents(
            self.client(f"""
                async with connect() as client:
                    note(text_of(await client.call_tool("look")))
                    for result in await play(client, 31.7, 0.75, {WORDS!r}):
                        note(text_of(result))
                """), f"{sys.executable} -B {lines}")
        self.assert_statuses(by_client, "ok")
        played = [[trial[key] for key in ("world", "levels")] for trial in by_client]
        self.assertEqual(played, [[trial[key] for key in ("world", "levels")] for trial in by_lines])
        shots = [shot for trial in by_client for shot in trial["levels"][0]["shots"]]
        self.assertGreater(len(shots), 2)
        for shot in shots:
            self.assertEqual([shot[key] for key in ("angle", "stretch", "novelty", "description")],
                             [math.radians(31.7), 0.9, 0.75, WORDS])
        # It was told what everybody is told.
        told, seen = "\n".join(self.notes()), None
        for line in sent.read_text(encoding="utf-8").splitlines():
            message = json.loads(line)
            if message["type"] == "act":
                seen = message["observation"]
                if seen["shot"] == 1:
                    self.assertIn(words.level_text(seen) + "\n\nA shot is due", told)
            if message["type"] == "report":
                self.assertIn(words.shot_text(seen, message) + "\n\nPigs left", told)
        self.assert_tidy()

    def test_every_version_of_the_protocol(self):
        versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
        self.assert_statuses(self.trials(f"""
            seen = []
            for version in {versions!r}:
                by = connect() if version == "2026-07-28" else connect_by(version)
                async with by as client:
                    if version != "2026-07-28":
                        await client.session.send_ping()
                    tools = (await client.list_tools()).tools
                    look = await client.call_tool("look", {{"as": "picture", "width": 64, "height": 32}})
                    seen.append([client.protocol_version, [tool.name for tool in tools],
                                 [part.type for part in look.content], client.instructions])
            note(seen)
            async with connect() as client:
                await play(client)
            """), "ok")
        for trial in self.notes():
            self.assertEqual([seen[0] for seen in trial], versions)
            for _, tools, kinds, instructions in trial:
                self.assertEqual(tools, ["look", "shoot", "report"])
                self.assertEqual(kinds, ["image", "text"])
                self.assertIn("Half of the trials are normal", instructions)

    @slow
    def test_a_trial_of_several_levels_is_told_as_one(self):
        trials = self.trials("""
            async with connect() as client:
                note(client.instructions)
                results = await play(client)
            note([text_of(result) for result in results if "begins" in text_of(result)])
            """, options=("--protocol", "shift", "--before", "1", "--after", "1"))
        self.assertEqual([trial["status"] for trial in trials], ["ok"])
        told, begun = self.notes()
        self.assertIn("This trial has 2 levels", told)
        self.assertNotIn("Half of the trials", told)
        self.assertEqual(begun, ["The report is taken. Level 1 is over. Level 2 of 2 begins: call look, then "
                                 "shoot."])

    @slow
    def test_the_folder_is_private_and_the_file_names_this_program(self):
        self.assert_statuses(self.trials("""
            mode = oct(os.stat(os.path.dirname(CONFIG)).st_mode & 0o777)
            by = server()
            note([mode, by.command, by.args[:4], os.environ["STARTLE_MCP_CONFIG"] == CONFIG,
                  sys.stdin.read()])
            print("a client's output is no message")
            async with Client(server(cwd="/")) as client:  # none of this process's variables but a few
                await play(client)
            """), "ok")
        self.assertEqual(self.notes(), 2 * [["0o700", sys.executable, ["-m", "startle", "mcp", "--connect"],
                                             True, ""]])
        self.assert_tidy()

    @slow
    def test_pictures(self):
        self.assert_statuses(self.trials("""
            async with connect() as client:
                async def picture(**arguments):
                    result = await client.call_tool("look", {"as": "picture", **arguments})
                    note([result.content[0].mime_type, result.content[0].data])
                await picture(width=70, height=30)
                await client.call_tool("shoot", {"angle": 31})
                await picture(frame=12)
                await client.call_tool("report", {"novelty": 0})
                await play(client)
            """), "ok")
        for (kind, data), size in zip(self.notes(), 2 * [(70, 30), (512, 256)], strict=True):
            self.assertEqual(kind, "image/png")
            data = base64.b64decode(data, validate=True)
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), size)
            pixels = zlib.decompress(data[data.index(b"IDAT") + 4:])
            self.assertEqual(len(pixels), size[1] * (1 + 3 * size[0]))
            self.assertGreater(len(set(pixels)), 5)

    @slow
    def test_places_of_a_frame(self):
        self.assert_statuses(self.trials("""
            async with connect() as client:
                before = (await client.call_tool("look")).structured_content["objects"]
                shot = (await client.call_tool("shoot", {"angle": 20})).structured_content
                frames = [(await client.call_tool("look", {"frame": i})).structured_content
                          for i in (0, shot["frames"] - 1)]
                after = (await client.call_tool("look")).structured_content["objects"]
                note([before, *frames, after])
                await client.call_tool("report", {"novelty": 0})
                await play(client)
            """), "ok")

        def places(things):
            return {thing["id"]: thing["centre"] for thing in things}

        for before, first, last, after in self.notes():
            self.assertEqual(first["time"], 0)
            objects = places(before)
            shown = {body: at for body, at in places(last["bodies"]).items() if body in objects}
            self.assertEqual(shown.keys(), places(after).keys())
            for body, (x, y) in places(after).items():
                self.assertLess(math.dist(shown[body], (x, y)), 0.3)  # it may move on until it rests
            still = [body for body, at in places(first["bodies"]).items() if objects.get(body) == at]
            self.assertGreater(len(still), 2)
            others = [body["what"] for body in first["bodies"] if body["id"] not in objects]
            self.assertEqual(others, ["bird"])

    def test_what_is_wrong_is_answered_and_the_trial_goes_on(self):
        self.assert_statuses(self.trials("""
            wrong = [("report", {"novelty": 0}), ("shoot", {"angle": 999}), ("shoot", {"angle": "45x"}),
                     ("shoot", {}), ("shoot", {"angle": 3, "speed": 1}), ("jump", {}),
                     ("look", {"as": "film"}), ("look", {"frame": 0}), ("look", {"width": 5}),
                     ("look", {"as": "picture", "width": 0}), ("report", {"description": "x" * (2 << 20)})]
            async with connect() as client:
                seen = []
                for tool, arguments in wrong:
                    result = await client.call_tool(tool, arguments)
                    seen.append([result.is_error, text_of(result)])
                note(seen)
                result = await client.call_tool("shoot", {"angle": "45"})  # as some models write numbers
                note(result.is_error)
                await client.call_tool("report", {"novelty": "0.25"})
                await play(client)
            """), "ok")
        said = [[True, words_of] for words_of in (
            "report: a shot is due; call shoot first",
            "shoot: angle: found 999, allowed are numbers, -360 to 360",
            'shoot: angle: found "45x", allowed are numbers, -360 to 360',
            "shoot: angle: found nothing, allowed are numbers, -360 to 360",
            "shoot: unknown argument 'speed', allowed are angle, stretch, tap_time",
            "jump: found no such tool, allowed are look, shoot, report",
            "look: as: found 'film', allowed are objects and picture",
            "look: frame: found one, allowed only while the report of a shot is due",
            "look: width and height: found with objects, allowed with picture",
            "look: width: found 0, allowed are whole numbers, 1 to 1024",
            "report: found 2097204 bytes, allowed are 1048576")]
        self.assertEqual(self.notes(), 2 * [said, False])

    @slow
    def test_lines_that_are_no_messages_change_nothing(self):
        self.assert_statuses(self.trials("""
            by = server()
            wild = subprocess.Popen([by.command, *by.args], env=os.environ | by.env, stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE)
            out, _ = wild.communicate(b'{"jsonrpc": "2.0", "id": 1, "meth\\n[]\\n\\n' + b"x" * (4 << 20) +
                                      b'\\n{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '
                                      b'{"name": "shoot", "arguments": {"angle": 3}}}\\n')
            note([wild.returncode, [bool(json.loads(line).get("error")) for line in out.splitlines()]])
            async with connect() as client:
                look = await client.call_tool("look")
                note(look.structured_content["shot"])
                await play(client)
            """), "ok")
        for code, errors in self.notes()[::2]:
            self.assertEqual(code, 0)
            self.assertTrue(all(errors))
        self.assertEqual(self.notes()[1::2], [1, 1])

    def test_a_cancelled_call_is_whole_or_not_at_all(self):
        self.assert_statuses(self.trials("""
            async with connect("legacy") as client:
                await client.call_tool("look")
                shooting = asyncio.create_task(client.call_tool("shoot", {"angle": 85}))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                shooting.cancel()
                try:
                    await shooting
                except asyncio.CancelledError:
                    note("cancelled")
                seen = (await client.call_tool("look")).structured_content
                note([seen["due"], "last_shot" in seen])
                if seen["due"] == "report":
                    await client.call_tool("report", {"novelty": 0})
                await play(client)
            """), "ok")
        for due, shown in self.notes()[1::2]:
            self.assertEqual(shown, due == "report")
        self.assertEqual(self.notes()[::2], 2 * ["cancelled"])

    def test_one_connection_plays_and_the_next_goes_on(self):
        self.assert_statuses(self.trials("""
            async with connect() as first:
                await first.call_tool("shoot", {"angle": 85})  # hits nothing: the trial goes on
                async with connect() as second:
                    result = await second.call_tool("report", {"novelty": 1})
                    note([result.is_error, text_of(result)])
                    note((await first.call_tool("look")).structured_content["due"])
            async with connect() as third:  # the trial is as it was left
                note((await third.call_tool("look")).structured_content["due"])
                await third.call_tool("report", {"novelty": 0.5})
            # One whose answer nobody awaits, and half a message.
            by = server()
            killed = subprocess.Popen([by.command, *by.args], env=os.environ | by.env, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE)
            for number, method, params in (
                    (1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                       "clientInfo": {"name": "x", "version": "1"}}),
                    (2, "tools/call", {"name": "shoot", "arguments": {"angle": 85}})):
                killed.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                                               "params": params}).encode() + b"\\n")
                killed.stdin.flush()
                if number == 1:
                    killed.stdout.readline()
                    killed.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\\n')
            killed.stdin.write(b'{"jsonrpc"')
            killed.stdin.flush()
            killed.stdout.readline()
            killed.kill()
            killed.wait()
            async with connect() as fourth:
                note((await fourth.call_tool("look")).structured_content["due"])
                await fourth.call_tool("report", {"novelty": 0.5})
                await play(fourth)
            """), "ok")
        said = ("another connection plays this trial; once it has ended, this one may go on. Nothing has "
                "changed")
        self.assertEqual(self.notes(), 2 * [[True, said], "report", "report", "report"])

    @slow
    def test_a_client_that_ends_early_or_never_connects_is_a_crash(self):
        for body, said in (("sys.exit(3)", "the client ended with exit code 3 before the trial was over; it "
                                           "has never connected"),
                           ("async with connect() as client: pass",
                            "the client ended with exit code 0 before the trial was over; a shot is due"),
                           ("async with connect() as client: await client.call_tool('shoot', {'angle': 30})",
                            "a report is due"),
                           ("os.kill(os.getpid(), signal.SIGTERM)", "by signal 15")):
            with self.subTest(said):
                self.assert_statuses(self.trials(body), "crash", said)
                self.assert_tidy()
                shutil.rmtree(self.folder / "tmp")
                (self.folder / "r.sqlite").unlink()

    def test_transcripts_hold_all_that_was_said(self):
        folder = self.folder / "talks"
        trials, = self.run_agents(self.client("""
            async with connect() as client:
                await play(client)
            """, "--transcripts", str(folder)))
        self.assert_statuses(trials, "ok")
        talks = [[json.loads(line) for line in path.read_text().splitlines()] for path in folder.iterdir()]
        self.assertEqual(len(talks), 2)
        for head, *calls in talks:
            self.assertIn("Half of the trials are normal", head["rules"])
            self.assertEqual(list(head["tools"]), ["look", "shoot", "report"])
            self.assertEqual([call["call"] for call in calls], len(calls) // 2 * ["shoot", "report"])
            self.assertEqual(calls[0]["arguments"], {"angle": 30, "stretch": 0.9})
            self.assertIn("was launched at 30 degrees", calls[0]["text"])
            self.assertEqual(calls[0]["structured"]["due"], "report")

    def test_arguments_reach_the_client_as_they_are(self):
        given = ["[1,2]", "", "--", "--connect", "a,b", "it's", "x{config}y{config}"]
        command = self.client("""
            note([argument.replace(CONFIG, "C") for argument in sys.argv[4:]])
            async with connect() as client:
                await play(client)
            """)
        trials, = self.run_agents(" ".join([command, *map(shlex.quote, given)]))
        self.assert_statuses(trials, "ok")
        self.assertEqual(self.notes(), 2 * [[*given[:-1], "xCyC"]])

    def test_no_such_client_is_a_crash(self):
        trials, = self.run_agents(shlex.join([*MCP, "--", "no-such-client", "{config}"]))
        self.assert_statuses(trials, "crash", "no-such-client: No such file or directory")
        self.assert_tidy()

    @slow
    def test_a_client_that_hangs_is_a_timeout_and_does_not_stay(self):
        for client in ("time.sleep(600)", """
                       async with connect() as client:
                           await client.call_tool("look")
                           time.sleep(600)
                       """):
            with self.subTest(client):
                # Its number is noted whether or not it comes to anything in that time.
                noted = f"sh -c 'echo $$ >> {self.notes_path}; exec \"$@\"' sh "
                command = self.client(client).replace(" -- ", f" -- {noted}", 1)
                trials, = self.run_agents(command, action_limit=10)
                self.assert_statuses(trials, "timeout")
                self.assert_gone()
                # Of the first trial the folder is gone since the second one, if nobody held it any more.
                self.assertIn(len(list((self.folder / "tmp").iterdir())), (1, 2))
                (self.folder / "r.sqlite").unlink()
                self.notes_path.unlink()
                self.trials("async with connect() as client: await play(client)")
                self.assert_tidy()
                shutil.rmtree(self.folder / "tmp")
                (self.folder / "r.sqlite").unlink()

    @slow
    def test_a_client_that_hangs_after_the_end_is_killed_with_what_it_started(self):
        start = time.monotonic()
        self.assert_statuses(self.trials("""
            note(os.getpid())
            note(subprocess.Popen(["sleep", "600"]).pid)
            async with connect() as client:
                await play(client)
                result = await client.call_tool("look")
                assert result.is_error and "the trial is over" in text_of(result)
                time.sleep(600)
            """), "ok")
        self.assertLess(time.monotonic() - start, 100)
        self.assertEqual(len(self.notes()), 4)
        self.assert_gone()
        self.assert_tidy()

    @slow
    def test_a_client_has_time_to_end(self):
        self.assert_statuses(self.trials("""
            async with connect() as client:
                await play(client)
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

    def test_the_command_line_says_what_is_missing(self):
        for arguments, said in (((), "CLIENT: found none"),
                                (("--",), "CLIENT: found none"),
                                (("--conect", "x"), "unrecognized arguments: --conect x"),
                                (("python3", "x"), "unrecognized arguments: python3 x"),
                                (("--connect", "/nowhere/socket"), "no trial is there"),
                                (("--connect", "/nowhere/socket", "--", "x"), "--connect: allowed")):
            result = subprocess.run([*MCP, *arguments], capture_output=True, text=True, check=False,
                                    stdin=subprocess.DEVNULL)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main()
