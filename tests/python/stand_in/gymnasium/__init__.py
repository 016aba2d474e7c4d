"""As much of Gymnasium 1's interface as the package `startle` touches, for tests on machines without
Gymnasium."""
from . import envs, spaces, vector
from .envs.registration import make, make_vec, register, registry


class Env:
    metadata = {"render_modes": []}
    render_mode = None
    spec = None
    np_random = None

    @property
    def unwrapped(self):
        return self

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.np_random = seed

    def close(self):
        pass
