"""Steps of the environments from Python, many at once and one by one, over bare simulation of the same shots
in C++.

    PYTHONPATH=build/python /usr/bin/python3 bench/environment.py build-bench/bench/bench_shots \\
      [levels/benchmark/T1/easy]

64 environments over the folder's levels in the normal world, two random shots each. Processor time of one
thread; bare simulation, one step of 64 and 64 steps of one take turns, and the least of five turns counts for
each, so that other work on the machine hits all alike.
"""
import pathlib
import subprocess
import sys
import time

import numpy as np

import startle

program, folder = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2
                                            else startle.LEVELS / "benchmark/T1/easy")
paths = sorted(path for path in folder.glob("*.json") if path.name != "manifest.json")
count, turns = 64, 5
level_of = [i % len(paths) for i in range(count)]
random = np.random.default_rng(1)
actions = np.stack([random.uniform(0, 1.4, (2, count)), np.ones((2, count)),
                    random.uniform(-1, 3, (2, count))], axis=-1)


def timed(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def many(env, out):
    """Seconds of the steps of all, and where the first shot ended the level: it starts again in the second
    step, without a shot."""
    env.reset(seed=0, options={"level": level_of})
    first, stepped = timed(lambda: env.step(actions[0], out))
    second, _ = timed(lambda: env.step(actions[1], out))
    return first + second, stepped[2]


def one(env):
    seconds = 0.0
    for i in range(count):
        env.reset(seed=0, options={"level": level_of[i]})
        took, stepped = timed(lambda: env.step(actions[0, i]))
        seconds += took
        if not stepped[2]:
            seconds += timed(lambda: env.step(actions[1, i]))[0]
    return seconds


def bare(over):
    episodes = [" ".join([str(paths[level_of[i]]), "-"] + [f"{x!r}" for t in range(1 if over[i] else 2)
                                                           for x in map(float, actions[t, i])])
                for i in range(count)]
    return float(subprocess.run([program], input="\n".join(episodes), capture_output=True, text=True,
                                check=True).stdout.split()[0])


for size in ((64, 64), (128, 128)):
    vector, single = startle.make_vec(paths, count, size=size, threads=1), startle.make(paths, size=size)
    out = np.empty((count, size[1], size[0], 3), np.uint8)
    _, over = many(vector, out)
    rounds = [(bare(over), many(vector, out)[0], one(single)) for _ in range(turns)]
    simulated, together, alone = np.min(rounds, axis=0)
    shots = 2 * count - int(over.sum())
    print(f"pictures of {size[0]} x {size[1]}, {shots} shots: bare simulation over steps of {count} "
          f"environments {simulated / together:.3f}, over steps of one "
          f"{simulated / alone:.3f}; steps of {count} over those of one {together / alone:.3f}; "
          f"{shots / together:.0f} steps per second of processor time")
wall = startle.make_vec(paths, count, size=(128, 128), threads=0)
wall.reset(seed=0, options={"level": level_of})
start = time.perf_counter()
wall.step(actions[0], out)
print(f"on all threads: {count / (time.perf_counter() - start):.0f} steps per second of wall time")
