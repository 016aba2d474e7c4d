"""Finds columns and keys of files that docs/files.md does not describe, and those that no file has.

    files.py PAGE FOLDER             checks the files below FOLDER
    files.py PAGE FOLDER PROGRAM     runs commands first that write small files there; from the root of the
                                     sources

FOLDER has a folder for each section of the page, named as links to it: `startle-agents-run`. Read are CSV,
JSON, SQLite and the headers of safetensors files, but no levels, which have a page of their own.

- A column of a CSV file, a key of a JSON object, a table or a column of a database is described where its
  name is in backticks: in the section, in one that it links to, or in that of what all files share.
- `a.b` in the page is `b` within `a`. A word in capitals stands for any name, or for those of VALUES.
  `X_low`, `X_high`, `X_n` and `X, 95 %` go with X.
- What the first column of a section's tables names stands in a file, but for SELDOM.

Prints each fault and ends with 1 where there is one.
"""
import csv
import functools
import json
import re
import shlex
import shutil
import sqlite3
import struct
import subprocess
import sys
import zlib
from pathlib import Path

SHARED = "what-all-files-share"
# Sections whose files are not made here.
NOT_RUN = {"startle-play": "needs a display", "startle-surprise-dataset": "HDF5", "startle-rollouts": "HDF5",
           "python3--m-startle-export": "by tests/python/test_export.py",
           "python3--m-startle-ratings": "by tests/python/test_ratings.py"}
# What only long runs, or runs of other programs, write.
SELDOM = {
    "startle-agents-run": ["left_out", "undetectable NOVELTY", "thirds NOVELTY", "tiers NOVELTY", "order",
                           "shots.description"],
    "startle-surprise-evaluate": ["uniformity.novelty", "uniformity.ks_distance", "uniformity.p",
                                  "material", "median", "spread", "shift", "normal_values",
                                  "novel_values"],
}
VALUES = {"SCORE": "sum|mean|maximum|log|relative", "METHOD": "published|extended|simulated",
          "PLAUSIBILITY": "sum|mean|minimum"}
PLACEHOLDER = re.compile(r"(?<![A-Za-z])([A-Z]{4,})(?![A-Za-z])")
DERIVED = re.compile(r"(.+)(_low|_high|_n|, 95 %)")
WITHIN = "\x1f"  # between the names of a path; names may have dots

BENCHMARK, LEVEL = "levels/benchmark/T1", "tests/app/levels/table.json"
COMMANDS = """
startle-levels-generate: levels generate --novelty T1 --range 0:0.9 --measure value --count 1 \
    --out {out}/levels
startle-levels-generate: levels generate --novelty T2 --tier easy --count 1 --seed 2 --out {out}/tier
startle-difficulty: difficulty {level} --novelty T1 --thirds --out {out}/levels.json
startle-difficulty: difficulty {level} --novelty T1 --thirds --out {out}/levels.csv
startle-difficulty: difficulty {level} --suggest --out {out}/suggest.json
startle-difficulty: difficulty {level} --suggest --out {out}/suggest.csv
startle-explain: explain {level} --novelty T1 --out {out}/explained.json
startle-simulate: simulate {level} --shot 8 --novelty T1 --trace {out}/trace.json --out {out}/simulated.json
startle-observe: observe {level} --shot 10 --novelty T1 --simulations 19 --out {out}/observed.json
startle-observe: observe {level} --plays 1 --novelty T1 --simulations 19 --out {out}/plays.json
startle-observe: observe {level} --plays 1 --novelty T1 --simulations 19 --out {out}/plays.csv
startle-threshold: threshold {level} --novelty T1 --strengths 1 --launches 1 --simulations 19 \
    --out {out}/t.json
startle-threshold: threshold {level} --novelty T1 --strengths 1 --launches 1 --simulations 19 \
    --out {out}/t.csv
startle-dynamics: dynamics detect {level} --shot 8 --novelty wood-density-down@2 --out {out}/detected.json
startle-dynamics: dynamics train --count 1 --calibration-count 1 --steps 1 --width 8 --out {out}/model.json
startle-study: study --count 1 --seed 4 --out {out}
startle-validate: validate --count 1 --family rows --novelty T1 --launches 1 --out {out}/generated
startle-agents-run: agents run --agent random+chance --agent random+never --levels {benchmark}/easy \
    --limit 4 --out {out}/single.sqlite
startle-agents-run: agents run --agent random+chance --agent random+never --levels {benchmark}/easy \
    --limit 4 --protocol shift --before 2 --after 2 --out {out}/shift.sqlite
startle-agents-regret: agents regret {run}/single.sqlite --levels {benchmark}/easy --limit 4 \
    --out {out}/regret.csv
startle-agents-regret: agents regret {run}/single.sqlite --levels {benchmark}/easy --limit 4 \
    --out {out}/regret.json
startle-agents-report: agents report {run}/single.sqlite {run}/shift.sqlite --out {out}/report.json
startle-agents-report: agents report {run}/single.sqlite {run}/shift.sqlite --out {out}/report.csv
startle-agents-report: agents report {run}/single.sqlite {run}/shift.sqlite --by-trial --out {out}/trials.csv
startle-agents-pack: agents run --agent random+chance --levels {benchmark}/easy --limit 2 --out {out}/1.sqlite
startle-agents-pack: agents run --agent random+chance --levels {benchmark}/easy --limit 2 --out {out}/2.sqlite
startle-agents-pack: agents run --agent random+chance --levels {benchmark}/easy --limit 2 --out {out}/3.sqlite
startle-agents-pack: agents run --agent random+chance --levels {benchmark}/easy --limit 2 --out {out}/4.sqlite
startle-agents-pack: agents pack {out}/1.sqlite {out}/2.sqlite {out}/3.sqlite {out}/4.sqlite \
    --description tests/files/entry.json --out {out}/entry.sqlite
startle-agents-leaderboard: agents leaderboard {out}/../startle-agents-pack/entry.sqlite --out {out}/board.csv
startle-agents-leaderboard: agents leaderboard {out}/../startle-agents-pack/entry.sqlite \
    --levels {benchmark}/easy --limit 2 --out {out}/board.json
startle-study-people-texts: study-people texts --language de --out {out}/texts.json
startle-study-people-invite: study-people invite {people}/study.sqlite --count 2 --out {out}/links.csv
startle-study-people-export: study-people export {people}/study.sqlite --out {out}
startle-study-people-completions: study-people completions {people}/study.sqlite --out {out}/completions.csv
startle-study-people-power: study-people power --easy 0.9 --hard 0.2 --studies 100 --format csv \
    --out {out}/power.csv
startle-study-people-report: study-people report {people}/study.sqlite --out {out}/people.json
startle-study-people-report: study-people report {people}/study.sqlite --out {out}/people.csv
"""
SURPRISE_COMMANDS = """
startle-surprise-score: surprise score {level} --shot 8 --clip-pictures {out}/pictures --out {out}/scored.json
startle-surprise-score: surprise score {level} --shot 8 --out {out}/scored.csv
startle-surprise-evaluate: surprise evaluate --levels {benchmark} --limit 1 --random-targets 0 --out {out}
startle-surprise-evaluate: surprise compare {out}/results.json {out}/results.json --out {out}/compared.json
startle-surprise-train: surprise dataset --count 2 --frames 3 --lead 0 --frame-size 8 --out {out}/train.h5
startle-surprise-train: surprise dataset --count 2 --frames 3 --lead 0 --frame-size 8 --split validation \
    --out {out}/validation.h5
startle-surprise-train: surprise train --data {out}/train.h5 --validation {out}/validation.h5 \
    --channels 4 --steps 1 --batch 2 --device cpu --out {out}/run
startle-surprise-intphys: surprise intphys --train-clips 1 --frames 41 --frame-size 16 --out {out}
startle-probe: probe --count 1 --model surprise/models/concepts/cnn.safetensors --out {out}/concepts
startle-probe: probe --suite intphys --from {out}/set --out {out}/intphys
"""
# Files of the sources that such a command wrote.
SOURCES = {
    "startle-levels-generate": ["levels/benchmark/T1/easy/manifest.json"],
    "startle-study-people-create": ["people/sample-questions.json"],
    "startle-dynamics": ["surprise/dynamics/models/2.json", "surprise/dynamics/models/5.json"],
    "scripts/results": ["docs/results/*.json"],
}
SURPRISE_SOURCES = {
    "startle-surprise-train": ["surprise/models/*/*.json", "surprise/models/concepts/cnn.safetensors"],
    "startle-surprise-agent-calibrate": ["surprise/models/default.detector.json"],
    "startle-probe": ["surprise/models/*.calibration.json"],
}


def anchor(title):
    return re.sub(r"[^a-z0-9 _-]", "", title.lower()).replace(" ", "-")


# The page

def sections(page):
    """Text of each section, by the name of links to it."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return {anchor(title): text for title, text in zip(parts[1::2], parts[2::2])}


def names_in(text):
    """What stands in backticks, and with `a.b.c` also a and a.b; of `{"value", "n"}` the quoted words. A word
    in capitals alone is none."""
    for code in re.findall(r"`([^`\n]+)`", text):
        if code.startswith("{"):
            yield from re.findall(r'"(\w+)"', code)
            continue
        parts = code.split(".")
        yield from (name for name in map(".".join, (parts[:n] for n in range(len(parts), 0, -1)))
                    if not PLACEHOLDER.fullmatch(name))


@functools.lru_cache(maxsize=None)
def pattern(name):
    """Of a name of the page, for a path of a file."""
    parts = PLACEHOLDER.split(name)  # every second one is a word in capitals
    text = "".join(f"(?:{VALUES.get(part, f'[^{WITHIN}]+')})" if i % 2 else re.escape(part)
                   for i, part in enumerate(parts))
    text = re.sub(r"_N(?=\\\.|$)", "_[0-9]+", text).replace(r"\.", f"[.{WITHIN}]")
    return re.compile(f"(?:.*{WITHIN})?(?:{text})", re.DOTALL)


def names_for(section, texts):
    """Names of the section, of those that it links to, and of what all files share."""
    linked = re.findall(r"\]\(#([a-z0-9-]+)\)", texts[section])
    return {name for key in (section, SHARED, *linked) for name in names_in(texts.get(key, ""))}


def is_described(path, names):
    base = DERIVED.fullmatch(path)
    return any(pattern(name).fullmatch(path) or base and pattern(name).fullmatch(base.group(1))
               for name in names)


def table_names(text):
    """Names in the first column of tables of columns and keys."""
    wanted = False
    for line in text.splitlines():
        if not line.startswith("|"):
            wanted = False
        elif not wanted:
            wanted = line.startswith(("| column", "| key", "| table"))
        else:
            yield from re.findall(r"`([^`]+)`", line.split("|")[1])


# The files

def json_paths(value, path=()):
    if isinstance(value, list):
        for item in value:
            yield from json_paths(item, path)
    elif isinstance(value, dict) and value.get("format") != "startle-level":
        for key, item in value.items():
            yield (*path, key)
            yield from json_paths(item, (*path, key))


def json_in(text, path):
    """Paths of a text that is JSON; nothing of another."""
    if isinstance(text, str) and text.startswith(("[", "{")):
        yield from json_paths(json.loads(text), path)


def database_paths(file):
    database = sqlite3.connect(file)
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        yield (table,)
        rows = database.execute(f"SELECT * FROM {table}")
        columns = [column[0] for column in rows.description]
        yield from ((table, column) for column in columns)
        for row in rows:
            if table in ("manifest", "entry"):  # rows are keys
                yield (table, row[0])
                yield from json_in(row[1], (table, row[0]))
                continue
            for column, value in zip(columns, row):
                yield from json_in(value, (table, column))
    database.close()


def metadata_paths(file):
    with open(file, "rb") as opened:
        header = json.loads(opened.read(struct.unpack("<Q", opened.read(8))[0]))
    for key, value in header["__metadata__"].items():
        yield (key,)
        yield from json_in(value, (key,))


def paths_of(file):
    if file.suffix == ".csv":
        with open(file, newline="", encoding="utf-8") as opened:
            return {(column,) for column in next(csv.reader(opened))}
    if file.suffix == ".json":
        return set(json_paths(json.loads(file.read_text(encoding="utf-8"))))
    return set({".sqlite": database_paths, ".safetensors": metadata_paths}[file.suffix](file))


def files_below(folder):
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.startswith(".")
            and file.suffix in (".csv", ".json", ".sqlite", ".safetensors")]


# Making them

def make_study(file):
    """A study with people: one participant answers questions, reports something in the first of two items
    and passes an attention check, another declines.
    Tables are those of people/study_store.cpp."""
    source = Path("people/study_store.cpp").read_text(encoding="utf-8")
    schema = re.search(r'schema = R"\((.*?)\)"', source, re.DOTALL).group(1)
    database = sqlite3.connect(file)
    database.executescript(f"PRAGMA application_id = {0x53745065}; PRAGMA user_version = 2; {schema}")
    manifest = {"program": "startle", "profile": "startle 0", "levels": "2 0", "practice": "0",
                "practice_levels": "drawn", "items": "2", "normal": "1", "attention": "1", "seed": "1",
                "consent": "0", "consent_text": "I agree.", "language": "en", "texts": "0",
                "texts_json": "as study-people texts", "return_address": "",
                "questions_json": Path("people/sample-questions.json").read_text(encoding="utf-8")}
    database.executemany("INSERT INTO manifest VALUES (?, ?)", manifest.items())
    database.execute("INSERT INTO secret VALUES (?)", ("0" * 32,))
    for i, tier in enumerate(("easy", "hard")):
        level = f"level-{i}"
        database.execute("INSERT INTO levels VALUES (?, '0', 'T1', ?, 0.5, 0.5, 0.5, 1, '{}')", (level, tier))
        database.execute("INSERT INTO participants VALUES (?, ?, NULL, NULL, ?, 0, 0)", (i, f"CODE-{i}", i))
        for item, world in enumerate(("novel", "normal", "attention")):
            database.execute("INSERT INTO plan VALUES (?, 'item', ?, ?, ?)",
                             (i, item, f"level-{item % 2}", world))
    shot, nothing = (1, 0.5, 1, None), (None,) * 4
    left = (0, 1, 0, "0")  # no bird
    answers = json.dumps({"age": 31, "home_language": "German", "experience": "often"})
    events = [("opened", None), ("agreed", None), ("answered", None, *(None,) * 4, *nothing, None, answers),
              ("item_begun", 0), ("shot", 0, *shot), ("shot_ended", 0, *shot, *left),
              ("reported", 0, 1, None, None, None, *nothing, 0.9, "it fell slowly"), ("item_left", 0),
              ("item_begun", 1), ("interrupted", 1),
              ("item_begun", 2), ("shot", 2, *shot), ("shot_ended", 2, *shot, *left),
              ("reported", 2, 1, None, None, None, *nothing, 0.5, ""), ("item_left", 2), ("closed", None)]
    for sequence, event in enumerate(events):
        values = (0, sequence, 1, float(sequence), *event)
        database.execute(f"INSERT INTO events VALUES ({', '.join('?' * 16)})",
                         values + (None,) * (16 - len(values)))
    for sequence, event in enumerate(("opened", "declined")):
        values = (1, sequence, 1, float(sequence), event)
        database.execute(f"INSERT INTO events VALUES ({', '.join('?' * 16)})", values + (None,) * 11)
    database.commit()
    database.close()


def make_intphys_set(folder):
    """One set of four clips of 41 pictures, 4 x 4 pixels, in the layout of IntPhys 2019."""
    size, frames = 4, 41

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    for clip in range(1, 5):
        scene = folder / f"O1/01/{clip}/scene"
        scene.mkdir(parents=True)
        header = {"is_possible": clip < 3, "block_name": "O1_test_visible_static_nobj1"}
        (scene.parent / "status.json").write_text(json.dumps({"header": header}))
        for frame in range(frames):
            line = bytes([0] + [(frame * clip) % 256] * (3 * size))  # filter of the line, then its pixels
            picture = (b"\x89PNG\r\n\x1a\n"
                       + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(line * size)) + chunk(b"IEND", b""))
            (scene / f"scene_{frame + 1:03}.png").write_bytes(picture)


def make_files(folder, program):
    """Runs the commands of all sections of which there are programs."""
    shutil.rmtree(folder, ignore_errors=True)
    with_surprise = (program.parent / "startle-surprise").exists()
    commands, sources = COMMANDS, SOURCES
    if with_surprise:
        commands, sources = COMMANDS + SURPRISE_COMMANDS, {**SOURCES, **SURPRISE_SOURCES}
    for section, files in sources.items():
        for number, file in enumerate(file for name in files for file in sorted(Path().glob(name))):
            copy = folder / anchor(section) / "of-sources" / f"{number}-{file.name}"
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    people = folder / "startle-study-people-create"
    people.mkdir(parents=True, exist_ok=True)
    make_study(people / "study.sqlite")
    if with_surprise:
        make_intphys_set(folder / "startle-probe/set")
    for line in filter(None, commands.splitlines()):
        section, command = line.split(": ", 1)
        out = folder / section
        out.mkdir(parents=True, exist_ok=True)
        arguments = [argument.format(out=out, level=LEVEL, benchmark=BENCHMARK, people=people,
                                     run=folder / "startle-agents-run") for argument in shlex.split(command)]
        ended = subprocess.run([program, *arguments], capture_output=True, text=True)
        if ended.returncode:
            sys.exit(f"ended with {ended.returncode}: startle {shlex.join(arguments)}\n{ended.stderr}")
    shutil.rmtree(folder / "startle-probe/set", ignore_errors=True)  # an input
    return [] if with_surprise else ["startle-surprise", "startle-probe"]


def main():
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    without = make_files(folder, Path(sys.argv[3]).resolve()) if len(sys.argv) > 3 else []
    texts = sections(page.read_text(encoding="utf-8"))
    faults, count, checked = [], 0, 0
    for section in sorted(texts.keys() - {SHARED}):
        files = files_below(folder / section)
        if not files:
            if section not in NOT_RUN and not section.startswith(tuple(without) or ("-",)):
                faults.append(f"{section}: no file of it was made")
            continue
        names, found = names_for(section, texts), set()
        for file in files:
            checked += 1
            paths = {WITHIN.join(path) for path in paths_of(file)}
            kind = "column" if file.suffix == ".csv" else "key"
            faults += [f"{file.relative_to(folder)}: {kind} {path.replace(WITHIN, '.')} is not in {page}, "
                       f"section {section}" for path in sorted(paths - found)
                       if not is_described(path, names)]
            found |= paths
        count += len(found)
        for name in dict.fromkeys(table_names(texts[section])):
            if name not in SELDOM.get(section, []) and not any(map(pattern(name).fullmatch, found)):
                faults.append(f"{page}: section {section}: no file has {name}")
    faults += [f"{extra.name}: {page} has no such section" for extra in sorted(folder.iterdir())
               if extra.is_dir() and extra.name not in texts]
    print("\n".join([*faults, f"{count} columns and keys in {checked} files, {len(faults)} faults"]))
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
