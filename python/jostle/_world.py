"""Worlds."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from . import _abi
from ._arrays import Array, rows_of_3
from ._bodies import Body, Hit, Joint
from ._library import engine
from ._objects import Owner, Strict
from ._shapes import Shape
from ._values import (Vector, default, enumerator, handle_in, integer, listed, output, position, quat, refuse_type,
                      set_fields, tuple3, vec3)
from ._values import text as encoded


#: Steps of one call of the library in World.step(). A signal waits for their end, so they are few.
_STEPS_PER_CALL = 10


def shapes_of(shapes: Union[Shape, Iterable[Shape]]) -> list[Shape]:
    """Returns a shape or several as a list."""
    accepted = "a Shape or a list of Shapes"
    try:
        found = [shapes] if isinstance(shapes, Shape) else list(shapes)
    except TypeError:
        refuse_type("shapes", shapes, accepted)
    for shape in found:
        if not isinstance(shape, Shape):
            refuse_type("shapes", shape, accepted)
    return found


def body_definition(motion: str, place: Vector, rotation: Vector, fields: dict[str, Any]) -> _abi.jostle_body_def:
    """Returns the definition of a body."""
    definition = default(_abi.jostle_body_def, engine)
    definition.motion = enumerator("JOSTLE_MOTION", motion, "motion")
    definition.pose = _abi.jostle_pose(position(place, "position"), quat(rotation, "rotation"))
    set_fields(definition, fields, omitted=("motion", "pose"))
    return definition


class BodyArrays:
    """Poses and velocities of all bodies. The library writes into these arrays without a copy in between. They stay
    the same objects while the number of bodies does, and change in place."""

    def __init__(self, count: int) -> None:
        self.positions: Array = np.empty((count, 3), dtype=np.float64)
        self.rotations: Array = np.empty((count, 4), dtype=np.float32)
        self.linear_velocities: Array = np.empty((count, 3), dtype=np.float32)
        self.angular_velocities: Array = np.empty((count, 3), dtype=np.float32)
        self.awake: Array = np.empty(count, dtype=np.uint8)
        self.c = default(_abi.jostle_body_arrays, engine)
        for name in ("positions", "rotations", "linear_velocities", "angular_velocities", "awake"):
            setattr(self.c, name, getattr(self, name).ctypes.data)

    def __len__(self) -> int:
        return len(self.awake)


class WorldView(Strict):
    """A world for reading: poses of all bodies as NumPy arrays, queries, events and hashes."""

    __slots__ = ("handle", "_arrays")

    def __init__(self, handle: _abi.jostle_world) -> None:
        self.handle = handle
        self._arrays = BodyArrays(0)

    def _updated(self) -> BodyArrays:
        count = self._body_count()
        if count != len(self._arrays):
            self._arrays = BodyArrays(count)
        engine.jostle_bodies_read(self.handle, None, count, byref(self._arrays.c))
        return self._arrays

    def _body_count(self) -> int:
        count = ctypes.c_size_t()
        engine.jostle_world_get_bodies(self.handle, None, 0, byref(count))
        return count.value

    @property
    def positions(self) -> Array:
        """Positions of all bodies: (n, 3), float64, m. Row i is body i of `bodies`."""
        return self._updated().positions

    @property
    def rotations(self) -> Array:
        """Rotations of all bodies as quaternions x, y, z, w: (n, 4), float32."""
        return self._updated().rotations

    @property
    def linear_velocities(self) -> Array:
        """Velocities of the centres of mass: (n, 3), float32, m/s."""
        return self._updated().linear_velocities

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities: (n, 3), float32, rad/s."""
        return self._updated().angular_velocities

    @property
    def awake(self) -> Array:
        """1 for awake bodies, 0 for sleeping ones: (n,), uint8."""
        return self._updated().awake

    @property
    def bodies(self) -> list[Body]:
        """All bodies."""
        handles = listed(lambda array, capacity, count: engine.jostle_world_get_bodies(
            self.handle, array, capacity, count), _abi.jostle_body)
        return [Body(self.handle, handle) for handle in handles]

    @property
    def counts(self) -> _abi.jostle_counts:
        """The struct jostle_counts: numbers of bodies, shapes, joints, fields and particles."""
        value = output(_abi.jostle_counts)
        engine.jostle_world_get_counts(self.handle, byref(value))
        return value

    @property
    def contacts(self) -> list[Any]:
        """The contacts after the last step, as structs jostle_contact."""
        return listed(lambda array, capacity, count: engine.jostle_world_get_contacts(
            self.handle, array, 0, capacity, count), _abi.jostle_contact)

    @property
    def contact_begins(self) -> list[Any]:
        """The pairs of shapes that began to touch in the last step, as structs jostle_shape_pair."""
        return listed(lambda array, capacity, count: engine.jostle_world_get_contact_begins(
            self.handle, array, capacity, count), _abi.jostle_shape_pair)

    @property
    def hash(self) -> int:
        """The hash of the whole state. Equal states have equal hashes on all machines."""
        value = output(_abi.jostle_state_hash)
        engine.jostle_world_get_hash(self.handle, byref(value))
        return value.total

    def save(self) -> bytes:
        """Returns the whole state as bytes."""
        size = ctypes.c_size_t()
        engine.jostle_world_save(self.handle, None, 0, byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        engine.jostle_world_save(self.handle, buffer, size.value, byref(size))
        return buffer.raw[:size.value]

    def cast_ray(self, origin: Vector, path: Vector) -> Optional[Hit]:
        """Returns the first hit of a ray from `origin` (m) along `path` (m), or None."""
        ray = _abi.jostle_ray(position(origin, "origin"), vec3(path, "path"))
        hit = _abi.jostle_cast_hit()
        engine.jostle_world_cast_ray(self.handle, byref(ray), None, byref(hit))
        if hit.is_hit == 0:
            return None
        return Hit(Body(self.handle, hit.body), tuple3(hit.point), tuple3(hit.normal), hit.fraction)


class World(WorldView, Owner):
    """A world of the physics engine.

    Keyword arguments are the fields of jostle_world_def, for example `gravity` (m/s²), `step_seconds` or `substeps`.
    A world is destroyed at the end of a `with` block, by close(), or with the object.
    """

    __slots__ = ()

    def __init__(self, **fields: Any) -> None:
        definition = default(_abi.jostle_world_def, engine)
        set_fields(definition, fields)
        handle = _abi.jostle_world()
        engine.jostle_world_create(byref(definition), byref(handle))
        super().__init__(handle)

    @classmethod
    def from_scene(cls, text: str, steps_per_second: int = 60) -> World:
        """Returns the world of a scene, the text of a .scene.json file. Body i of the scene is body i of the world."""
        scene = _abi.jostle_scene()
        content = encoded(text, "text")
        engine.jostle_scene_create(content, len(content), None, byref(scene))
        try:
            definition = output(_abi.jostle_world_def)
            engine.jostle_scene_get_world_def(scene, integer(steps_per_second, "steps_per_second"), byref(definition))
            world = cls.__new__(cls)
            handle = _abi.jostle_world()
            engine.jostle_world_create(byref(definition), byref(handle))
            WorldView.__init__(world, handle)
            engine.jostle_scene_instantiate(scene, handle)
            return world
        finally:
            engine.jostle_scene_destroy(scene)

    def _destroy(self) -> None:
        """Destroys the world."""
        engine.jostle_world_destroy(self.handle)

    def step(self, count: int = 1) -> None:
        """Makes `count` steps. Ctrl-C ends the call within a few steps."""
        left = integer(count, "count")
        # Python's signal handlers run between two calls of the library.
        while left > _STEPS_PER_CALL:
            engine.jostle_world_steps(self.handle, _STEPS_PER_CALL)
            left -= _STEPS_PER_CALL
        engine.jostle_world_steps(self.handle, left)

    @property
    def gravity(self) -> tuple[float, float, float]:
        """The gravity (m/s²)."""
        definition = output(_abi.jostle_world_def)
        engine.jostle_world_get_def(self.handle, byref(definition))
        return tuple3(definition.gravity)

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        engine.jostle_world_set_gravity(self.handle, vec3(value, "gravity"))

    def set_execution(self, threads: int = 1, simd: Optional[str] = None) -> None:
        """Sets the number of threads of steps and the instruction set: plain, sse2, avx2 or neon."""
        execution = default(_abi.jostle_execution, engine)
        set_fields(execution, {"threads": threads})
        if simd is not None:
            execution.simd = enumerator("JOSTLE_SIMD", simd, "simd")
        engine.jostle_world_set_execution(self.handle, byref(execution))

    def create_body(self, shapes: Union[Shape, Iterable[Shape]] = (), *, motion: str = "dynamic",
                    position: Vector = (0, 0, 0), rotation: Vector = (0, 0, 0, 1), **fields: Any) -> Body:
        """Creates a body with one shape or several. `motion` is dynamic, kinematic or static; `position` is in m,
        `rotation` a unit quaternion x, y, z, w. Other keyword arguments are the fields of jostle_body_def, for example
        `mass` (kg) or `linear_velocity` (m/s)."""
        listed_shapes = shapes_of(shapes)
        definition = body_definition(motion, position, rotation, fields)
        handle = _abi.jostle_body()
        engine.jostle_body_create(self.handle, byref(definition), byref(handle))
        body = Body(self.handle, handle)
        for shape in listed_shapes:
            engine.jostle_shape_create(self.handle, handle, byref(shape.definition), None)
        return body

    def create_joint(self, kind: str, a: Body, b: Body, anchor: Vector, axis: Vector = (1, 0, 0),
                     **fields: Any) -> Joint:
        """Creates a joint at the present poses of two bodies: ball, hinge, slider, fixed and so on. `anchor` is a
        position in the world (m), `axis` a unit vector. Other keyword arguments are the fields of jostle_joint_def, for
        example `limits={"is_enabled": 1, "lower": -1, "upper": 1}` (rad or m)."""
        definition = output(_abi.jostle_joint_def)
        engine.jostle_joint_def_at(self.handle, enumerator("JOSTLE_JOINT", kind, "kind"),
                                   handle_in(self.handle, a, Body, "a"), handle_in(self.handle, b, Body, "b"),
                                   position(anchor, "anchor"), vec3(axis, "axis"), byref(definition))
        set_fields(definition, fields, omitted=("kind", "body_a", "body_b", "a", "b"))
        handle = _abi.jostle_joint()
        engine.jostle_joint_create(self.handle, byref(definition), byref(handle))
        return Joint(self.handle, handle)

    def apply_forces(self, bodies: Sequence[Body], forces: Any, torques: Any = None) -> None:
        """Applies forces (n, 3) in N at the centres of mass of n bodies, and torques (n, 3) in N·m, during the next
        step."""
        count = len(bodies)
        handles = (_abi.jostle_body * count)(*(handle_in(self.handle, body, Body, f"bodies[{place}]")
                                               for place, body in enumerate(bodies)))
        pushes = rows_of_3(forces, "forces", np.float32, count)
        turns = None if torques is None else rows_of_3(torques, "torques", np.float32, count)
        engine.jostle_bodies_apply_forces(self.handle, handles, count, pushes.ctypes.data, 0,
                                          None if turns is None else turns.ctypes.data, 0)

    def restore(self, state: Union[bytes, bytearray, memoryview]) -> None:
        """Sets the whole state from bytes of save(). Bodies keep their handles."""
        if not isinstance(state, (bytes, bytearray, memoryview)):
            refuse_type("state", state, "bytes of save()")
        content = bytes(state)
        engine.jostle_world_restore(self.handle, content, len(content))

    def copy_from(self, other: WorldView) -> None:
        """Copies the whole state of another world; much faster than save and restore."""
        if not isinstance(other, WorldView):
            refuse_type("other", other, "a World")
        engine.jostle_world_copy(other.handle, self.handle)
