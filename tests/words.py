"""Fails where a page, a comment, an option or an identifier has a word of our own for what the field has a term for.

  words.py [--count] [PATH ...]     from the root of the sources; without paths, every file that git does not
                                    ignore and that is no data (of JSON, schemas are none)

Each row of TERMS is a pattern, what to write instead, and where the pattern means something else.
"""
import re
import subprocess
import sys

PEOPLE = r"^(tests/)?people/|^(tests/)?web/(page/)?study|^(app|docs)/(people|online-study|index|files)\.|^viewer/screens/study|^README"
TERMS = [
    (r"\blaws?\b(?! of (motion|large numbers))", "dynamics model, mechanism", None),
    (r"\bfilm(s|ed|ing)?\b|\bFilm|\bfilm_|_film\b", "video, recorded", None),
    (r"\bencounters?\b|Encounter", "contact event", None),
    (r"\blevers?\b", "sensitivity", None),
    (r"\b(an?|the|each|its|of|more|all) readings?\b", "observation", r"docs/statistics"),
    (r"steps.a.look|\b(between|each|every|next|last|three|four|five|all|of|over|for) looks?\b(?! (at|like|alike|of|as|for|the|into|ahead))|\blooks? [0-9k]\b|\bflight_looks\b|\bLooker\b", "frame, sample", None),
    (r"\bonlookers?\b|\b[Ww]ho looks? on\b|\blooks_on\b|\bserve_observer\b", "observer; of agents over TCP: spectator", r"^docs/"),
    (r"\bjudg(e|es|ed|ing|ement|ements)\b|Judge|_judge\b|\bjudgements_|unjudged|misjudged", "detector, test, score", None),
    (r"\b(un)?notic(ed|es|ing)\b", "detected", PEOPLE),
    (r"\bdetectors (no|what|which|it|them|clips|how|by how)\b|\b(alone|else|discriminator that|network|forecasts|\(\)) detectors\b|\bno detect\b|\bdetect_nothing\b", "detects, scores", None),
    (r"\bdeclare[sd]? (the world )?novel|\btrials? declared\b|\b(until|rightly) declared\b|\bdeclared (rightly|among)\b|\bthe declaration\b|\bis with an alarm\b", "alarm", None),
    (r"\bshown shots?\b|\bshow(s|n)? (the|its|a) novelt|\bshows nothing\b|\bShown[A-Z]|\b[Bb]est shots (never )?show\b|\btarget shows(,| F1)|\bnovelty shows\b|\b(best|random|solution|without)_shown\b|\bshown, 95", "visible difference, P(visible)", r"^docs/research/"),
    (r"\b(shown|predicted), not (predicted|shown)\b", "visible, not predicted", None),
    (r"\bborne out\b|\bbears? (\S+ ){0,2}out\b|\bconfirm(s|ed)?\b", "verified by simulation", None),
    (r"\b[Tt]urned (shots?|alike|independently)\b|\baim.turns?\b|\b(same|two|other) turns\b|\b(is|are|shot|launches) turned by (the|an?|0\.01)\b|\bturned by (N\(|0\.0|1e-)|\bof the turns\b", "perturbed shot, perturbation", None),
    (r"\bwalkers?\b|\bWalk[A-Z]\w+|\bwalks?\b", "rollout over states", None),
    (r"\b[Tt]old\b|\b[Tt]ells?\b|\b[Tt]elling\b", "given; says; distinguishes", None),
    (r"\b(is|are|be) given (of|apart|so)\b|\bcould be given (of|by|from|at)\b|\bgiven from (other|that)\b", "described; detected; distinguished", None),
    (r"\b([Ss]ays?|say) (\w+ ){1,3}apart\b|\bsay novelties\b", "distinguishes", None),
    (r"\b[Pp]ro(of|ofs|ve|ved|ves|ven|ving)\b|_proofs?\b|\bproof_", "solution; verified", None),
    (r"\b[Gg]rounded(\b|[A-Z_])", "simulated difficulty", None),
    (r"[\"'`]impossible[\"'`]|Tier::impossible|\bImpossible: value", "undetectable", r"^probes/|^reports/surprise/|^docs/(probes|python)|^scripts/results$"),
    (r"\bseal(s|ed)?\b|\bseal_|_sealed\b", "checksum", None),
    (r"\b[Jj]ail", "sandbox", None),
    (r"\b((?<!following-)[Ss]ibling|[Ss]tuff|[Pp]rospects?|[Oo]utlooks?)\b|_by_sight\b|`sight`", "what it holds", None),
    (r"\bcomes? along\b|\bhangs? on\b|\bon the way\b(?! (from|to))", "is shipped; depends on; while", None),
    (r"\b([Tt]he|[Ii]ts|[Tt]heir) source('s\b| (does|says|leaves|gives|has|counts|calls|multiplies|draws|publishes|prints|asks|tests|uses|writes|names|means|makes|treats)\b)|\bbeyond the source\b|\b[Ff]igure \d+ of the source\b|\b(study|examples) of the source\b", "the paper's name: Pinto et al. 2021, Lin et al., IntPhys 2019", None),
    (r"\b([Tt]his|[Tt]hese) rooms?\b|\brooms? (above|below|that it uses)\b|\bthe room's\b", "module", None),
    (r"\b[Cc]lip[ _]worlds?\b|\bClipWorld|\bworlds? of (probes|IntPhys)\b", "scene set", None),
]
TERMS = [(re.compile(pattern), instead, elsewhere and re.compile(elsewhere)) for pattern, instead, elsewhere in TERMS]
READ = re.compile(r"\.(cpp|hpp|h|py|pyi|md|cmake|in|txt|sh|yml)$|\.schema\.json$|(^|/)(CMakeLists\.txt)$|^(scripts|tools)/|^tests/[^.]*$")
SKIPPED = re.compile(r"^(CHANGELOG\.md|LICENSE|levels/(data|benchmark)/|detection/models/|tests/words(\.py|/)|tests/.*/levels/|fuzz/seeds|probes/intphys/published\.txt|networks/.*\.txt)")
# Names of random streams stay: other names are other numbers. Readers know the words of old files.
SEED = re.compile(r"stream_seed\(|startle-laws|std::(pair|tuple)\{\"")


def faults(path):
    try:
        lines = open(path, encoding="utf-8").read().splitlines()
    except (UnicodeDecodeError, OSError):
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
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *arguments]
        paths = subprocess.check_output(listed, text=True, stderr=subprocess.DEVNULL).splitlines()
    except (OSError, subprocess.CalledProcessError):
        print("skipped: not a git checkout")
        sys.exit(77)
    total, files = 0, 0
    for path in paths:
        if path not in arguments and (not READ.search(path) or SKIPPED.search(path)):
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
