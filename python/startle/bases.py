"""What environments are subclasses of: Gymnasium's classes where it is installed, else the members of them
that whoever uses environments touches."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np

try:
    import gymnasium
except ImportError:
    gymnasium = None  # type: ignore[assignment]

NEXT_STEP: Any = "NextStep"
# Modes are named since Gymnasium 1.1.
if gymnasium and hasattr(gymnasium.vector, "AutoresetMode"):
    NEXT_STEP = gymnasium.vector.AutoresetMode.NEXT_STEP

# Type checkers see the class below, whether Gymnasium is installed or not.
if gymnasium and not TYPE_CHECKING:
    EnvBase, VectorBase = gymnasium.Env, gymnasium.vector.VectorEnv
else:

    class EnvBase:
        """As gymnasium.Env."""

        _np_random: Optional[np.random.Generator] = None
        _np_random_seed: Optional[int] = None

        @property
        def unwrapped(self):
            return self

        @property
        def np_random(self) -> np.random.Generator:
            """A random stream for whoever uses the environment; levels and worlds are drawn from another
            one."""
            if self._np_random is None:
                self._start(None)
            assert self._np_random is not None
            return self._np_random

        @np_random.setter
        def np_random(self, value: np.random.Generator) -> None:
            self._np_random, self._np_random_seed = value, -1

        @property
        def np_random_seed(self) -> int:
            if self._np_random_seed is None:
                self._start(None)
            assert self._np_random_seed is not None
            return self._np_random_seed

        def _start(self, seed: Optional[int]) -> None:
            sequence = np.random.SeedSequence(seed)
            self._np_random = np.random.Generator(np.random.PCG64(sequence))
            self._np_random_seed = cast(int, sequence.entropy)

        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            if seed is not None:
                self._start(seed)

    VectorBase = EnvBase


def _plain(value: Any) -> Any:
    """Paths as text and NumPy's numbers as Python's, which JSON can hold."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value


class Environment:
    """What single and vector environments share, with Gymnasium and without."""

    _spec: Any = None

    @property
    def spec(self) -> Any:
        """How gymnasium.make made it; None where something else did. spec.to_json() can hold levels by
        their paths."""
        return self._spec

    @spec.setter
    def spec(self, value: Any) -> None:
        if value is not None:
            value.kwargs = {name: _plain(setting) for name, setting in value.kwargs.items()}
        self._spec = value

    def __enter__(self):
        return self

    def close(self, **kwargs: Any) -> None:
        """There is nothing to close."""

    def __exit__(self, *_: Any) -> None:
        self.close()
