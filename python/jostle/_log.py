"""The log of the libraries."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional

from . import _abi
from ._library import engine
from ._values import enumerator, refuse_type

LEVELS = {_abi.JOSTLE_LOG_DEBUG: "debug", _abi.JOSTLE_LOG_INFO: "info", _abi.JOSTLE_LOG_WARNING: "warning",
          _abi.JOSTLE_LOG_ERROR: "error"}
_present: Any = None  # keeps the function alive


def set_log(lowest: str = "info", function: Optional[Callable[[str, str], None]] = None) -> None:
    """Sends the log lines from a level on to stderr, or to function(level, line), for both libraries and the whole
    process. `lowest` is debug, info, warning, error, or none, which turns the log off. A line has the form
    `event key=value ...`. Exceptions of the function are ignored. It must not call functions of jostle."""
    global _present
    level = enumerator("JOSTLE_LOG", lowest, "lowest")
    if function is not None and not callable(function):
        refuse_type("function", function, "a function of a level and a line, or None")

    def call(_user: int, of_line: int, line: int) -> None:
        try:
            assert function is not None
            function(LEVELS[of_line], ctypes.string_at(line).decode(errors="replace"))
        except Exception:  # others, such as KeyboardInterrupt, reach the hook of Callbacks
            pass

    made = _abi.jostle_log_function(call) if function is not None else _abi.jostle_log_function()
    engine.jostle_set_log(level, made, None)
    _present = made


def end_log() -> None:
    """Stops calling the function of set_log(). After the end of the interpreter, the library cannot call it."""
    if _present:
        set_log("none")
