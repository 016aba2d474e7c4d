import numpy as np

from ..spaces import Box, Dict


def batch_space(space, n=1):
    if isinstance(space, Dict):
        return Dict({name: batch_space(part, n) for name, part in space.spaces.items()})
    return Box(np.broadcast_to(space.low, (n,) + space.shape),
               np.broadcast_to(space.high, (n,) + space.shape), dtype=space.dtype)
