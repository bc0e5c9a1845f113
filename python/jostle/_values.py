"""Conversions between Python values and the structs of the C API. Errors name the argument."""
from __future__ import annotations

import ctypes
import operator
import os
from typing import Any, Callable, NamedTuple, NoReturn, Sequence, Type, TypeVar, Union

from . import _abi
from ._library import InvalidArgument

Struct = TypeVar("Struct", bound=ctypes.Structure)
Vector = Sequence[float]
Text = Union[str, "os.PathLike[str]"]


class Pose(NamedTuple):
    """A position (m) and a rotation as a unit quaternion (x, y, z, w)."""

    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)


def default(kind: Type[Struct], library: Any) -> Struct:
    """Returns a struct with its default values."""
    values = kind()
    getattr(library, f"{kind.__name__}_init")(ctypes.byref(values), ctypes.sizeof(kind))
    return values


def output(kind: Type[Struct]) -> Struct:
    """Returns a struct that a function may fill."""
    values = kind()
    setattr(values, "size", ctypes.sizeof(kind))
    return values


def shown(value: Any) -> str:
    """Returns a value for a message, cut to one line."""
    try:
        words = " ".join(repr(value).split())
    except Exception:
        words = "?"
    longest = 60
    return words if len(words) <= longest else words[:longest] + "..."


def refuse_type(name: str, value: Any, accepted: str) -> NoReturn:
    raise TypeError(f"{name} is {shown(value)}, a {type(value).__name__}; accepted: {accepted}") from None


def _refuse_vector(value: Any, count: int, name: str, letters: str) -> NoReturn:
    accepted = f"{count} numbers {letters}"
    try:
        length = len(value)
    except TypeError:
        refuse_type(name, value, accepted)
    if length == count or isinstance(value, (str, bytes)):
        refuse_type(name, value, accepted)
    raise ValueError(f"{name} is {shown(value)}, of {length} elements; accepted: {accepted}") from None


def vec2(value: Vector, name: str) -> tuple[float, float]:
    try:
        x, z = value
        return float(operator.pos(x)), float(operator.pos(z))
    except (TypeError, ValueError):
        _refuse_vector(value, 2, name, "(x, z)")


def vec3(value: Vector, name: str) -> _abi.jostle_vec3:
    try:
        x, y, z = value
        return _abi.jostle_vec3(x, y, z)
    except (TypeError, ValueError):
        _refuse_vector(value, 3, name, "(x, y, z)")


def position(value: Vector, name: str) -> _abi.jostle_position:
    try:
        x, y, z = value
        return _abi.jostle_position(x, y, z)
    except (TypeError, ValueError):
        _refuse_vector(value, 3, name, "(x, y, z)")


def quat(value: Vector, name: str) -> _abi.jostle_quat:
    try:
        x, y, z, w = value
        return _abi.jostle_quat(x, y, z, w)
    except (TypeError, ValueError):
        _refuse_vector(value, 4, name, "(x, y, z, w)")


def pose(value: Pose, name: str) -> _abi.jostle_pose:
    try:
        place, rotation = value
    except (TypeError, ValueError):
        refuse_type(name, value, "a Pose, or a position and a rotation")
    return _abi.jostle_pose(position(place, f"{name}.position"), quat(rotation, f"{name}.rotation"))


def tuple3(value: Any) -> tuple[float, float, float]:
    return (value.x, value.y, value.z)


def from_pose(value: _abi.jostle_pose) -> Pose:
    rotation = value.rotation
    return Pose(tuple3(value.position), (rotation.x, rotation.y, rotation.z, rotation.w))


def text(value: Text, name: str) -> bytes:
    """Returns a text or a path as UTF-8."""
    words = value if isinstance(value, str) else os.fspath(value) if isinstance(value, os.PathLike) else None
    if not isinstance(words, str):
        refuse_type(name, value, "a text")
    if "\0" in words:
        raise ValueError(f"{name} is {shown(words)}; accepted: texts without zero characters")
    return words.encode(errors="surrogateescape")


def number(value: Any, name: str) -> float:
    try:
        return float(operator.pos(value))  # refuses texts
    except (TypeError, ValueError, OverflowError):
        refuse_type(name, value, "a number")


def integer(value: Any, name: str, kind: Any = ctypes.c_uint32) -> int:
    """Returns an integer that fits into a type of C."""
    try:
        whole = operator.index(value)
    except TypeError:
        refuse_type(name, value, "an integer")
    bits = 8 * ctypes.sizeof(kind)
    is_signed = kind(-1).value < 0
    low, high = (-1 << (bits - 1), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    if not low <= whole <= high:
        raise ValueError(f"{name} is {whole}; accepted: integers from {low} to {high}")
    return whole


def enumerator(prefix: str, word: str, name: str) -> int:
    """Returns the value of an enumerator, for example ("JOSTLE_MOTION", "dynamic", "motion")."""
    value = None
    if isinstance(word, str):
        value = getattr(_abi, f"{prefix}_{word.upper().replace(' ', '_').replace('-', '_')}", None)
    if value is None:
        accepted = ", ".join(key[len(prefix) + 1:].lower() for key in vars(_abi)
                             if key.startswith(prefix + "_") and not key.endswith(("_COUNT", "_DEFAULT")))
        if not isinstance(word, str):
            refuse_type(name, word, accepted)
        raise ValueError(f"{name}: '{word}' is unknown; accepted: {accepted}")
    return int(value)


_INTEGERS = (ctypes.c_int32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint8, ctypes.c_size_t)
_CONVERSIONS: dict[Any, Callable[[Any, str], Any]] = {
    _abi.jostle_vec3: vec3, _abi.jostle_position: position, _abi.jostle_quat: quat, _abi.jostle_pose: pose,
    ctypes.c_float: number, ctypes.c_double: number,
    ctypes.c_char_p: lambda value, name: None if value is None else text(value, name)}


def set_fields(values: Any, options: dict[str, Any], path: str = "", omitted: Sequence[str] = ()) -> None:
    """Sets fields of a struct from keyword arguments, and converts vectors, poses and texts. `path` is the name of the
    struct in messages, and `omitted` lists fields that are no arguments."""
    kinds = dict(values._fields_)
    for name, value in options.items():
        if name not in kinds or name in ("size", "reserved", *omitted):
            accepted = ", ".join(key for key in kinds if key not in ("size", "reserved", *omitted))
            raise TypeError(f"unknown argument '{path}{name}'; accepted: {accepted}")
        setattr(values, name, _field(getattr(values, name), kinds[name], value, path + name))


def _field(present: Any, kind: Any, value: Any, name: str) -> Any:
    if kind in _CONVERSIONS and not isinstance(value, kind):
        return _CONVERSIONS[kind](value, name)
    if kind in _INTEGERS:
        return integer(value, name, kind)
    if not issubclass(kind, ctypes.Structure):
        try:
            return kind(*value) if issubclass(kind, ctypes.Array) else kind(value).value
        except (TypeError, IndexError):
            refuse_type(name, value, f"{kind._length_} numbers" if issubclass(kind, ctypes.Array) else "an address")
    if isinstance(value, dict):
        set_fields(present, value, f"{name}.")
        return present
    made = getattr(value, "handle", value)
    if not isinstance(made, kind):
        fields = ", ".join(key for key, _ in kind._fields_ if key != "reserved")
        refuse_type(name, value, f"a dictionary with the keys {fields}, or a {kind.__name__}")
    return made


def handle_in(world: Any, thing: Any, kind: Type[Any], name: str) -> Any:
    """Returns the handle of a body or a joint, which must be of this world."""
    if not isinstance(thing, kind):
        refuse_type(name, thing, f"a {kind.__name__}")
    of = thing._world
    if (of.index, of.generation) != (world.index, world.generation):
        raise InvalidArgument(f"{name} is {thing!r} of another world; accepted: a {kind.__name__} of this world")
    return thing.handle


def listed(call: Callable[..., Any], kind: Type[Struct]) -> list[Struct]:
    """Calls `call(array, capacity, count)` until the array holds the whole list."""
    count = ctypes.c_size_t()
    call(None, 0, ctypes.byref(count))
    array = (kind * max(count.value, 1))()
    call(array, len(array), ctypes.byref(count))
    return array[:count.value]
