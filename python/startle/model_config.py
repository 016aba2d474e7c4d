"""What a PredRNN is and how it is trained, as config.json of a run holds it (docs/files.md, startle surprise
train): presets, checks, and the same text byte for byte as the program writes. Needs NumPy alone."""
from __future__ import annotations

import copy
import decimal
import json
import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .tensor_file import Error, Path, read_tensors

__all__ = ["Config", "Error", "preset", "read_config", "read_model", "config_text", "model_text", "shortest"]

#: {"model": {...}, "training": {...}}, with all keys.
Config = Dict[str, Dict[str, Any]]

CLIP_FORMAT = {"frames": 15, "pixels": 64, "stride": 6, "lead": 2, "view": 4.6}
_MODEL = {"layers": 4, "channels": 32, "kernel": 3, "patch": 4, "residual": True, "forget_bias": 1.0}
_TRAINING = {"batch": 8, "steps": 4000, "learning_rate": 1e-3, "warm_up": 0.025, "clip_norm": 1.0,
             "beta1": 0.9, "beta2": 0.95, "sampling": "teacher", "change_weight": 0.0, "precision": "float32",
             "seed": 1, "validate_every": 250, "validation_clips": 256, "patience": 0,
             "checkpoint_every": 100}
_NAMES = {"sampling": ("teacher", "reverse"), "precision": ("float32", "bfloat16")}
_LARGEST = 10**9
_WHOLE: Dict[str, Tuple[int, int]] = {
    "layers": (1, 16), "channels": (1, 1024), "kernel": (1, 15), "patch": (1, 1024), "frames": (3, 1000),
    "pixels": (4, 1024), "stride": (1, 1000), "lead": (0, 999), "batch": (2, 65536), "steps": (1, _LARGEST),
    "seed": (0, 2**64 - 1), "validate_every": (1, _LARGEST), "validation_clips": (2, _LARGEST),
    "patience": (0, _LARGEST), "checkpoint_every": (1, _LARGEST)}


def preset(name: str, clips: Optional[Dict[str, Any]] = None) -> Config:
    """`small`, 4 x 32 channels, or `reference`, 4 x 128, for clips of that format."""
    config = {"model": {**_MODEL, "clips": dict(clips or CLIP_FORMAT)}, "training": dict(_TRAINING)}
    if name == "reference":
        config["model"].update(channels=128, residual=False)
        config["training"].update(batch=64, learning_rate=3e-4, steps=50000, validate_every=1000)
    elif name != "small":
        raise Error(f"--preset: found {name!r}, allowed are small and reference")
    return config


def _number(place: str, value: Any, good: bool, allowed: str) -> None:
    if not good:
        raise Error(f"{place}: found {json.dumps(value)}, allowed are {allowed}")


def check(config: Config, source: str) -> None:
    """Raises Error, led by `source`, for what is out of range."""
    model, training, clips = config["model"], config["training"], config["model"]["clips"]
    for group, prefix in ((model, ""), (clips, "clips/"), (training, "training/")):
        for key, value in group.items():
            place = f"{source}: {prefix}{key}"
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
            if key in _WHOLE:
                least, most = _WHOLE[key]
                _number(place, value, number and isinstance(value, int) and least <= value <= most,
                        f"whole numbers from {least} " + (f"to {most}" if most < _LARGEST else "on"))
            elif key in _NAMES:
                _number(place, value, value in _NAMES[key], " and ".join(_NAMES[key]))
            elif key == "residual":
                _number(place, value, isinstance(value, bool), "true and false")
            elif key in ("warm_up", "beta1", "beta2"):
                _number(place, value, number and 0 <= value < 1, "numbers in [0, 1)")
            elif key in ("learning_rate", "clip_norm", "view"):
                _number(place, value, number and 0 < value <= 1e6, "numbers > 0 and <= 1000000")
            elif key == "change_weight":
                _number(place, value, number and 0 <= value <= 1e6, "numbers from 0 to 1000000")
            elif key == "forget_bias":
                _number(place, value, number and -20 <= value <= 20, "numbers from -20 to 20")
    _number(f"{source}: kernel", model["kernel"], model["kernel"] % 2 == 1, "odd numbers")
    _number(f"{source}: clips/lead", clips["lead"], clips["lead"] < clips["frames"],
            "numbers below clips/frames")
    _number(f"{source}: patch", model["patch"], clips["pixels"] % model["patch"] == 0,
            f"divisors of clips/pixels, {clips['pixels']}")


def read_config(text: str, source: str, base: Optional[Config] = None) -> Config:
    """A configuration from JSON; keys that are missing keep those of `base`, else of `small`. Raises Error,
    led by `source`, for keys that are unknown, values out of range, and networks other than PredRNN on
    frames."""
    config = copy.deepcopy(base or preset("small"))
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Error(f"{source}: is no JSON: {error}") from None
    _update(config, found, source, "")
    check(config, source)
    return config


def read_model(path: Path) -> Tuple[Dict[str, np.ndarray], Dict[str, Any]]:
    """Weights by name and `model` of the configuration, of the file of a trained PredRNN. Raises Error for a
    file that is none, OSError where it cannot be read."""
    tensors, about = read_tensors(path)
    if "startle.model" not in about:
        raise Error(f"{path}: is no model of Startle")
    base = preset("small")
    base["model"]["residual"] = False  # where a file says nothing
    return tensors, read_config(f'{{"model": {about["startle.model"]}}}', str(path), base)["model"]


def _update(known: Dict[str, Any], found: Any, source: str, place: str) -> None:
    if not isinstance(found, dict):
        raise Error(f"{source}: {place or 'configuration'}: found {json.dumps(found)[:40]}, allowed is an "
                    "object")
    for key, value in found.items():
        if place == "model/" and key in ("network", "masks"):
            if value not in ("predrnn", False):
                raise Error(f"{source}: {place}{key}: found {json.dumps(value)}; Python has the PredRNN "
                            "that reads frames, startle surprise has all networks")
        elif key not in known:
            raise Error(f"{source}: {place}{key}: is unknown, allowed are {', '.join(known)}")
        elif isinstance(known[key], dict):
            _update(known[key], value, source, f"{place}{key}/")
        else:
            known[key] = value


def shortest(value: float) -> str:
    """The shortest text that reads as that number: what std::to_chars writes."""
    if not math.isfinite(value):
        return str(float(value))
    digits = len(decimal.Decimal(repr(float(value))).normalize().as_tuple().digits)
    scientific = f"{value:.{digits - 1}e}"
    plain = f"{value:.{max(digits - 1 - int(scientific.partition('e')[2]), 0)}f}"
    return plain if len(plain) <= len(scientific) else scientific


def _members(group: Dict[str, Any], keys: Dict[str, Any], indent: str) -> List[str]:
    lines = []
    for key, default in keys.items():
        value = group[key]
        if key in ("forget_bias", "change_weight") and value == default:
            continue
        text = shortest(value + 0.0) if isinstance(default, float) else json.dumps(value)
        lines.append(f'{indent}"{key}": {text}')
    return lines


def _model_lines(model: Dict[str, Any], indent: str) -> str:
    clips = ", ".join(f'"{key}": {shortest(float(value))}' for key, value in model["clips"].items())
    return ",\n".join([*_members(model, _MODEL, indent), f'{indent}"clips": {{{clips}}}'])


def model_text(model: Dict[str, Any]) -> str:
    """`model` of a configuration, as files of models hold it."""
    return f"{{\n{_model_lines(model, '  ')}\n}}\n"


def config_text(config: Config) -> str:
    """The configuration as config.json."""
    training = ",\n".join(_members(config["training"], _TRAINING, "    "))
    return (f'{{\n  "model": {{\n{_model_lines(config["model"], "    ")}\n  }},\n  "training": {{\n'
            f"{training}\n  }}\n}}\n")
