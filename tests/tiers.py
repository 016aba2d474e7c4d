"""All commands agree on the tier of each level of the benchmark: the one stored in its file, which is also
that of its p_level as reasoning predicts it now.
    tiers.py PROGRAM LEVELS [LIMIT]
LIMIT: levels of each novelty and tier, the first ones; default: all. Asked are levels check (which predicts
anew), difficulty, observe (one play), agents run and report, and the web server. Prints each level on which
one of them says otherwise, and ends with 1."""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "web"))
from driver import started


def main():
    program, levels, *limit = sys.argv[1:]
    limit = int(limit[0]) if limit else 0
    files = []
    for cell in sorted(pathlib.Path(levels).glob("*/*")):
        of = sorted(path for path in cell.glob("*.json") if path.name != "manifest.json")
        files += of[:limit or None]
    stored, novelty, p_level = {}, {}, {}
    for path in files:
        level = json.loads(path.read_text(encoding="utf-8"))
        stored[level["name"]] = level["difficulty"]["tier"]
        novelty[str(path)] = level["difficulty"]["novelty"]
        p_level[level["name"]] = level["difficulty"]["p_level"]
    name_of = {str(path): path.stem for path in files}
    said = {"tier of p_level": {name: "easy" if p >= 0.7 else "medium" if p >= 0.3 else "hard"
                                for name, p in p_level.items()}}

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, arguments))[:200]}: ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def rows(text):
        return {name_of[row["level"]]: row["tier"] for row in csv.DictReader(io.StringIO(text))}

    said["levels check"] = {
        name_of[path]: tier for path, tier in re.findall(
            r"^(\S+):.* difficulty verified: \S+ p_level \S+ (\w+)$", run("levels", "check", *files), re.M)}
    said["difficulty"] = {}
    for one in sorted(set(novelty.values())):
        of = [path for path, changed in novelty.items() if changed == one]
        said["difficulty"] |= rows(run("difficulty", *of, "--novelty", one, "--quiet", "--format", "csv"))
    said["observe"] = rows(run("observe", *files, "--plays", 1, "--null-plays", 0, "--simulations", 19,
                               "--quiet", "--format", "csv"))
    with tempfile.TemporaryDirectory() as folder:
        results, report = folder + "/results.sqlite", folder + "/report.json"
        run("agents", "run", "--agent", "random+never", *(f"--levels={path}" for path in files),
            "--out", results, "--quiet")
        run("agents", "report", results, "--out", report)
        trials = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))["runs"][0]["trials"]
        said["agents"] = {trial["levels"][0]["level"]: trial["tier"] for trial in trials}
    with started(program, "web", *files, "--port", 0, "--quiet") as (site, _):
        listed = json.load(urllib.request.urlopen(site + "api/levels"))["levels"]
        said["web"] = {level["name"]: level["tier"] for level in listed}

    faults = [f"{name}: {who} says {tiers.get(name)}, its file {tier}"
              for who, tiers in said.items() for name, tier in stored.items() if tiers.get(name) != tier]
    print("\n".join([*faults, f"{len(stored)} levels, {len(said)} sources, {len(faults)} faults"]))
    return 1 if faults or not stored else 0


if __name__ == "__main__":
    sys.exit(main())
