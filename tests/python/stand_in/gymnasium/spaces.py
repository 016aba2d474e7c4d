import numpy as np


class Box:
    def __init__(self, low, high, shape=None, dtype=np.float32):
        self.dtype, self.shape = np.dtype(dtype), tuple(shape) if shape is not None else np.shape(low)
        self.low, self.high = (np.full(self.shape, bound, dtype=self.dtype) for bound in (low, high))

    def contains(self, value):
        return (value.shape == self.shape and value.dtype == self.dtype and
                bool(np.all((value >= self.low) & (value <= self.high))))


class Dict:
    def __init__(self, spaces):
        self.spaces = dict(spaces)

    def contains(self, value):
        return value.keys() == self.spaces.keys() and all(self.spaces[name].contains(part)
                                                          for name, part in value.items())
