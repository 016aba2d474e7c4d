"""What an export says of itself: its columns, its data set card and its Croissant description."""
from __future__ import annotations

import hashlib
import json
import pathlib
from typing import Any, Dict, List, Sequence, Tuple

#: Columns of metadata.parquet: name, type, meaning.
COLUMNS: Sequence[Tuple[str, str, str]] = (
    ("file_name", "string", "the video, below the folder of the table; load_dataset calls it video"),
    ("clip", "string", "name of the clip"),
    ("pair", "string", "name that the twins share"),
    ("twin", "string", "world of the clip: normal or novel"),
    ("split", "string", "train, validation or test; a level is in one of them"),
    ("level", "string", "name of the level"),
    ("set", "string", "folder of the level's file"),
    ("family", "string", "of the generator that made the level"),
    ("level_hash", "string", "of the level's birds and objects, 16 hexadecimal digits"),
    ("level_seed", "uint64", "that the level was generated with"),
    ("novelty", "string", "of the pair, in both twins; the normal twin does not have it"),
    ("strength", "double", "of the novelty; 1: as in the catalogue"),
    ("change", "string", "the novelty in words"),
    ("parameter", "string", "that the novelty changes; null: none of objects, or several"),
    ("before", "double", "its value in the normal world; null: not the same for all objects it changes"),
    ("after", "double", "its value in the novel world; null as before"),
    ("parameters", "string", "all changed values as JSON: a list of type, material, parameter, before, "
                             "after, objects (their number)"),
    ("tier", "string", "easy, medium or hard to detect: a band of p_level"),
    ("p_level", "double", "predicted chance that one play of the level detects the novelty"),
    ("pid", "double", "probabilistic interaction difficulty, 0 to 1; 1 is hardest"),
    ("bid", "double", "best-shot interaction difficulty, 0 to 1; 1 is hardest"),
    ("birds", "int32", "of the level"),
    ("objects", "int32", "blocks, pigs, TNT and platforms of the level"),
    ("novel_objects", "int32", "of them, those that the novelty changes"),
    ("shot", "int32", "0: the most telling of the best first shots; from 1 on: at random targets"),
    ("bird", "string", "type of the bird"),
    ("target", "int32", "number of the object that is shot at"),
    ("angle", "double", "elevation above +x, rad"),
    ("stretch", "double", "pull as a share of the longest"),
    ("tap_time", "double", "of the bird's power, s after the release; null: never"),
    ("p_shot", "double", "predicted chance that the reference observer detects the shot; null: not computed"),
    ("frames", "int32", "of the video"),
    ("fps", "int32", "frames a second, in real time"),
    ("seconds", "double", "how long the shot takes, s"),
    ("end", "string", "settled, cleared or time_limit"),
    ("score", "double", "gained by the shot"),
    ("divergence_s", "double", "first moment at which the twins are visibly apart, s; null: never"),
    ("first_different_frame", "int32", "first frame, from 0, whose picture is not that of the twin; null: "
                                       "none"),
    ("hash", "string", "of all that happened in the simulation, 16 hexadecimal digits"),
    ("export_seed", "uint64", "of the shots at random targets"),
    ("program", "string", "that made the clip, and its version"),
    ("engine", "string", "what computes the same has the same"),
)

#: Columns of steps.h5: name, meaning. N is the number of frames, E of clips, B the most bodies of a clip.
STEP_COLUMNS: Sequence[Tuple[str, str]] = (
    ("pixels", "(N, height, width, 3) uint8: RGB, rows from the top"),
    ("action", "(N, 3) float32: angle (rad), stretch and tap time (s; -1: never) of the shot, the same in "
               "all frames of a clip"),
    ("proprio", "(N, 3) float32: x, y (m) and angle (rad) of the bird; zeros when it is gone"),
    ("state", "(N, 3 B) float32: x, y, angle of each body by its number, objects first; zeros where it is "
              "not there"),
    ("present", "(N, B) uint8: 1 where the body is there"),
    ("reward", "(N,) float32: score of the shot, at its last frame"),
    ("terminated", "(N,) uint8: 1 at the last frame of a clip"),
    ("ep_idx", "(N,) int64: number of the clip, its row in metadata.parquet"),
    ("step_idx", "(N,) int64: number of the frame in the clip, from 0"),
    ("ep_len", "(E,) int64: frames of each clip"),
    ("ep_offset", "(E,) int64: its first frame"),
    ("variation.novel", "(N,) float32: 1 in the novel world"),
    ("variation.strength", "(N,) float32: of the novelty; 0 in the normal world"),
    ("variation.value", "(N,) float32: of the changed parameter in this world; NaN where the column before "
                        "or after is null"),
)

_TYPES = {"string": "sc:Text", "double": "sc:Float", "int32": "sc:Integer", "uint64": "sc:Integer"}

_CARD = """\
---
license: {license}
pretty_name: "{title}"
task_categories:
- video-classification
tags:
- novelty-detection
- intuitive-physics
- world-models
- synthetic
size_categories:
- {category}
configs:
- config_name: default
  data_files:
{files}
---

# {title}

{rows} videos, {pairs} pairs of twins, of {levels} levels in the manner of Angry Birds. Twins
show the same first shot at the same level: one in the normal world, one in a world where a *novelty* has
changed how objects behave, and not how they look. Their pictures are the same before the frame that the
column `first_different_frame` gives.

**A row** is one clip: its video, its twin, the level, the novelty with the true parameters before and after,
the shot, and how hard the novelty is to detect at this level.

```python
from datasets import Video, load_dataset

clips = load_dataset("FOLDER")                                     # this folder, or its name on the Hub
plain = clips["{first}"].cast_column("video", Video(decode=False))    # paths; decoding needs torchcodec
```

| split | clips | levels | easy | medium | hard |
|---|---|---|---|---|---|
{splits}

{split_rule} No level is in two splits.

## Tiers

A tier is a band of `p_level`, the chance, predicted by reasoning from the first state of a level, that one
play of it detects the novelty: *easy* from 0.7 on, *hard* below 0.3, *medium* between them. Levels that were
made for a tier lie well inside it. p_level is of a whole play by one player, with all birds, and of the
reference observer, which knows the normal world exactly.
A clip shows one shot: in a hard level it may show much, in an easy one nothing. `divergence_s` and
`first_different_frame` say what this clip shows.

## What it is not

- Everything is simulated by one engine, in two dimensions and with rigid bodies. No person, place or real
  event is in the data, and nothing says that what a model learns here holds for real objects.
- Videos are lossy (H.264). {lossless}
- `divergence_s` counts bodies that are 0.1 m or 0.1 rad apart for 0.06 s, which may be less than a pixel.
- Shots are the most telling ones of the reasoning{more}, not those of people.
- Twins stand alike at the start of a clip and end at different times. The length of a clip tells the world
  apart in many pairs, so cut clips to one length before you train on them.

## How to make it again

```
{command}
```

Versions: {versions}. The same command and versions give the same bytes, but for `datePublished` of
`croissant.json`, which is the day, or that of `SOURCE_DATE_EPOCH`.
{made_by}
## Columns

| column | type | meaning |
|---|---|---|
{columns}
{steps}"""

_SPLIT_RULES = {
    "seed": "Levels of even seeds are for training and all others for testing, a rule of this data set.",
    "shares": "Levels are drawn into splits by their hash."}


def _category(rows: int) -> str:
    """As the Hub names sizes."""
    most = 1000
    if rows < most:
        return "n<1K"
    for least, over in (("1K", "10K"), ("10K", "100K"), ("100K", "1M")):
        most *= 10
        if rows < most:
            return f"{least}<n<{over}"
    return "n>1M"


def _title(rows: Sequence[Dict[str, Any]]) -> str:
    novelties = sorted({row["novelty"] for row in rows})
    return "Startle twins, " + (", ".join(novelties) if len(novelties) < 4 else f"{len(novelties)} novelties")


def _table(rows: Sequence[Sequence[object]]) -> str:
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def card(rows: Sequence[Dict[str, Any]], settings: Dict[str, Any], command: str,
         made_by: Sequence[str]) -> str:
    """README.md of the folder.

    made_by   commands that made the levels, as their manifests say
    """
    splits = [split for split in ("train", "validation", "test")
              if any(row["split"] == split for row in rows)]
    counts = []
    for split in splits:
        own = [row for row in rows if row["split"] == split]
        counts.append([split, len(own), len({row["level_hash"] for row in own})] +
                      [sum(row["tier"] == tier for row in own) for tier in ("easy", "medium", "hard")])
    files = "\n".join(f"  - split: {split}\n    path:\n    - {split}/metadata.parquet\n"
                      f"    - {split}/videos/*.mp4" for split in splits)
    made = "The levels were made by:\n\n```\n" + "\n".join(made_by) + "\n```\n" if made_by else ""
    steps = ""
    if settings["hdf5"]:
        steps = ("\n## steps.h5\n\nIn the folder of each split: the same clips for trainers of world models, "
                 "one data set a column. N is the number of frames, E of clips, B the most bodies of a "
                 "clip.\n\n| column | shape, type and meaning |\n|---|---|\n" +
                 _table([(f"`{name}`", meaning) for name, meaning in STEP_COLUMNS]) + "\n")
    return _CARD.format(
        license=settings["license"].lower(), title=_title(rows), category=_category(len(rows)), files=files,
        rows=len(rows), pairs=len(rows) // 2, levels=len({row["level_hash"] for row in rows}),
        first=splits[0], splits=_table(counts),
        split_rule=_SPLIT_RULES.get(settings["split"], _SPLIT_RULES["shares"] if ":" in settings["split"]
                                    else f"All levels are in {settings['split']}."),
        more=f", and up to {settings['shots']} at random targets" if settings["shots"] else "",
        lossless="`pixels` of steps.h5 are as rendered." if settings["hdf5"] else
        "`--hdf5` writes the pictures as rendered.",
        command=command, versions=", ".join(f"{name} {version}" for name, version
                                            in settings["versions"].items()),
        made_by="\n" + made if made else "", steps=steps,
        columns=_table([(f"`{name}`", kind, meaning) for name, kind, meaning in COLUMNS]))


def _context() -> Dict[str, Any]:
    """The words that Croissant 1.1 asks for, as its specification lists them."""
    words = ("citeAs", "column", "containedIn", "extract", "field", "fileObject", "fileProperty", "fileSet",
             "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path",
             "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
             "source", "subField", "transform")
    return {"@language": "en", "@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
            "dct": "http://purl.org/dc/terms/", "rai": "http://mlcommons.org/croissant/RAI/",
            "sc": "https://schema.org/", "conformsTo": "dct:conformsTo",
            "equivalentProperty": "cr:equivalentProperty",
            "data": {"@id": "cr:data", "@type": "@json"},
            "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
            "examples": {"@id": "cr:examples", "@type": "@json"},
            **{word: f"cr:{word}" for word in words}}


def _file(folder: pathlib.Path, path: str, kind: str) -> Dict[str, Any]:
    data = (folder / path).read_bytes()
    return {"@type": "cr:FileObject", "@id": path, "name": path, "contentUrl": path,
            "contentSize": f"{len(data)} B", "encodingFormat": kind,
            "sha256": hashlib.sha256(data).hexdigest()}


def croissant(rows: Sequence[Dict[str, Any]], settings: Dict[str, Any], command: str, date: str,
              folder: pathlib.Path) -> str:
    """croissant.json of the folder, whose other files are there."""
    splits = sorted({row["split"] for row in rows})
    program = f"startle {settings['versions']['startle']}"
    tables = [_file(folder, f"{split}/metadata.parquet", "application/x-parquet") for split in splits]
    files: List[Dict[str, Any]] = tables + [
        _file(folder, f"{split}/steps.h5", "application/x-hdf5") for split in splits if settings["hdf5"]]
    files += [_file(folder, f"{row['split']}/{row['file_name']}", "video/mp4") for row in rows]
    records = []
    for split in splits:
        fields = [{"@type": "cr:Field", "@id": f"{split}/{name}", "name": name, "description": meaning,
                   "dataType": _TYPES[kind],
                   "source": {"fileObject": {"@id": f"{split}/metadata.parquet"},
                              "extract": {"column": name}}} for name, kind, meaning in COLUMNS]
        records.append({"@type": "cr:RecordSet", "@id": split, "name": split,
                        "description": f"a clip each, of the split {split}", "field": fields})
    description = {
        "@context": _context(), "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": "startle-twins",
        "description": f"{_title(rows)}. {len(rows)} videos, {len(rows) // 2} pairs, of shots at levels in "
                       "the manner of Angry Birds: the same shot in the normal world and in that of a "
                       f"novelty, with how hard it is to detect. Made by: {command}",
        "url": "croissant.json", "license": f"https://spdx.org/licenses/{settings['license']}.html",
        "creator": {"@type": "sc:Organization", "name": "The Startle developers"},
        "datePublished": date, "version": "1.0.0", "citeAs": f"The Startle developers: Startle. {program}",
        "keywords": ["world models", "intuitive physics", "novelty detection", "rigid bodies"],
        "isLiveDataset": False,
        "rai:dataCollection": f"Simulated by {program} with Box2D at a fixed step; reasoning chooses the "
                              "shots. The same command gives the same bytes.",
        "rai:dataCollectionType": "Simulations",
        "rai:dataUseCases": [
            "Training and testing models of the dynamics of rigid bodies, and of what happens in a level.",
            "Testing whether such models notice that a world is not the normal one.",
            "Not for testing on levels that were trained on: levels/benchmark is for testing alone."],
        "rai:dataLimitations": [
            "Two dimensions, rigid bodies, one engine; learned dynamics need not hold for real objects.",
            "Videos are lossy, and have a frame each 0.1 s; what happens between two frames is not in them.",
            "Tiers are of plays by one player and one observer, as reasoning predicts them."],
        "rai:dataBiases": [
            "Shots are at targets of the reasoning: states that they do not reach are missing.",
            "Levels are those that were given; generated ones stand still and can be solved.",
            "Most frames show objects at rest."],
        "rai:dataSocialImpact": "None is known: no person, place or real event is in the data.",
        "rai:personalSensitiveInformation": "None: everything is simulated.",
        "distribution": files, "recordSet": records}
    return json.dumps(description, indent=2) + "\n"
