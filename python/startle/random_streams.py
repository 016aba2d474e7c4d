"""The random numbers of the engine (core/random.hpp): from one seed, the same numbers in both. Needs NumPy
alone."""
from __future__ import annotations

import numpy as np

__all__ = ["stream_seed", "uniform", "shuffled"]

_MASK = (1 << 64) - 1
_FACTOR, _STEP = 6364136223846793005, 1442695040888963407  # of PCG32


def _mixed(z: int) -> int:
    """Finalizer of SplitMix64."""
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9 & _MASK
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb & _MASK
    return z ^ (z >> 31)


def stream_seed(seed: int, name: str, index: int = 0) -> int:
    """Seed of an independent stream, for example stream_seed(1, "weights/conv_out")."""
    value = 0xcbf29ce484222325  # FNV-1a
    for byte in seed.to_bytes(8, "little") + name.encode() + index.to_bytes(8, "little"):
        value = (value ^ byte) * 0x100000001b3 & _MASK
    return _mixed(value)


def _numbers(seed: int, count: int) -> np.ndarray:
    """The first so many numbers of a stream, (count,) uint64 below 2^32."""
    states = np.empty(count, np.uint64)
    states[:1] = _mixed(seed + 0x9e3779b97f4a7c15 & _MASK)
    known, factor, step = 1, _FACTOR, _STEP  # state i + known is factor * state i + step
    while known < count:
        more = states[:count - known][:known]
        states[known:known + len(more)] = more * np.uint64(factor) + np.uint64(step)
        known, factor, step = 2 * known, factor * factor & _MASK, (factor + 1) * step & _MASK
    shifted = ((states >> np.uint64(18)) ^ states) >> np.uint64(27) & np.uint64(0xffffffff)
    turn = states >> np.uint64(59)
    back = (np.uint64(32) - turn) & np.uint64(31)
    return (shifted >> turn | shifted << back) & np.uint64(0xffffffff)


def uniform(seed: int, count: int) -> np.ndarray:
    """The first so many numbers of a stream that are uniform in [0, 1), (count,) float64."""
    numbers = _numbers(seed, 2 * count)
    return ((numbers[::2] >> np.uint64(5) << np.uint64(26)) | numbers[1::2] >> np.uint64(6)) * 2.0**-53


def shuffled(seed: int, count: int) -> np.ndarray:
    """0 to count - 1 in the order in which the engine shuffles them, (count,) int64."""
    order = list(range(count))
    spare = 64 + (count * count >> 31)  # for those rejected, count^2 / 2^33 in the mean
    numbers = iter(_numbers(seed, count + spare).tolist())
    for size in range(count, 1, -1):
        for number in numbers:  # without bias, by Lemire's rejection
            product = number * size
            if product & 0xffffffff >= (1 << 32) % size:
                break
        else:
            raise RuntimeError(f"random numbers: more than {spare} rejected")
        other = product >> 32
        order[size - 1], order[other] = order[other], order[size - 1]
    return np.array(order)
