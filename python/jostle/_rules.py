"""Connects Python rules with the C API."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional, Sequence, Type

from . import _abi
from ._game import Game, Rule
from ._library import engine
from ._values import default


class Rules:
    """The definitions of a program's rules for the C API.

    An object of a rule belongs to each game. The state that the library keeps for it is a number, the key of the object
    in a table. Exceptions of rules cannot pass through the library; the first one is kept and raised afterwards.
    """

    def __init__(self, classes: Sequence[Type[Rule]]) -> None:
        self._objects: dict[int, Rule] = {}
        self._next_key = 1
        self._exception: Optional[BaseException] = None
        self._callbacks: list[Any] = []  # keeps the functions alive
        self.on_exception: Callable[[], None] = lambda: None
        self.count = len(classes)
        self.array = (_abi.jostle_rule_def * max(self.count, 1))()
        for place, rule in enumerate(classes):
            self.array[place] = self._definition(rule)

    def raise_exception(self) -> None:
        """Raises the first exception of a rule since the last call."""
        exception, self._exception = self._exception, None
        if exception is not None:
            raise exception

    def _guarded(self, body: Callable[..., Any], result_of_error: Any = None) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            try:
                return body(*arguments)
            except BaseException as exception:  # noqa: B902: nothing may pass through the library
                if self._exception is None:
                    self._exception = exception
                    self.on_exception()
                return result_of_error
        return call

    def _definition(self, rule: Type[Rule]) -> _abi.jostle_rule_def:
        definition = default(_abi.jostle_rule_def, engine)
        definition.name = rule.name.encode()
        definition.state_size = ctypes.sizeof(ctypes.c_uint64)

        def create(_user: int, state: int) -> None:
            self._objects[self._next_key] = rule()
            self._key(state).value = self._next_key
            self._next_key += 1

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
        return lambda _user, state, game: getattr(self._object(state), name)(Game(game))

    def _of_player(self, name: str) -> Callable[..., None]:
        return lambda _user, state, game, player: getattr(self._object(state), name)(Game(game), player)

    def _set(self, definition: Any, field: str, body: Callable[..., Any], result_of_error: Any = None) -> None:
        kind = dict(definition._fields_)[field]
        callback = kind(self._guarded(body, result_of_error))
        self._callbacks.append(callback)
        setattr(definition, field, callback)

    @staticmethod
    def _key(state: int) -> ctypes.c_uint64:
        return ctypes.c_uint64.from_address(state)

    def _object(self, state: int) -> Rule:
        return self._objects[self._key(state).value]
