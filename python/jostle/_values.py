"""Conversions between Python values and the structs of the C API."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Sequence, Union

from . import _abi

Vector = Sequence[float]


class Pose(NamedTuple):
    """A position (m) and a rotation as a unit quaternion (x, y, z, w)."""

    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


def default(kind: Any, library: Any) -> Any:
    """Returns a struct with its default values."""
    values = kind()
    getattr(library, f"{kind.__name__}_init")(ctypes.byref(values), ctypes.sizeof(kind))
    return values


def output(kind: Any) -> Any:
    """Returns a struct that a function may fill."""
    values = kind()
    values.size = ctypes.sizeof(kind)
    return values


def vec3(value: Vector) -> _abi.jostle_vec3:
    x, y, z = value
    return _abi.jostle_vec3(x, y, z)


def position(value: Vector) -> _abi.jostle_position:
    x, y, z = value
    return _abi.jostle_position(x, y, z)


def quat(value: Vector) -> _abi.jostle_quat:
    x, y, z, w = value
    return _abi.jostle_quat(x, y, z, w)


def pose(value: Pose) -> _abi.jostle_pose:
    return _abi.jostle_pose(position(value[0]), quat(value[1]))


def tuple3(value: Any) -> tuple[float, float, float]:
    return (value.x, value.y, value.z)


def from_pose(value: _abi.jostle_pose) -> Pose:
    rotation = value.rotation
    return Pose(tuple3(value.position), (rotation.x, rotation.y, rotation.z, rotation.w))


def text(value: Union[str, None]) -> Union[bytes, None]:
    return None if value is None else value.encode()


def enumerator(prefix: str, word: str) -> int:
    """Returns the value of an enumerator, for example ("JOSTLE_MOTION", "dynamic")."""
    name = f"{prefix}_{word.upper().replace(' ', '_').replace('-', '_')}"
    value = getattr(_abi, name, None)
    if value is None:
        accepted = [key[len(prefix) + 1:].lower() for key in vars(_abi)
                    if key.startswith(prefix + "_") and not key.endswith(("_COUNT", "_DEFAULT"))]
        raise ValueError(f"'{word}' is unknown; accepted: {', '.join(accepted)}")
    return value


def set_fields(values: Any, options: dict[str, Any]) -> None:
    """Sets fields of a struct from keyword arguments, and converts vectors, poses and texts."""
    kinds = dict(values._fields_)
    for name, value in options.items():
        if name not in kinds or name == "size":
            accepted = ", ".join(key for key in kinds if key not in ("size", "reserved"))
            raise TypeError(f"unknown argument '{name}'; accepted: {accepted}")
        kind = kinds[name]
        if kind is _abi.jostle_vec3:
            value = vec3(value)
        elif kind is _abi.jostle_position:
            value = position(value)
        elif kind is _abi.jostle_quat:
            value = quat(value)
        elif kind is _abi.jostle_pose:
            value = pose(value)
        elif kind is ctypes.c_char_p:
            value = text(value)
        elif issubclass(kind, ctypes.Structure) and isinstance(value, dict):
            part = getattr(values, name)
            set_fields(part, value)
            value = part
        elif issubclass(kind, ctypes.Structure) and hasattr(value, "handle"):
            value = value.handle
        setattr(values, name, value)


def listed(call: Any, kind: Any) -> Any:
    """Calls `call(array, capacity, count)` until the array holds the whole list."""
    count = ctypes.c_size_t()
    call(None, 0, ctypes.byref(count))
    array = (kind * max(count.value, 1))()
    call(array, len(array), ctypes.byref(count))
    return array[:count.value]
