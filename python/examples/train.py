"""Learn to aim, by the cross-entropy method on many levels at once. NumPy is all that it needs.

    /usr/bin/python3 train.py [GENERATIONS]

Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% Levels to train on, and others to test on: none of them from the benchmark
import sys

import numpy as np

import startle

generations = int(sys.argv[1]) if len(sys.argv) > 1 else 10
training = [level for family in ("towers", "rows") for level in startle.generate(family, count=30, seed=2)]
unseen = [level for family in ("towers", "rows") for level in startle.generate(family, count=30, seed=3)]
PIG = startle.KINDS.index("pig")


# %% The policy: an angle, linear in where the nearest pig is, how the bird falls, and how many birds are left
def features(observations):
    objects, launch = observations["objects"], observations["launch"]
    pigs = (objects[..., 0] != 0) & (objects[..., 1] == PIG)
    away = np.where(pigs[..., None], objects[..., 3:5] - launch[:, None, :2], np.inf)
    dx, dy = away[np.arange(len(away)), np.argmin(away[..., 0], axis=1)].T
    dx, dy = np.nan_to_num(dx, posinf=0.0) / 10, np.nan_to_num(dy, posinf=0.0) / 10
    left = (observations["birds"] > 0).sum(axis=1)
    return np.stack([np.ones_like(dx), dx, dy, dx * launch[:, 4] / 10, left / 5], axis=1)


def play(env, weights, levels):
    """Each environment plays its level to the end: score in units of 10,000, and whether it was cleared."""
    observations, _ = env.reset(options={"level": levels})
    score, solved, over = np.zeros(len(levels)), np.zeros(len(levels), bool), np.zeros(len(levels), bool)
    while not over.all():
        angle = np.clip(np.sum(weights * features(observations), axis=1), 0.0, 1.3)
        shots = np.stack([angle, np.ones_like(angle), -np.ones_like(angle)], axis=1)  # full stretch, no tap
        observations, rewards, ended, _, infos = env.step(shots)
        score += np.where(over, 0.0, rewards) / 10000
        solved |= ~over & infos["solved"]
        over |= ended
    return score, solved


def test(weights):
    env = startle.make_vec(unseen, len(unseen), size=(1, 1))
    return play(env, weights, list(range(len(unseen))))[1].mean()


# %% Train: 16 policies a generation play the same 12 levels; the best quarter makes the next
random = np.random.default_rng(1)
policies, played = 16, 12
env = startle.make_vec(training, policies * played, size=(1, 1))
mean, spread = np.array([0.4, 0.0, 0.0, 0.0, 0.0]), np.full(5, 0.3)
print(f"before: clears {test(mean):.0%} of {len(unseen)} unseen levels")
for generation in range(generations):
    weights = random.normal(mean, spread, (policies, len(mean)))
    levels = random.choice(len(training), played, replace=False)
    score, _ = play(env, np.repeat(weights, played, axis=0), list(np.tile(levels, policies)))
    score = score.reshape(policies, played).mean(axis=1)
    best = weights[np.argsort(-score)[:policies // 4]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + 0.02
    print(f"generation {generation + 1}: score {score.mean():.2f}, of the best {score.max():.2f}")
print(f"after: clears {test(mean):.0%} of {len(unseen)} unseen levels")
