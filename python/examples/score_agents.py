"""Score agents against levels of known difficulty: how often each detects an easy, a medium and a hard
change, and how often one that is not there.

    /usr/bin/python3 score_agents.py [levels of each tier [novelty]]

Trials are those of `startle agents run`: the program starts this file as the agent, which then sees what a
player sees and nothing else. Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% An agent: shoots at the nearest pig, and measures how fast things fall; agents/examples/measuring.py
# measures more
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
        heights, odd = {}, False
        for frame in shot["frames"]:
            for body, x, y, angle in frame["moved"]:
                heights.setdefault(body, []).append((frame["time"], x, y))
        for path in heights.values():
            for a, b, c, d in zip(path, path[1:], path[2:], path[3:]):
                if d[0] - a[0] < 0.31:  # four frames of 0.1 s, one after the other
                    first, second = ([(r[i] - 2 * q[i] + p[i]) / 0.01 for i in (1, 2)]
                                     for p, q, r in ((a, b, c), (b, c, d)))
                    steady = max(abs(first[0]), abs(second[0]), abs(first[1] - second[1])) < 0.002
                    odd = odd or steady and first[1] < -0.3 and not 4.6 < -first[1] < 4.8
        return 0.9 if odd else 0.1


if sys.argv[1:] == ["--play"]:
    startle.serve(Mine())
    sys.exit()

# %% Every agent at the same levels, in the normal and in the novel world
limit = int(sys.argv[1]) if len(sys.argv) > 1 else 2
novelty = sys.argv[2] if len(sys.argv) > 2 else "stone-gravity_scale-down"
agents = {"mine": f"{sys.executable} {pathlib.Path(__file__).resolve()} --play",
          "best-target+simulation": None,  # an upper bound: it knows the normal world exactly
          "best-target+chance": None}      # random reports
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
