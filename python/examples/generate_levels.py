"""Levels at a set difficulty: make them, look at why they are hard, keep them.

    /usr/bin/python3 generate_levels.py [folder]

Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% Five levels in which it is hard to detect that wood is four times as bouncy (T2), and five in which it is
# easy
import pathlib
import sys

import startle

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "T2-levels")
levels = {"easy": startle.generate(novelty="T2", difficulty=(0.0, 0.15), count=5, seed=1),
          "hard": startle.generate(novelty="T2", difficulty=(0.4, 0.6), count=5, seed=1)}

# %% What is stored with each, and how it comes about
for name, found in levels.items():
    for level in found:
        measured = startle.difficulty(level, "T2")
        print(f"{name}: {level.name}, value {level.difficulty:.2f} (PID {measured['pid']:.2f}, BID "
              f"{measured['bid']:.2f}), "
              f"{measured['detectable_targets']} of {measured['targets']} targets show it")

best = startle.explain(levels["easy"][0], "T2")["interactions"][0]
print("the first shot of an agent that knows the normal world:", best["best_shots"])

# %% A file each, for the program and for whoever plays
for name, found in levels.items():
    (out / name).mkdir(parents=True, exist_ok=True)
    for level in found:
        level.save(out / name / f"{level.name}.json")
print("written to", out)
