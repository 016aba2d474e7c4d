"""Gymnasium's spaces where it is installed, else the few lines of them that describe these environments."""
try:
    from gymnasium.spaces import Box, Dict
    from gymnasium.vector.utils import batch_space
except ImportError:
    import numpy as np

    class _Space:
        """`seed` starts the random stream of `sample` anew."""

        def __init__(self):
            self._random = np.random.default_rng()

        def seed(self, seed=None):
            self._random = np.random.default_rng(seed)
            return seed

        def __contains__(self, value):
            return self.contains(value)

    class Box(_Space):  # type: ignore[no-redef]
        """Arrays of one shape and dtype, every entry from `low` to `high` (arrays of that shape)."""

        def __init__(self, low, high, shape=None, dtype=np.float32):
            super().__init__()
            self.dtype = np.dtype(dtype)
            self.shape = tuple(shape) if shape is not None else np.shape(low)
            self.low = np.full(self.shape, low, dtype=self.dtype)
            self.high = np.full(self.shape, high, dtype=self.dtype)

        def sample(self):
            """Uniform; entries without bound are normal."""
            if self.dtype.kind in "iu":
                return self._random.integers(self.low, self.high, endpoint=True, dtype=self.dtype)
            bounded = np.isfinite(self.low) & np.isfinite(self.high)
            low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
            return np.where(bounded, self._random.uniform(low, high),
                            self._random.normal(size=self.shape)).astype(self.dtype)

        def contains(self, value):
            value = np.asarray(value)
            return (value.shape == self.shape and np.can_cast(value.dtype, self.dtype)
                    and bool(np.all(value >= self.low)) and bool(np.all(value <= self.high)))

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"

    class Dict(_Space):  # type: ignore[no-redef]
        """Spaces by name; values are dicts with the same names."""

        def __init__(self, spaces):
            super().__init__()
            self.spaces = dict(spaces)

        def seed(self, seed=None):
            for i, space in enumerate(self.spaces.values()):
                space.seed(None if seed is None else seed + i)
            return seed

        def sample(self):
            return {name: space.sample() for name, space in self.spaces.items()}

        def contains(self, value):
            return (isinstance(value, dict) and value.keys() == self.spaces.keys() and
                    all(v in self.spaces[n] for n, v in value.items()))

        def __getitem__(self, name):
            return self.spaces[name]

        def keys(self):
            return self.spaces.keys()

        def items(self):
            return self.spaces.items()

        def __repr__(self):
            return "Dict(" + ", ".join(f"{name!r}: {space}" for name, space in self.spaces.items()) + ")"

    def batch_space(space, n):  # type: ignore[misc]
        """The space of `n` values side by side."""
        if isinstance(space, Dict):
            return Dict({name: batch_space(part, n) for name, part in space.items()})
        return Box(np.broadcast_to(space.low, (n,) + space.shape),
                   np.broadcast_to(space.high, (n,) + space.shape), dtype=space.dtype)
