"""Fails where a page, a comment, an option or an identifier has a word of our own for what the field has a term for.

  words.py [--count] [PATH ...]     from the root of the sources; without paths, every file that git tracks

Each row of TERMS is a pattern, what to write instead, and where the pattern means something else.
"""
import re
import subprocess
import sys

PEOPLE = r"^(people|viewer|play)/|^(app|reports|tests|docs)/.*(people|study|viewer)|^tests/play|threshold|^python/|README"
TERMS = [
    (r"\blaws?\b(?! of (motion|large numbers))", "dynamics model, mechanism", None),
    (r"\bfilm(s|ed|ing)?\b|\bFilm", "video, recorded", None),
    (r"\bencounters?\b|Encounter", "contact event", None),
    (r"\blevers?\b", "sensitivity", None),
    (r"\b(an?|the|each|its|of|more|all) readings?\b", "observation", r"docs/statistics"),
    (r"steps.a.look|\b(between|each|every|next|last|three|all|of) looks?\b(?! (at|like|alike|of|as|for|the|into))", "frame, sample", r"^(viewer|play|render)/"),
    (r"\bjudg(e|es|ed|ing|ement|ements)\b|Judge", "detector, test, score", None),
    (r"\b(un)?notic(ed|es|ing)\b", "detected", PEOPLE),
    (r"\bdeclare[sd]? (the world )?novel|\btrials? declared\b", "alarm", None),
    (r"\bshown shots?\b|\bshow(s|n)? (the|its|a) novelt|\bshows nothing\b|\bShown[A-Z]|\bcannot be shown\b", "visible difference, P(visible)", r"^(viewer|play)/"),
    (r"\bborne out\b|\bbear[s]? \S+( \S+)? out\b|\bconfirm(s|ed)?\b", "verified by simulation", None),
    (r"\bturned shots?\b|\baim.turns?\b|\bsame turns\b", "perturbed shot, perturbation", None),
    (r"\bwalkers?\b|\bWalk[A-Z]\w+|\bwalks?\b", "rollout over states", r"^(sim|render|viewer|tests|surprise|agents|core|levels|networks)/"),
    (r"\b[Tt]old\b|\b[Tt]ells?\b|\b[Tt]elling\b", "given; says; distinguishes", None),
    (r"\b[Pp]ro(of|ofs|ve|ved|ves|ven|ving)\b", "solution; verified", None),
    (r"\b[Gg]rounded\b", "simulated difficulty", None),
    (r"[\"'`]impossible[\"'`]|Tier::impossible", "undetectable", r"probe|intphys|surprise"),
    (r"\bseal(s|ed)?\b", "checksum", None),
    (r"\b[Jj]ail", "sandbox", None),
    (r"\b([Ss]ibling|[Ss]tuff|[Pp]rospects?|[Oo]utlooks?)\b", "what it holds", None),
    (r"\bcomes? along\b|\bhangs? on\b|\bon the way\b(?! (from|to))", "is shipped; depends on; while", None),
    (r"\b([Tt]he|[Ii]ts) source('s\b| (does|says|leaves|gives|has|counts|calls|multiplies|draws|publishes|means)\b)", "the paper's name: Pinto et al. 2021, Lin et al., IntPhys 2019", None),
    (r"\brooms?\b", "module", r"^(probes|networks|viewer|render|reasoning|play|core|sim|detection|bench|tests/(app|difficulty|probes|networks|viewer|render|reasoning|play|levels|agents))/|^(agents|reports|surprise|app|levels|people|statistics|python)/|docs/(aibirds|generators|viewer|probes|surprise|reasoning|rendering|people)"),
]
TERMS = [(re.compile(pattern), instead, elsewhere and re.compile(elsewhere)) for pattern, instead, elsewhere in TERMS]
READ = re.compile(r"\.(cpp|hpp|h|py|pyi|md|cmake|in|txt|sh|json)$|(^|/)(CMakeLists\.txt)$|^scripts/|^tests/[^.]*$")
SKIPPED = re.compile(r"^(CHANGELOG\.md|LICENSE|levels/(data|benchmark)/|detection/models/|tests/words\.py|tests/.*/levels/|fuzz/seeds|probes/intphys/published\.txt|networks/.*\.txt)|\.json$")
# Names of random streams stay: other names are other numbers. Readers know the words of old files.
SEED = re.compile(r"stream_seed\(|startle-laws|std::(pair|tuple)\{\"")


def faults(path):
    try:
        lines = open(path, encoding="utf-8").read().splitlines()
    except (UnicodeDecodeError, IsADirectoryError):
        return
    for number, line in enumerate(lines, 1):
        if SEED.search(line):
            continue
        for pattern, instead, elsewhere in TERMS:
            if elsewhere and elsewhere.search(path):
                continue
            for found in pattern.finditer(line):
                yield number, found.group(0), instead, line


def main():
    arguments = [a for a in sys.argv[1:] if a != "--count"]
    try:
        paths = subprocess.check_output(["git", "ls-files", *arguments], text=True, stderr=subprocess.DEVNULL).splitlines()
    except (OSError, subprocess.CalledProcessError):
        print("skipped: not a git checkout")
        sys.exit(77)
    total, files = 0, 0
    for path in paths:
        if not READ.search(path) or SKIPPED.search(path):
            continue
        files += 1
        here = list(faults(path))
        total += len(here)
        if "--count" in sys.argv:
            if here:
                print(f"{len(here):5} {path}")
            continue
        for number, word, instead, line in here:
            print(f"{path}:{number}: '{word}': {instead}: {line.strip()[:120]}")
    print(f"{total} words of our own in {files} files")
    sys.exit(1 if total or not files else 0)


main()
