"""Score agents against levels of known difficulty: how often each detects an easy, a medium and a hard
change, and how often one that is not there.

    /usr/bin/python3 score_agents.py [levels of each tier [novelty]]

Trials are those of `startle agents run`: the program starts this file as the agent, which then sees what a
player sees and nothing else. Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% An agent: shoots at the nearest pig, and takes a shot that lasts long for a sign of novelty
import json
import math
import pathlib
import sys
import tempfile

import startle


class Mine:
    def act(self, observation, picture):
        pigs = [o for o in observation["objects"] if o["kind"] == "pig"]
        near = min(pigs, key=lambda o: o["x"])
        return math.atan2(near["y"] - observation["rest"][1], near["x"] - observation["rest"][0]) + 0.2

    def report(self, shot, picture):
        return min(1.0, len(shot["frames"]) / 200)


if sys.argv[1:] == ["--play"]:
    startle.serve(Mine())
    sys.exit()

# %% Every agent at the same levels, in the normal and in the novel world
limit = int(sys.argv[1]) if len(sys.argv) > 1 else 2
novelty = sys.argv[2] if len(sys.argv) > 2 else "T1"
agents = {"mine": f"{sys.executable} {pathlib.Path(__file__).resolve()} --play",
          "pig-shooter+simulation": None}
with tempfile.TemporaryDirectory() as folder:
    results, report = pathlib.Path(folder) / "results.sqlite", pathlib.Path(folder) / "report.json"
    named = [part for name, command in agents.items()
             for part in ("--agent", name if command is None else f"{name}={command}")]
    startle.program("agents", "run", *named, "--levels", startle.LEVELS / "benchmark" / novelty, "--limit",
                    limit, "--out", results)
    startle.program("agents", "report", results, "--out", report)
    scores = json.loads(report.read_text())

# %% By tier: the share of novel trials in which the change was detected, and of normal ones in which one was
# detected all the same, with 95 % intervals
def share(estimate):
    low, high = estimate["interval"]
    return f"{estimate['value']:.2f} ({low:.2f} to {high:.2f}, n = {estimate['n']})"


print(f"{'agent':<24}{'tier':<8}{'detected':<34}{'false alarms'}")
for row in scores["runs"][0]["by_tier"]:
    print(f"{row['agent']:<24}{row['tier']:<8}{share(row['detected']):<34}{share(row['false_positive'])}")
