"""An agent of each kind plays the same trials into one results file. Those that make the same choices come
out the same, whatever way they came, and the report has them all by tier."""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy as np
from inspect_ai import eval as evaluate
from inspect_ai.model import get_model
from openenv.core import GenericEnvClient

import startle
from common import BENCHMARK, PROGRAM, program, slow
from startle.inspect_task import trials
from test_inspect import Script
from test_openenv import start_server, stop_server

LEVELS, PEERS = BENCHMARK / "T2", pathlib.Path(__file__).parent
SECRET = "000000000000000000000000000026bd"

TIERS, WORLDS = ["easy", "hard", "medium"], ["normal", "novel"]

CLASS = """
    import math, startle
    class Mine:
        def act(self, observation, picture):
            return math.radians(30)
        def report(self, shot, picture):
            return 0.25
    startle.serve(Mine)
"""

CLIENT = """
    async with connect() as client:
        due = "shoot"
        while due != "nothing":
            arguments = {"angle": 30} if due == "shoot" else {"novelty": 0.25}
            due = (await client.call_tool(due, arguments)).structured_content["due"]
"""

# Learned in environments, played in trials: what it sees is a picture in both.
LEARNED = """
    import sys, startle
    from stable_baselines3 import PPO
    class Learned:
        def load(self):
            self.model = PPO.load(sys.argv[1], device="cpu")
        def act(self, observation, picture):
            action, _ = self.model.predict(picture(48, 48), deterministic=True)
            return 0.6 + 0.6 * float(action[0])
        def report(self, shot, picture):
            return 0.25
    startle.serve(Learned)
"""


class OneReport(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = self.folder / "r.sqlite"

    def agent(self, name, source, *arguments):
        """The command of a program in Python."""
        path = self.folder / f"{name}.py"
        path.write_text(textwrap.dedent(source))
        return f"{name}={shlex.join([sys.executable, '-B', str(path), *map(str, arguments)])}"

    def run_agents(self, *agents):
        named = [word for agent in agents for word in ("--agent", agent)]
        program("agents", "run", *named, "--levels", LEVELS, "--limit", "1", "--action-limit", "300",
                "--trial-limit", "1800", "--secret", SECRET, "--quiet", "--out", self.out)

    def by_class_and_mcp(self):
        player = [sys.executable, "-B", str(PEERS / "mcp_player.py"), "{config}", str(self.folder / "notes"),
                  CLIENT]
        mcp = [sys.executable, "-B", "-m", "startle", "mcp", "--", *player]
        self.run_agents("best-target+simulation", self.agent("class", CLASS), f"mcp={shlex.join(mcp)}")

    def by_java(self):
        server = subprocess.Popen(
            [PROGRAM, "agents", "serve", "--levels", LEVELS, "--limit", "1", "--dev", "--port", "0", "--name",
             "java", "--action-limit", "300", "--trial-limit", "1800", "--secret", SECRET, "--quiet", "--out",
             self.out], stdout=subprocess.PIPE, text=True)
        with server:
            port = server.stdout.readline().strip().rpartition(":")[2]
            subprocess.run(["java", PEERS / "Shooter.java", port], check=True, timeout=300)
            self.assertEqual(server.wait(60), 0)

    def by_inspect(self):
        model = get_model("mockllm/model", custom_outputs=Script(), memoize=False)
        log, = evaluate(trials, model=model, log_dir=str(self.folder / "logs"), display="none",
                        task_args={"levels": str(LEVELS), "out": str(self.out), "limit": 1, "practice": 0,
                                   "name": "inspect"})
        self.assertEqual(log.status, "success", log.error and log.error.message)

    def by_openenv(self):
        server, port = start_server("--levels", LEVELS, "--limit", "1", "--practice", "0", "--out", self.out)
        self.addCleanup(stop_server, server)
        with GenericEnvClient(base_url=f"http://127.0.0.1:{port}", message_timeout_s=300).sync() as env:
            for _ in range(6):
                due = env.reset().observation["due"]
                while due != "nothing":
                    arguments = {"angle": 30} if due == "shoot" else {"novelty": 0.25}
                    due = env.step({"tool": due, "arguments": arguments}).observation["due"]

    def trials_by_agent(self):
        report = self.folder / "r.json"
        program("agents", "report", self.out, "--out", report)
        run, = json.loads(report.read_text())["runs"]
        by_agent = {}
        for trial in run["trials"]:
            self.assertEqual(trial["status"], "ok", trial)
            by_agent.setdefault(trial["agent"], []).append(trial)
        for agent, of in by_agent.items():
            self.assertEqual(sorted((trial["tier"], trial["world"]) for trial in of),
                             [(tier, world) for tier in TIERS for world in WORLDS], agent)
        rows = {(row["agent"], row["tier"]) for row in run["by_agent_tier"]}
        self.assertEqual(rows, {(agent, tier) for agent in by_agent for tier in TIERS})
        return by_agent

    def test_agents_of_each_kind_play_the_same_trials(self):
        self.by_class_and_mcp()
        self.by_inspect()
        self.by_openenv()
        same = ["class", "mcp", "inspect", "openenv"]
        if shutil.which("java"):
            self.by_java()
            same.append("java")
        by_agent = self.trials_by_agent()
        self.assertEqual(sorted(by_agent), sorted(["best-target+simulation", *same]))

        def played(agent):
            return sorted((trial["unit"], trial["world"], level["hash"], level["solved"], level["score"],
                           [shot["novelty"] for shot in level["shots"]])
                          for trial in by_agent[agent] for level in trial["levels"])

        for agent in same[1:]:
            self.assertEqual(played(agent), played("class"), agent)
        if not shutil.which("java"):
            self.skipTest("all but Java, as java is not installed")

    @slow
    def test_a_policy_of_stable_baselines_learns_and_plays(self):
        import gymnasium
        from stable_baselines3 import PPO
        from stable_baselines3.common.env_checker import check_env

        class Picture(gymnasium.ObservationWrapper):
            """What a picture shows, and an angle."""

            def __init__(self, env):
                super().__init__(env)
                self.observation_space = env.observation_space["picture"]
                self.action_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)

            def observation(self, observation):
                return observation["picture"]

            def step(self, action):
                return super().step(np.array([0.6 + 0.6 * action[0], 1, -1]))

        env = Picture(startle.make(startle.generate("towers", count=5, seed=2), size=(48, 48)))
        check_env(env)
        model = PPO("CnnPolicy", env, n_steps=250, seed=1, device="cpu").learn(2000)
        self.assertEqual(model.num_timesteps, 2000)
        self.assertGreater(len(model.ep_info_buffer), 50)
        model.save(self.folder / "policy.zip")
        self.run_agents("random+chance", self.agent("learned", LEARNED, self.folder / "policy.zip"))
        self.assertEqual(sorted(self.trials_by_agent()), ["learned", "random+chance"])


if __name__ == "__main__":
    unittest.main()
