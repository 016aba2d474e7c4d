"""Rollouts: episodes that `startle rollouts` made, as NumPy arrays and for PyTorch.

    from startle.rollouts import Rollouts

    rollouts = Rollouts("rollouts")
    for episode in rollouts.where(novel=0):
        for shot in episode.shots:
            shot.poses, shot.velocities                 # (frames, bodies, 3) each

Needs NumPy and h5py (Debian: python3-h5py), and neither the compiled module nor the program. docs/rollouts.md
has the layout of the files.
"""
from __future__ import annotations

import collections
import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

__all__ = ["Rollouts", "Episode", "Shot", "Windows", "torch_dataset"]

Table = Dict[str, np.ndarray]


def h5py_module():
    """h5py, or an ImportError that says how to install it."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError("startle: h5py is missing, which reads the files; install python3-h5py (Debian, "
                          "for /usr/bin/python3), or h5py with pip") from error
    return h5py


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _column(dataset: Any, rows: slice = slice(None)) -> np.ndarray:
    values = dataset[rows]
    return np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values


class _Shard:
    """One file. Tables are read when they are first asked for, each as a whole."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self._tables: Dict[str, Table] = {}
        self._file, self._process = None, 0

    def file(self) -> Any:
        if self._file is None or self._process != os.getpid():  # a worker that was forked opens its own
            self._file, self._process = h5py_module().File(self.path, "r"), os.getpid()
        return self._file

    def table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = {column: _column(dataset) for column, dataset in self.file()[name].items()
                                  if dataset.ndim == 1}
        return self._tables[name]

    def names(self, table: str, column: str) -> Tuple[str, ...]:
        return tuple(_text(self.file()[table][column].attrs["names"]).split(","))

    def __getstate__(self):
        return {"path": self.path, "_tables": {}, "_file": None, "_process": 0}


class Rollouts(Sequence):
    """The episodes of a folder, or some of them: `len`, an index and a loop give `Episode`s.

    folder   that `startle rollouts` has completed
    cache    so many files are kept in memory without their pictures, those used last

    info     what rollouts.json says: settings, levels, shards
    table    columns of the episodes, one value each: `table["level"]`, `table["novel"]` ...

    Raises ImportError without h5py, ValueError for a folder that holds no complete rollouts.
    """

    def __init__(self, folder: Union[str, os.PathLike], cache: int = 16):
        self.folder = pathlib.Path(folder)
        try:
            self.info: Dict[str, Any] = json.loads((self.folder / "rollouts.json").read_text("utf-8"))
            known = self.info["format"] == "startle-rollouts" and self.info["version"] == 1
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.folder}: holds no rollouts.json of startle rollouts: {error}") from None
        if not known:
            raise ValueError(f"{self.folder}: rollouts.json is of another format or version")
        if not self.info["complete"]:
            raise ValueError(f"{self.folder}: the rollouts are not complete; run their command again: "
                             f"{self.info['command']}")
        h5py = h5py_module()
        self._cache: "collections.OrderedDict[int, _Shard]" = collections.OrderedDict()
        self._most = max(1, cache)
        parts: List[Table] = []
        for shard in self.info["shards"]:
            if pathlib.PurePath(shard["file"]).name != shard["file"]:
                raise ValueError(f"{self.folder}: rollouts.json: found {shard['file']!r} as a shard, "
                                 "allowed are names of files in this folder")
            try:
                with h5py.File(self.folder / shard["file"], "r") as file:
                    parts.append({name: _column(column) for name, column in file["episodes"].items()})
            except OSError as error:
                raise ValueError(f"{self.folder / shard['file']}: cannot be read: {error}") from None
        self._place = [(number, row) for number, part in enumerate(parts)
                       for row in range(len(part["level"]))]
        self.table: Table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        first = self._shard(0)
        #: What the codes of a column stand for: `codes["bodies", "kind"]`.
        self.codes = {(table, column): first.names(table, column)
                      for table, column in (("bodies", "kind"), ("bodies", "material"), ("events", "kind"))}

    def _shard(self, number: int) -> _Shard:
        shard = self._cache.pop(number, None) or _Shard(self.folder / self.info["shards"][number]["file"])
        self._cache[number] = shard
        while len(self._cache) > self._most:
            self._cache.popitem(last=False)
        return shard

    def __len__(self) -> int:
        return len(self._place)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._subset(np.arange(len(self))[index])
        number, row = self._place[index]
        return Episode(self, self._shard(number), row)

    def _subset(self, chosen: np.ndarray) -> "Rollouts":
        subset = object.__new__(Rollouts)
        subset.__dict__.update(self.__dict__)
        subset._place = [self._place[i] for i in chosen]
        subset.table = {name: column[chosen] for name, column in self.table.items()}
        return subset

    def where(self, **values: Any) -> "Rollouts":
        """The episodes in which each named column has that value, or one of those in a list, set or array:
        `where(novel=0, agent="random")`."""
        keep = np.ones(len(self), bool)
        for name, value in values.items():
            if name not in self.table:
                raise ValueError(f"where: found {name}, allowed are {', '.join(sorted(self.table))}")
            several = isinstance(value, (list, tuple, set, frozenset, np.ndarray))
            keep &= np.isin(self.table[name], list(value) if several else [value])
        return self._subset(np.flatnonzero(keep))

    def split(self, share: float = 0.2, seed: int = 0) -> Tuple["Rollouts", "Rollouts"]:
        """The episodes in two parts that share no level; the second has about `share` of the levels, at
        least one. For training and for testing."""
        if not 0 < share < 1:
            raise ValueError(f"split: share: found {share}, allowed is over 0 and below 1")
        levels = np.unique(self.table["level_hash"])
        if len(levels) < 2:
            raise ValueError(f"split: found {len(levels)} level, needed are two")
        count = min(max(1, round(share * len(levels))), len(levels) - 1)
        held_out = np.random.default_rng(seed).permutation(levels)[:count]
        test = np.isin(self.table["level_hash"], held_out)
        return self._subset(np.flatnonzero(~test)), self._subset(np.flatnonzero(test))


class Episode:
    """One level played once by one agent in one world.

    info     dict: the columns of the episode, `info["level"]`, `info["novel"]` ...
    bodies   dict of arrays (bodies,): kind, material, type, mass ...; the index is the body's id
    shots    list of `Shot`
    """

    def __init__(self, rollouts: Rollouts, shard: _Shard, row: int):
        self.rollouts, self._shard = rollouts, shard
        self.info = {name: column[row] for name, column in shard.table("episodes").items()}
        first, count = self.info["first_body"], self.info["bodies"]
        self.bodies: Table = {name: column[first:first + count]
                              for name, column in shard.table("bodies").items()}
        first = self.info["first_shot"]
        self.shots: List[Shot] = [Shot(self, shard, first + i) for i in range(self.info["shots"])]


class Shot:
    """One bird launched, and what came of it. All but `info` is made when it is asked for.

    info         dict: bird, angle (rad), stretch, tap_time (s), likelihood, steps, score, hash ...
    frames       dict of arrays (frames,): step, kinetic and potential energy (J) ...
    times        (frames,) s after the release
    poses        (frames, bodies, 3): x, y (m), angle (rad) by body id; NaN where a body is not (yet, or any
                 more) there. What is fixed stands where it stands
    velocities   (frames, bodies, 3): of the centre of mass (m/s), angular (rad/s); NaN as above
    life         (frames, bodies) hit points; NaN as above
    contacts     dict of arrays: frame (index into frames), a, b (ids; -1 the ground), impulse_x, impulse_y
                 (N s, of a on b), normal, x, y
    supports     dict of arrays: frame, lower (-1 the ground), upper
    events       dict of arrays: step, kind (text), a, b, value, x, y
    pictures     (frames, height, width, 3) uint8; masks (frames, height, width) uint16, 2 + id of the body.
                 ValueError where the rollouts have none
    """

    def __init__(self, episode: Episode, shard: _Shard, row: int):
        self.episode, self._shard = episode, shard
        self.info = {name: column[row] for name, column in shard.table("shots").items()}

    def _rows(self) -> slice:
        return slice(self.info["first_frame"], self.info["first_frame"] + self.info["frames"])

    @property
    def frames(self) -> Table:
        return {name: column[self._rows()] for name, column in self._shard.table("frames").items()}

    def _below(self, table: str, first: str, count: str) -> Table:
        """The rows below the frames, and of which frame each is."""
        frames = self.frames
        if len(frames[count]) == 0:
            return {"frame": np.zeros(0, int), **{name: column[:0] for name, column
                                                  in self._shard.table(table).items()}}
        rows = slice(frames[first][0], frames[first][-1] + frames[count][-1])
        return {"frame": np.repeat(np.arange(len(frames[count])), frames[count]),
                **{name: column[rows] for name, column in self._shard.table(table).items()}}

    @property
    def times(self) -> np.ndarray:
        return self.frames["step"] * self.episode.info["step_s"]

    def _dense(self, columns: Sequence[str], fixed: Sequence[Optional[str]]) -> np.ndarray:
        states, bodies = self._below("states", "first_state", "states"), self.episode.bodies
        shape = (self.info["frames"], len(bodies["id"]), len(columns))
        out = np.full(shape, np.nan, np.float64)
        still = np.flatnonzero(bodies["fixed"])
        for i, (column, start) in enumerate(zip(columns, fixed)):
            out[:, still, i] = bodies[start][still] if start else 0.0
            out[states["frame"], states["body"], i] = states[column]
        return out

    @property
    def poses(self) -> np.ndarray:
        return self._dense(("x", "y", "angle"), ("x", "y", "angle"))

    @property
    def velocities(self) -> np.ndarray:
        return self._dense(("velocity_x", "velocity_y", "angular_velocity"), (None, None, None))

    @property
    def life(self) -> np.ndarray:
        return self._dense(("life",), ("life",))[..., 0]

    @property
    def contacts(self) -> Table:
        return self._below("contacts", "first_contact", "contacts")

    @property
    def supports(self) -> Table:
        return self._below("supports", "first_support", "supports")

    @property
    def events(self) -> Table:
        rows = slice(self.info["first_event"], self.info["first_event"] + self.info["events"])
        events = {name: column[rows] for name, column in self._shard.table("events").items()}
        events["kind"] = np.array(self.episode.rollouts.codes["events", "kind"])[events["kind"]]
        return events

    def _pixels(self, name: str, option: str, rows: slice = slice(None)) -> np.ndarray:
        frames = self._shard.file()["frames"]
        if name not in frames:
            raise ValueError(f"{self._shard.path}: holds no {name}s; startle rollouts {option} makes them")
        every = self._rows()
        start, stop, _ = rows.indices(every.stop - every.start)
        return frames[name][every.start + start:every.start + stop]

    @property
    def pictures(self) -> np.ndarray:
        return self._pixels("picture", "--size")

    @property
    def masks(self) -> np.ndarray:
        return self._pixels("mask", "--masks")


class Windows(Sequence):
    """Stretches of frames of one length, as dicts of arrays of one shape: what a data loader puts together.

    rollouts   `Rollouts`, or some of them
    length     frames of a window, at least 1
    stride     frames between the starts of two windows of a shot, at least 1
    bodies     so many bodies a window: the first by id, zeros where there are fewer; None: the most that an
               episode has
    pictures   with the pictures of the frames

    A window has
      states    (length, bodies, 6) float32: x, y, angle, velocities; zeros where no body is
      present   (length, bodies) bool
      bodies    (bodies, 8) float32: kind, material (codes), fixed, width, height, mass, friction, restitution
      action    (3,) float32: angle, stretch, tap time of the shot
      novel     int64
      picture   (length, height, width, 3) uint8, where asked for
    """

    def __init__(self, rollouts: Rollouts, length: int, stride: int = 1, bodies: Optional[int] = None,
                 pictures: bool = False):
        if length < 1 or stride < 1:
            raise ValueError(f"windows: length {length}, stride {stride}: allowed are numbers from 1")
        self.rollouts, self.length, self._pictures = rollouts, length, pictures
        self.bodies = int(bodies if bodies is not None else rollouts.table["bodies"].max(initial=1))
        self._starts = [(e, s, start) for e in range(len(rollouts))
                        for s, shot in enumerate(rollouts[e].shots)
                        for start in range(0, int(shot.info["frames"]) - length + 1, stride)]
        self._last: Tuple[Any, Any] = (None, None)

    def __len__(self) -> int:
        return len(self._starts)

    def _shot(self, episode: int, shot: int) -> Tuple[Shot, np.ndarray, np.ndarray]:
        if self._last[0] != (episode, shot):  # windows of one shot often come one after the other
            found = self.rollouts[episode].shots[shot]
            states = np.concatenate([found.poses, found.velocities], axis=2)[:, :self.bodies]
            table = found.episode.bodies
            columns = ("kind", "material", "fixed", "width", "height", "mass", "friction", "restitution")
            features = np.stack([table[name][:self.bodies] for name in columns], axis=1)
            self._last = ((episode, shot), (found, states, features))
        return self._last[1]

    def __getitem__(self, index: int) -> Dict[str, np.ndarray]:  # type: ignore[override]
        episode, number, start = self._starts[index]
        shot, states, features = self._shot(episode, number)
        rows = slice(start, start + self.length)
        count = states.shape[1]
        window: Dict[str, np.ndarray] = {
            "states": np.zeros((self.length, self.bodies, 6), np.float32),
            "present": np.zeros((self.length, self.bodies), bool),
            "bodies": np.zeros((self.bodies, features.shape[1]), np.float32),
            "action": np.array([shot.info[name] for name in ("angle", "stretch", "tap_time")], np.float32),
            "novel": np.array(shot.episode.info["novel"], np.int64)}
        window["present"][:, :count] = ~np.isnan(states[rows, :, 0])
        window["states"][:, :count] = np.nan_to_num(states[rows])
        window["bodies"][:count] = features
        if self._pictures:
            window["picture"] = shot._pixels("picture", "--size", rows)
        return window

    def __iter__(self) -> Iterator[Dict[str, np.ndarray]]:
        return (self[i] for i in range(len(self)))


def torch_dataset(rollouts: Rollouts, length: int, stride: int = 1, bodies: Optional[int] = None,
                  pictures: bool = False) -> Any:
    """`Windows` as a torch.utils.data.Dataset of tensors, for torch.utils.data.DataLoader, also with several
    workers. Raises ImportError where PyTorch is missing."""
    try:
        import torch
        import torch.utils.data
    except ImportError as error:
        raise ImportError("startle.rollouts: torch_dataset needs PyTorch; "
                          "Windows gives NumPy arrays") from error
    windows = Windows(rollouts, length, stride, bodies, pictures)

    class Tensors(torch.utils.data.Dataset):
        def __len__(self):
            return len(windows)

        def __getitem__(self, index):
            return {name: torch.from_numpy(values) for name, values in windows[index].items()}

    return Tensors()
