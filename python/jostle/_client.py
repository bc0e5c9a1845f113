"""The thin client. It needs libjostle-client.so only."""
from __future__ import annotations

import ctypes
import time
from ctypes import byref
from typing import Any, NamedTuple, Sequence

import numpy as np

from . import _abi
from ._callbacks import Callbacks
from ._game import ACTION_KINDS, Action, Value, values_from_c
from ._arrays import Array
from ._library import Error, thin_client
from ._objects import Owner
from ._values import (Pose, default, enumerator, from_pose, integer, listed, number, output, refuse_type,
                      set_fields, text, vec2, vec3)

_SECONDS_PER_CALL = 0.1
_LONGEST_WAIT_SECONDS = 60.0  # the library refuses longer ones
STATES = ("connecting", "joining", "playing", "failed")


class ClientError(Error):
    """The connection has failed; the text gives the reason."""


class Scene(NamedTuple):
    """A scene that the server offers."""

    name: str
    description: str


class Client(Owner):
    """A client of a server.

    `server` is a host name or an IP address with an optional port. Other keyword arguments are the fields of
    jostle_client_def, for example `name`, `token`, `connect_seconds`, or `role="spectator"`. It connects while poll() is
    called, and disconnects at the end of a `with` block, by close(), or with the object.
    """

    __slots__ = ("handle", "_callbacks", "_capacity", "_ids", "_positions", "_rotations", "_awake")

    def __init__(self, server: str = "127.0.0.1:7777", **fields: Any) -> None:
        self.handle = _abi.jostle_client()
        self._callbacks = Callbacks()  # the function of the log
        self._capacity = -1
        self._allocate(0)
        for name, prefix in (("role", "JOSTLE_ROLE"), ("precision", "JOSTLE_PRECISION")):
            if isinstance(fields.get(name), str):
                fields[name] = enumerator(prefix, fields[name], name)
        definition = default(_abi.jostle_client_def, thin_client)
        set_fields(definition, {"server": server, **fields})
        thin_client.jostle_client_create(byref(definition), byref(self.handle))

    def _destroy(self) -> None:
        """Says goodbye to the server and destroys the client."""
        thin_client.jostle_client_destroy(self.handle)

    def poll(self, max_wait_seconds: float = 0.0) -> str:
        """Receives messages and sends inputs; call it at least once per tick. Waits up to `max_wait_seconds` for a
        message. Returns the state: connecting, joining or playing. Raises ClientError if the connection has failed."""
        left = number(max_wait_seconds, "max_wait_seconds")
        # Python's signal handlers run between two calls of the library.
        if _SECONDS_PER_CALL < left <= _LONGEST_WAIT_SECONDS:
            end, received = time.monotonic() + left, self.metrics.bytes_down
            while left > _SECONDS_PER_CALL and self.metrics.bytes_down == received:
                self._callbacks.call(thin_client.jostle_client_poll, self.handle, _SECONDS_PER_CALL)
                left = end - time.monotonic()
            left = max(left, 0.0) if self.metrics.bytes_down == received else 0.0
        self._callbacks.call(thin_client.jostle_client_poll, self.handle, left)
        status = self.status
        if status.state == _abi.JOSTLE_CLIENT_FAILED:
            raise ClientError(status.text.decode(errors="replace"))
        return STATES[status.state]

    def try_again(self) -> None:
        """Connects again after a failure."""
        thin_client.jostle_client_try_again(self.handle)

    @property
    def status(self) -> _abi.jostle_client_status:
        """The struct jostle_client_status: state, player, body_count, text and more."""
        value = output(_abi.jostle_client_status)
        thin_client.jostle_client_get_status(self.handle, byref(value))
        return value

    @property
    def metrics(self) -> _abi.jostle_client_metrics:
        """The struct jostle_client_metrics: round_trip_ms, interpolation_delay_ms, loss and more."""
        value = output(_abi.jostle_client_metrics)
        thin_client.jostle_client_get_metrics(self.handle, byref(value))
        return value

    def _allocate(self, capacity: int) -> None:
        if capacity == self._capacity:
            return
        self._capacity = capacity
        self._ids: Array = np.empty(capacity, dtype=np.uint32)
        self._positions: Array = np.empty((capacity, 3), dtype=np.float64)
        self._rotations: Array = np.empty((capacity, 4), dtype=np.float32)
        self._awake: Array = np.empty(capacity, dtype=np.uint8)

    def _read(self) -> None:
        arrays = default(_abi.jostle_client_arrays, thin_client)
        count = ctypes.c_size_t()
        thin_client.jostle_client_read(self.handle, byref(arrays), 0, byref(count))
        self._allocate(count.value)
        for name in ("ids", "positions", "rotations", "awake"):
            setattr(arrays, name, getattr(self, f"_{name}").ctypes.data)
        thin_client.jostle_client_read(self.handle, byref(arrays), count.value, byref(count))

    @property
    def ids(self) -> Array:
        """The ids of all bodies, ascending: (n,), uint32. Row i of the other arrays is the body ids[i]."""
        self._read()
        return self._ids

    @property
    def positions(self) -> Array:
        """Interpolated positions of all bodies: (n, 3), float64, m. The library writes into this array."""
        self._read()
        return self._positions

    @property
    def rotations(self) -> Array:
        """Interpolated rotations of all bodies as quaternions x, y, z, w: (n, 4), float32."""
        self._read()
        return self._rotations

    @property
    def awake(self) -> Array:
        """1 for awake bodies, 0 for sleeping ones: (n,), uint8."""
        self._read()
        return self._awake

    def find_body(self, name: str) -> int:
        """The id of the first body with this name."""
        value = ctypes.c_uint32()
        thin_client.jostle_client_find_body(self.handle, text(name, "name"), byref(value))
        return value.value

    @property
    def own_body(self) -> int:
        """The id of the own player's body."""
        value = ctypes.c_uint32()
        thin_client.jostle_client_get_own_body(self.handle, byref(value))
        return value.value

    def pose(self, body_id: int) -> Pose:
        """The interpolated pose of a body."""
        value = _abi.jostle_pose()
        thin_client.jostle_client_get_pose(self.handle, integer(body_id, "body_id"), byref(value))
        return from_pose(value)

    def body(self, body_id: int) -> _abi.jostle_client_body:
        """The struct jostle_client_body: name, owner, colour and more."""
        value = output(_abi.jostle_client_body)
        thin_client.jostle_client_get_body(self.handle, integer(body_id, "body_id"), byref(value))
        return value

    def triangles(self, body_id: int, shape: int = 0) -> Array:
        """The triangles of a shape in the frame of its body: (n, 3, 3), float32, m."""
        count = ctypes.c_size_t()
        body_id, shape = integer(body_id, "body_id"), integer(shape, "shape")
        thin_client.jostle_client_get_triangles(self.handle, body_id, shape, None, 0, byref(count))
        corners: Array = np.empty((count.value // 3, 3, 3), dtype=np.float32)
        thin_client.jostle_client_get_triangles(self.handle, body_id, shape, corners.ctypes.data, count.value,
                                                byref(count))
        return corners

    def set_input(self, move: Sequence[float] = (0, 0), buttons: int = 0, custom: bytes = b"",
                  actions: Sequence[Action] = ()) -> None:
        """Sets the input until the next call. `move` is the wanted direction (x, z) with a length of at most 1, and
        `custom` up to 32 bytes for the rules of the server."""
        if not isinstance(custom, (bytes, bytearray)):
            refuse_type("custom", custom, f"up to {_abi.JOSTLE_MAX_CUSTOM_BYTES} bytes")
        if not isinstance(actions, Sequence) or isinstance(actions, Action):
            refuse_type("actions", actions, "a list of Actions")
        for name, values, most in (("custom", custom, _abi.JOSTLE_MAX_CUSTOM_BYTES),
                                   ("actions", actions, _abi.JOSTLE_MAX_ACTIONS)):
            if len(values) > most:
                raise ValueError(f"{name} has {len(values)} elements; accepted: up to {most}")
        value = default(_abi.jostle_input, thin_client)
        value.move_x, value.move_z = vec2(move, "move")
        value.buttons = integer(buttons, "buttons")
        value.custom_size = len(custom)
        value.custom[:len(custom)] = custom
        value.action_count = len(actions)
        for place, action in enumerate(actions):
            value.actions[place] = self._action(action, f"actions[{place}]")
        thin_client.jostle_client_set_input(self.handle, byref(value))

    def act(self, action: Action) -> None:
        """Sends an action once, beside the input that was set."""
        value = self._action(action, "action")
        thin_client.jostle_client_act(self.handle, byref(value))

    @staticmethod
    def _action(action: Action, name: str) -> _abi.jostle_action:
        if not isinstance(action, Action):
            refuse_type(name, action, "an Action")
        if action.kind not in ACTION_KINDS:
            raise ValueError(f"{name}.kind is {action.kind!r}; accepted: {', '.join(ACTION_KINDS)}")
        return _abi.jostle_action(ACTION_KINDS.index(action.kind), integer(action.body_id, f"{name}.body_id"),
                                  vec3(action.point, f"{name}.point"), vec3(action.vector, f"{name}.vector"))

    @property
    def values(self) -> dict[str, Value]:
        """The values that the rules of the server show to this client, such as a score."""
        found = listed(lambda array, capacity, count: thin_client.jostle_client_get_values(
            self.handle, array, 0, capacity, count), _abi.jostle_value)
        return values_from_c(found)

    @property
    def durable_tick(self) -> int:
        """The newest tick that survives the end of the server's machine, as the server has told. An input of a tick up
        to this one is not lost. 0: none, or the server keeps no state."""
        return self.metrics.durable_tick

    def request_scenes(self) -> None:
        """Asks the server for its scenes; they arrive while poll() is called."""
        thin_client.jostle_client_request_scenes(self.handle)

    @property
    def scenes(self) -> list[Scene]:
        """The scenes of the server; none until they have arrived."""
        found = listed(lambda array, capacity, count: thin_client.jostle_client_get_scenes(
            self.handle, array, 0, capacity, count), _abi.jostle_client_scene)
        return [Scene(each.name.decode(), each.description.decode()) for each in found]

    def load_scene(self, name: str) -> None:
        """Asks the server to load a scene."""
        thin_client.jostle_client_load_scene(self.handle, text(name, "name"))

    def control(self, command: str, number: int = 0) -> None:
        """Asks the server to pause, resume, step, rate, reset or gravity."""
        thin_client.jostle_client_control(self.handle, enumerator("JOSTLE_CONTROL", command, "command"),
                                          integer(number, "number"))

    def take_notice(self) -> str:
        """Returns the newest notice of the server and forgets it; an empty text if there is none."""
        notice = ctypes.create_string_buffer(1024)
        thin_client.jostle_client_take_notice(self.handle, notice, len(notice))
        return notice.value.decode(errors="replace")
