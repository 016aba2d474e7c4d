"""Learn how bodies move, from rollouts: a small network that says where each body is one frame later. NumPy
and h5py are all that it needs; a few minutes.

    /usr/bin/python3 learn_dynamics.py [FOLDER [TRIALS [PASSES]]]

FOLDER: where rollouts are made, and kept for the next time (default: dynamics-rollouts). TRIALS: of each
level and agent (default: 2). PASSES: over the training data (default: 12).
Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% Rollouts of the normal world to train on, and of two novelties to test on; none are of the benchmark
import pathlib
import sys

import numpy as np

import startle
from startle.rollouts import Rollouts

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "dynamics-rollouts")
trials = int(sys.argv[2]) if len(sys.argv) > 2 else 2
passes = int(sys.argv[3]) if len(sys.argv) > 3 else 12
NOVELTIES = ("gravity-down", "stone-gravity_scale-down")


def made(name, *options):
    startle.program("rollouts", "--levels", startle.LEVELS / "data", "--agent", "best-target",
                    "--agent", "random", "--out", folder / name, "--quiet", *options)
    return Rollouts(folder / name)


normal = made("normal", "--trials", trials)
training, held_out = normal.split(share=0.25, seed=1)
levels = set(held_out.table["level"])


# %% The inputs: a body and those nearest to it, as seen from its own place
NEAR, KINDS, MATERIALS = 3, 5, 4


def one_hot(codes, count):
    return np.eye(count)[np.minimum(codes, count - 1)]


def samples(shot):
    """Of each body and frame of the shot: inputs, the step to the next frame, and the step at its velocity.
    Bodies that are fixed, or not there in both frames, are left out; so are most of those at rest, which
    would be nearly all."""
    poses, velocities, bodies = shot.poses, shot.velocities, shot.episode.bodies
    h = shot.times[1] - shot.times[0]
    count = len(bodies["id"])
    look = np.concatenate([one_hot(bodies["kind"], KINDS), one_hot(bodies["material"], MATERIALS),
                           bodies["width"][:, None], bodies["height"][:, None]], axis=1)
    now, then = poses[:-1], poses[1:]
    moves = (np.abs(velocities[:-1, :, :2]).max(axis=2) > 0.05) | (np.abs(then - now).max(axis=2) > 0.005)
    frames, chosen = np.nonzero(~np.isnan(now[..., 0]) & ~np.isnan(then[..., 0])
                                & (bodies["fixed"] == 0) & moves)
    place, speed = now[frames, chosen], velocities[frames, chosen]
    turn = np.stack([np.sin(2 * place[:, 2]), np.cos(2 * place[:, 2])], axis=1)
    height = (place[:, 1] - shot.episode.info["ground_y"])[:, None]
    inputs = [speed, turn, height, look[chosen]]
    away = now[frames] - place[:, None]  # (samples, bodies, 3)
    far = np.where(np.isnan(away[..., 0]), np.inf, np.hypot(away[..., 0], away[..., 1]))
    far[np.arange(len(frames)), chosen] = np.inf
    for near in np.argsort(far, axis=1)[:, :NEAR].T if count > NEAR else ():
        there = np.isfinite(far[np.arange(len(frames)), near])[:, None]
        angle = now[frames, near][:, 2:]
        other = np.concatenate([away[np.arange(len(frames)), near][:, :2], velocities[frames, near] - speed,
                                look[near], np.sin(2 * angle), np.cos(2 * angle)], axis=1)
        inputs.append(np.where(there, np.nan_to_num(other), 0.0))
    step, straight = then[frames, chosen] - place, speed * h
    return np.concatenate(inputs, axis=1), step, straight


def table(rollouts):
    parts = [samples(shot) for episode in rollouts for shot in episode.shots
             if shot.info["frames"] > 1 and len(episode.bodies["id"]) > NEAR]
    return [np.concatenate(columns).astype(np.float32) for columns in zip(*parts)]


inputs, steps, straight = table(training)
print(f"{len(training)} episodes to train on, {len(inputs)} steps of bodies; {len(held_out)} of other levels")


# %% The network: two hidden layers, which say how the step differs from that at constant velocity; Adam
random = np.random.default_rng(1)
mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-3
goal = steps - straight
scale = np.percentile(np.abs(goal), 75, axis=0) + 1e-6  # of what is usual: collisions are far from it
sizes = (inputs.shape[1], 128, 128, 3)
weights = [(random.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32), np.zeros(b, np.float32))
           for a, b in zip(sizes, sizes[1:])]
moments = [[np.zeros_like(w), np.zeros_like(w)] for pair in weights for w in pair]


def forward(x):
    values = [(x - mean) / spread]
    for i, (w, b) in enumerate(weights):
        out = values[-1] @ w + b
        values.append(np.maximum(out, 0) if i + 1 < len(weights) else out)
    return values


def learn(x, y, rate, number):
    """One step of Adam on the Huber loss: collisions that cannot be predicted weigh little."""
    values = forward(x)
    slope = np.clip(values[-1] - y, -1, 1) / len(x)
    slopes = []
    for i in range(len(weights) - 1, -1, -1):
        slopes += [slope.sum(axis=0), values[i].T @ slope]
        slope = (slope @ weights[i][0].T) * (values[i] > 0)
    for w, g, m in zip((w for pair in weights for w in pair), reversed(slopes), moments):
        m[0] += 0.1 * (g - m[0])
        m[1] += 0.001 * (g * g - m[1])
        w -= rate * (m[0] / (1 - 0.9**number)) / (np.sqrt(m[1] / (1 - 0.999**number)) + 1e-8)


batch, number = 512, 0
for turn in range(passes):
    order = random.permutation(len(inputs))
    for at in range(0, len(order), batch):
        rows = order[at:at + batch]
        number += 1
        learn(inputs[rows], goal[rows] / scale, 2e-3 * 0.5 * (1 + np.cos(np.pi * turn / passes)), number)


# %% How far off it is on levels that it has not seen, in the normal and in novel worlds
def errors(rollouts):
    """Distances between where bodies are said to be and where they are, one frame later, m."""
    x, step, straight = table(rollouts)
    said = {"network": straight + forward(x)[-1] * scale, "constant velocity": straight, "stay put": 0 * step}
    return {name: np.hypot(*(guess - step)[:, :2].T) for name, guess in said.items()}


print("mean (median) error of the place one frame (0.1 s) later, cm:")
worlds = {"normal": held_out}
for novelty in NOVELTIES:
    worlds[novelty] = made(novelty, "--trials", trials, "--novelty", novelty).where(novel=1, level=levels)
for name, rollouts in worlds.items():
    found = errors(rollouts)
    print(f"  {name}: " + ", ".join(f"{who} {100 * error.mean():.2f} ({100 * np.median(error):.2f})"
                                    for who, error in found.items()))
