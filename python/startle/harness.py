"""Trials of `startle agents run` that are played from this process: what the Inspect task and the OpenEnv
environment have in common. The plan, the results and their scores by tier are those of every other agent."""
from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from .arguments import several, whole
from .places import Error, _program_path
from .trial import Trial

__all__ = ["Run", "PlayedTrial"]

RELAY = pathlib.Path(__file__).with_name("relay.py")
PRACTICE = 10  # shots before a trial of the protocol single
SETTLED = 60  # s within which the runner writes down a trial that has ended
LIMIT = 1_000_000  # s: how long a trial may take is the harness's to say
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>


class PlayedTrial(Trial):
    """A trial of a `Run`, to be played by `call`."""

    def __init__(self, run: "Run", connection: socket.socket, **settings: Any) -> None:
        self._run, self._connection = run, connection
        super().__init__(connection.makefile("r", encoding="utf-8"),
                         connection.makefile("w", encoding="utf-8"), **settings)

    def give_up(self, why: str) -> None:
        """Ends the trial here: in the results it is a crash for this reason, and what was reported counts. No
        effect on a trial that is over."""
        if self.due != "nothing":
            self.due = "nothing"
            with contextlib.suppress(OSError):
                self._connection.sendall(b"!" + " ".join(why.split()).encode() + b"\n")

    def result(self) -> Dict[str, Any]:
        """What the results file says of the trial, once it is over: columns of the table `trials`
        (docs/files.md), "levels" as a list, and
            novel        bool: whether the world was novel (shift: from some level on)
            alarm        bool: whether there was an alarm
            detected     bool: whether there was one in a novel level
            false_alarm  bool: whether there was one in a normal level, so also before the change
            right        bool: novel: an alarm, and none before the change; normal: none
        Raises Error where it is not over, or the runner does not write it down.
        """
        return self._run._result(self)


class Run:
    """The trials of one agent, in an order that nobody can foresee, each to be taken by `next_trial` and
    played. They are played by a process `startle agents run`, which ends with this process: trials that are
    under way then are not recorded, and a `Run` of the same settings goes on with those that are left.

    levels       path of a level file or a folder of them, or a list of those
    out          results file; one of the same run is gone on with
    name         of the agent in it: letters, digits and . _ + -
    protocol     "single": a trial is one level; "shift": a row of them, normal ones first, then novel ones
    trials       of each novelty and tier (shift), or of each level and world (single)
    limit        levels of each novelty and tier at most; 0: all
    novelty      of all levels in place of the one stored with each; None: the stored ones
    before, after  shift: most normal levels, and least novel ones
    practice     shots in the normal world before each trial; None: 10 for single, and none for shift, where
                 the first levels are normal
    pictures     whether `look` gives pictures
    transcripts  folder: each trial goes to SEED.jsonl in it; None: none is written
    plays        what plays, in a few words: results of one name must be of the same
    parallel     trials that may be under way at once
    Raises Error for settings out of range, and what the program says.
    """

    def __init__(self, levels: Union[str, os.PathLike, Iterable[Any]], out: Union[str, os.PathLike],
                 name: str, *, protocol: str = "single", trials: int = 1, limit: int = 0,
                 novelty: Optional[str] = None, before: int = 10, after: int = 10,
                 practice: Optional[int] = None, pictures: bool = True,
                 transcripts: Optional[Union[str, os.PathLike]] = None, plays: str = "",
                 parallel: int = 16) -> None:
        if protocol not in ("shift", "single"):
            raise Error(f"protocol: found {protocol!r}, allowed are shift and single")
        if not re.fullmatch(r"[A-Za-z0-9._+-]+", name):
            raise Error(f"name: found {name!r}, allowed are letters, digits and . _ + -")
        if practice is None:
            practice = PRACTICE if protocol == "single" else 0
        self.practice = whole("practice", practice, 0, 1000)
        self.pictures, self.name, self.out = bool(pictures), name, pathlib.Path(out)
        self._transcripts = transcripts
        shown = f"{plays} practice={practice} pictures={'yes' if pictures else 'no'}".strip()
        agent = shlex.join([sys.executable, "-I", str(RELAY), shown])
        self._command: List[str] = [
            _program_path(), "agents", "run", "--agent", f"{name}={agent}", "--levels",
            *map(str, several("levels", levels, "a path, or a list of those")), "--out", str(out),
            "--protocol", protocol, "--trials", str(whole("trials", trials, 1, 1_000_000)), "--limit",
            str(whole("limit", limit, 0, 1_000_000)), "--threads", str(whole("parallel", parallel, 1, 1000)),
            "--retries", "0", "--action-limit", str(LIMIT), "--trial-limit", str(LIMIT), "--quiet"]
        if protocol == "shift":
            self._command += ["--before", str(before), "--after", str(after)]
        if novelty is not None:
            self._command += ["--novelty", novelty]
        self._lock = threading.Lock()
        self._folder: Optional[str] = None
        self._process: Optional[subprocess.Popen] = None

    def counts(self) -> Tuple[int, int]:
        """Trials of the run, and how many of them are finished."""
        said = subprocess.run([*self._command, "--dry-run"], capture_output=True, text=True)
        if said.returncode != 0:
            raise Error(said.stderr.strip())
        words = said.stdout.split()
        return int(words[0]), int(words[2])

    def next_trial(self) -> Optional[PlayedTrial]:
        """The next one; waits where `parallel` of them are under way. None: all are finished. From any
        thread. Raises Error where the run ends otherwise."""
        while True:
            with self._lock:
                if self._process is None:
                    self._start()
                assert self._process is not None
                try:
                    connection, _ = self._listener.accept()
                except socket.timeout:
                    if self._process.poll() is None:
                        continue
                    return self._ended()
            connection.settimeout(None)
            return PlayedTrial(self, connection, practice=self.practice, pictures=self.pictures,
                               transcripts=self._transcripts)

    def close(self) -> None:
        """Ends the run. Trials under way are not recorded, and are played anew by the next run."""
        with self._lock:
            if self._process is not None and self._folder is not None:
                self._process.kill()
                self._process.wait()
                self._listener.close()
                shutil.rmtree(self._folder, ignore_errors=True)
                self._process = None

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _start(self):
        self._folder = tempfile.mkdtemp(prefix="startle-run-")
        path = os.path.join(self._folder, "socket")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(1000)
        self._listener.settimeout(0.1)
        prctl = ctypes.CDLL(None).prctl
        started = threading.Event()

        def keep():
            # The signal comes when the thread ends that started the process: this one ends with the program.
            with open(os.path.join(self._folder, "errors"), "w") as errors:
                self._process = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                    env=os.environ | {"STARTLE_HARNESS": path},
                    preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
                started.set()
                self._process.wait()

        threading.Thread(target=keep, daemon=True).start()
        started.wait()

    def _ended(self):
        if self._process.returncode == 0:
            return None
        said = pathlib.Path(self._folder, "errors").read_text().strip()
        raise Error(said or f"startle agents run: ended with {self._process.returncode}")

    def _result(self, trial):
        if trial.due != "nothing":
            raise Error(f"the trial is not over; a {'shot' if trial.due == 'shoot' else 'report'} is due")
        end = time.monotonic() + SETTLED
        while (row := self._row(trial.seed)) is None:
            if time.monotonic() > end:
                raise Error(f"{self.out}: the trial is not in it {SETTLED} s after its end")
            time.sleep(0.05)
        row["novel"] = row["world"] != "normal"
        alarms = [level["novel"] for level in row["levels"] for shot in level["shots"]
                  if shot["novelty"] >= 0.5]
        row["alarm"], row["detected"], row["false_alarm"] = bool(alarms), any(alarms), not all(alarms)
        row["right"] = row["alarm"] == row["novel"] and not row["false_alarm"]
        return row

    def _row(self, seed):
        """Of the trial with this seed, which the runner makes of the run's secret and the trial's place."""
        with contextlib.closing(sqlite3.connect(f"file:{self.out.resolve()}?mode=ro", uri=True)) as file:
            file.row_factory = sqlite3.Row
            secret, = file.execute("select value from manifest where key = 'secret'").fetchone()
            for row in file.execute("select * from trials where agent = ?", (self.name,)):
                place = f"{row['unit']}/{row['world']}"
                if _seed(secret, place, row["trial"]) == seed:
                    return dict(row) | {"levels": json.loads(row["levels"])}
        return None


def _seed(secret, place, index):
    """As RunSecret::derive() of agents/trials/secret.cpp."""
    hashed = hashlib.blake2b(key=bytes.fromhex(secret), digest_size=16)
    for text in ("agent seed", place, str(index)):
        data = text.encode()
        hashed.update(len(data).to_bytes(8, "little") + data)
    return int.from_bytes(hashed.digest()[:8], "little") >> 11
