"""Servers and recordings."""
from __future__ import annotations

import ctypes
import html
import sys
from ctypes import byref
from typing import Any, NamedTuple, Optional, Sequence, Type, Union

from . import _abi
from ._game import Game, Rule
from ._library import StaleHandle, engine
from ._objects import Owner
from ._rules import Rules
from ._values import Text, default, enumerator, integer, number, output, set_fields, text


class Server(Owner):
    """A server with a scene, rules and players.

    `scene` is the name or path of a scene file, or the text of one (it begins with "{"); "crates" by default. `rules`
    are classes derived from Rule. Other keyword arguments are the fields of jostle_server_def, for example `port`,
    `address`, `ticks_per_second`, `max_players`, `seed` or `recording_file`. In `state_folder`, the server keeps its game and
    continues after a restart; `durability` is none, group or strict. With `web_address`, such as "127.0.0.1:0" for any
    free port, a browser shows the server at `url`. A notebook that ends a cell with the server shows the page inline
    while run() or poll() is called, for example in a thread. The server stops at the end of a `with` block, by close(),
    or with the object.
    """

    __slots__ = ("handle", "_rules", "_is_stopped")

    def __init__(self, scene: Optional[Text] = None, rules: Sequence[Type[Rule]] = (), **fields: Any) -> None:
        self._is_stopped = False
        self._rules = Rules(rules)
        self.handle = _abi.jostle_server()
        definition = default(_abi.jostle_server_def, engine)
        for name in ("access", "durability"):
            if isinstance(fields.get(name), str):
                fields[name] = enumerator(f"JOSTLE_{name.upper()}", fields[name], name)
        if fields.get("web_address"):
            fields.setdefault("web_embedder", "http://localhost:*")
        if scene is not None and "scene_name" in fields:
            raise TypeError(f"scene and scene_name={fields['scene_name']!r} are both given; accepted: one of them")
        set_fields(definition, fields, omitted=("scene", "rules", "rule_count"))
        definition.rules = ctypes.addressof(self._rules.array)
        definition.rule_count = self._rules.count
        made = None if scene is None else self._set_scene(definition, scene)
        try:
            self._rules.call(engine.jostle_server_create, byref(definition), byref(self.handle))
        except BaseException:
            self._discard()
            raise
        finally:
            if made is not None:
                engine.jostle_scene_destroy(made)

    @staticmethod
    def _set_scene(definition: Any, scene: Text) -> Optional[_abi.jostle_scene]:
        """Sets the scene of a definition. Returns its handle if it was made from a text."""
        content = text(scene, "scene")
        if not content.lstrip().startswith(b"{"):
            definition.scene_name = content
            return None
        made = _abi.jostle_scene()
        engine.jostle_scene_create(content, len(content), None, byref(made))
        definition.scene = made
        return made

    def _destroy(self) -> None:
        """Disconnects all clients, closes the recording and destroys the server."""
        self._rules.call(engine.jostle_server_destroy, self.handle)

    def run(self) -> None:
        """Runs in this thread until stop() is called, by a rule, another thread or a signal handler of Python."""
        while True:
            # Python's signal handlers run between two calls of the library.
            try:
                self._rules.call(engine.jostle_server_poll, self.handle, 0.1, None)
            except StaleHandle:
                if not self._is_stopped:  # else the interpreter ends, and has closed the server
                    raise
            if self._take_stop():
                return

    def stop(self) -> None:
        """Ends run()."""
        self._is_stopped = True

    _interrupt = stop

    def _take_stop(self) -> bool:
        is_stopped, self._is_stopped = self._is_stopped, False
        return is_stopped

    def poll(self, max_wait_seconds: float = 0.0) -> int:
        """Receives messages and simulates the ticks that are due. Waits up to `max_wait_seconds` (0 to 60) for the next
        message or tick. Returns the number of ticks. Call it at least once per tick."""
        ticks = ctypes.c_uint32()
        self._rules.call(engine.jostle_server_poll, self.handle, number(max_wait_seconds, "max_wait_seconds"),
                         byref(ticks))
        return ticks.value

    def step(self, count: int = 1) -> None:
        """Simulates `count` ticks at once, without waiting until they are due."""
        ticks = integer(count, "count")
        # One at a time, so that an exception of a rule or of a signal handler ends them.
        for _ in range(max(ticks, 1)):
            self._rules.call(engine.jostle_server_step, self.handle, min(ticks, 1))

    def control(self, command: str, number: int = 0) -> None:
        """Queues a command for the next tick: pause, resume, step, rate, reset or gravity."""
        engine.jostle_server_control(self.handle, enumerator("JOSTLE_CONTROL", command, "command"),
                                     integer(number, "number"))

    def set_execution(self, threads: int = 1, simd: Optional[str] = None) -> None:
        """Sets the number of threads of the simulation and the instruction set: plain, sse2, avx2 or neon."""
        execution = default(_abi.jostle_execution, engine)
        set_fields(execution, {"threads": threads})
        if simd is not None:
            execution.simd = enumerator("JOSTLE_SIMD", simd, "simd")
        engine.jostle_server_set_execution(self.handle, byref(execution))

    @property
    def info(self) -> _abi.jostle_server_info:
        """The struct jostle_server_info: port, tick, players, sessions and more."""
        value = output(_abi.jostle_server_info)
        engine.jostle_server_get_info(self.handle, byref(value))
        return value

    @property
    def port(self) -> int:
        """The UDP port on which the server listens."""
        return self.info.port

    @property
    def durable_tick(self) -> int:
        """The newest tick whose commands are on the disk, in `state_folder`, so that it survives the end of the
        machine; 0: none, or there is no such folder."""
        return self.info.durable_tick

    @property
    def url(self) -> str:
        """The URL of the page that shows the server in a browser; empty without `web_address`."""
        url = ctypes.create_string_buffer(512)
        engine.jostle_server_get_url(self.handle, url, len(url))
        return url.value.decode()

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
        if not self.url:
            return f"<code>{html.escape(repr(self))}</code>"
        return f'<iframe src="{html.escape(self.url)}" width="100%" height="480" style="border:0" allow="fullscreen"></iframe>'

    @property
    def game(self) -> Game:
        """The game, for reading between two steps."""
        value = _abi.jostle_game()
        engine.jostle_server_get_game(self.handle, byref(value))
        return Game(value, self)

    def save_recent(self, folder: Text) -> str:
        """Saves the last `recent_seconds` of the run as a recording. Returns its path."""
        path = ctypes.create_string_buffer(4096)
        engine.jostle_server_save_recent(self.handle, text(folder, "folder"), path, len(path))
        return path.value.decode()


class Recording(Owner):
    """A recording with its replay, which begins in the state before the first tick. `rules` are those of the server."""

    __slots__ = ("handle", "_rules")

    def __init__(self, path: Text, rules: Sequence[Type[Rule]] = ()) -> None:
        self._rules = Rules(rules)
        self.handle = _abi.jostle_recording()
        try:
            self._rules.call(engine.jostle_recording_open, text(path, "path"), self._rules.array, self._rules.count,
                             byref(self.handle))
        except BaseException:
            self._discard()
            raise

    def _destroy(self) -> None:
        """Closes the recording."""
        self._rules.call(engine.jostle_recording_close, self.handle)

    @property
    def info(self) -> _abi.jostle_recording_info:
        """The struct jostle_recording_info: tick, first_tick, last_tick, differs and more."""
        value = output(_abi.jostle_recording_info)
        engine.jostle_recording_get_info(self.handle, byref(value))
        return value

    @property
    def tick(self) -> int:
        """The tick of the current state."""
        return self.info.tick

    @property
    def last_tick(self) -> int:
        """The last recorded tick."""
        return self.info.last_tick

    @property
    def game(self) -> Game:
        """The replayed game."""
        value = _abi.jostle_game()
        engine.jostle_recording_get_game(self.handle, byref(value))
        return Game(value, self)

    def step(self) -> None:
        """Simulates the next recorded tick."""
        self._rules.call_replay(engine.jostle_recording_step, self.handle)

    def seek(self, tick: int) -> None:
        """Goes to the state after a tick. Ctrl-C ends the call within a tick; the recording then goes back to a state
        before it."""
        self._rules.call_replay(engine.jostle_recording_seek, self.handle, integer(tick, "tick"))


class Verification(NamedTuple):
    """The result of verify()."""

    is_same: bool
    ticks: int  # number of ticks that agree, from the start
    last_hash: int
    differing_tick: int  # the first tick that differs; 0: none
    parts: str  # the parts of the state that differ


class Comparison(NamedTuple):
    """The result of compare()."""

    is_equal: bool
    ticks: int  # compared ticks
    inputs_differ: int  # first tick with different inputs; 0: none
    states_differ: int  # first tick with different states; 0: none
    cause: str


def verify(path: Text, rules: Sequence[Type[Rule]] = ()) -> Verification:
    """Replays a recording and compares the hash of every tick. Ctrl-C ends the call within a tick."""
    definitions = Rules(rules)
    result = output(_abi.jostle_verification)
    parts = ctypes.create_string_buffer(1024)
    definitions.call_replay(engine.jostle_recording_verify, text(path, "path"), definitions.array, definitions.count,
                            byref(result), parts, len(parts))
    return Verification(result.is_same == 1, result.ticks, result.last_hash, result.differing_tick,
                        parts.value.decode(errors="replace"))


def compare(path_a: Text, path_b: Text, rules: Sequence[Type[Rule]] = ()) -> Comparison:
    """Finds the first difference of two recordings of one scene."""
    definitions = Rules(rules)
    result = output(_abi.jostle_comparison)
    cause = ctypes.create_string_buffer(1024)
    definitions.call_replay(engine.jostle_recording_compare, text(path_a, "path_a"), text(path_b, "path_b"),
                            definitions.array, definitions.count, byref(result), cause, len(cause))
    return Comparison(result.is_equal == 1, result.ticks, result.inputs_differ, result.states_differ,
                      cause.value.decode(errors="replace"))


def recording_main(rules: Sequence[Type[Rule]] = (), arguments: Union[Sequence[str], None] = None) -> int:
    """A complete main() for the recordings of a program. Returns the exit code: 0: equal, 1: different, 2: an error.

    The commands are verify FILE, diff A B, show FILE TICK, and bisect FILE COMMAND..., where COMMAND runs another
    version of the program, such as `python3 old_game.py`. `arguments` are those of the command line by default.
    """
    definitions = Rules(rules)
    words = [sys.argv[0], *(sys.argv[1:] if arguments is None else arguments)]
    array = (ctypes.c_char_p * (len(words) + 1))(*(text(word, "arguments") for word in words), None)
    sys.stdout.flush()
    return int(definitions.call_replay(engine.jostle_recording_main, len(words), array, definitions.array,
                                       definitions.count))
