"""jostle: a deterministic, networked engine for rigid-body physics.

World     bodies, joints, queries, save and restore; poses of all bodies as NumPy arrays
Server    a scene with rules and players
Client    a thin client of a server
Recording a replay of a server's run

All units are SI: m, kg, s, rad. The axes are right-handed, and y points up. docs/PYTHON.md explains the use.
`jostle.engine` and `jostle.thin_client` have all functions of the C API, which raise the same exceptions.
"""
from . import _abi as abi
from ._bodies import Body, Hit, Joint
from ._client import Client, ClientError, Scene
from ._game import Action, Duration, Game, Input, Player, Rule
from ._library import (Busy, BufferTooSmall, Error, InternalError, Interrupted, InvalidArgument, InvalidData, Limit,
                       NotFound, OutOfMemory, StaleHandle, WrongState, engine, thin_client)
from ._log import set_log
from ._server import Comparison, Recording, Server, Verification, compare, recording_main, verify
from ._shapes import Shape
from ._values import Pose
from ._world import World, WorldView

__all__ = ["Action", "Body", "BufferTooSmall", "Busy", "Client", "ClientError", "Comparison", "Duration", "Error",
           "Game", "Hit", "Input", "InternalError", "Interrupted", "InvalidArgument", "InvalidData", "Joint", "Limit",
           "NotFound", "OutOfMemory", "Player", "Pose", "Recording", "Rule", "Scene", "Server", "Shape", "StaleHandle",
           "Verification", "World", "WorldView", "WrongState", "abi", "compare", "engine", "recording_main",
           "set_log", "thin_client", "verify", "version"]


def version() -> str:
    """Returns the version of the library, such as "0.2.0"."""
    return bytes(engine.jostle_version()).decode()
