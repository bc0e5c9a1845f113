#pragma once

#include "shared/math/vec3d.h"
#include "shared/physics/collision/unset_array.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

enum class ConvexKind : std::uint8_t { Point, Segment, Box, Cylinder, Cone, Hull, Triangle };

/// A convex shape for the narrow phase: a core, expanded by the convex radius `rounding`. A sphere
/// is a point with a convex radius, and a capsule a segment along y with one. The other kinds have
/// convex radius 0.
struct Convex {
  ConvexKind kind = ConvexKind::Point;
  float rounding = 0;  // convex radius, m
  float radius = 0;    // m, of a Cylinder or Cone
  math::Vec3 half;     // m, half extents of Box; y: half the axis of Segment, Cylinder and Cone
  const state::ConvexHull* hull = nullptr;  // for Hull: its geometry
  // for Triangle: its corners, counter-clockwise about the normal
  std::array<math::Vec3, 3> corners;
  math::Vec3 normal;  // for Triangle: its unit normal
};

/// Returns the convex form of a shape. A Plane, Mesh or HeightField has none; for these the result
/// is a placeholder without meaning.
Convex convex_of(const state::Shape& shape);
/// Returns the convex form of a triangle, which must not be degenerate. `normal` is its unit
/// normal.
Convex convex_of_triangle(const std::array<math::Vec3, 3>& corners, math::Vec3 normal);

/// Returns the support point: the point of the core that is farthest along `direction`, in the
/// frame of the body. `direction` may have any length but zero. If several points are equally far,
/// the same direction always gives the same one.
math::Vec3d support(const Convex& body, math::Vec3d direction);

/// Returns the two corners of a Hull or Triangle that are farthest along `direction`, in the frame
/// of the body. They are the ends of an edge: a corner of a convex polytope has a neighbour that is
/// farther along, unless it is the farthest one.
std::array<math::Vec3d, 2> support_edge(const Convex& body, math::Vec3d direction);

/// Returns the support function: how far the core reaches along `direction`, times the length of
/// `direction`. Computed in float, relative to the body's frame.
float support_value(const Convex& body, math::Vec3 direction);

/// Returns a length for tolerances, m. It is the convex radius of a point or segment, the smallest
/// half extent of a box, and the smaller of radius and half axis of a cylinder or cone. For a hull
/// it is the radius of its inner ball, for a triangle √(2·area).
float smallest_size(const Convex& body);

inline constexpr std::uint32_t max_side_corners = 24;

/// The feature of a core's surface that faces a direction: a flat face with at least three corners,
/// a segment (the side of a cylinder), or a point. Corners are in the frame of the body.
struct Side {
  math::Vec3 normal;  // outward unit normal of a face
  float offset = 0;   // m, normal · x for points x of the face's plane
  std::uint32_t count = 0;
  UnsetArray<math::Vec3, max_side_corners> corners;  // counter-clockwise seen from outside
  // id of each corner and of the edge that leaves it
  UnsetArray<std::uint8_t, max_side_corners> names;
  std::uint8_t name = 0;  // id of the face within the body
  bool is_disc = false;   // true if the corners approximate a circle

  bool is_face() const { return count >= 3; }
  void add(math::Vec3 corner, std::uint32_t corner_name) {
    corners[count] = corner;
    names[count] = static_cast<std::uint8_t>(corner_name);
    ++count;
  }
};

/// Returns the face, segment or point of the core that faces along the unit vector `direction`
/// most. If this is a disc, the point of its rim that is farthest along `direction` is among its
/// corners.
Side side_towards(const Convex& body, math::Vec3 direction);

}  // namespace jostle::physics
