"""Games and rules: what a rule sees and changes while the server calls it."""
from __future__ import annotations

import ctypes
import json
from ctypes import byref
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

from . import _abi
from ._bodies import Body
from ._library import NotFound, engine
from ._objects import Strict
from ._plain_data import require_plain_data
from ._shapes import Shape
from ._values import (Vector, default, handle_in, integer, listed, number, output, refuse_type, set_fields, text,
                      tuple3)
from ._world import WorldView, body_definition, shapes_of

Number = Union[int, float]


class Player(NamedTuple):
    """A player."""

    id: int
    name: str
    body: Body
    body_id: int  # the id of the body in the network protocol


class Action(NamedTuple):
    """An action of a player: push, shoot, grab, spawn or blast. jostle/play.h describes the vectors."""

    kind: str
    point: tuple[float, float, float]
    vector: tuple[float, float, float]
    body_id: int = 0


class Input(NamedTuple):
    """The input of a player in one tick."""

    move: tuple[float, float]  # wanted direction (x, z) in the horizontal plane, length at most 1
    buttons: int  # bits JUMP, PULL and PUSH of jostle.Button
    custom: bytes  # up to 32 bytes for the rules of the program
    actions: tuple[Action, ...]


class Duration(float):
    """A value in s, which viewers show as a time."""


ACTION_KINDS = ("push", "shoot", "grab", "spawn", "blast")
Value = Union[int, float, Duration, str]


def input_from_c(value: _abi.jostle_input) -> Input:
    actions = tuple(Action(ACTION_KINDS[each.kind], tuple3(each.point), tuple3(each.vector), each.body_id)
                    for each in value.actions[:value.action_count])
    return Input((value.move_x, value.move_z), value.buttons, bytes(value.custom[:value.custom_size]), actions)


def value_to_c(name: str, value: Value) -> _abi.jostle_value:
    made = _abi.jostle_value()
    room: Any = _abi.jostle_value  # its fields have their sizes in bytes
    made.name = _short_text(name, "name", 1, room.name.size - 4)
    if isinstance(value, str):
        made.kind, made.text = _abi.JOSTLE_VALUE_TEXT, _short_text(value, "value", 0, room.text.size - 4)
    elif isinstance(value, bytes) or not hasattr(value, "__float__"):
        refuse_type("value", value, "a number, a Duration or a text")
    else:
        made.kind = _abi.JOSTLE_VALUE_DURATION if isinstance(value, Duration) else _abi.JOSTLE_VALUE_NUMBER
        made.number = number(value, "value")
    return made


def _short_text(words: str, name: str, least: int, most: int) -> bytes:
    encoded = text(words, name)
    if not least <= len(encoded) <= most:
        raise ValueError(f"{name} has {len(encoded)} bytes; accepted: {least} to {most}")
    return encoded


def values_from_c(values: Iterable[_abi.jostle_value]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for each in values:
        if each.kind == _abi.JOSTLE_VALUE_TEXT:
            found[each.name.decode()] = each.text.decode()
        elif each.kind == _abi.JOSTLE_VALUE_DURATION:
            found[each.name.decode()] = Duration(each.number)
        else:
            found[each.name.decode()] = int(each.number) if each.number.is_integer() else each.number
    return found


class Game(Strict):
    """A game. A rule gets it with each call and may change it until it returns. Server.game and Recording.game read it
    between two steps."""

    __slots__ = ("handle", "_owner")

    def __init__(self, handle: _abi.jostle_game, owner: object = None) -> None:
        self.handle = handle
        self._owner = owner  # the server or recording, which must not end before this object

    @property
    def _info(self) -> _abi.jostle_game_info:
        value = output(_abi.jostle_game_info)
        engine.jostle_game_get_info(self.handle, byref(value))
        return value

    @property
    def world(self) -> WorldView:
        """The world, with arrays, queries and events."""
        return WorldView(self._info.world)

    @property
    def tick(self) -> int:
        """The tick that is being simulated; between steps the last one."""
        return self._info.tick

    @property
    def step_seconds(self) -> float:
        """The duration of a step of the world (s)."""
        return self._info.step_seconds

    @property
    def scene_name(self) -> str:
        """The name of the scene."""
        buffer = ctypes.create_string_buffer(256)
        engine.jostle_game_get_scene_name(self.handle, buffer, len(buffer))
        return buffer.value.decode(errors="replace")

    @property
    def hash(self) -> int:
        """The hash of the whole state: world, players and rules. Not while a rule is called."""
        value = ctypes.c_uint64()
        engine.jostle_game_get_hash(self.handle, byref(value))
        return value.value

    def _player(self, value: _abi.jostle_player) -> Player:
        return Player(value.id, value.name.decode(errors="replace"), Body(self._info.world, value.body), value.body_id)

    @property
    def players(self) -> list[Player]:
        """The players, in the order of their ids."""
        found = listed(lambda array, capacity, count: engine.jostle_game_get_players(
            self.handle, array, 0, capacity, count), _abi.jostle_player)
        return [self._player(each) for each in found]

    def player(self, player_id: int) -> Player:
        """The player with this id."""
        value = _abi.jostle_player()
        engine.jostle_game_get_player(self.handle, integer(player_id, "player_id"), byref(value))
        return self._player(value)

    def input(self, player_id: int) -> Input:
        """The input of a player in this tick."""
        value = output(_abi.jostle_input)
        engine.jostle_game_get_input(self.handle, integer(player_id, "player_id"), byref(value))
        return input_from_c(value)

    def body(self, name: str) -> Body:
        """The first body with this name."""
        handle = _abi.jostle_body()
        engine.jostle_game_find_body(self.handle, text(name, "name"), byref(handle))
        return Body(self._info.world, handle)

    def body_with_id(self, body_id: int) -> Body:
        """The body with this id of the network protocol."""
        handle = _abi.jostle_body()
        engine.jostle_game_get_body(self.handle, integer(body_id, "body_id"), byref(handle))
        return Body(self._info.world, handle)

    def id_of(self, body: Body) -> int:
        """The id of a body in the network protocol."""
        value = ctypes.c_uint32()
        engine.jostle_game_get_body_id(self.handle, handle_in(self._info.world, body, Body, "body"), byref(value))
        return value.value

    def spawn(self, shapes: Union[Shape, Sequence[Shape]], *, motion: str = "dynamic", position: Vector = (0, 0, 0),
              rotation: Vector = (0, 0, 0, 1), name: Optional[str] = None, colour: Sequence[int] = (200, 200, 200),
              is_grabbable: bool = True, **fields: Any) -> Body:
        """Creates a body that clients see. Units and keyword arguments as in World.create_body()."""
        listed_shapes = shapes_of(shapes)
        definition = body_definition(motion, position, rotation, fields)
        look = default(_abi.jostle_look, engine)
        set_fields(look, {"name": name, "is_grabbable": is_grabbable})
        try:
            red, green, blue = colour
        except (TypeError, ValueError):
            refuse_type("colour", colour, "3 integers (red, green, blue) from 0 to 255")
        set_fields(look, {"red": red, "green": green, "blue": blue}, "colour.")
        array = (_abi.jostle_shape_def * len(listed_shapes))(*(shape.definition for shape in listed_shapes))
        handle = _abi.jostle_body()
        engine.jostle_game_spawn(self.handle, byref(definition), array, len(listed_shapes), byref(look), byref(handle))
        return Body(self._info.world, handle)

    def despawn(self, body: Body) -> None:
        """Removes a body. Bodies of players, and bodies that they have shot, cannot be removed."""
        engine.jostle_game_despawn(self.handle, handle_in(self._info.world, body, Body, "body"))

    def random(self) -> int:
        """A random number from 0 to 2³² − 1 that is the same in every replay."""
        value = ctypes.c_uint32()
        engine.jostle_game_random(self.handle, byref(value))
        return value.value

    def show(self, name: str, value: Value, player_id: int = 0) -> None:
        """Shows a value to a player, or to all clients if `player_id` is 0: a number, a Duration (s) or a text of up
        to 40 bytes. It replaces the rule's value of this name."""
        engine.jostle_game_show(self.handle, integer(player_id, "player_id"), byref(value_to_c(name, value)))

    def hide(self, name: str, player_id: int = 0) -> None:
        """Hides a value of the rule; does nothing if it is not shown."""
        try:
            engine.jostle_game_hide(self.handle, integer(player_id, "player_id"), text(name, "name"))
        except NotFound:
            pass

    def values(self, player_id: int = 0) -> dict[str, Value]:
        """The values that a player sees; those for all clients if `player_id` is 0."""
        receiver = integer(player_id, "player_id")
        found = listed(lambda array, capacity, count: engine.jostle_game_get_values(
            self.handle, receiver, array, 0, capacity, count), _abi.jostle_value)
        return values_from_c(found)


class Rule:
    """The game logic of a program. Derive a class, set `name`, and override what you need.

    Everything that a rule remembers must be in attributes of plain data, or must be written by save() and read by
    load(). Plain data are None, bool, int, float, str, list, and dict with str keys; save() refuses other types, numbers
    that are not finite, and a list or a dictionary that occurs twice. A new object is made for each game in which the
    rule takes part, so that replays and sync tests have their own.
    """

    #: Name of the rule in recordings: 1 to 64 letters, digits, '_', '-' and spaces.
    name = ""

    def reset(self, game: Game) -> None:
        """The scene has restarted. If a class does not override this, a new object takes the place of this one, and
        the values of the rule disappear."""

    def player_joined(self, game: Game, player_id: int) -> None:
        """A player has joined and has a body."""

    def player_left(self, game: Game, player_id: int) -> None:
        """A player leaves; the body still exists."""

    def before_step(self, game: Game) -> None:
        """Called before each step of the world."""

    def after_step(self, game: Game) -> None:
        """Called after each step of the world."""

    def save(self) -> bytes:
        """Returns everything that the rule remembers."""
        attributes = vars(self)
        require_plain_data(attributes, self.name)
        return json.dumps(attributes).encode()

    def load(self, state: bytes) -> None:
        """Sets everything that the rule remembers from bytes of save()."""
        self.__dict__.clear()
        self.__dict__.update(json.loads(state))
