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
levels = {tier: startle.generate(novelty="T2", tier=tier, count=5, seed=1) for tier in ("easy", "hard")}

# %% What is stored with each, and how it comes about
for name, found in levels.items():
    for level in found:
        measured = startle.difficulty(level, "T2")
        print(f"{name}: {level.name}, difficulty {level.difficulty:.2f}: detected in "
              f"{measured['p_level']:.2f} of plays (PID {measured['pid']:.2f}, BID {measured['bid']:.2f}), "
              f"{measured['detectable_targets']} of {measured['targets']} targets show it")

best = startle.explain(levels["easy"][0], "T2")["interactions"][0]
print("objects that an agent which knows the normal world may shoot at first:",
      [shot["object"] for shot in best["best_shots"]])

# %% A file each, for the program and for whoever plays
for name, found in levels.items():
    (out / name).mkdir(parents=True, exist_ok=True)
    for level in found:
        level.save(out / name / f"{level.name}.json")
print("written to", out)
