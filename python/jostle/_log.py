"""The log of the libraries."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional

from . import _abi
from ._library import engine
from ._values import enumerator

LEVELS = {_abi.JOSTLE_LOG_DEBUG: "debug", _abi.JOSTLE_LOG_INFO: "info", _abi.JOSTLE_LOG_WARNING: "warning",
          _abi.JOSTLE_LOG_ERROR: "error"}
_present: Any = None  # keeps the function alive


def set_log(lowest: str = "info", function: Optional[Callable[[str, str], None]] = None) -> None:
    """Sends the log lines from a level on to stderr, or to function(level, line), for both libraries and the whole
    process. `lowest` is debug, info, warning, error, or none, which turns the log off. A line has the form
    `event key=value ...`. Exceptions of the function are ignored. It must not call functions of jostle."""
    global _present

    def call(_user: int, level: int, line: int) -> None:
        try:
            assert function is not None
            function(LEVELS[level], ctypes.string_at(line).decode(errors="replace"))
        except BaseException:  # noqa: B902: nothing may pass through the library
            pass

    made = _abi.jostle_log_function(call) if function is not None else _abi.jostle_log_function()
    engine.jostle_set_log(enumerator("JOSTLE_LOG", lowest), made, None)
    _present = made
