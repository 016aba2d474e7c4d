"""Environments: levels to be played, with Gymnasium's call signatures (its subclasses where it is
installed)."""
from __future__ import annotations

import collections.abc
import copy
import json
import secrets
from typing import Any, Dict as DictOf, Iterable, List, Optional, Tuple, Union

import numpy as np

from .arguments import named, several, size as size_of, whole
from .arguments import seed as _seed
from .bases import NEXT_STEP as _NEXT_STEP, EnvBase as _EnvBase, Environment as _Environment
from .bases import VectorBase as _VectorBase
from .engine import engine as _engine
from .levels import Error, Level, Path, read_levels
from .spaces import Box, Dict, batch_space

__version__ = _engine.__version__

Levels = Union[Level, Path, Iterable[Union[Level, Path]]]
Observation = DictOf[str, np.ndarray]

#: What codes in an observation stand for. Code 0 of a type or bird means that there is none.
OBJECT_TYPES, BIRD_TYPES = _engine.OBJECT_TYPES, _engine.BIRD_TYPES
KINDS, MATERIALS = _engine.KINDS, _engine.MATERIALS
#: Columns of observation["objects"]; type, kind and material are codes, lengths world units, the angle
#: radians; width and height are those of the box around the shape before it is turned.
OBJECT_COLUMNS = ("type", "kind", "material", "x", "y", "angle", "width", "height")
#: Entries of observation["launch"]: where the bird rests, the longest pull, launch speed (m/s) at the longest
#: pull, fall of the next bird in flight (m/s^2; 0 when none is left), top of the ground; the world is
#: |x| <= half_width.
LAUNCH_COLUMNS = ("rest_x", "rest_y", "max_stretch", "launch_speed", "flight_gravity", "ground_y",
                  "half_width")

def make(levels: Levels, **settings: Any) -> "Env":
    """An environment, `Env`, over the levels. Settings are those of `Env`.

        env = startle.make("levels/benchmark/T1", novelty=True, seed=3, size=(128, 128))
    """
    return Env(levels, **settings)


def make_vec(levels: Levels, num_envs: int, **settings: Any) -> "VectorEnv":
    """`num_envs` environments that step together on several threads, a `VectorEnv`. Settings are those of
    `VectorEnv`."""
    return VectorEnv(levels, num_envs=num_envs, **settings)


def _engine_of(levels, novelty, profile, count, size, threads, start_again, shift_after):
    found = []
    for level in several("levels", levels, "a Level, a path, or a list of those"):
        found += [level] if isinstance(level, Level) else read_levels(level, profile)
    if not isinstance(novelty, (bool, str)):
        raise Error(f"novelty: found {novelty!r}, allowed are False, True and the name of a novelty")
    changes = 0 if shift_after is None else whole("shift_after", shift_after, 1, 10_000)
    return _engine.Environments(found, novelty, profile, count, size, threads, start_again, changes)


#: No place, size, speed or angle of a level is larger: libraries for learning want bounds that are finite.
_LARGEST = 1e6
#: The shots that make sense, of all that are allowed.
_FIRST, _LAST = np.array([-np.pi, 0.01, -1.0]), np.array([np.pi, 1.0, 5.0])


def _spaces(engine, size, normalised):
    width, height = size
    observation = Dict({
        "picture": Box(0, 255, (height, width, 3), np.uint8),
        "objects": Box(-_LARGEST, _LARGEST, (engine.most_objects, len(OBJECT_COLUMNS)), np.float64),
        "birds": Box(0, len(BIRD_TYPES) - 1, (engine.most_birds,), np.int64),
        "launch": Box(-_LARGEST, _LARGEST, (len(LAUNCH_COLUMNS),), np.float64),
    })
    if normalised:
        return Box(-1.0, 1.0, (3,), np.float32), observation
    return Box(_FIRST, _LAST, dtype=np.float64), observation


def _level(value):
    return whole("level", value, 0, 2**63 - 1, "whole numbers from 0")


def _options(options):
    if not isinstance(options or {}, collections.abc.Mapping):
        raise Error(f"reset: options: found {options!r}, allowed is a dict")
    unknown = set(options or {}) - {"level"}
    if unknown:
        raise Error(f"reset: unknown options {sorted(unknown)}, allowed is level")
    return (options or {}).get("level")


def _actions(value, shape, normalised):
    try:
        actions = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error(f"action: found {value!r}, allowed are numbers: angle, stretch, tap time") from None
    if actions.shape != shape:
        raise Error(f"action: found shape {actions.shape}, allowed is {shape}: angle, stretch, tap time")
    if not normalised:
        return actions
    if not np.all(np.abs(actions) <= 1):
        raise Error(f"action: found {value!r}, allowed are numbers from -1 to 1, as normalised is set")
    return _FIRST + (actions + 1) / 2 * (_LAST - _FIRST)


def _copied(env):
    """Also copy.copy() gives an environment of its own: two that share one game would be of no use."""
    return copy.deepcopy(env)


_OBSERVED = ("picture", "objects", "birds", "launch")


class Env(_Environment, _EnvBase):
    """Levels to be played, one or a row of them an episode; a step is one shot.

    Settings
        levels       path of a level file or a folder of them, a `Level`, or a list of those
        novelty      False: the normal world. True: the novelty stored with each level. A name: that novelty
                     in every level
        seed         of the first reset() when that names none; 0 to 2^64 - 1; None: from the system
        size         (width, height) of pictures in pixels, each 1 to 1024
        profile      physical constants: "startle", "anu" or "classic"
        normalised   True: an action is three numbers from -1 to 1, spread evenly over the plain action_space,
                     as libraries for reinforcement learning want them
        render_mode  None or "rgb_array": render() gives the level as it stands; "rgb_array_list": the frames
                     of the last shot, 10 a second
        shift_after  None: an episode is one level. n, 1 to 10,000: it is a row of 2 n levels, as a trial of
                     the protocol shift. The world is normal in the first k, k drawn from 1 to n, and novel in
                     the others; info says at the end what k was

    Action: angle, stretch, tap_time (3 numbers)
        angle        direction of the launch above +x, radians; pi - angle shoots to the left
        stretch      share of the longest pull, over 0 up to 1
        tap_time     s after the release at which the bird's power is used; negative: never
    `action_space` is the part of what is allowed that makes sense; angles up to a full turn, 2 pi, and tap
    times up to 1000 s are accepted.

    Observation: a dict of arrays
        picture      (height, width, 3) uint8: the level as it stands, flat colours, rows from the top
        objects      (most objects of a level, 8) float64: row i is the object with id i, columns
                     OBJECT_COLUMNS; zeros where it is gone
        birds        (most birds of a level,) int64: codes of the birds left, the next one first, then zeros
        launch       (7,) float64: LAUNCH_COLUMNS
    `describe()` gives the same with outlines and names, as agent programs get it.

    Reward: the score gained by the shot; of the one that clears the level with that of the unused birds.
    terminated: no pig or no bird is left, in the last level of the episode. truncated: always False, as birds
    run out. info: "shots" taken and "score" in the episode so far, "solved", whether the shot has cleared its
    level, "pigs" left. With shift_after the observation after the last shot of a level is that of the next
    one, and info has "level", its number from 1, and at the end "shift", k.

    What makes a world novel, names and tiers of levels, parameters of objects: nothing here gives them away.
    Equal seeds and actions give equal results, bit for bit. Raises Error (a ValueError) for everything that
    is refused; the episode then stands as it was.

    copy.deepcopy(env), copy.copy(env) and pickle give an environment that goes on by itself from the same
    state, bit for bit: a planner's. A copy takes as long as what the state holds; a pickle keeps the levels,
    the novelty and the shots so far, which are flown again when it is read. Whoever holds a pickle holds what
    agents may not see.
    """

    #: The frames of a shot ("rgb_array_list") play in real time at render_fps.
    metadata: DictOf[str, Any] = {"render_modes": ["rgb_array", "rgb_array_list"], "render_fps": 10}

    @named
    def __init__(self, levels: Levels, *, novelty: Union[bool, str] = False, seed: Optional[int] = None,
                 size: Tuple[int, int] = (128, 128),
                 profile: str = "startle", normalised: bool = False,
                 render_mode: Optional[str] = None, shift_after: Optional[int] = None) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise Error(f"render_mode: found {render_mode!r}, allowed are None, 'rgb_array' and "
                        "'rgb_array_list'")
        size = size_of(size)
        self._engine = _engine_of(levels, novelty, profile, 1, size, 1, False, shift_after)
        self._shifts = shift_after is not None
        self._first_seed = None if seed is None else _seed(seed)
        self._size = size
        self._seeded = False
        self._reports: List[Any] = []
        self._shots = 0
        self._normalised = bool(normalised)
        self.render_mode = render_mode
        self.action_space, self.observation_space = _spaces(self._engine, size, normalised)

    @property
    def level_count(self) -> int:
        """Number of levels: those that reset(options={"level": i}) can name are 0 to level_count - 1, in the
        order of their paths."""
        return self._engine.levels

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[DictOf[str, Any]] = None) -> Tuple[Observation, DictOf[str, Any]]:
        """The start of an episode, at a level drawn at random or options["level"]. Returns observation, info.

        A seed starts the random stream anew; without one it goes on. Raises Error for a level that there is
        not.
        """
        level = _options(options)
        if seed is None and not self._seeded:
            seed = self._first_seed if self._first_seed is not None else secrets.randbits(64)
        seen = self._engine.reset([None if seed is None else _seed(seed)],
                                  [None if level is None else _level(level)], None)
        super().reset(seed=None if seed is None else _seed(seed))
        self._seeded = True
        self._reports = []
        observation, _, _, info = self._unpacked(seen)
        return observation, info

    def step(self, action: Any) -> Tuple[Observation, float, bool, bool, DictOf[str, Any]]:
        """Shoots. Returns observation, reward, terminated, truncated, info.

        Raises Error for NaN and values out of range, before the first reset(), and after the end of the
        level.
        """
        seen = self._engine.step(_actions(action, (3,), self._normalised)[np.newaxis], None)
        observation, reward, over, info = self._unpacked(seen)
        return observation, reward, over, False, info

    def _unpacked(self, seen):
        self._shots = int(seen["shots"][0])
        info = {"shots": self._shots, "score": float(seen["scores"][0]), "pigs": int(seen["pigs"][0]),
                "solved": bool(seen["solved"][0])}
        if self._shifts:
            info["level"] = int(seen["level"][0])
            if seen["over"][0]:
                info["shift"] = int(seen["shift"][0])
        return {name: seen[name][0]
                for name in _OBSERVED}, float(seen["rewards"][0]), bool(seen["over"][0]), info

    @named
    def report(self, novelty: float, description: str = "") -> None:
        """Says after a shot how likely it is, from 0 to 1, that the world is not the normal one; 0.5 and
        above is an alarm.

        `description`: what is different, in words, at most 10,000 bytes. One report a shot. Raises Error for
        a likelihood out of range or NaN, and when there is no shot to report on. Nothing comes back: what was
        reported is in `reports` until the next reset().
        """
        if len(self._reports) and self._reports[-1][0] == self._shots or self._shots == 0:
            raise Error(f"report: allowed is one after each shot; {self._shots} were taken and "
                        f"{len(self._reports)} reported on")
        _engine.check_report(float(novelty), description)
        self._reports.append((self._shots, float(novelty), description))

    @property
    def reports(self) -> List[Tuple[int, float, str]]:
        """Those of this episode: a list of (number of the shot from 1, likelihood, description)."""
        return list(self._reports)

    @property
    def alarm_shot(self) -> Optional[int]:
        """Number of the first shot, from 1, whose report raised an alarm; None: not yet."""
        return next((shot for shot, novelty, _ in self._reports if novelty >= 0.5), None)

    def describe(self) -> DictOf[str, Any]:
        """The level as it stands: a dict, "of an observation" in docs/agent-protocol.md, with outlines and
        names."""
        return json.loads(self._engine.observation(0))["observation"]

    def describe_shot(self) -> DictOf[str, Any]:
        """The last shot: a dict with "shot", "bird", "first_bird", "frames" (each 0.1 s, what moved),
        "observation"; the report message of docs/agent-protocol.md. Raises Error when there is none."""
        message = json.loads(self._engine.last_shot(0))
        del message["type"]
        return message

    def video(self, size: Optional[Tuple[int, int]] = None) -> np.ndarray:
        """The last shot: (frames, height, width, 3) uint8, a picture each 0.1 s from the release on. Raises
        Error when there is none."""
        return self._engine.video(0, *(self._size if size is None else size_of(size)))

    def render(self) -> Union[np.ndarray, List[np.ndarray]]:
        """640 x 320: (320, 640, 3) uint8 of the level as it stands; with "rgb_array_list" a list of those, a
        frame each 0.1 s of the last shot, before the first one the level alone. Raises Error before the first
        reset()."""
        if self.render_mode == "rgb_array_list" and self._shots > 0:
            return list(self.video((640, 320)))
        picture = self._engine.picture(0, 640, 320)
        return [picture] if self.render_mode == "rgb_array_list" else picture

    __copy__ = _copied

    def __repr__(self):
        return f"<startle.Env: {self.level_count} levels, pictures of {self._size[0]} x {self._size[1]}>"

    __str__ = __repr__


class VectorEnv(_Environment, _VectorBase):
    """`num_envs` environments side by side, stepped on several threads while Python is let go.

    Settings are those of `Env`, and
        num_envs     1 to 65,536
        threads      0: all of the machine; results do not depend on it

    Everything is as for `Env` with one more dimension in front. After the step that ended an episode, the
    next step() starts a new one in that environment: its action is not looked at, its reward is 0, and its
    observation is that of the new level (Gymnasium's AutoresetMode.NEXT_STEP). Environment i of reset(seed=s)
    plays as an `Env` of reset(seed=s + i).
    """

    metadata = {"render_modes": [], "autoreset_mode": _NEXT_STEP}

    @named
    def __init__(self, levels: Levels, num_envs: int = 1, *, novelty: Union[bool, str] = False,
                 seed: Optional[int] = None, size: Tuple[int, int] = (128, 128),
                 profile: str = "startle", normalised: bool = False, threads: int = 0,
                 render_mode: None = None, shift_after: Optional[int] = None) -> None:
        if render_mode is not None:
            raise Error(f"render_mode: found {render_mode!r}, allowed is None")
        size = size_of(size)
        self._engine = _engine_of(levels, novelty, profile, num_envs, size, threads, True, shift_after)
        self._shifts = shift_after is not None
        self._first_seed = None if seed is None else _seed(seed)
        self._seeded = False
        self._size = size
        self.num_envs = num_envs
        self.render_mode = None
        self._normalised = bool(normalised)
        self.single_action_space, self.single_observation_space = _spaces(self._engine, size, normalised)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    @property
    def level_count(self) -> int:
        """As in `Env`."""
        return self._engine.levels

    def reset(self, *, seed: Union[int, Iterable[Optional[int]], None] = None,
              options: Optional[DictOf[str, Any]] = None,
              out: Optional[np.ndarray] = None) -> Tuple[Observation, DictOf[str, np.ndarray]]:
        """The start of a level in every environment. Returns observations, infos.

        seed      environment i gets seed + i; or a list with one for each (None: its stream goes on)
        options   {"level": index, or a list with one for each}
        out       array (num_envs, height, width, 3) of uint8 that observations["picture"] is written to;
                  None: a new one
        """
        n = self.num_envs
        level = _options(options)
        levels = list(level) if hasattr(level, "__len__") else [level] * n
        if seed is None and not self._seeded:
            seed = self._first_seed if self._first_seed is not None else secrets.randbits(63)
        seeds: List[Optional[int]] = list(seed) if isinstance(seed, Iterable) else [
            None if seed is None else _seed(seed) + i for i in range(n)]
        if len(levels) != n or len(seeds) != n:
            raise Error(f"reset: found {len(seeds)} seeds and {len(levels)} levels, allowed is one for each "
                        f"of {n} environments")
        seen = self._engine.reset([None if s is None else _seed(s) for s in seeds],
                                  [None if i is None else _level(i) for i in levels], out)
        self._seeded = True
        observations, _, _, infos = self._unpacked(seen)
        return observations, infos

    def step(self, actions: Any,
             out: Optional[np.ndarray] = None) -> Tuple[Observation, np.ndarray, np.ndarray, np.ndarray,
                                                        DictOf[str, np.ndarray]]:
        """One shot in each. `actions`: (num_envs, 3). Returns observations, rewards, terminations,
        truncations, infos: float64 and bool arrays of num_envs, a dict of arrays. `out` as in reset().

        Raises Error, naming the environment, for an action that is refused; none has moved then.
        """
        seen = self._engine.step(_actions(actions, (self.num_envs, 3), self._normalised), out)
        observations, rewards, over, infos = self._unpacked(seen)
        return observations, rewards, over, np.zeros(self.num_envs, bool), infos

    def _unpacked(self, seen):
        infos = {"shots": seen["shots"], "score": seen["scores"], "pigs": seen["pigs"],
                 "solved": seen["solved"]}
        if self._shifts:
            infos["level"] = seen["level"]
        # Gymnasium's: which environments have the entry
        infos |= {"_" + name: np.ones(self.num_envs, bool) for name in list(infos)}
        if self._shifts and seen["over"].any():
            infos |= {"shift": seen["shift"], "_shift": seen["over"]}
        return {name: seen[name] for name in _OBSERVED}, seen["rewards"], seen["over"], infos

    __copy__ = _copied

    def __repr__(self):
        return (f"<startle.VectorEnv: {self.num_envs} environments, {self.level_count} levels, "
                f"pictures of {self._size[0]} x {self._size[1]}>")

    __str__ = __repr__
