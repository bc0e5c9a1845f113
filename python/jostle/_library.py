"""Finds and loads the two libraries, and turns results into exceptions."""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

from . import _abi


class Error(Exception):
    """An error of the library. The text names the function, the wrong value and what is accepted."""


class InvalidArgument(Error, ValueError):
    """An argument is missing, out of range, not finite or not a value of its enumeration."""


class StaleHandle(Error, LookupError):
    """The object does not exist any more."""


class WrongState(Error, RuntimeError):
    """The object is not in a state that allows the call."""


class BufferTooSmall(Error, ValueError):
    """The output does not fit into the array."""


class InvalidData(Error, ValueError):
    """A text, a file or a saved state is damaged, or not of the expected format."""


class NotFound(Error, LookupError):
    """There is no object with this name or number."""


class Limit(Error, RuntimeError):
    """A limit of the library was reached."""


class Busy(Error, RuntimeError):
    """Another thread is using the object."""


class Interrupted(Error, RuntimeError):
    """A function of the program has ended the call."""


class OutOfMemory(Error, MemoryError):
    """The system has no memory left."""


class InternalError(Error, RuntimeError):
    """A bug of the library."""


_ERRORS: dict[int, type[Error]] = {
    _abi.JOSTLE_ERROR_INVALID_ARGUMENT: InvalidArgument, _abi.JOSTLE_ERROR_STALE_HANDLE: StaleHandle,
    _abi.JOSTLE_ERROR_WRONG_STATE: WrongState, _abi.JOSTLE_ERROR_BUFFER_TOO_SMALL: BufferTooSmall,
    _abi.JOSTLE_ERROR_INVALID_DATA: InvalidData, _abi.JOSTLE_ERROR_NOT_FOUND: NotFound,
    _abi.JOSTLE_ERROR_LIMIT: Limit, _abi.JOSTLE_ERROR_BUSY: Busy,
    _abi.JOSTLE_ERROR_OUT_OF_MEMORY: OutOfMemory, _abi.JOSTLE_ERROR_INTERNAL: InternalError,
    _abi.JOSTLE_ERROR_INTERRUPTED: Interrupted}


def _candidates(file_name: str) -> list[str]:
    """Returns the places of a library in the order in which they are tried."""
    places = []
    folder = os.environ.get("JOSTLE_LIBRARY_PATH")
    if folder:
        places.append(str(Path(folder) / file_name))
    package = Path(__file__).resolve().parent
    for parent in list(package.parents)[:5]:
        places += [str(path) for pattern in ("", "api", "lib", "lib/*", "lib64")
                   for path in sorted(parent.glob(f"{pattern}/{file_name}" if pattern else file_name))]
    return places + [file_name]  # the system's own search


class Library:
    """The functions of a library as attributes. A call that fails raises an exception of this module."""

    def __init__(self, file_name: str) -> None:
        self._library = self._load(file_name)
        self._library.jostle_last_error.restype = ctypes.c_char_p

    @staticmethod
    def _load(file_name: str) -> ctypes.CDLL:
        faults = []
        for place in _candidates(file_name):
            try:
                # Global, so that both libraries share what they export to each other.
                return ctypes.CDLL(place, mode=ctypes.RTLD_GLOBAL)
            except OSError as fault:
                faults.append(str(fault))
        raise ImportError(f"cannot load {file_name}: {faults[-1]}; set JOSTLE_LIBRARY_PATH to its folder")

    def __getattr__(self, name: str) -> Any:
        if name not in _abi.FUNCTIONS:
            raise AttributeError(name)
        is_checked, result, parameters = _abi.FUNCTIONS[name]
        function: Any = getattr(self._library, name)
        function.argtypes = parameters
        function.restype = result
        if is_checked:
            function.errcheck = self._check
        setattr(self, name, function)
        return function

    def _check(self, result: int, _function: Any, _arguments: Any) -> int:
        if result != _abi.JOSTLE_OK:
            words = self._library.jostle_last_error().decode(errors="replace")
            raise _ERRORS.get(result, InternalError)(words)
        return result


class _Lazy:
    """A library that is loaded at its first use."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name

    def __getattr__(self, name: str) -> Any:
        library = Library(self._file_name)
        self.__dict__["_library"] = library
        self.__class__ = _Loaded
        return getattr(self, name)


class _Loaded(_Lazy):
    def __getattr__(self, name: str) -> Any:
        function = getattr(self.__dict__["_library"], name)
        self.__dict__[name] = function
        return function


#: All functions of libjostle.so, for what the classes of this package do not cover.
engine: Any = _Lazy("libjostle.so.0")
#: All functions of libjostle-client.so.
thin_client: Any = _Lazy("libjostle-client.so.0")
