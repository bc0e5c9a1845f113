#pragma once

#include "shared/math/vec3d.h"
#include "shared/state/shape.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

enum class ConvexKind : std::uint8_t { Point, Segment, Box, Cylinder, Cone, Hull, Triangle };

/// A convex body as the narrow phase sees it: a core, and a ball of radius `rounding` swept over
/// it. A sphere is a rounded point, a capsule a rounded segment along y; the others have none.
struct Convex {
  ConvexKind kind = ConvexKind::Point;
  float rounding = 0;                       // m
  float radius = 0;                         // Cylinder, Cone
  math::Vec3 half;                          // Box; y: of the axis of Segment, Cylinder and Cone
  const state::ConvexHull* hull = nullptr;  // Hull
  std::array<math::Vec3, 3> corners;        // Triangle, counter-clockwise about its normal
  math::Vec3 normal;                        // Triangle
};

/// Of every kind but Plane, Mesh and HeightField.
Convex convex_of(const state::Shape& shape);
/// The triangle must not be degenerate; `normal` is its unit normal.
Convex convex_of_triangle(const std::array<math::Vec3, 3>& corners, math::Vec3 normal);

/// The point of the core that is farthest along `direction` (of any length but zero), in the frame
/// of the body. Of several, one of them, always the same for the same direction.
math::Vec3d support(const Convex& body, math::Vec3d direction);

/// A length in proportion to the core's smallest thickness, for tolerances; positive.
float smallest_size(const Convex& body);

inline constexpr std::uint32_t max_side_corners = 24;

/// What of a core's surface faces a direction: a flat face with three corners and more, a segment
/// (the side of a cylinder), or a point. Corners in the frame of the body.
struct Side {
  math::Vec3 normal;  // outward, unit; of a face
  float offset = 0;   // normal · x of the face's plane
  std::uint32_t count = 0;
  std::array<math::Vec3, max_side_corners> corners;  // counter-clockwise from outside
  std::array<std::uint8_t, max_side_corners> names;  // of a corner and the edge that leaves it
  std::uint8_t name = 0;                             // of the face among those of the body
  bool is_disc = false;                              // the corners stand for a circle

  bool is_face() const { return count >= 3; }
  void add(math::Vec3 corner, std::uint32_t corner_name) {
    corners[count] = corner;
    names[count] = static_cast<std::uint8_t>(corner_name);
    ++count;
  }
};

/// The face, segment or point that looks most along the unit vector `direction`. The farthest point
/// of a disc's rim is always among its corners.
Side side_towards(const Convex& body, math::Vec3 direction);

}  // namespace jostle::physics
