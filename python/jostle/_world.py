"""Worlds, bodies and joints."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi
from ._library import Owner, engine
from ._values import (Pose, Vector, default, enumerator, from_pose, listed, output, pose, position, quat, set_fields,
                      tuple3, vec3)

Array = NDArray[Any]


class Shape:
    """The definition of a shape. Keyword arguments are the fields of jostle_shape_def, for example `density` (kg/m³),
    `is_sensor`, `material={"friction": 0.4}` or `local` as a transform {"offset": (x, y, z)} (m)."""

    def __init__(self, kind: str, **fields: Any) -> None:
        self.definition = default(_abi.jostle_shape_def, engine)
        self.definition.kind = enumerator("JOSTLE_SHAPE", kind)
        set_fields(self.definition, fields)

    @classmethod
    def sphere(cls, radius: float, **fields: Any) -> Shape:
        """A sphere; the radius is in m."""
        return cls("sphere", radius=radius, **fields)

    @classmethod
    def box(cls, half_extents: Vector, **fields: Any) -> Shape:
        """A box; the half extents are in m."""
        return cls("box", half_extents=half_extents, **fields)

    @classmethod
    def capsule(cls, radius: float, half_height: float, **fields: Any) -> Shape:
        """A capsule along y; the half height (m) is that of its cylinder."""
        return cls("capsule", radius=radius, half_height=half_height, **fields)

    @classmethod
    def cylinder(cls, radius: float, half_height: float, **fields: Any) -> Shape:
        """A cylinder along y; sizes in m."""
        return cls("cylinder", radius=radius, half_height=half_height, **fields)

    @classmethod
    def cone(cls, radius: float, half_height: float, **fields: Any) -> Shape:
        """A cone along y; sizes in m."""
        return cls("cone", radius=radius, half_height=half_height, **fields)

    @classmethod
    def plane(cls, **fields: Any) -> Shape:
        """The half-space below the xz-plane, for static bodies."""
        return cls("plane", **fields)

    @classmethod
    def hull(cls, points: Any, **fields: Any) -> Shape:
        """The convex hull of points, an array of shape (n, 3) in m."""
        array = np.ascontiguousarray(points, dtype=np.float32)
        return cls._solid("hull", "jostle_solid_create_hull", fields, array.ctypes.data, 0, len(array))

    @classmethod
    def mesh(cls, vertices: Any, triangles: Any, **fields: Any) -> Shape:
        """A mesh for static bodies: vertices (n, 3) in m and triangles (m, 3) of their indices."""
        points = np.ascontiguousarray(vertices, dtype=np.float32)
        corners = np.ascontiguousarray(triangles, dtype=np.uint32)
        return cls._solid("mesh", "jostle_solid_create_mesh", fields, points.ctypes.data, 0, len(points),
                          corners.ctypes.data, len(corners))

    @classmethod
    def _solid(cls, kind: str, function: str, fields: dict[str, Any], *arguments: Any) -> Shape:
        solid = _abi.jostle_solid()
        getattr(engine, function)(*arguments, byref(solid))
        made = cls(kind, **fields)
        made.definition.solid = solid
        made._owner = _SolidOwner(solid)
        return made


class _SolidOwner:
    def __init__(self, solid: Any) -> None:
        self._solid = solid

    def __del__(self) -> None:
        try:
            engine.jostle_solid_destroy(self._solid)
        except Exception:  # the interpreter is shutting down
            pass


class Hit(NamedTuple):
    """The first hit of a ray."""

    body: Body
    point: tuple[float, float, float]  # m, in the world
    normal: tuple[float, float, float]
    fraction: float  # 0 to 1, share of the ray in front of the hit


class Body:
    """A body of a world. Vectors are in the world: m, m/s, rad/s, N, N·s."""

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
        return engine.jostle_body_is_alive(self._world, self.handle) == 1

    @property
    def pose(self) -> Pose:
        """The pose of the body. Setting it moves the body without a time of travel."""
        value = _abi.jostle_pose()
        engine.jostle_body_get_pose(self._world, self.handle, byref(value))
        return from_pose(value)

    @pose.setter
    def pose(self, value: Pose) -> None:
        engine.jostle_body_set_pose(self._world, self.handle, byref(pose(value)))

    @property
    def position(self) -> tuple[float, float, float]:
        """The position (m). Setting it keeps the rotation."""
        return self.pose.position

    @position.setter
    def position(self, value: Vector) -> None:
        x, y, z = value
        self.pose = Pose((x, y, z), self.pose.rotation)

    @property
    def velocity(self) -> tuple[float, float, float]:
        """The velocity of the centre of mass (m/s)."""
        return self._velocities()[0]

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        engine.jostle_body_set_velocity(self._world, self.handle, vec3(value), vec3(self._velocities()[1]))

    @property
    def angular_velocity(self) -> tuple[float, float, float]:
        """The angular velocity (rad/s)."""
        return self._velocities()[1]

    @angular_velocity.setter
    def angular_velocity(self, value: Vector) -> None:
        engine.jostle_body_set_velocity(self._world, self.handle, vec3(self._velocities()[0]), vec3(value))

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
            engine.jostle_body_apply_central_impulse(self._world, self.handle, vec3(impulse))
        else:
            engine.jostle_body_apply_impulse(self._world, self.handle, vec3(impulse), position(point))

    def apply_force(self, force: Vector, point: Optional[Vector] = None) -> None:
        """Applies a force (N) during the next step, at a point of the world (m) or at the centre of mass."""
        if point is None:
            engine.jostle_body_apply_central_force(self._world, self.handle, vec3(force))
        else:
            engine.jostle_body_apply_force(self._world, self.handle, vec3(force), position(point))

    def apply_torque(self, torque: Vector) -> None:
        """Applies a torque (N·m) during the next step."""
        engine.jostle_body_apply_torque(self._world, self.handle, vec3(torque))

    def move(self, target: Pose) -> None:
        """Moves a kinematic body so that it reaches a pose at the end of the next step."""
        engine.jostle_body_move(self._world, self.handle, byref(pose(target)))

    def destroy(self) -> None:
        """Removes the body with its shapes and joints."""
        engine.jostle_body_destroy(self._world, self.handle)


class Joint:
    """A joint between two bodies."""

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


class WorldView:
    """A world for reading: poses of all bodies as NumPy arrays, queries, events and hashes."""

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
        ray = _abi.jostle_ray(position(origin), vec3(path))
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
        content = text.encode()
        engine.jostle_scene_create(content, len(content), None, byref(scene))
        try:
            definition = output(_abi.jostle_world_def)
            engine.jostle_scene_get_world_def(scene, steps_per_second, byref(definition))
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
        """Makes `count` steps."""
        engine.jostle_world_steps(self.handle, count)

    @property
    def gravity(self) -> tuple[float, float, float]:
        """The gravity (m/s²)."""
        definition = output(_abi.jostle_world_def)
        engine.jostle_world_get_def(self.handle, byref(definition))
        return tuple3(definition.gravity)

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        engine.jostle_world_set_gravity(self.handle, vec3(value))

    def set_execution(self, threads: int = 1, simd: Optional[str] = None) -> None:
        """Sets the number of threads of steps and the instruction set: plain, sse2, avx2 or neon."""
        execution = default(_abi.jostle_execution, engine)
        execution.threads = threads
        if simd is not None:
            execution.simd = enumerator("JOSTLE_SIMD", simd)
        engine.jostle_world_set_execution(self.handle, byref(execution))

    def create_body(self, shapes: Union[Shape, Iterable[Shape]] = (), *, motion: str = "dynamic",
                    position: Vector = (0, 0, 0), rotation: Vector = (0, 0, 0, 1), **fields: Any) -> Body:
        """Creates a body with one shape or several. `motion` is dynamic, kinematic or static; `position` is in m,
        `rotation` a unit quaternion x, y, z, w. Other keyword arguments are the fields of jostle_body_def, for example
        `mass` (kg) or `linear_velocity` (m/s)."""
        body = self._create_body(motion, Pose(tuple(position), tuple(rotation)), fields)  # type: ignore[arg-type]
        for shape in ([shapes] if isinstance(shapes, Shape) else shapes):
            engine.jostle_shape_create(self.handle, body.handle, byref(shape.definition), None)
        return body

    def _create_body(self, motion: str, place: Pose, fields: dict[str, Any]) -> Body:
        definition = default(_abi.jostle_body_def, engine)
        definition.motion = enumerator("JOSTLE_MOTION", motion)
        definition.pose = pose(place)
        set_fields(definition, fields)
        handle = _abi.jostle_body()
        engine.jostle_body_create(self.handle, byref(definition), byref(handle))
        return Body(self.handle, handle)

    def create_joint(self, kind: str, a: Body, b: Body, anchor: Vector, axis: Vector = (1, 0, 0),
                     **fields: Any) -> Joint:
        """Creates a joint at the present poses of two bodies: ball, hinge, slider, fixed and so on. `anchor` is a
        position in the world (m), `axis` a unit vector. Other keyword arguments are the fields of jostle_joint_def, for
        example `limits={"is_enabled": 1, "lower": -1, "upper": 1}` (rad or m)."""
        definition = output(_abi.jostle_joint_def)
        engine.jostle_joint_def_at(self.handle, enumerator("JOSTLE_JOINT", kind), a.handle, b.handle, position(anchor),
                                   vec3(axis), byref(definition))
        set_fields(definition, fields)
        handle = _abi.jostle_joint()
        engine.jostle_joint_create(self.handle, byref(definition), byref(handle))
        return Joint(self.handle, handle)

    def apply_forces(self, bodies: Sequence[Body], forces: Any, torques: Any = None) -> None:
        """Applies forces (n, 3) in N at the centres of mass of n bodies, and torques (n, 3) in N·m, during the next
        step."""
        handles = (_abi.jostle_body * len(bodies))(*(body.handle for body in bodies))
        pushes = np.ascontiguousarray(forces, dtype=np.float32)
        turns = None if torques is None else np.ascontiguousarray(torques, dtype=np.float32)
        for name, values in (("forces", pushes), ("torques", turns)):
            if values is not None and values.shape != (len(bodies), 3):
                raise ValueError(f"{name} has the shape {values.shape}; accepted: ({len(bodies)}, 3)")
        engine.jostle_bodies_apply_forces(self.handle, handles, len(bodies), pushes.ctypes.data, 0,
                                          None if turns is None else turns.ctypes.data, 0)

    def restore(self, state: bytes) -> None:
        """Sets the whole state from bytes of save(). Bodies keep their handles."""
        engine.jostle_world_restore(self.handle, state, len(state))

    def copy_from(self, other: WorldView) -> None:
        """Copies the whole state of another world; much faster than save and restore."""
        engine.jostle_world_copy(other.handle, self.handle)
