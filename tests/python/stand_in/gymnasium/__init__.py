"""As much of Gymnasium 1's interface as the package `startle` touches, for tests on machines without Gymnasium."""
import importlib
import types

from . import spaces, vector

registry = {}


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


def register(id, entry_point=None, vector_entry_point=None):
    assert id not in registry
    registry[id] = types.SimpleNamespace(id=id, entry_point=entry_point, vector_entry_point=vector_entry_point)


def _made(id, entry_point, kwargs):
    module, name = entry_point.split(":")
    env = getattr(importlib.import_module(module), name)(**kwargs)
    env.unwrapped.spec = types.SimpleNamespace(id=id, kwargs=kwargs)
    return env


def make(id, **kwargs):
    return _made(id, registry[id].entry_point, kwargs)


def make_vec(id, num_envs=1, **kwargs):
    return _made(id, registry[id].vector_entry_point, {"num_envs": num_envs, **kwargs})
