#include "shared/physics/collision/convex.h"

#include "shared/simd/baseline.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <variant>

namespace jostle::physics {

using math::Vec3;
using math::Vec3d;
using state::ShapeKind;

namespace {

double signed_half(double direction, float half) {
  return direction < 0.0 ? -static_cast<double>(half) : static_cast<double>(half);
}

/// Returns the point of a circle about the y axis, in the plane at height y, that is farthest along
/// the x and z components of `direction`.
Vec3d rim_point(Vec3d direction, double radius, double y) {
  const double squared = direction.x * direction.x + direction.z * direction.z;
  if (!(squared > 1e-60)) return {radius, y, 0};
  const double scale = radius / std::sqrt(squared);
  return {direction.x * scale, y, direction.z * scale};
}

Vec3d support_of_cone(const Convex& body, Vec3d direction) {
  const double h = static_cast<double>(body.half.y);
  const Vec3d rim = rim_point(direction, static_cast<double>(body.radius), -h);
  const Vec3d tip{0, h, 0};
  return dot(tip, direction) > dot(rim, direction) ? tip : rim;
}

using simd::baseline::Floats;

float largest(Floats values) {
  alignas(32) float v[8];
  values.store(v);
  const float p = math::max_of(math::max_of(v[0], v[4]), math::max_of(v[1], v[5]));
  const float q = math::max_of(math::max_of(v[2], v[6]), math::max_of(v[3], v[7]));
  return math::max_of(p, q);
}

/// Returns the index of the vector with the largest dot product with `d`, the lowest index among
/// equal ones. Finds the largest product first, and then its index.
std::size_t farthest_of(std::span<const state::EightVectors> lanes, Vec3 d) {
  const Floats x = Floats::splat(d.x), y = Floats::splat(d.y), z = Floats::splat(d.z);
  const auto along = [&](const state::EightVectors& v) {
    return Floats::load(v.x) * x + Floats::load(v.y) * y + Floats::load(v.z) * z;
  };
  Floats far = along(lanes[0]);
  for (std::size_t i = 1; i < lanes.size(); ++i)
    far = max_of(along(lanes[i]), far);
  const Floats farthest = Floats::splat(largest(far));
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::uint32_t bits = bits_of(along(lanes[i]) == farthest);
    if (bits != 0) return 8 * i + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return 0;
}

/// Returns the index of the vector with the second largest dot product with `d`, given the index of
/// the one with the largest.
std::size_t second_farthest_of(std::span<const Vec3> vectors, std::size_t farthest, Vec3 d) {
  std::size_t best = farthest == 0 ? 1 : 0;
  float along_best = dot(vectors[best], d);
  for (std::size_t i = best + 1; i < vectors.size(); ++i) {
    const float along = dot(vectors[i], d);
    if (i == farthest || along <= along_best) continue;
    best = i;
    along_best = along;
  }
  return best;
}

/// Converts a direction to float. If it is extremely short or long, scales it so that its products
/// neither overflow nor underflow.
Vec3 as_float(Vec3d direction) {
  constexpr double least = 1e-12, most = 1e12;
  const double size =
      std::max(std::abs(direction.x), std::max(std::abs(direction.y), std::abs(direction.z)));
  if (size > least && size < most) return narrowed(direction);
  return narrowed(size > 0.0 ? direction * (1.0 / size) : direction);
}

/// Returns the support point, found in float: vertices that differ only by rounding count as
/// equally far.
Vec3d support_of_hull(const state::ConvexHull& hull, Vec3d direction) {
  return widened(hull.vertices[farthest_of(hull.vertex_lanes, as_float(direction))]);
}

Vec3d support_of_triangle(const Convex& body, Vec3d direction) {
  std::size_t best = 0;
  double farthest = dot(widened(body.corners[0]), direction);
  for (std::size_t i = 1; i < 3; ++i) {
    const double along = dot(widened(body.corners[i]), direction);
    if (along > farthest) {
      farthest = along;
      best = i;
    }
  }
  return widened(body.corners[best]);
}

/// A direction in the xz plane. The two tables below hold sixteen of them, counter-clockwise from
/// +x towards +z.
struct Direction2 {
  float x = 0, z = 0;
};
constexpr float cos1 = 0.9238795325f, sin1 = 0.3826834324f, diagonal = 0.7071067812f;
constexpr std::array<Direction2, 8> rim_directions{{{1, 0},
                                                    {diagonal, diagonal},
                                                    {0, 1},
                                                    {-diagonal, diagonal},
                                                    {-1, 0},
                                                    {-diagonal, -diagonal},
                                                    {0, -1},
                                                    {diagonal, -diagonal}}};
constexpr std::array<Direction2, 8> half_way_directions{{{cos1, sin1},
                                                         {sin1, cos1},
                                                         {-sin1, cos1},
                                                         {-cos1, sin1},
                                                         {-cos1, -sin1},
                                                         {-sin1, -cos1},
                                                         {sin1, -cos1},
                                                         {cos1, -sin1}}};

/// Returns a circle as a polygon of sixteen corners. If the disc is tilted against `direction`, the
/// corner nearest to the point of the rim that is farthest along `direction` moves to that point. A
/// rocking disc then rests on its rim, not on a corner.
Side disc_side(float radius, float y, Vec3 direction, std::uint8_t name) {
  Side side;
  side.is_disc = true;
  side.name = name;
  const float up = y < 0.0f ? -1.0f : 1.0f;
  side.normal = {0, up, 0};
  side.offset = math::abs_of(y);

  std::uint32_t nearest = 16;
  Vec3 lowest;
  const float tilt = std::sqrt(direction.x * direction.x + direction.z * direction.z);
  constexpr float flat = 1e-4f;
  if (tilt > flat) {
    lowest = {direction.x / tilt * radius, y, direction.z / tilt * radius};
    float best = -2;
    for (std::uint32_t i = 0; i < 16; ++i) {
      const Direction2 d = i % 2 == 0 ? rim_directions[i / 2] : half_way_directions[i / 2];
      const float along = d.x * direction.x + d.z * direction.z;
      if (along > best) {
        best = along;
        nearest = i;
      }
    }
  }
  for (std::uint32_t k = 0; k < 16; ++k) {
    // The order from +x to +z is clockwise seen from +y.
    const std::uint32_t i = up > 0.0f ? (16 - k) % 16 : k;
    const Direction2 d = i % 2 == 0 ? rim_directions[i / 2] : half_way_directions[i / 2];
    side.add(i == nearest ? lowest : Vec3{d.x * radius, y, d.z * radius}, i);
  }
  return side;
}

Side cylinder_side(const Convex& body, Vec3 direction) {
  constexpr float steep = 0.7071067812f;
  if (math::abs_of(direction.y) > steep) {
    const bool is_top = direction.y > 0.0f;
    return disc_side(body.radius, is_top ? body.half.y : -body.half.y, direction, is_top ? 1 : 0);
  }
  Side side;
  side.name = 2;
  const Vec3 rim = narrowed(rim_point(widened(direction), static_cast<double>(body.radius), 0));
  side.add({rim.x, -body.half.y, rim.z}, 0);
  side.add({rim.x, body.half.y, rim.z}, 1);
  return side;
}

Side cone_side(const Convex& body, Vec3 direction) {
  // In the plane of the axis and the rim point, with the half height h and the radius r, the normal
  // of the mantle has the radial and axial components (2h, r), divided by their length. If
  // `direction` is closer to the base's normal than to that of the mantle, the base is the side.
  const float height = 2 * body.half.y;
  const float slant = std::sqrt(height * height + body.radius * body.radius);
  const float across = std::sqrt(direction.x * direction.x + direction.z * direction.z);
  const float along_mantle = (across * height + direction.y * body.radius) / slant;
  if (-direction.y > along_mantle) return disc_side(body.radius, -body.half.y, direction, 0);
  Side side;
  side.name = 1;
  const Vec3 rim = narrowed(rim_point(widened(direction), static_cast<double>(body.radius), 0));
  // If `direction` is more than 78° from the mantle's normal, only the tip faces it.
  constexpr float blunt = 0.2f;
  side.add({0, body.half.y, 0}, 1);
  if (along_mantle > blunt) side.add({rim.x, -body.half.y, rim.z}, 0);
  return side;
}

Side box_side(const Convex& body, Vec3 direction) {
  const Vec3 size = abs_of(direction);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const float up = direction[axis] < 0.0f ? -1.0f : 1.0f;
  Side side;
  side.name = static_cast<std::uint8_t>(2 * axis + (up < 0.0f ? 1 : 0));
  const std::array<float, 3> h{body.half.x, body.half.y, body.half.z};
  const auto r = static_cast<std::size_t>(axis);
  const std::size_t u = (r + 1) % 3, v = (r + 2) % 3;
  side.offset = h[r];
  std::array<float, 3> normal{0, 0, 0};
  normal[r] = up;
  side.normal = {normal[0], normal[1], normal[2]};
  constexpr std::array<float, 4> along_u{1, -1, -1, 1}, along_v{1, 1, -1, -1};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t i = up > 0.0f ? k : 3 - k;
    std::array<float, 3> p{0, 0, 0};
    p[r] = up * h[r];
    p[u] = along_u[i] * h[u];
    p[v] = along_v[i] * h[v];
    side.add({p[0], p[1], p[2]}, i);
  }
  return side;
}

Side hull_side(const state::ConvexHull& hull, Vec3 direction) {
  const std::size_t best = farthest_of(hull.normal_lanes, direction);
  const state::HullFace& face = hull.faces[best];
  Side side;
  side.name = static_cast<std::uint8_t>(best);
  side.normal = face.normal;
  side.offset = face.offset;
  // If a face has more than `max_side_corners` corners, an evenly spaced selection of them is kept.
  const std::uint32_t corners = face.corner_count;
  const std::uint32_t kept = corners < max_side_corners ? corners : max_side_corners;
  for (std::uint32_t k = 0; k < kept; ++k) {
    const std::uint32_t corner = hull.corners[face.first_corner + k * corners / kept];
    side.add(hull.vertices[corner], corner);
  }
  return side;
}

Side triangle_side(const Convex& body, Vec3 direction) {
  Side side;
  const bool is_front = dot(body.normal, direction) >= 0.0f;
  side.name = is_front ? 0 : 1;
  side.normal = is_front ? body.normal : -body.normal;
  side.offset = dot(side.normal, body.corners[0]);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t i = is_front ? k : 2 - k;
    side.add(body.corners[i], i);
  }
  return side;
}

}  // namespace

Convex convex_of(const state::Shape& shape) {
  Convex body;
  body.half.y = shape.half_segment;
  switch (shape.kind) {
    case ShapeKind::Sphere:
      body.rounding = shape.radius;
      break;
    case ShapeKind::Capsule:
      body.kind = ConvexKind::Segment;
      body.rounding = shape.radius;
      break;
    case ShapeKind::Box:
      body.kind = ConvexKind::Box;
      body.half = shape.half_extents;
      break;
    case ShapeKind::Cylinder:
      body.kind = ConvexKind::Cylinder;
      body.radius = shape.radius;
      break;
    case ShapeKind::Cone:
      body.kind = ConvexKind::Cone;
      body.radius = shape.radius;
      break;
    case ShapeKind::Hull:
      body.kind = ConvexKind::Hull;
      body.hull = std::get_if<state::ConvexHull>(&shape.solid->content);
      break;
    case ShapeKind::Plane:
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      break;
  }
  return body;
}

Convex convex_of_triangle(const std::array<Vec3, 3>& corners, Vec3 normal) {
  Convex body;
  body.kind = ConvexKind::Triangle;
  body.corners = corners;
  body.normal = normal;
  return body;
}

Vec3d support(const Convex& body, Vec3d direction) {
  switch (body.kind) {
    case ConvexKind::Point:
      return {};
    case ConvexKind::Segment:
      return {0, signed_half(direction.y, body.half.y), 0};
    case ConvexKind::Box:
      return {signed_half(direction.x, body.half.x), signed_half(direction.y, body.half.y),
              signed_half(direction.z, body.half.z)};
    case ConvexKind::Cylinder:
      return rim_point(direction, static_cast<double>(body.radius),
                       signed_half(direction.y, body.half.y));
    case ConvexKind::Cone:
      return support_of_cone(body, direction);
    case ConvexKind::Hull:
      return support_of_hull(*body.hull, direction);
    case ConvexKind::Triangle:
      return support_of_triangle(body, direction);
  }
  return {};
}

std::array<Vec3d, 2> support_edge(const Convex& body, Vec3d direction) {
  const Vec3 d = as_float(direction);
  const bool is_hull = body.kind == ConvexKind::Hull;
  const std::span<const Vec3> corners =
      is_hull ? std::span<const Vec3>(body.hull->vertices) : std::span<const Vec3>(body.corners);
  std::size_t first = 0;
  if (is_hull) {
    first = farthest_of(body.hull->vertex_lanes, d);
  } else {
    for (std::size_t i = 1; i < 3; ++i) {
      if (dot(corners[i], d) > dot(corners[first], d)) first = i;
    }
  }
  const std::size_t second = second_farthest_of(corners, first, d);
  return {widened(corners[first]), widened(corners[second])};
}

float support_value(const Convex& body, Vec3 direction) {
  const auto across = [&] {
    return std::sqrt(direction.x * direction.x + direction.z * direction.z) * body.radius;
  };
  switch (body.kind) {
    case ConvexKind::Point:
      return 0;
    case ConvexKind::Segment:
      return math::abs_of(direction.y) * body.half.y;
    case ConvexKind::Box:
      return dot(abs_of(direction), body.half);
    case ConvexKind::Cylinder:
      return math::abs_of(direction.y) * body.half.y + across();
    case ConvexKind::Cone:
      return math::max_of(direction.y * body.half.y, across() - direction.y * body.half.y);
    case ConvexKind::Hull:
      return dot(body.hull->vertices[farthest_of(body.hull->vertex_lanes, direction)], direction);
    case ConvexKind::Triangle:
      return math::max_of(
          dot(body.corners[0], direction),
          math::max_of(dot(body.corners[1], direction), dot(body.corners[2], direction)));
  }
  return 0;
}

float smallest_size(const Convex& body) {
  switch (body.kind) {
    case ConvexKind::Point:
    case ConvexKind::Segment:
      return body.rounding;
    case ConvexKind::Box:
      return math::min_of(body.half.x, math::min_of(body.half.y, body.half.z));
    case ConvexKind::Cylinder:
    case ConvexKind::Cone:
      return math::min_of(body.radius, body.half.y);
    case ConvexKind::Hull:
      return body.hull->inner_radius;
    case ConvexKind::Triangle:
      return std::sqrt(
          length(cross(body.corners[1] - body.corners[0], body.corners[2] - body.corners[0])));
  }
  return 0;
}

Side side_towards(const Convex& body, Vec3 direction) {
  Side side;
  switch (body.kind) {
    case ConvexKind::Point:
      side.add({}, 0);
      return side;
    case ConvexKind::Segment:
      side.add({0, -body.half.y, 0}, 0);
      side.add({0, body.half.y, 0}, 1);
      return side;
    case ConvexKind::Box:
      return box_side(body, direction);
    case ConvexKind::Cylinder:
      return cylinder_side(body, direction);
    case ConvexKind::Cone:
      return cone_side(body, direction);
    case ConvexKind::Hull:
      return hull_side(*body.hull, direction);
    case ConvexKind::Triangle:
      return triangle_side(body, direction);
  }
  return side;
}

}  // namespace jostle::physics
