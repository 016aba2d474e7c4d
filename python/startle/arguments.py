"""Arguments of the wrong type: an Error that names them, in place of what Python or the compiled module says
deep inside."""
from __future__ import annotations

import functools
import inspect
import operator
import os
from typing import Any, Callable, Tuple, TypeVar

from .engine import engine as _engine

Error = _engine.Error
Function = TypeVar("Function", bound=Callable[..., Any])


def whole(name: str, value: Any, least: int, most: int, allowed: str = "") -> int:
    """A whole number in the range, of any type that Python takes for one. Raises Error."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        allowed = allowed or f"whole numbers from {least} to {most}"
        raise Error(f"{name}: found {value!r}, allowed are {allowed}")
    return number


def seed(value: Any) -> int:
    return whole("seed", value, 0, 2**64 - 1, "whole numbers from 0 to 2^64 - 1")


def real(name: str, value: Any) -> float:
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise Error(f"{name}: found {value!r}, allowed is a number") from None


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise Error(f"{name}: found {value!r}, allowed is text")
    return value


def size(value: Any) -> Tuple[int, int]:
    """Width and height of pictures."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        width, height = value
    except (TypeError, ValueError):
        raise Error(f"size: found {value!r}, allowed is (width, height) in pixels, for example (128, 128)"
                    ) from None
    return whole("width of pictures", width, 1, 1024), whole("height of pictures", height, 1, 1024)


def several(name: str, value: Any, allowed: str) -> list:
    """A path or whatever stands for itself as a list of one; an iterable as a list."""
    if isinstance(value, (str, os.PathLike, _engine.Level)):
        return [value]
    try:
        if isinstance(value, bytes):
            raise TypeError
        return list(value)
    except TypeError:
        raise Error(f"{name}: found {value!r}, allowed is {allowed}") from None


_OF_ANNOTATION = {"int": lambda name, value: whole(name, value, -2**31, 2**31 - 1),
                  "float": real, "str": text}


def named(function: Function) -> Function:
    """Holds arguments to their annotations, where those are int, float or str, or None where that is the
    default: what the compiled module says of others names none of them."""
    signature = inspect.signature(function)
    checks = {}
    for name, parameter in signature.parameters.items():
        annotation = str(parameter.annotation)
        optional = parameter.default is None
        if annotation.startswith("Optional[") and optional:
            annotation = annotation[len("Optional["):-1]
        if annotation in _OF_ANNOTATION:
            check = (lambda _, value: seed(value)) if name == "seed" else _OF_ANNOTATION[annotation]
            checks[name] = check, optional

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name in checks:
                check, optional = checks[name]
                if value is not None or not optional:
                    check(name, value)
        return function(*args, **kwargs)

    return checked  # type: ignore[return-value]
