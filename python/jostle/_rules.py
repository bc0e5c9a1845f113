"""Connects Python rules with the C API."""
from __future__ import annotations

import ctypes
import itertools
import threading
from typing import Any, Callable, Optional, Sequence, Type, Union

from . import _abi
from ._callbacks import Callbacks
from ._game import Game, Rule
from ._library import engine
from ._values import default, refuse_type, text


class _Replay(threading.local):
    """The rules of the replay that this thread makes."""

    rules: Optional[Rules] = None


_replay = _Replay()


def _goes_on(_user: int) -> int:
    """Called after each replayed tick. Python's signal handlers run at its start, in the main thread. Their exceptions
    reach the hook of Callbacks, and the replay may then go on for one tick."""
    rules = _replay.rules
    return 1 if rules is None or rules.has_no_exception() else 0


#: The function for the library. It lives as long as the module, so that no call finds it freed.
_replay_function = _abi.jostle_replay_function(_goes_on)


class _Absent:
    """Takes the place of a rule whose __init__() has failed."""

    def __init__(self, exception: BaseException) -> None:
        self.exception = exception


class Rules(Callbacks):
    """The definitions of a program's rules for the C API.

    An object of a rule belongs to each game. The state that the library keeps for it is a number, the key of the object
    in a table.
    """

    def __init__(self, classes: Sequence[Type[Rule]]) -> None:
        super().__init__()
        self._objects: dict[int, Union[Rule, _Absent]] = {}
        self._keys = itertools.count(1)  # threads of the library create copies for recordings
        self._callbacks: list[Any] = []  # keeps the functions alive
        if isinstance(classes, type) or not isinstance(classes, Sequence):
            refuse_type("rules", classes, "a list of classes that are derived from jostle.Rule")
        for rule in classes:
            if not (isinstance(rule, type) and issubclass(rule, Rule)):
                refuse_type("rules", rule, "a list of classes that are derived from jostle.Rule")
        self.count = len(classes)
        self.array = (_abi.jostle_rule_def * max(self.count, 1))()
        for place, rule in enumerate(classes):
            self.array[place] = self._definition(rule)

    def call_replay(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Like call(), for a function that replays ticks. Ends it after the tick in which a rule or a signal handler
        has raised an exception."""
        former, _replay.rules = _replay.rules, self
        try:
            engine.jostle_set_replay_function(_replay_function, None)
            return self.call(function, *arguments)
        finally:
            _replay.rules = former

    def has_no_exception(self) -> bool:
        return self._exception is None

    def _definition(self, rule: Type[Rule]) -> _abi.jostle_rule_def:
        definition = default(_abi.jostle_rule_def, engine)
        definition.name = text(rule.name, f"name of the rule {rule.__name__}")
        definition.state_size = ctypes.sizeof(ctypes.c_uint64)

        def create(_user: int, state: int) -> None:
            key = next(self._keys)
            self._key(state).value = key
            try:
                self._objects[key] = rule()
            except BaseException as exception:
                self._objects[key] = _Absent(exception)
                raise

        def destroy(_user: int, state: int) -> None:
            self._objects.pop(self._key(state).value, None)

        def save(_user: int, state: int, buffer: int, capacity: int) -> int:
            saved = self._object(state).save()
            if len(saved) <= capacity:
                ctypes.memmove(buffer, saved, len(saved))
            return len(saved)

        def load(_user: int, state: int, content: int, size: int) -> int:
            self._object(state).load(ctypes.string_at(content, size))
            return 1

        self._set(definition, "create", create)
        self._set(definition, "destroy", destroy)
        self._set(definition, "save", save, 0)
        self._set(definition, "load", load, 0)
        for name in ("reset", "before_step", "after_step"):
            if getattr(rule, name) is not getattr(Rule, name):
                self._set(definition, name, self._of_game(name))
        for name in ("player_joined", "player_left"):
            if getattr(rule, name) is not getattr(Rule, name):
                self._set(definition, name, self._of_player(name))
        return definition

    def _of_game(self, name: str) -> Callable[..., None]:
        def call(_user: int, state: int, game: Any) -> None:
            if not self.is_interrupted:
                getattr(self._object(state), name)(Game(game))
        return call

    def _of_player(self, name: str) -> Callable[..., None]:
        def call(_user: int, state: int, game: Any, player: int) -> None:
            if not self.is_interrupted:
                getattr(self._object(state), name)(Game(game), player)
        return call

    def _set(self, definition: Any, field: str, body: Callable[..., Any], result_of_error: Any = None) -> None:
        kind = dict(definition._fields_)[field]
        callback = kind(self._guarded(body, result_of_error))
        self._callbacks.append(callback)
        setattr(definition, field, callback)

    @staticmethod
    def _key(state: int) -> ctypes.c_uint64:
        return ctypes.c_uint64.from_address(state)

    def _object(self, state: int) -> Rule:
        found = self._objects[self._key(state).value]
        if isinstance(found, _Absent):
            raise found.exception
        return found
