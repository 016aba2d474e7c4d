"""Startle from Python: environments with Gymnasium's call signatures, agents for the batch runner, levels and
their difficulty.

    import startle

    env = startle.make(startle.LEVELS / "benchmark/T1", novelty=True, seed=3, size=(128, 128))
    observation, info = env.reset()
    while True:
        action = (0.6, 1.0, -1.0)  # angle (rad), stretch, tap time (s)
        observation, reward, terminated, truncated, info = env.step(action)
        env.report(0.2)  # how likely it is that the world is not the normal one
        if terminated or truncated:
            break

For learners and agents
    make, make_vec             environments (classes Env and VectorEnv)
    serve                      runs an agent written as a class under `startle agents run`
    TrialTest                  likelihoods to report, with a bound on false alarms; made of CalibratedScores
                               and SequentialTest
For whoever sets up an experiment
    read_levels, generate      levels (class Level); LEVELS is the folder of those that come with Startle
    difficulty, explain        how hard a novelty is to detect in a level, and why
    simulate                   shots at a level: poses and events as arrays
    observer                   what an ideal observer detects of a shot
    rollouts                   episodes that `startle rollouts` made, for training
    surprise.clips             shots as clips, what models of the normal world see
    surprise.PredRNN           a trained model of the normal world, which predicts frames
    surprise.score             how surprised it is by shots
    evaluate                   how often a model of your own detects a novelty, by tier
    program                    runs the program `startle`: all its commands

docs/python.md has it all. Where Gymnasium is installed, the environments are its subclasses and
"startle/Levels-v0" is registered with it. It is not needed. `serve` needs nothing but Python's standard
library.
"""
from .serve import serve

# true for type checkers; the module typing alone would take a served agent 5 ms to start
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import rollouts, surprise
    from .environment import (BIRD_TYPES, KINDS, LAUNCH_COLUMNS, MATERIALS, OBJECT_COLUMNS, OBJECT_TYPES,
                              Env, VectorEnv, __version__, make, make_vec)
    from .false_alarms import CalibratedScores, SequentialTest, TrialTest
    from .levels import Error, Level, difficulty, explain, generate, read_levels
    from .places import LEVELS, program
    from .simulation import observer, simulate
    from .surprise import evaluate

__all__ = ["make", "make_vec", "Env", "VectorEnv", "serve", "read_levels", "generate", "difficulty",
           "explain", "simulate", "observer", "rollouts", "surprise", "evaluate",
           "TrialTest", "CalibratedScores", "SequentialTest", "program", "LEVELS", "Level", "Error",
           "OBJECT_TYPES", "BIRD_TYPES", "KINDS", "MATERIALS", "OBJECT_COLUMNS", "LAUNCH_COLUMNS"]

try:
    from .registration import register as _register

    _register()
except ImportError:  # no Gymnasium
    pass


def __getattr__(name):
    # What needs NumPy and the compiled module is loaded when it is first used: a served agent starts with
    # every trial.
    if name not in __all__ and name != "__version__":
        raise AttributeError(f"module 'startle' has no attribute {name!r}")
    import importlib

    if name == "rollouts":  # needs no compiled module
        return importlib.import_module(".rollouts", __name__)
    importlib.import_module(".engine", __name__)  # first: it says what is missing
    if name == "surprise":
        return importlib.import_module(".surprise", __name__)
    for module in ("environment", "false_alarms", "levels", "places", "simulation", "surprise"):
        found = importlib.import_module("." + module, __name__)
        if hasattr(found, name):
            return getattr(found, name)
    raise AttributeError(name)


def __dir__():
    return sorted(__all__ + ["__version__"])
