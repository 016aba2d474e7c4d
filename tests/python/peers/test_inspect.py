"""The Inspect task: a scripted model plays trials, and Inspect's scores are those of agents report."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from inspect_ai import eval as evaluate
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from common import BENCHMARK, PROGRAM, program, slow
from startle.inspect_task import trials
from test_chat import Model

LEVELS = BENCHMARK / "T2"


class Script:
    """A model: it looks at the first message of each level, shoots at 30 degrees, and reports `likelihood` of
    the number of the report. `odd`: what it does in place of a call, by the number of the answer."""

    def __init__(self, likelihood=lambda report: 0.25, odd=None):
        self.likelihood, self.odd, self.inputs, self.tools = likelihood, odd or {}, [], None

    def __call__(self, input, tools, tool_choice, config):
        output = self.answer(input, tools)
        # Without it Inspect counts by a vocabulary that it fetches.
        characters = sum(len(message.text) for message in input) + len(json.dumps(
            [tool.model_dump(exclude_none=True) for tool in tools], default=str))
        output.usage = ModelUsage(input_tokens=characters // 4, output_tokens=30,
                                  total_tokens=characters // 4 + 30)
        return output

    def answer(self, input, tools):
        self.inputs.append(input)
        self.tools = tools
        number = len(self.inputs)
        if number in self.odd:
            return self.odd[number]()
        last = input[-1].text
        name, arguments = "shoot", {"angle": 30}
        if "call report" in last:
            reports = sum("report" in str(message.tool_calls) for message in input
                          if message.role == "assistant")
            name, arguments = "report", {"novelty": self.likelihood(reports)}
        elif "Call look" in last or "Play the trial" in last or "call look" in last:
            name, arguments = "look", {}
        return ModelOutput.for_tool_call("mockllm", name, arguments)


class Inspect(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "r.sqlite"

    def run_task(self, script, levels=LEVELS, limit=1, options=(), **settings):
        """The log."""
        model = get_model("mockllm/model", custom_outputs=script, memoize=False)
        settings |= {"levels": str(levels), "out": str(self.out), "limit": limit, "name": "scripted"}
        log, = evaluate(trials, task_args=settings, model=model, log_dir=str(self.folder / "logs"),
                        display="none", **dict(options))
        return read_eval_log(log.location, resolve_attachments=True)

    def rows(self):
        report = self.folder / "r.json"
        program("agents", "report", self.out, "--out", report)
        return json.loads(report.read_text())["runs"][0]

    def test_scores_by_tier_are_those_of_the_report(self):
        log = self.run_task(Script(lambda report: 0.75), protocol="single", practice=0, parallel=2)
        self.assertEqual(log.status, "success", log.error and log.error.message)
        self.assertEqual(len(log.samples), 6)  # three tiers, in two worlds
        rows = self.rows()
        self.assertEqual({trial["status"] for trial in rows["trials"]}, {"ok"})
        metrics = {metric.name: metric.value for metric in log.results.scores[0].metrics.values()}
        for row in [*rows["by_agent_tier"], rows["leaderboard"][0] | {"tier": "all"}]:
            for ours, theirs in (("detected", "detected"), ("false_positive", "false_alarms")):
                self.assertEqual(row["scores"][ours]["value"] if "scores" in row else row[ours]["value"],
                                 metrics[f"{row['tier']} {theirs}"])
        self.assertEqual({metrics[f"{tier} detected"] for tier in ("all", "easy", "medium", "hard")}, {1})
        self.assertEqual({metrics[f"{tier} false_alarms"] for tier in ("all", "easy", "medium", "hard")}, {1})

    def test_the_log_holds_all_that_was_said(self):
        script = Script()
        log = self.run_task(script, LEVELS / "easy", protocol="single", practice=2)
        for sample in log.samples:
            system, user, *others = sample.messages
            self.assertEqual((system.role, user.role), ("system", "user"))
            self.assertIn("Half of the trials are normal", system.text)
            self.assertIn("First come 2 practice shots", system.text)
            said = "\n".join(message.text for message in others)
            self.assertIn("Practice, in the normal world: 1 shot left", said)
            self.assertIn("Practice is over. The trial begins", said)
            self.assertIn("The trial is over", others[-1].text)
            shots = said.count("Its report is due")
            self.assertEqual(said.count("The report is taken"), shots)
        self.assertEqual([tool.name for tool in script.tools], ["look", "shoot", "report"])
        # The system prompt and the tools are in the log as the model was sent them, too.
        calls = [event for event in log.samples[0].events if event.event == "model"]
        self.assertIn("Half of the trials are normal", calls[0].input[0].text)
        self.assertEqual([tool.name for tool in calls[0].tools], ["look", "shoot", "report"])

    def test_a_trial_in_which_the_world_changes(self):
        # An alarm in the last report alone: after the change, wherever that is.
        log = self.run_task(Script(), LEVELS / "easy", limit=2, protocol="shift", before=1, after=1)
        self.assertEqual(log.status, "success", log.error and log.error.message)
        sample, = log.samples
        self.assertIn("This trial has 2 levels", sample.messages[0].text)
        score = sample.scores["right"]
        self.assertEqual((score.value, score.metadata["world"]), (0, "shift"))
        self.assertEqual(self.rows()["trials"][0]["shift"], 1)

    def test_pictures(self):
        def picture():
            return ModelOutput.for_tool_call("mockllm", "look", {"as": "picture", "width": 64, "height": 32})

        script = Script(odd={1: picture})
        log = self.run_task(script, LEVELS / "easy", protocol="single", practice=0,
                            options={"max_samples": 1})
        shown = log.samples[0].messages[3].content if log.samples[0].messages[3].role == "tool" else None
        seen = [message for sample in log.samples for message in sample.messages
                if message.role == "tool" and not isinstance(message.content, str)]
        kinds = [part.type for part in seen[0].content]
        self.assertEqual(kinds, ["text", "image"], shown)
        without = Script(odd={1: picture})
        self.out = self.folder / "without.sqlite"
        log = self.run_task(without, LEVELS / "easy", protocol="single", practice=0, pictures=False,
                            options={"max_samples": 1})
        self.assertEqual(log.status, "success")
        self.assertNotIn("picture", json.dumps(without.tools[0].model_dump()))

    def test_what_goes_wrong_is_told_the_model_and_the_trial_goes_on(self):
        def wrong():
            return ModelOutput.for_tool_call("mockllm", "shoot", {"angle": 999})

        log = self.run_task(Script(odd={2: wrong, 3: lambda: ModelOutput.from_content("mockllm", "Hm.")}),
                            LEVELS / "easy", protocol="single", practice=0, options={"max_samples": 1})
        self.assertEqual(log.status, "success", log.error and log.error.message)
        said = [message for message in log.samples[0].messages if message.role == "tool" and message.error]
        self.assertIn("999 is greater than the maximum of 360", said[0].error.message)
        self.assertIn("That was no call of a tool", "".join(m.text for m in log.samples[0].messages))
        self.assertEqual({trial["status"] for trial in self.rows()["trials"]}, {"ok"})

    def test_a_model_that_never_calls_and_one_at_its_limit_are_crashes_with_a_reason(self):
        silent = Script(odd={i: lambda: ModelOutput.from_content("mockllm", "Hm.") for i in range(1, 100)})
        log = self.run_task(silent, LEVELS / "easy", protocol="single", practice=0)
        self.assertEqual([sample.scores["right"].metadata["status"] for sample in log.samples], 2 * ["crash"])
        self.assertIn("no call in 3 answers; a shoot is due", self.rows()["trials"][0]["error"])
        self.out = self.folder / "limit.sqlite"
        log = self.run_task(Script(), LEVELS / "easy", protocol="single", practice=0,
                            options={"message_limit": 8})
        self.assertEqual([sample.limit.type for sample in log.samples], 2 * ["message"])
        trials = self.rows()["trials"]
        self.assertEqual({trial["status"] for trial in trials}, {"crash"})
        # What was reported counts.
        self.assertEqual({len(trial["levels"][0]["shots"]) for trial in trials}, {1})
        self.assertIn("the sample ended first", trials[0]["error"])

    def test_a_server_is_played_by_the_openai_client_from_the_command_line(self):
        def behave(body, _):
            said = body["messages"][-1]["content"]
            said = said if isinstance(said, str) else json.dumps(said)
            tool, arguments = (("report", {"novelty": 0.75}) if "call report" in said
                               else ("shoot", {"angle": 30}))
            call = {"id": f"call-{len(body['messages'])}", "type": "function",
                    "function": {"name": tool, "arguments": json.dumps(arguments)}}
            return 200, {"Content-Type": "application/json"}, json.dumps({
                "id": "1", "object": "chat.completion", "created": 1, "model": "scripted",
                "choices": [{"index": 0, "finish_reason": "tool_calls",
                             "message": {"role": "assistant", "content": None, "tool_calls": [call]}}],
                "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}}).encode()

        with Model(behave, sees_body=True) as server:
            # Inspect finds tasks by name of what is installed alone.
            subprocess.run(["cmake", "--install", pathlib.Path(PROGRAM).parent, "--component", "python",
                            "--prefix", sys.prefix], check=True, capture_output=True)
            given = {"levels": LEVELS / "easy", "out": self.out, "limit": 1, "practice": 0}
            variables = os.environ | {"LOCAL_BASE_URL": server.url, "LOCAL_API_KEY": "none"}
            del variables["PYTHONPATH"]
            done = subprocess.run(
                [sys.executable, "-B", "-m", "inspect_ai", "eval", "startle/trials", "--model",
                 "openai-api/local/scripted", "--display", "plain", "--log-dir", self.folder / "logs",
                 *(word for name, value in given.items() for word in ("-T", f"{name}={value}"))],
                env=variables, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        log_file, = (self.folder / "logs").iterdir()
        log = read_eval_log(str(log_file))
        self.assertEqual(log.status, "success", log.error and log.error.message)
        rows = self.rows()["trials"]
        self.assertEqual({(trial["agent"], trial["status"]) for trial in rows},
                         {("openai-api-local-scripted", "ok")})
        self.assertEqual({shot["novelty"] for trial in rows for shot in trial["levels"][0]["shots"]}, {0.75})
        # What the server was sent: the rules, the tools, and what tokens it says it has used is in the log.
        sent = server.requests[0]
        self.assertEqual(sent["messages"][0]["role"], "system")
        self.assertIn("Half of the trials are normal", json.dumps(sent["messages"][0]["content"]))
        self.assertEqual([tool["function"]["name"] for tool in sent["tools"]], ["look", "shoot", "report"])
        self.assertEqual(sum(usage.total_tokens for usage in log.stats.model_usage.values()),
                         100 * len(server.requests))

    @slow
    def test_samples_that_are_left_out_are_played_by_the_next_run(self):
        log = self.run_task(Script(), protocol="single", practice=0, options={"limit": 2, "max_samples": 1})
        self.assertEqual(len(log.samples), 2)
        log = self.run_task(Script(), protocol="single", practice=0)
        self.assertEqual(sum(bool(sample.scores) for sample in log.samples), 4)
        trials = self.rows()["trials"]
        self.assertEqual((len(trials), {trial["status"] for trial in trials}), (6, {"ok"}))

    @slow
    def test_a_run_that_is_killed_loses_what_was_under_way_alone(self):
        script = self.folder / "killed.py"
        script.write_text(textwrap.dedent("""
            import sys, time
            sys.path.insert(0, %r)
            from test_inspect import Script, trials, evaluate, get_model

            def hang():
                open(%r, "w").write("hangs")
                time.sleep(600)

            if __name__ == "__main__":
                model = get_model("mockllm/model", memoize=False,
                                  custom_outputs=Script(odd={int(sys.argv[1]): hang}))
                evaluate(trials, model=model, log_dir=%r, display="none", max_samples=1,
                         task_args={"levels": %r, "out": %r, "limit": 1, "name": "scripted",
                                    "protocol": "single", "practice": 0})
            """ % (str(pathlib.Path(__file__).parent), str(self.folder / "hangs"), str(self.folder / "logs"),
                   str(LEVELS / "easy"), str(self.out))))
        process = subprocess.Popen([sys.executable, "-B", script, "12"], start_new_session=True)
        end = time.monotonic() + 200
        while not (self.folder / "hangs").exists():
            self.assertLess(time.monotonic(), end)
            self.assertIsNone(process.poll())
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(1)  # the runner goes with it, and writes nothing more
        before = self.rows()["trials"]
        self.assertEqual([trial["status"] for trial in before], ["ok"])
        log = self.run_task(Script(), LEVELS / "easy", protocol="single", practice=0)
        self.assertEqual(log.status, "success", log.error and log.error.message)
        trials = self.rows()["trials"]
        self.assertEqual([trial["status"] for trial in trials], 2 * ["ok"])

    def test_bad_settings_say_what_is_allowed(self):
        os.environ["INSPECT_EVAL_MODEL"] = "mockllm/model"
        self.addCleanup(os.environ.pop, "INSPECT_EVAL_MODEL")
        for settings, said in (({"protocol": "twice"}, "allowed are shift and single"),
                               ({"practice": -1}, "practice: found -1"),
                               ({"levels": "/nowhere"}, "/nowhere"),
                               ({"trials": 0}, "trials: found 0"), ({"name": "a/b"}, "name: found 'a/b'")):
            with self.assertRaisesRegex(ValueError, said):
                trials(**{"levels": str(LEVELS), "out": str(self.out), "name": "x"} | settings)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
