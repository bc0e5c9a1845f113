"""Data that JSON neither changes nor refuses."""
from __future__ import annotations

import math
from typing import Any, NoReturn

from ._values import shown

_ACCEPTED = ("None, bool, int, finite float, str, list, and dict with str keys; for other data, override save() and "
             "load()")


def require_plain_data(attributes: dict[str, Any], rule: str) -> None:
    """Raises an error if the attributes of a rule would be different after they were saved and loaded."""
    seen: set[int] = set()
    for name, value in attributes.items():
        _require(value, rule, name, seen)


def _require(value: Any, rule: str, name: str, seen: set[int]) -> None:
    kind = type(value)  # not isinstance, because JSON turns derived types into their bases
    if value is None or kind is bool or kind is int or kind is str:
        return
    if kind is float:
        if not math.isfinite(value):
            raise ValueError(_message(rule, name, value))
    elif kind is list or kind is dict:
        if id(value) in seen:
            _refuse(rule, name, value, "which also occurs elsewhere")
        seen.add(id(value))
        for key, part in value.items() if kind is dict else enumerate(value):
            if kind is dict and type(key) is not str:
                _refuse(rule, name, value, f"with the key {shown(key)} of type {type(key).__name__}")
            _require(part, rule, f"{name}[{key!r}]", seen)
    else:
        _refuse(rule, name, value, f"of type {kind.__name__}")


def _message(rule: str, name: str, value: Any, problem: str = "") -> str:
    which = f", {problem}" if problem else ""
    return f"rule '{rule}': the attribute {name} is {shown(value)}{which}; accepted: {_ACCEPTED}"


def _refuse(rule: str, name: str, value: Any, problem: str) -> NoReturn:
    raise TypeError(_message(rule, name, value, problem))
