"""Bodies and joints."""
from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple, Optional

from . import _abi
from ._library import engine
from ._objects import Strict
from ._values import Pose, Vector, from_pose, output, pose, position, tuple3, vec3


class Body(Strict):
    """A body of a world. Vectors are in the world: m, m/s, rad/s, N, N·s."""

    __slots__ = ("_world", "handle")

    def __init__(self, world: Any, handle: _abi.jostle_body) -> None:
        self._world = world
        self.handle = handle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Body({self.handle.index}, {self.handle.generation})"

    def _key(self) -> tuple[int, int, int]:
        return (self._world.index, self.handle.index, self.handle.generation)

    @property
    def is_alive(self) -> bool:
        """True if the world and the body exist."""
        return bool(engine.jostle_body_is_alive(self._world, self.handle) == 1)

    @property
    def pose(self) -> Pose:
        """The pose of the body. Setting it moves the body without a time of travel."""
        value = _abi.jostle_pose()
        engine.jostle_body_get_pose(self._world, self.handle, byref(value))
        return from_pose(value)

    @pose.setter
    def pose(self, value: Pose) -> None:
        engine.jostle_body_set_pose(self._world, self.handle, byref(pose(value, "pose")))

    @property
    def position(self) -> tuple[float, float, float]:
        """The position (m). Setting it keeps the rotation."""
        return self.pose.position

    @position.setter
    def position(self, value: Vector) -> None:
        place = _abi.jostle_pose()
        engine.jostle_body_get_pose(self._world, self.handle, byref(place))
        place.position = position(value, "position")
        engine.jostle_body_set_pose(self._world, self.handle, byref(place))

    @property
    def linear_velocity(self) -> tuple[float, float, float]:
        """The velocity of the centre of mass (m/s)."""
        return self._velocities()[0]

    @linear_velocity.setter
    def linear_velocity(self, value: Vector) -> None:
        engine.jostle_body_set_velocity(self._world, self.handle, vec3(value, "linear_velocity"),
                                        vec3(self._velocities()[1], ""))

    @property
    def angular_velocity(self) -> tuple[float, float, float]:
        """The angular velocity (rad/s)."""
        return self._velocities()[1]

    @angular_velocity.setter
    def angular_velocity(self, value: Vector) -> None:
        engine.jostle_body_set_velocity(self._world, self.handle, vec3(self._velocities()[0], ""),
                                        vec3(value, "angular_velocity"))

    def _velocities(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        linear, angular = _abi.jostle_vec3(), _abi.jostle_vec3()
        engine.jostle_body_get_velocity(self._world, self.handle, byref(linear), byref(angular))
        return tuple3(linear), tuple3(angular)

    @property
    def info(self) -> _abi.jostle_body_info:
        """The struct jostle_body_info: mass (kg), inertia (kg·m²), bounds (m) and more."""
        value = output(_abi.jostle_body_info)
        engine.jostle_body_get_info(self._world, self.handle, byref(value))
        return value

    def apply_impulse(self, impulse: Vector, point: Optional[Vector] = None) -> None:
        """Applies an impulse (N·s) at a point of the world (m), or at the centre of mass."""
        if point is None:
            engine.jostle_body_apply_central_impulse(self._world, self.handle, vec3(impulse, "impulse"))
        else:
            engine.jostle_body_apply_impulse(self._world, self.handle, vec3(impulse, "impulse"), position(point, "point"))

    def apply_force(self, force: Vector, point: Optional[Vector] = None) -> None:
        """Applies a force (N) during the next step, at a point of the world (m) or at the centre of mass."""
        if point is None:
            engine.jostle_body_apply_central_force(self._world, self.handle, vec3(force, "force"))
        else:
            engine.jostle_body_apply_force(self._world, self.handle, vec3(force, "force"), position(point, "point"))

    def apply_torque(self, torque: Vector) -> None:
        """Applies a torque (N·m) during the next step."""
        engine.jostle_body_apply_torque(self._world, self.handle, vec3(torque, "torque"))

    def move(self, target: Pose) -> None:
        """Moves a kinematic body so that it reaches a pose at the end of the next step."""
        engine.jostle_body_move(self._world, self.handle, byref(pose(target, "target")))

    def destroy(self) -> None:
        """Removes the body with its shapes and joints."""
        engine.jostle_body_destroy(self._world, self.handle)


class Joint(Strict):
    """A joint between two bodies."""

    __slots__ = ("_world", "handle")

    def __init__(self, world: Any, handle: _abi.jostle_joint) -> None:
        self._world = world
        self.handle = handle

    @property
    def state(self) -> _abi.jostle_joint_state:
        """The struct jostle_joint_state: angle (rad), translation (m), forces (N) and more."""
        value = output(_abi.jostle_joint_state)
        engine.jostle_joint_get_state(self._world, self.handle, byref(value))
        return value

    def destroy(self) -> None:
        """Removes the joint."""
        engine.jostle_joint_destroy(self._world, self.handle)


class Hit(NamedTuple):
    """The first hit of a ray."""

    body: Body
    point: tuple[float, float, float]  # m, in the world
    normal: tuple[float, float, float]
    fraction: float  # 0 to 1, share of the ray in front of the hit
