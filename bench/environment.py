"""Steps per second of the vectorised environment, and bare simulation of the same shots over them.

    PYTHONPATH=build/python /usr/bin/python3 bench/environment.py build-bench/bench/bench_shots [levels/benchmark/T1/easy]

Two random shots at each level in the normal world. Processor time of one thread, least of three runs; wall time on all threads.
"""
import pathlib
import subprocess
import sys
import time

import numpy as np

import startle

program, folder = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "levels/benchmark/T1/easy")
paths = sorted(path for path in folder.glob("*.json") if path.name != "manifest.json")
random = np.random.default_rng(1)
actions = np.stack([random.uniform(0, 1.4, (2, len(paths))), np.ones((2, len(paths))), random.uniform(-1, 3, (2, len(paths)))], axis=-1)


def measured(size, threads, clock):
    env = startle.make_vec(paths, len(paths), size=size, threads=threads)
    out = np.empty((len(paths), size[1], size[0], 3), np.uint8)
    least = float("inf")
    for _ in range(3):
        env.reset(seed=0, options={"level": list(range(len(paths)))})
        start = clock()
        _, _, first_over, _, _ = env.step(actions[0], out)
        env.step(actions[1], out)
        least = min(least, clock() - start)
    return least, first_over


_, first_over = measured((8, 8), 1, time.process_time)
# A level that the first shot cleared starts again in the second step: no shot is simulated then.
episodes = [" ".join([str(path), "-"] + [f"{x!r}" for t in range(1 if first_over[i] else 2) for x in map(float, actions[t, i])])
            for i, path in enumerate(paths)]
shots = sum(1 if over else 2 for over in first_over)
bare = float(subprocess.run([program], input="\n".join(episodes), capture_output=True, text=True, check=True).stdout.split()[0])
print(f"{len(paths)} environments, {shots} shots; bare simulation {shots / bare:.0f} shots per second")
for size in ((64, 64), (128, 128)):
    seconds, _ = measured(size, 1, time.process_time)
    wall, _ = measured(size, 0, time.perf_counter)
    print(f"pictures of {size[0]} x {size[1]}: {shots / seconds:.0f} steps per second of processor time, bare simulation over it {bare / seconds:.2f}; "
          f"{shots / wall:.0f} per second of wall time on all threads")
