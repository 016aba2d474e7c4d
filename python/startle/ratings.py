"""People's ratings of the films of an IntPhys folder [IntPhys 2019, section 4]: `python3 -m startle ratings
page` writes a page on which a participant sees some of the films and rates each from 1 (most implausible) to
6 (most plausible); `ratings answers` makes an answer file of the ratings, which `startle probe --suite
intphys --from FOLDER --answers FILE` scores beside models. docs/probes.md has an example. Standard library
only."""
from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import json
import pathlib
import sys
from typing import Any, Dict, List, Tuple

from .files import write_file

#: Of the table that a participant hands in: who rated; a hash of all films; which film in what order; the
#: rating; how often it was seen; seconds from its first end to the answer.
COLUMNS = ["participant", "films", "order", "clip", "rating", "views", "seconds"]
RATINGS = range(1, 7)
EXAMPLES = 8  # of what can happen, before the films, as in the original


class Error(Exception):
    """What was found and what is allowed."""


def pictures(film: pathlib.Path) -> List[bytes]:
    """The frames of a film, in their order."""
    frames = sorted((film / "scene").glob("*.png"))
    if not frames:
        raise Error(f"{film}: found no scene/*.png, which is where the frames of a film are")
    return [frame.read_bytes() for frame in frames]


def films_of(folder: pathlib.Path) -> Dict[str, List[bytes]]:
    """Frames of the films of a folder with O1, O2 or O3, by the names that answer files have: O1/0001/1."""
    films = {}
    for block in ("O1", "O2", "O3"):
        for quadruplet in sorted(path for path in folder.glob(f"{block}/*") if path.is_dir()):
            for number in range(1, 5):
                name = f"{block}/{quadruplet.name.split('_')[0]}/{number}"
                films[name] = pictures(quadruplet / str(number))
    if not films:
        raise Error(f"{folder}: found none of O1, O2 and O3 with films; allowed is a folder such as dev or "
                    "test of startle surprise intphys")
    return films


def hash_of(films: Dict[str, List[bytes]]) -> str:
    """12 hexadecimal digits of names and pictures: ratings of other films are not taken for these."""
    digest = hashlib.sha256()
    for name, frames in films.items():
        digest.update(name.encode())
        for frame in frames:
            digest.update(hashlib.sha256(frame).digest())
    return digest.hexdigest()[:12]


def page(options: argparse.Namespace) -> str:
    films = films_of(options.folder)
    if not 1 <= options.count <= len(films):
        raise Error(f"--count: found {options.count}, allowed are 1 to {len(films)}, the films of "
                    f"{options.folder}")
    if not 1 <= options.rate <= 120:
        raise Error(f"--rate: found {options.rate:g}, allowed are 1 to 120 frames a second")
    if options.send and not options.send.startswith(("https://", "http://")):
        raise Error(f"--send: found {options.send!r}, allowed are addresses after http:// or https://")
    train = options.folder.parent / "train"
    shown = sorted(path for path in train.glob("*") if (path / "scene").is_dir())[:EXAMPLES]
    known: Dict[bytes, int] = {}  # pictures, each once, as the films of a set share most of theirs

    def entry(name: str, frames: List[bytes]) -> Dict[str, Any]:
        return {"name": name, "frames": [known.setdefault(frame, len(known)) for frame in frames]}

    study = {"films": hash_of(films), "count": options.count, "rate": options.rate, "send": options.send,
             "columns": COLUMNS, "examples": [entry(path.name, pictures(path)) for path in shown],
             "clips": [entry(name, frames) for name, frames in films.items()]}
    study["pictures"] = [base64.b64encode(picture).decode() for picture in known]
    template = pathlib.Path(__file__).with_name("ratings.html").read_text(encoding="utf-8")
    # "</" would end the script.
    text = template.replace("/*study*/", json.dumps(study).replace("</", "<\\/"))
    write_file(options.out, text.encode())
    examples = f"{len(shown)} examples" if shown else f"no examples, as {train} holds no films"
    return (f"wrote {options.out}: {options.count} of {len(films)} films for each participant, after "
            f"{examples}")


def read_ratings(path: pathlib.Path, films: str, ratings: Dict[str, Dict[str, int]]) -> None:
    """Adds what a file holds to the ratings of each film by participant. `films`: hash_of() them."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file)
        header = next(rows, None)
        if header != COLUMNS:
            raise Error(f"{path}: line 1: found {','.join(header or ['nothing'])}, allowed is "
                        f"{','.join(COLUMNS)}")
        for row in filter(None, rows):
            place = f"{path}: line {rows.line_num}"
            if len(row) != len(COLUMNS):
                raise Error(f"{place}: found {len(row)} columns, allowed are {len(COLUMNS)}")
            of = dict(zip(COLUMNS, row))
            if of["films"] != films:
                raise Error(f"{place}: films: found {of['films']}, allowed is {films}: the ratings are of "
                            "films of another folder")
            if of["clip"] not in ratings:
                raise Error(f"{place}: clip: found {of['clip']!r}, allowed are films of the folder, such as "
                            f"{next(iter(ratings))}")
            if of["rating"] not in map(str, RATINGS):
                raise Error(f"{place}: rating: found {of['rating']!r}, allowed are 1 to 6")
            if of["participant"] in ratings[of["clip"]]:
                raise Error(f"{place}: {of['participant']!r} has rated {of['clip']} already; is a file "
                            "given twice, or a name used by two?")
            ratings[of["clip"]][of["participant"]] = int(of["rating"])


def answers(options: argparse.Namespace) -> str:
    films = films_of(options.folder)
    ratings: Dict[str, Dict[str, int]] = {name: {} for name in films}
    known = hash_of(films)
    for path in options.ratings:
        read_ratings(path, known, ratings)
    counts = [len(of) for of in ratings.values()]
    people = len({participant for of in ratings.values() for participant in of})
    if min(counts) == 0:
        missing = [name for name, of in ratings.items() if not of]
        raise Error(f"{len(missing)} of {len(films)} films were rated by nobody, such as {missing[0]}: more "
                    "participants are needed, or more films for each (--count of ratings page)")
    lines = []
    for name, of in ratings.items():
        mean = sum(of.values()) / len(of)
        lines.append(f"{name} {(mean - RATINGS[0]) / (RATINGS[-1] - RATINGS[0]):.6f}\n")
    write_file(options.out, "".join(lines).encode())
    return (f"wrote {options.out}: the mean of {sum(counts)} ratings of {len(films)} films by {people} "
            f"participants, {min(counts)} to {max(counts)} of each film")


def parsed(arguments: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python3 -m startle ratings", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    make = commands.add_parser("page", help="writes the page for participants")
    make.add_argument("folder", type=pathlib.Path,
                      help="dev or test of startle surprise intphys; examples are of train beside it")
    make.add_argument("--out", type=pathlib.Path, required=True, help="the page, an HTML file")
    make.add_argument("--count", type=int, default=40, help="films for each participant (default: 40)")
    make.add_argument("--rate", type=float, default=20,
                      help="frames a second; 15 for the original's films (default: 20)")
    make.add_argument("--send", metavar="URL",
                      help="where the page sends a participant's table, by POST; without it participants "
                           "download it")
    make.set_defaults(run=page)
    read = commands.add_parser("answers", help="makes an answer file of ratings")
    read.add_argument("folder", type=pathlib.Path, help="the same folder")
    read.add_argument("ratings", type=pathlib.Path, nargs="+", help="what participants handed in")
    read.add_argument("--out", type=pathlib.Path, required=True,
                      help="the answer file, for startle probe --suite intphys --answers")
    read.set_defaults(run=answers)
    return parser.parse_args(arguments)


def main(arguments: List[str]) -> None:
    options = parsed(arguments)
    inputs: Tuple[pathlib.Path, ...] = tuple(getattr(options, "ratings", ()))
    try:
        if any(path.exists() and options.out.exists() and path.samefile(options.out) for path in inputs):
            raise Error(f"--out: {options.out} is one of the files that are read")
        print(options.run(options))
    except (Error, OSError, UnicodeDecodeError) as error:
        sys.exit(f"startle: {error}")
