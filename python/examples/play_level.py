"""Play a level shot by shot, plan with copies of it, and compare the normal with the novel world.

    /usr/bin/python3 play_level.py

Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% One level in the novel world that it was made for
import copy

import numpy as np

import startle

path = sorted((startle.LEVELS / "benchmark/T2/easy").glob("T2-*.json"))[0]
env = startle.make(path, novelty=True, seed=1, size=(128, 128))
observation, info = env.reset()
print({name: value.shape for name, value in observation.items()})

# %% Plan: try shots on copies, which play on by themselves, and take the best
angles, terminated = [], False
while not terminated:
    def score(angle):
        return copy.deepcopy(env).step((angle, 1.0, -1.0))[1]

    angles.append(max(np.linspace(0.0, 1.2, 7), key=score))
    observation, reward, terminated, truncated, info = env.step((angles[-1], 1.0, -1.0))
    env.report(0.5, "a planner that looks into the world itself detects nothing")
    print(f"shot {info['shots']} at {np.degrees(angles[-1]):.0f} degrees: reward {reward:.0f}, "
          f"{info['pigs']} pigs left")
print("solved" if info["solved"] else "not solved", "with a score of", info["score"])

# %% The first shot in both worlds, every pose each 0.1 s: how far apart does each object get?
normal, novel = (startle.simulate(path, angles[:1], novelty=novelty) for novelty in (None, "T2"))
first, second = (world["shots"][0]["poses"] for world in (normal, novel))
frames, bodies = min(len(first), len(second)), len(normal["objects"])
# NaN where one is gone
apart = np.linalg.norm(first[:frames, :bodies, :2] - second[:frames, :bodies, :2], axis=2)
furthest = np.nan_to_num(apart).max(axis=0)
print("objects that are elsewhere in the novel world, and by how much at most:",
      {int(i): round(float(furthest[i]), 2) for i in np.flatnonzero(furthest > 0.1)})

# %% Would an ideal observer have detected?
seen = startle.observer(path, angles[0], novelty="T2", launches=4)
print("detected in", int(seen["detected"].sum()), "of 4 launches; in the normal world in",
      int(seen["normal"]["detected"].sum()))
