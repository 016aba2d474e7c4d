"""What comes with the package: the program `startle`, and levels."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

from .engine import engine as _engine

Error = _engine.Error

# PREFIX of PREFIX/lib/pythonX.Y/site-packages/startle, or of PREFIX/startle (pip install --target).
_folder = pathlib.Path(__file__).resolve().parent
_prefix = next((prefix for prefix in [*list(_folder.parents)[3:4], _folder.parent]
                if (prefix / "share/startle/levels").is_dir()), _folder.parent)
_installed = (_prefix / "share/startle/levels").is_dir()

#: Folder of the levels that come with Startle: "data" and "benchmark". Below the prefix that the package was
#: installed to, else in the source tree that it was built from.
LEVELS = _prefix / "share/startle/levels" if _installed else pathlib.Path(_engine.SOURCE_FOLDER) / "levels"
#: The trained PredRNN that comes with Startle.
MODEL = LEVELS.parent / "surprise/models/default.safetensors"


def _program_path() -> str:
    """The program that was installed with the package, else the one that was built with it, else the one on
    PATH."""
    for path in [str(_prefix / "bin/startle")] * _installed + [_engine.PROGRAM, shutil.which("startle")]:
        if path and os.access(path, os.X_OK):
            return path
    raise Error(f"startle: no program in {_prefix / 'bin'}, as {_engine.PROGRAM} or on PATH; build it with "
                "cmake --build build --target startle startle-surprise")


def program(*arguments: object) -> str:
    """Runs the program `startle` with these arguments (numbers and paths as they are) and returns what it
    prints, as text.

        print(startle.program("observe", "level.json", "--shot", 25, "--novelty", "T2"))

    docs/command-line.md has the commands. Raises Error, with the program's message, when it fails, and when
    there is no program.
    """
    done = subprocess.run([_program_path(), *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Error(done.stderr.strip() or f"startle {arguments[0] if arguments else ''}: ended with "
                                           f"{done.returncode}")
    return done.stdout
