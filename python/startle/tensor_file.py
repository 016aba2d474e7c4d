"""Files of named arrays in the safetensors layout, as `startle surprise train` writes and reads them
(surprise/networks/tensor_file.hpp). Needs NumPy alone."""
from __future__ import annotations

import json
import pathlib
import struct
from typing import Any, Dict, Mapping, Tuple

import numpy as np

from .files import Path, write_file

__all__ = ["Error", "read_tensors", "write_tensors"]

_TYPES: Dict[str, "np.dtype[Any]"] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


class Error(ValueError):
    """What is wrong, and what is allowed in its place."""


def write_tensors(path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Writes arrays of any shape as F32, and texts beside them. Raises Error for a value that is not
    finite."""
    header: Dict[str, object] = {"__metadata__": dict(sorted(metadata.items()))} if metadata else {}
    parts, size = [], 0
    for name in sorted(tensors):
        values = np.asarray(tensors[name], "<f4", order="C")
        if not np.isfinite(values).all():
            raise Error(f"{path}: tensor {name!r}: found a value that is not finite")
        header[name] = {"dtype": "F32", "shape": list(values.shape),
                        "data_offsets": [size, size + values.nbytes]}
        parts.append(values.tobytes())
        size += values.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    write_file(path, b"".join([struct.pack("<Q", len(text)), text, *parts]))


def read_tensors(path: Path) -> Tuple[Dict[str, np.ndarray], Dict[str, str]]:
    """Arrays by name, float32 (F16 in the file too), and the texts beside them. Raises Error for a file
    that is none of these, OSError where it cannot be read."""
    data = pathlib.Path(path).read_bytes()
    try:
        length, = struct.unpack_from("<Q", data)
        header = json.loads(data[8:8 + length])
        metadata = header.pop("__metadata__", {})
        tensors = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            if not 0 <= begin <= end <= len(data) - 8 - length:
                raise ValueError(f"tensor {name!r} is cut short")
            values = np.frombuffer(data[8 + length + begin:8 + length + end], _TYPES[entry["dtype"]])
            tensors[name] = values.reshape(entry["shape"]).astype(np.float32)
    except (AttributeError, KeyError, TypeError, ValueError, struct.error) as error:
        raise Error(f"{path}: is no safetensors file of F32 or F16, or is damaged: {error}") from None
    return tensors, metadata
