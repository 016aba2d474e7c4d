"""Startle from Python: environments with Gymnasium's call signatures, agents for the batch runner, levels and their difficulty.

    import startle

    env = startle.make("levels/benchmark/T1", novelty=True, seed=3, size=(128, 128))
    observation, info = env.reset()
    while True:
        observation, reward, terminated, truncated, info = env.step((0.6, 1.0, -1.0))  # angle (rad), stretch, tap time (s)
        env.report(0.2)  # how likely it is that the world is not the normal one
        if terminated or truncated:
            break

`make` and `make_vec` make environments (classes `Env` and `VectorEnv`), `serve` runs an agent written as a class under
`startle agents run`, `read_levels`, `generate` and `difficulty` are for whoever sets up an experiment. docs/python.md has it all.

Where Gymnasium is installed, the environments are its subclasses and "Startle-v0" is registered with it. It is not needed.
`serve` needs nothing but Python's standard library.
"""
from .serve import serve

__all__ = ["make", "make_vec", "Env", "VectorEnv", "serve", "read_levels", "generate", "difficulty", "Level", "Error",
           "OBJECT_TYPES", "BIRD_TYPES", "KINDS", "MATERIALS", "OBJECT_COLUMNS", "LAUNCH_COLUMNS"]

try:
    import gymnasium as _gymnasium
except ImportError:
    pass
else:
    if "Startle-v0" not in _gymnasium.registry:
        _gymnasium.register(id="Startle-v0", entry_point="startle.environment:Env", vector_entry_point="startle.environment:VectorEnv")


def __getattr__(name):
    # What needs NumPy and the compiled module is loaded when it is first used: a served agent starts with every trial.
    if name not in __all__ and name != "__version__":
        raise AttributeError(f"module 'startle' has no attribute {name!r}")
    from . import environment, levels

    for module in (environment, levels):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)


def __dir__():
    return sorted(__all__ + ["__version__"])
