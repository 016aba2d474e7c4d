"""Level sets as data sets that others load: `python3 -m startle export LEVELS --out FOLDER` writes pairs of
videos, one shot in the normal and in the novel world, with a table, a data set card and a Croissant
description. It needs PyPI's `av`, `h5py` and `pyarrow`. docs/export.md has an example, docs/files.md
every column."""
from __future__ import annotations

import argparse
import datetime
import fcntl
import hashlib
import json
import math
import os
import pathlib
import random
import re
import shlex
import shutil
import sys
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .arguments import Error, seed as seed_of, size as size_of, text, whole
from .engine import engine as _engine
from .environment import Env
from .export_card import COLUMNS, STEP_COLUMNS, card, croissant
from .levels import Level, difficulty, explain, read_levels
from .simulation import simulate

__all__ = ["export", "COLUMNS"]

FPS = 10  # a frame each 5 steps of 0.02 s, the clock at which agents see the world
QP = 16  # of H.264: fixed, so that a frame depends on no later one
#: What the engine counts as visible (simulated/twin.hpp): so far apart for so many steps.
APART, TURNED, HOLD = 0.1, 0.1, 3
SPLITS = ("train", "validation", "test")
TWINS = ("normal", "novel")

class Item(NamedTuple):
    """A level to be exported."""

    level: Level
    set: str
    name: str  # of its clips
    novelty: str
    hash: str
    data: Dict[str, Any]


def _module(name: str) -> Any:
    """A package that the extra brings in, or an Error that names the extra."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Error(f"{sys.executable} has no {name.split('.')[0]} ({error}); pip install 'av>=14' h5py "
                    "pyarrow in an environment of its own, see docs/export.md") from error


def _files(paths: Iterable[str]) -> Iterator[Tuple[pathlib.Path, str]]:
    """Level files with the name of their folder, from the folder on that was asked for."""
    for path in map(pathlib.Path, paths):
        if not path.exists():
            raise Error(f"{path}: does not exist")
        if path.is_dir():
            root = path.resolve()
            for file in sorted(file for file in path.rglob("*")
                               if file.suffix.lower() in (".json", ".xml") and file.is_file()
                               and file.name != "manifest.json"):
                yield file, (root.name / file.relative_to(path).parent).as_posix()
        else:
            yield path, path.resolve().parent.name


def _items(paths: Sequence[str], novelty: str) -> List[Item]:
    found, names = [], set()
    for file, folder in _files(paths):
        for level in read_levels(file):
            own = level.novelty if novelty == "stored" else novelty
            if own is None:
                raise Error(f"{file}: no novelty is stored with the level; --novelty gives one, for example "
                            "--novelty T2")
            data = json.loads(level.json())
            world = {key: data.get(key) for key in ("width", "slingshot", "birds", "objects")}
            digest = hashlib.sha256(json.dumps(world, sort_keys=True).encode()).hexdigest()[:16]
            plain = re.sub(r"[^A-Za-z0-9._+-]+", "-", level.name).lstrip(".") or "level"
            name, number = plain, 1
            while name in names:
                number += 1
                name = f"{plain}.{number}"
            names.add(name)
            found.append(Item(level, folder, name, own, digest, data))
    if not found:
        raise Error(f"{', '.join(map(str, paths))}: found no levels, allowed are level files, .json or .xml, "
                    "and folders of them")
    return found


def _splits(items: Sequence[Item], split: str) -> Dict[str, str]:
    """The part of each level, by hash: a level that stands twice is in one."""
    if split in SPLITS:
        return {item.hash: split for item in items}
    if split == "seed":
        parts = {item.hash: "train" for item in items}
        for item in items:
            seed = item.data.get("provenance", {}).get("seed")
            if seed is None or seed % 2:
                parts[item.hash] = "test"
        return parts
    try:
        shares = [int(share) for share in split.split(":")]
        if len(shares) != 3 or min(shares) < 0 or sum(shares) != 100:
            raise ValueError
    except ValueError:
        raise Error(f"--split: found {split!r}, allowed are seed, {', '.join(SPLITS)} and three shares of "
                    "100, for example 80:10:10") from None
    parts = {}
    for item in items:
        place = int(hashlib.sha256(f"split/{item.hash}".encode()).hexdigest(), 16) % 100
        parts[item.hash] = SPLITS[0 if place < shares[0] else 1 if place < shares[0] + shares[1] else 2]
    return parts


def _shots(item: Item, first: Dict[str, Any], more: int, seed: int) -> List[Dict[str, Any]]:
    """The most telling of the best first shots, then shots at random targets; none: nothing to shoot at.

    first   interaction, as `explain` says it
    """
    targets = {target["object"]: target for target in first["targets"]}
    if not first["best_shots"]:
        return []
    best = max(first["best_shots"], key=lambda shot: shot["detected"])
    ways = [(number, i) for number, target in targets.items() for i in range(len(target["trajectories"]))]
    chosen = (best["object"], best["trajectory"])
    ways.remove(chosen)
    # random.Random of a text is the same in every version of Python.
    others = random.Random(f"{seed}/{item.hash}/{item.novelty}").sample(ways, min(more, len(ways)))
    detected = {(shot["object"], shot["trajectory"]): shot["detected"] for shot in first["best_shots"]}
    return [{"shot": i, "target": way[0], "p_shot": detected.get(way),
             "angle": math.radians(targets[way[0]]["trajectories"][way[1]]["angle_deg"])}
            for i, way in enumerate([chosen, *others])]


def _last_pose(poses: np.ndarray, steps: int, bodies: int) -> np.ndarray:
    """Poses of so many steps and bodies: what has come to rest stays, what is not there is NaN."""
    out = np.full((steps, bodies, 3), np.nan)
    out[:len(poses), :poses.shape[1]] = poses
    out[len(poses):, :poses.shape[1]] = poses[-1]
    return out


def divergence_step(normal: np.ndarray, novel: np.ndarray) -> Optional[int]:
    """First row from which on poses (steps, bodies, 3) are visibly apart, as the engine counts it: in
    distance or angle, or as one is not there, for some steps on end or at the end. None: never."""
    steps, bodies = max(len(normal), len(novel)), max(normal.shape[1], novel.shape[1])
    a, b = _last_pose(normal, steps, bodies), _last_pose(novel, steps, bodies)
    gone_a, gone_b = np.isnan(a[..., 0]), np.isnan(b[..., 0])
    away = np.hypot(*np.moveaxis(a[..., :2] - b[..., :2], -1, 0)) > APART
    turn = a[..., 2] - b[..., 2]
    away |= np.abs(turn - 2 * np.pi * np.round(turn / (2 * np.pi))) > TURNED
    away = np.where(gone_a | gone_b, gone_a != gone_b, away)
    first = None
    for body in away.T:
        run = 0
        for step in range(steps):
            run = run + 1 if body[step] else 0
            if run == HOLD or (run and step == steps - 1):
                start = step - run + 1
                first = start if first is None else min(first, start)
                break
    return first


def first_difference(normal: np.ndarray, novel: np.ndarray) -> Optional[int]:
    """First frame whose pictures differ; None where the shorter video is the beginning of the longer, and
    that stands still from there on."""
    count = max(len(normal), len(novel))
    for i in range(count):
        if not np.array_equal(normal[min(i, len(normal) - 1)], novel[min(i, len(novel) - 1)]):
            return i
    return None


def write_video(path: pathlib.Path, frames: np.ndarray) -> None:
    """An H.264 video that browsers play. One thread and a fixed quantiser without looking ahead: the same
    frames give the same bytes, and twins are alike until their pictures differ."""
    av = _module("av")
    with av.open(str(path), "w", format="mp4",
                 options={"movflags": "+faststart", "fflags": "+bitexact"}) as container:
        stream = container.add_stream("libx264", rate=FPS)
        stream.height, stream.width = frames.shape[1:3]
        stream.pix_fmt = "yuv420p"
        stream.codec_context.thread_count = 1
        stream.options = {"preset": "medium", "qp": str(QP), "x264-params":
                          f"keyint={5 * FPS}:scenecut=0:bframes=0:rc-lookahead=0:mbtree=0:threads=1"}
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), "rgb24")))
        container.mux(stream.encode())


def read_video(path: pathlib.Path) -> np.ndarray:
    """(frames, height, width, 3) uint8."""
    av = _module("av")
    with av.open(str(path)) as container:
        return np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])


def _changed(item: Item) -> List[Dict[str, Any]]:
    """What differs between the objects of the two worlds of a level, and their gravity."""
    normal, novel = (simulate(item.level, [], novelty=novelty) for novelty in (None, item.novelty))
    changed: Dict[Tuple, int] = {}
    for usual, now in zip(normal["objects"], novel["objects"]):
        material = usual["kind"] if usual["material"] == "none" else usual["material"]
        for name, before in usual["parameters"].items():
            after = now["parameters"][name]
            if before != after:
                key = (usual["type"], material, name, before, after)
                changed[key] = changed.get(key, 0) + 1
    rows = [dict(zip(("type", "material", "parameter", "before", "after"), key), objects=count)
            for key, count in sorted(changed.items())]
    for name, before, after in zip(("gravity_x", "gravity_y"), normal["gravity"], novel["gravity"]):
        if before != after:
            rows.append({"type": "world", "material": "world", "parameter": name, "before": before,
                         "after": after, "objects": 0})
    return rows


def _only(values: Iterable[Any]) -> Any:
    """The value that all have; None where they do not."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _level_columns(item: Item, computed: Dict[str, Any]) -> Dict[str, Any]:
    """What both twins of all shots at a level share."""
    stored = item.data.get("difficulty", {})
    made_for = item.level.novelty == item.novelty
    changed = _changed(item)
    parameter = _only(row["parameter"] for row in changed)
    provenance = item.data.get("provenance", {})
    return {
        "level": item.level.name, "set": item.set, "family": provenance.get("family"),
        "level_hash": item.hash, "level_seed": provenance.get("seed"), "novelty": item.novelty,
        "strength": float(item.novelty.partition("@")[2] or 1), "change": computed["description"],
        "parameter": parameter, "before": _only(row["before"] for row in changed) if parameter else None,
        "after": _only(row["after"] for row in changed) if parameter else None,
        "parameters": json.dumps(changed),
        "tier": (item.level.tier if made_for else None) or computed["tier"],
        "p_level": (stored.get("p_level") if made_for else None) or computed["p_level"],
        "pid": computed["pid"], "bid": computed["bid"], "birds": computed["birds"],
        "objects": len(item.data["objects"]), "novel_objects": computed["novel_objects"],
        "program": f"startle {_engine.__version__}", "engine": _engine.ENGINE,
    }


def _film(item: Item, shot: Tuple[float, float, float], novelty: Optional[str], size: Tuple[int, int]):
    """A shot in one world: what it did, its poses after every step, its pictures."""
    said = simulate(item.level, [shot], novelty=novelty, every=1)["shots"][0]
    with Env([item.level], novelty=novelty or False, size=size) as env:
        env.reset(seed=0, options={"level": 0})
        env.step(shot)
        frames = env.video()
    if len(frames) != len(said["poses"][::5]):
        raise Error(f"{item.level.name}: found {len(frames)} pictures of {len(said['poses'])} steps, allowed "
                    "is one each 5 steps")
    return said, frames


def _write(path: pathlib.Path, data: bytes) -> None:
    """The whole file or none."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)


def _export_shot(item: Item, chosen: Dict[str, Any], shared: Dict[str, Any], settings: Dict[str, Any],
                 folder: pathlib.Path, split: str) -> None:
    """Both twins of a shot: videos in the folder of the split, then their rows: all is there."""
    size = (settings["width"], settings["height"])
    pair = f"{item.name}-{chosen['shot']}"
    shot = (chosen["angle"], 1.0, -1.0)
    worlds = [_film(item, shot, novelty, size) for novelty in (None, item.novelty)]
    step = divergence_step(worlds[0][0]["poses"], worlds[1][0]["poses"])
    differs = first_difference(worlds[0][1], worlds[1][1])
    rows = []
    for twin, (said, frames) in zip(TWINS, worlds):
        clip = f"{pair}-{twin}"
        part = folder / split / "videos" / f"{clip}.mp4.part"
        write_video(part, frames)
        part.replace(part.with_suffix(""))
        if settings["hdf5"]:
            part = folder / "work" / f"{clip}.part"
            with open(part, "wb") as file:
                np.savez_compressed(file, pixels=frames, poses=said["poses"][::5])
            part.replace(part.with_suffix(".npz"))
        rows.append({
            "file_name": f"videos/{clip}.mp4", "clip": clip, "pair": pair, "twin": twin, "split": split,
            **shared, "shot": chosen["shot"], "bird": said["bird"], "target": chosen["target"],
            "angle": said["angle"], "stretch": said["stretch"], "p_shot": chosen["p_shot"],
            "tap_time": said["tap_time"] if said["tap_time"] >= 0 else None, "frames": len(frames),
            "fps": FPS, "seconds": said["seconds"], "end": said["end"], "score": said["score"],
            "divergence_s": None if step is None else round(0.02 * step, 2), "first_different_frame": differs,
            "hash": said["hash"], "export_seed": settings["seed"]})
    _write(folder / "work" / f"{pair}.json", json.dumps(rows).encode())


def _write_table(path: pathlib.Path, rows: List[Dict[str, Any]]) -> None:
    arrow, parquet = _module("pyarrow"), _module("pyarrow.parquet")
    schema = arrow.schema([(name, arrow.type_for_alias(kind)) for name, kind, _ in COLUMNS])
    part = path.with_name(path.name + ".part")
    parquet.write_table(arrow.Table.from_pylist(rows, schema=schema), part)
    part.replace(path)


def write_steps(path: pathlib.Path, rows: List[Dict[str, Any]], clips: Iterable[Dict[str, np.ndarray]],
                size: Tuple[int, int], bodies: int) -> None:
    """An HDF5 file with one data set a column, clips one after the other: for trainers of world models.

    clips   of each row `pixels` and `poses` (frames, bodies, 3)
    """
    h5py = _module("h5py")
    lengths = np.array([row["frames"] for row in rows], np.int64)
    total = int(lengths.sum())
    width, height = size
    part = path.with_name(path.name + ".part")
    shapes = {"pixels": ((height, width, 3), "uint8"), "action": ((3,), "float32"),
              "proprio": ((3,), "float32"), "state": ((3 * bodies,), "float32"),
              "present": ((bodies,), "uint8"), "reward": ((), "float32"), "terminated": ((), "uint8"),
              "ep_idx": ((), "int64"), "step_idx": ((), "int64"), "variation.novel": ((), "float32"),
              "variation.strength": ((), "float32"), "variation.value": ((), "float32")}
    with h5py.File(part, "w", track_order=True) as file:
        made = {name: file.create_dataset(name, (total, *shape), kind, compression=1,
                                          **({"chunks": (1, *shape)} if name == "pixels" else {}))
                for name, (shape, kind) in shapes.items()}
        offset = 0
        for number, (row, clip) in enumerate(zip(rows, clips)):
            count, poses = row["frames"], clip["poses"]
            padded = np.full((count, bodies, 3), np.nan)
            padded[:, :poses.shape[1]] = poses
            there = ~np.isnan(padded[..., 0])
            padded = np.nan_to_num(padded)
            novel = row["twin"] == "novel"
            value = row["after" if novel else "before"]
            last = np.arange(count) == count - 1
            tap = -1.0 if row["tap_time"] is None else row["tap_time"]
            values = {"pixels": clip["pixels"], "action": [[row["angle"], row["stretch"], tap]] * count,
                      "proprio": padded[:, row["objects"]], "state": padded.reshape(count, -1),
                      "present": there, "reward": last * row["score"], "terminated": last,
                      "ep_idx": [number] * count, "step_idx": np.arange(count),
                      "variation.novel": [float(novel)] * count,
                      "variation.strength": [row["strength"] if novel else 0.0] * count,
                      "variation.value": [np.nan if value is None else value] * count}
            for name, part_of_it in values.items():
                made[name][offset:offset + count] = part_of_it
            offset += count
        file["ep_len"], file["ep_offset"] = lengths, np.cumsum(lengths) - lengths
        file.attrs["format"], file.attrs["fps"] = "startle-export", FPS
        for name, meaning in STEP_COLUMNS:
            file[name].attrs["meaning"] = meaning
    part.replace(path)


def _shown_command(settings: Dict[str, Any]) -> str:
    """The command that makes these bytes again. Paths are left out: they name machines and people."""
    words = ["python3", "-m", "startle", "export", "DIR", "--out", "DIR", "--size",
             f"{settings['width']}x{settings['height']}"]
    for name in ("novelty", "shots", "seed", "split", "license"):
        words += [f"--{name}", str(settings[name])]
    return shlex.join(words + ["--hdf5"] * settings["hdf5"])


def _made_by(paths: Sequence[str]) -> List[str]:
    """Commands that made the levels, as the manifests beside them say."""
    commands = set()
    for path in map(pathlib.Path, paths):
        for manifest in path.rglob("manifest.json") if path.is_dir() else [path.with_name("manifest.json")]:
            try:
                commands.add(str(json.loads(manifest.read_text("utf-8"))["command"]))
            except (OSError, ValueError, KeyError, TypeError):
                continue  # a set without one, or one of another program
    return sorted(commands)


def _date() -> str:
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        now = datetime.datetime.now(datetime.timezone.utc) if epoch is None else \
            datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    except (ValueError, OverflowError, OSError):
        raise Error(f"SOURCE_DATE_EPOCH: found {epoch!r}, allowed are seconds since 1970") from None
    return now.date().isoformat()


def _found_settings(path: pathlib.Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))["settings"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _check_out(out: pathlib.Path, paths: Sequence[str], settings: Dict[str, Any]) -> bool:
    """Whether the folder holds this export already. Raises Error where it is in the way of something."""
    whole_out = out.resolve()
    for path in map(pathlib.Path, paths):
        if path.is_dir() and (whole_out == path.resolve() or path.resolve() in whole_out.parents or
                              whole_out in path.resolve().parents):
            raise Error(f"--out: found {out}, which holds the levels {path} or is in them, allowed is "
                        "another folder")
    if not out.exists():
        if not whole_out.parent.is_dir():
            raise Error(f"--out: found {out}, but there is no folder {whole_out.parent}")
        return False
    if not out.is_dir():
        raise Error(f"--out: found {out}, which is a file, allowed is a new folder")
    if not any(out.iterdir()):
        return False
    found = _found_settings(out / "export.json")
    if found is None:
        raise Error(f"--out: found {out}, which is not empty and holds no export, allowed is a new folder")
    _same(found, settings, out)
    return True


def _same(found: Dict[str, Any], settings: Dict[str, Any], place: pathlib.Path) -> None:
    for name, value in settings.items():
        if found.get(name) != value:
            raise Error(f"{place}: holds an export of another {name}: found {found.get(name)}, asked for is "
                        f"{value}; give another --out, or remove it")


def export(levels: Sequence[Any], out: Any, *, novelty: str = "stored", shots: int = 0, seed: int = 1,
           size: Tuple[int, int] = (512, 288), split: str = "seed", license: str = "MIT", hdf5: bool = False,
           progress: bool = False) -> Dict[str, int]:
    """Writes levels as a data set folder of the Hugging Face kind, and returns how many `pairs` are in it and
    how many `levels` were left out as the novelty changes nothing in them or nothing can be shot at.

    levels    paths of level files, and of folders of them
    out       a new folder; begun and broken off, the same call goes on from where it was
    novelty   name in the catalogue, "T2", or with a strength; "stored": the one stored with each level
    shots     so many shots at random targets a level, besides the most telling one
    seed      of those, 0 to 2^64 - 1
    size      width and height of the videos, even, 16 to 1024 pixels
    split     "seed": levels of even seeds for training, others for testing; "train", "validation" or "test":
              all levels; or three shares of 100 for these, "80:10:10"
    license   SPDX name of the levels' licence
    hdf5      also steps.h5 with one data set a column, for trainers of world models
    progress  a line each pair, on standard error

    Raises Error for what is missing, unknown or in the way.
    """
    width, height = size_of(size)
    for name, value in (("width", width), ("height", height)):
        if value % 2 or value < 16:
            raise Error(f"{name} of videos: found {value}, allowed are even numbers from 16 to 1024")
    if not re.fullmatch(r"[A-Za-z0-9.+-]+", text("license", license)):
        raise Error(f"license: found {license!r}, allowed is a name of SPDX's, for example MIT")
    versions = {"startle": _engine.__version__}
    for name in ("av", "pyarrow") + (("h5py",) if hdf5 else ()):
        versions[name] = _module(name).__version__
    paths, out = [str(path) for path in levels], pathlib.Path(out)
    items = _items(paths, text("novelty", novelty))
    listed = hashlib.sha256(json.dumps([[item.hash, item.name, item.set, item.novelty]
                                        for item in items]).encode())
    settings: Dict[str, Any] = {
        "versions": versions, "levels": f"{len(items)} {listed.hexdigest()[:16]}", "novelty": novelty,
        "shots": whole("shots", shots, 0, 1000), "seed": seed_of(seed), "width": width, "height": height,
        "split": text("split", split), "license": license, "hdf5": bool(hdf5)}
    parts = _splits(items, split)
    date = _date()
    work = out.with_name(out.resolve().name + ".partial")
    if _check_out(out, paths, settings):
        return json.loads((out / "export.json").read_text("utf-8"))["counts"]
    plan = _plan(items, settings)
    if not plan:
        raise Error(f"{', '.join(paths)}: found no level in which the novelty changes something that can be "
                    f"shot at, of {len(items)}")
    work.mkdir(exist_ok=True)
    with open(work / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Error(f"{work}: another export writes to it") from None
        found = _found_settings(work / "export.json")
        if found is not None:
            _same(found, settings, work)
        elif any(path.name != "lock" for path in work.iterdir()):
            raise Error(f"{work}: is not empty and holds no begun export; move it away")
        _write(work / "export.json", json.dumps({"settings": settings}).encode())
        (work / "work").mkdir(exist_ok=True)
        rows = _pairs(plan, parts, settings, work, progress)
        counts = {"pairs": len(rows) // 2, "levels": len(items) - len(plan)}
        _finish(rows, settings, work, paths, date, counts)
        shutil.rmtree(work / "work")
        (work / "lock").unlink()
        work.rename(out)
    return counts


class _Plan(NamedTuple):
    """A level that is exported: its shots, and what all its clips share."""

    item: Item
    shots: List[Dict[str, Any]]
    shared: Dict[str, Any]


def _plan(items: Sequence[Item], settings: Dict[str, Any]) -> List[_Plan]:
    """Levels in which there is something to shoot at and to see. Nothing is written before."""
    kept, computed, chosen = [], [], []
    for item in items:
        explained = explain(item.level, item.novelty)
        shots = _shots(item, explained["interactions"][0], settings["shots"], settings["seed"]) \
            if explained["novel_objects"] and explained["interactions"] else []
        if shots:
            kept.append(item)
            chosen.append(shots)
            computed.append({**difficulty(item.level, item.novelty), "description": explained["description"]})
    return [_Plan(item, shots, _level_columns(item, about))
            for item, shots, about in zip(kept, chosen, computed)]


def _pairs(plan: Sequence[_Plan], parts: Dict[str, str], settings: Dict[str, Any], work: pathlib.Path,
           progress: bool) -> List[Dict[str, Any]]:
    """Rows of all pairs, which are made where they are not there yet."""
    rows: List[Dict[str, Any]] = []
    total = sum(len(level.shots) for level in plan)
    for item, shots, shared in plan:
        split = parts[item.hash]
        (work / split / "videos").mkdir(parents=True, exist_ok=True)
        for shot in shots:
            file = work / "work" / f"{item.name}-{shot['shot']}.json"
            if not file.exists():
                _export_shot(item, shot, shared, settings, work, split)
            rows += json.loads(file.read_text("utf-8"))
            if progress:
                print(f"\rstartle export: {len(rows) // 2} of {total} pairs", end="", file=sys.stderr)
    if progress:
        print(file=sys.stderr)
    return rows


def _finish(rows, settings, work, paths, date, counts):
    """Tables, steps and descriptions."""
    for split in sorted({row["split"] for row in rows}):
        own = [row for row in rows if row["split"] == split]
        _write_table(work / split / "metadata.parquet", own)
        if settings["hdf5"]:
            def clip(row):
                with np.load(work / "work" / f"{row['clip']}.npz") as arrays:
                    return {"pixels": arrays["pixels"], "poses": arrays["poses"]}

            bodies = max(clip(row)["poses"].shape[1] for row in own)
            write_steps(work / split / "steps.h5", own, map(clip, own),
                        (settings["width"], settings["height"]), bodies)
    command = _shown_command(settings)
    _write(work / "README.md", card(rows, settings, command, _made_by(paths)).encode())
    _write(work / "croissant.json", croissant(rows, settings, command, date, work).encode())
    _write(work / "export.json", (json.dumps({
        "format": "startle-export", "version": 1, "command": command, "settings": settings,
        "counts": counts}, indent=2) + "\n").encode())


def _size(value: str) -> Tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", value)
    if not found:
        raise argparse.ArgumentTypeError(f"found {value!r}, allowed is WIDTHxHEIGHT, for example 512x288")
    return int(found[1]), int(found[2])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        "python3 -m startle export", formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        description="Writes levels as a data set of the Hugging Face kind: pairs of videos of one shot, in "
                    "the normal and in the novel world, with a table of what is true of them.")
    parser.add_argument("levels", nargs="+", metavar="LEVELS", help="level files, and folders of them")
    parser.add_argument("--out", required=True, metavar="FOLDER",
                        help="a new folder; killed and started again, the same command goes on")
    parser.add_argument("--novelty", default="stored", metavar="NAME",
                        help="for example T2 or T2@0.5; stored: the one stored with each level")
    parser.add_argument("--shots", type=int, default=0, metavar="N",
                        help="shots at random targets of each level, besides the most telling one")
    parser.add_argument("--seed", type=int, default=1, help="of the shots at random targets")
    parser.add_argument("--size", type=_size, default=(512, 288), metavar="WxH",
                        help="width and height of the videos, even")
    parser.add_argument("--split", default="seed", metavar="HOW",
                        help="seed: levels of even seeds for training, others for testing; train, validation "
                             "or test: all; 80:10:10: shares, drawn by level")
    parser.add_argument("--license", default="MIT", metavar="SPDX", help="of the levels")
    parser.add_argument("--hdf5", action="store_true",
                        help="also steps.h5, one data set a column, for trainers of world models")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    options = vars(parser.parse_args(arguments))
    quiet, out = options.pop("quiet"), options["out"]
    try:
        counts = export(options.pop("levels"), options.pop("out"), progress=not quiet, **options)
    except Error as error:
        print(f"startle export: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"startle export: {error.filename or out}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\nstartle export: interrupted; the same command goes on from there", file=sys.stderr)
        sys.exit(130)
    if not quiet:
        left = f"; {counts['levels']} levels left out" if counts["levels"] else ""
        print(f"startle export: {counts['pairs']} pairs in {out}{left}", file=sys.stderr)
