"""An agent written as a class: by hand-made messages, and scored by the batch runner."""
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

from common import BENCHMARK, PROGRAM, SOURCE, program

AGENT = textwrap.dedent("""
    import startle

    class Mine:
        def begin(self, seed, levels):
            print("noise that must not reach the runner", seed, levels)

        def act(self, observation, picture):
            pigs = [o for o in observation["objects"] if o["kind"] == "pig"]
            return 0.3 if len(pigs) > 1 else (0.5, 0.9, -1)

        def report(self, shot, picture):
            last = picture(32, 24, frame=len(shot["frames"]) - 1)
            assert last.shape == (24, 32, 3) and str(last.dtype) == "uint8"
            return 0.75, "the same for all"

    startle.serve(Mine())
""")


class ByHand(unittest.TestCase):
    def serve(self, agent, *messages):
        import startle

        output = io.StringIO()
        startle.serve(agent, io.StringIO("".join(json.dumps(m) + "\n" for m in messages)), output)
        return [json.loads(line) for line in output.getvalue().splitlines()]

    def test_answers(self):
        class Agent:
            def __init__(self):
                self.calls = []

            def begin(self, seed, levels):
                self.calls.append((seed, levels))

            def act(self, observation, picture):
                return observation["answer"]

            def report(self, shot, picture):
                return shot["answer"] if shot["answer"] != [0.5, "odd"] else (0.5, "odd")

            def end(self):
                self.calls.append("end")

        agent = Agent()
        answers = self.serve(agent, {"type": "begin", "seed": 3, "levels": 2},
                             {"type": "act", "observation": {"answer": 1}},
                             {"type": "act", "observation": {"answer": [1, 0.5]}},
                             {"type": "act", "observation": {"answer": [1, 0.5, 2]}},
                             {"type": "report", "answer": 0.25}, {"type": "report", "answer": [0.5, "odd"]},
                             {"type": "end"})
        self.assertEqual(answers, [{"type": "shot", "angle": 1}, {"type": "shot", "angle": 1, "stretch": 0.5},
                                   {"type": "shot", "angle": 1, "stretch": 0.5, "tap_time": 2},
                                   {"type": "report", "novelty": 0.25, "description": ""},
                                   {"type": "report", "novelty": 0.5, "description": "odd"}])
        self.assertEqual(agent.calls, [(3, 2), "end"])
        for bad in ([], [1, 2, 3, 4], "x", None, float("nan")):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                self.serve(agent, {"type": "act", "observation": {"answer": bad}})
        for bad in ("x", None, [1, 2, 3], float("nan")):
            with self.subTest(bad=bad), self.assertRaises(ValueError):
                self.serve(agent, {"type": "report", "answer": bad})
        self.assertIs(sys.stdout, sys.__stdout__)


class UnderTheRunner(unittest.TestCase):
    def run_agent(self, text, package=None, levels=1):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "mine.py"
            script.write_text(text)
            environment = dict(os.environ, PYTHONPATH=str(package)) if package else dict(os.environ)
            results = pathlib.Path(folder) / "results.sqlite"
            command = [PROGRAM, "agents", "run", "--agent", f"mine={sys.executable} -B {script}", "--levels",
                       *map(str, sorted((BENCHMARK / "T1/easy").glob("T1*.json"))[:levels]),
                       "--threads", "1", "--out", str(results), "--quiet"]
            subprocess.run(command, check=True, env=environment)
            program("agents", "report", results, "--out", pathlib.Path(folder) / "report.json")
            return json.loads((pathlib.Path(folder) / "report.json").read_text())["runs"][0]["trials"]

    def test_a_class_is_scored(self):
        trials = self.run_agent(AGENT)
        self.assertEqual(len(trials), 2)
        for trial in trials:
            self.assertEqual(trial["status"], "ok", trial)
            for shot in trial["levels"][0]["shots"]:
                self.assertEqual((shot["novelty"], shot["description"]), (0.75, "the same for all"))
                self.assertIn((shot["angle"], shot["stretch"]), ((0.3, 1), (0.5, 0.9)))

    def test_a_class_is_loaded_once_and_each_trial_is_a_fork(self):
        agent = textwrap.dedent("""
            import os
            import startle

            class Mine:
                def load(self):
                    self.loaded_in, self.shots = os.getpid(), 0

                def act(self, observation, picture):
                    self.shots += 1
                    return 1.5

                def report(self, shot, picture):
                    return 0.5, f"{self.loaded_in} {os.getpid()} {os.getppid()} {self.shots}"

            startle.serve(Mine)
        """)
        trials = self.run_agent(agent, levels=3)
        self.assertEqual(len(trials), 6)
        said = [[shot["description"].split() for shot in trial["levels"][0]["shots"]] for trial in trials]
        self.assertEqual({(trial["status"], trial["process"]) for trial in trials}, {("ok", "fork")})
        self.assertEqual(len({words[0] for shots in said for words in shots}), 1, "loaded once")
        self.assertEqual({words[0] for shots in said for words in shots},
                         {words[2] for shots in said for words in shots}, "forks of where it was loaded")
        self.assertEqual(len({shots[0][1] for shots in said}), 6, "a fork a trial")
        for shots in said:
            self.assertEqual([int(words[3]) for words in shots], list(range(1, len(shots) + 1)))
        for wrong, status, error in (("raise KeyError('my mistake')", "crash", "my mistake"),
                                     ("__import__('sys').exit(3)", "crash", "SystemExit: 3"),
                                     ("os.kill(os.getpid(), 9)", "crash", "signal 9")):
            with self.subTest(wrong=wrong):
                for trial in self.run_agent(agent.replace("return 1.5", wrong)):
                    self.assertEqual((trial["status"], trial["process"]), (status, "fork"), trial)
                    self.assertIn(error, trial["error"])

    def test_an_object_that_resets_plays_all_trials(self):
        agent = AGENT.replace("startle.serve(Mine())", textwrap.dedent("""
            import os

            class Resets(Mine):
                resets = 0

                def reset(self):
                    self.resets += 1

                def report(self, shot, picture):
                    return 0.5, f"{os.getpid()} {self.resets}"

            startle.serve(Resets())
        """))
        trials = self.run_agent(agent, levels=2)
        self.assertEqual({(trial["status"], trial["process"]) for trial in trials}, {("ok", "reset")})
        said = [trial["levels"][0]["shots"][0]["description"].split() for trial in trials]
        self.assertEqual(len({words[0] for words in said}), 1)
        self.assertEqual(sorted(int(words[1]) for words in said), [0, 1, 2, 3])

    def test_whatever_is_printed_by_whomever_the_runner_gets_answers_alone(self):
        noisy = textwrap.dedent("""
            import ctypes, os, subprocess, sys
            import startle

            def noise():
                print("noise")
                os.write(1, b"noise")
                os.system("echo noise")
                libc = ctypes.CDLL(None)
                libc.puts(b"noise")
                libc.fflush(None)
                assert subprocess.run(["cat"], capture_output=True).stdout == b"", "takes messages"

            class Mine:
                def load(self):
                    noise()

                def begin(self, seed, levels):
                    noise()

                def act(self, observation, picture):
                    noise()
                    return 0.5

                def report(self, shot, picture):
                    noise()
                    last = picture(32, 24)
                    return 0.5, str(last.shape)

                def end(self):
                    noise()

            startle.serve(Mine)
            """)
        for serve in ("Mine", "Mine()"):
            for trial in self.run_agent(noisy.replace("serve(Mine)", f"serve({serve})")):
                self.assertEqual(trial["status"], "ok", trial)
                self.assertEqual(trial["levels"][0]["shots"][0]["description"], "(24, 32, 3)")

    def test_an_agent_needs_no_compiled_module(self):
        agent = AGENT.replace('picture(32, 24, frame=len(shot["frames"]) - 1)',
                              "None").replace("assert last", "assert True or last")
        self.assertEqual({trial["status"] for trial in self.run_agent(agent, SOURCE / "python")}, {"ok"})

    def test_an_exception_is_a_crash_with_its_message(self):
        for trial in self.run_agent(AGENT.replace("return 0.75", "raise KeyError('my mistake') #")):
            self.assertEqual(trial["status"], "crash")
            self.assertIn("my mistake", trial["error"])


if __name__ == "__main__":
    unittest.main()
