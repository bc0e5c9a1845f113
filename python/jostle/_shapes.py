"""Shapes of bodies."""
from __future__ import annotations

from ctypes import byref
from typing import Any

import numpy as np

from . import _abi
from ._arrays import rows_of_3
from ._library import engine
from ._objects import Strict
from ._values import Vector, default, enumerator, refuse_type, set_fields, vec2


class Shape(Strict):
    """The definition of a shape. Keyword arguments are the fields of jostle_shape_def, for example `density` (kg/m³),
    `is_sensor`, `material={"friction": 0.4}` or `local` as a transform {"offset": (x, y, z)} (m)."""

    __slots__ = ("definition", "_owner")

    def __init__(self, kind: str, **fields: Any) -> None:
        self.definition = default(_abi.jostle_shape_def, engine)
        self.definition.kind = enumerator("JOSTLE_SHAPE", kind, "kind")
        set_fields(self.definition, fields, omitted=("kind",))
        self._owner: object = None  # keeps the solid alive

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
        array = rows_of_3(points, "points", np.float32)
        return cls._solid("hull", "jostle_solid_create_hull", fields, array.ctypes.data, 0, len(array))

    @classmethod
    def mesh(cls, vertices: Any, triangles: Any, **fields: Any) -> Shape:
        """A mesh for static bodies: vertices (n, 3) in m and triangles (m, 3) of their indices."""
        points = rows_of_3(vertices, "vertices", np.float32)
        corners = rows_of_3(triangles, "triangles", np.uint32)
        return cls._solid("mesh", "jostle_solid_create_mesh", fields, points.ctypes.data, 0, len(points),
                          corners.ctypes.data, len(corners))

    @classmethod
    def height_field(cls, heights: Any, cell: Vector = (1, 1), **fields: Any) -> Shape:
        """A height field for static bodies: heights (nx, nz) in m; sample (i, j) lies at x = i·cell[0], z = j·cell[1]."""
        try:
            array = np.ascontiguousarray(heights, dtype=np.float32)
        except (TypeError, ValueError, OverflowError):
            refuse_type("heights", heights, "an array of numbers with the shape (nx, nz)")
        if array.ndim != 2:
            raise ValueError(f"heights has the shape {array.shape}; accepted: (nx, nz)")
        return cls._solid("height_field", "jostle_solid_create_height_field", fields, array.ctypes.data, *array.shape,
                          *vec2(cell, "cell"))

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
