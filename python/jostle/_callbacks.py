"""Calls of the library that call functions of Python."""
from __future__ import annotations

import sys
import threading
from typing import Any, Callable, Optional

from ._library import Error


class Callbacks:
    """Keeps the exceptions of functions that the library calls. Exceptions cannot pass through the library, so call()
    raises the first one afterwards."""

    def __init__(self) -> None:
        self._exception: Optional[BaseException] = None
        self._is_calling = False

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the library that may call rules. Raises the exception of a rule, or of a signal handler
        while a rule was called, instead of an error of the library that follows from it."""
        if self._is_calling:  # by a rule, whose guard keeps the error
            return function(*arguments)
        is_main = threading.get_ident() == threading.main_thread().ident
        former = sys.unraisablehook
        result = error = None
        try:
            self._exception, self._is_calling = None, True
            if is_main:  # signal handlers run in the main thread only
                sys.unraisablehook = self._hook(former)
            try:
                result = function(*arguments)
            except Error as raised:
                error = raised
        finally:
            if is_main:
                sys.unraisablehook = former
            self._is_calling = False
        exception, self._exception = self._exception, None
        if exception is None:
            exception = error
        if exception is not None:
            raise exception
        return result

    @property
    def is_interrupted(self) -> bool:
        """True if call() will raise KeyboardInterrupt or the like, and functions of the program should not run."""
        return self._exception is not None and not isinstance(self._exception, Exception)

    def _keep(self, exception: BaseException) -> None:
        """Keeps the first exception, but prefers one of a signal handler, such as KeyboardInterrupt."""
        if self._exception is None or not (self.is_interrupted or isinstance(exception, Exception)):
            self._exception = exception

    def _hook(self, former: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Returns a hook for exceptions that would be lost. A signal can arrive just before or after the guarded part
        of a callback, or in a destructor; then Python passes KeyboardInterrupt to this hook."""
        def keep(lost: Any) -> None:
            if issubclass(lost.exc_type, Exception):
                former(lost)
            else:
                self._keep(lost.exc_value or lost.exc_type())
        return keep

    def _guarded(self, body: Callable[..., Any], result_of_error: Any = None) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            try:
                return body(*arguments)
            except BaseException as exception:  # noqa: B902: nothing may pass through the library
                self._keep(exception)
                return result_of_error
        return call
