"""Files that are whole or not there. Standard library only."""
from __future__ import annotations

import os
import pathlib
from typing import Union

Path = Union[str, "os.PathLike[str]"]


def write_file(path: Path, data: bytes) -> None:
    """The whole file or none."""
    path = pathlib.Path(path)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)
