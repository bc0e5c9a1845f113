"""Base classes of the objects of the package."""
from __future__ import annotations

import atexit
import difflib
import time
import traceback
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from ._library import Busy, StaleHandle
from ._log import end_log

_Owner = TypeVar("_Owner", bound="Owner")


def _public_names(kind: type) -> list[str]:
    return sorted({name for base in kind.__mro__ for name in vars(base) if not name.startswith("_")})


def _settable_names(kind: type) -> list[str]:
    return [name for name in _public_names(kind) if getattr(getattr(kind, name), "fset", None) is not None]


def suggestion(name: str, known: list[str]) -> str:
    """Returns the end of a message about an unknown name: the near names."""
    near = difflib.get_close_matches(name, known)
    return f"; did you mean {' or '.join(repr(each) for each in near)}?" if near else ""


class Strict:
    """Base class of objects without attributes of the caller, so that a misspelled name is an error. Classes that a
    program derives may have attributes of their own."""

    __slots__ = ("__weakref__",)

    if not TYPE_CHECKING:  # otherwise type checkers accept all names
        def __setattr__(self, name: str, value: Any) -> None:
            try:
                object.__setattr__(self, name, value)
            except AttributeError:
                kind = type(self)
                if hasattr(kind, name):
                    problem = f"'{name}' of a {kind.__name__} cannot be set"
                else:
                    problem = f"a {kind.__name__} has no attribute '{name}'{suggestion(name, _public_names(kind))}"
                settable = _settable_names(kind)
                raise AttributeError(f"{problem}; attributes that can be set: {', '.join(settable) or 'none'}") from None

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            raise AttributeError(f"a {kind.__name__} has no attribute '{name}'{suggestion(name, _public_names(kind))}")


_open: weakref.WeakSet[Owner] = weakref.WeakSet()


class Owner(Strict):
    """Base class of the objects that own an object of the library. `handle` is its handle, which _destroy() takes
    back. Use it in a `with` statement, or call close(). Otherwise it is destroyed with this object, or when the
    interpreter ends."""

    __slots__ = ()
    handle: Any

    def __new__(cls: type[_Owner], *_arguments: Any, **_fields: Any) -> _Owner:
        made = super().__new__(cls)
        _open.add(made)
        return made

    def _destroy(self) -> None:
        raise NotImplementedError

    def _discard(self) -> None:
        """Destroys the object after an error of its creation, which must stay the only one."""
        try:
            self.close()
        except Exception:
            pass

    def _interrupt(self) -> None:
        """Asks a call of another thread to return."""

    def __enter__(self: _Owner) -> _Owner:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # the interpreter is shutting down, or nothing was created
            pass

    def close(self) -> None:
        """Destroys the object. Does nothing if it was destroyed before."""
        try:
            self._destroy()
        except StaleHandle:
            pass


def _close_at_exit(owner: Owner, end: float) -> None:
    while True:
        try:
            owner._interrupt()
            return owner.close()
        except Busy:  # a thread of the program uses it
            if time.monotonic() > end:
                return
            time.sleep(0.01)
        except AttributeError:  # nothing was created
            return
        except Exception:  # of a rule, or because a recording is incomplete
            return traceback.print_exc()


@atexit.register
def _close_all() -> None:
    """Closes what is open. Later, the library could not call functions of Python."""
    patience_seconds = 2
    end = time.monotonic() + patience_seconds
    for owner in list(_open):
        _close_at_exit(owner, end)
    end_log()
