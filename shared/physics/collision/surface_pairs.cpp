#include "shared/physics/collision/box_surface.h"
#include "shared/physics/collision/collide.h"
#include "shared/physics/collision/convex_manifold.h"
#include "shared/physics/collision/side_clip.h"
#include "shared/physics/collision/surface_points.h"
#include "shared/physics/collision/triangle_lanes.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace jostle::physics {

using geometry::SurfaceTriangle;
using math::Mat3;
using math::Vec3;
using math::Vec3d;

namespace {

// A body on a surface touches many triangles, but must behave as on one continuous surface. Each
// triangle gives one candidate manifold. The normal of a candidate must be a direction in which the
// surface as a whole can push. That is the normal of the triangle's face, or a direction along
// which the touched edge or corner is the farthest of all triangles around it. Any other normal
// comes from a seam between triangles (a ghost collision). Such a normal is replaced by that of the
// face; for a ball, the candidate is dropped. Candidates with almost the same normal are then
// merged into one manifold.

/// A body in the surface's axes, with the body's origin as origin, so that the surface's size costs
/// no precision.
struct SurfaceSetting {
  const Convex& body;
  math::Mat3d axes;  // axes of the body
  Vec3 origin;       // origin of the body in the surface's frame
  Vec3 travel;       // expected displacement of the body within the step, in the surface's frame
  float margin = 0;
  float size = 0;     // m, size of the body, for tolerances
  Vec3 lower, upper;  // the body's bounds in the body's frame, with the margin
  std::span<const SurfaceTriangle> triangles;
};

/// Sets s.lower and s.upper, the bounds of the body grown by the margin, in the body's frame.
/// Triangles outside these bounds give no contact points.
void find_own_bounds(SurfaceSetting& s) {
  const auto reach = [&](Vec3d direction) {
    return static_cast<float>(dot(support(s.body, direction), direction)) + s.body.rounding +
           s.margin;
  };
  s.upper = {reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})};
  s.lower = {-reach({-1, 0, 0}), -reach({0, -1, 0}), -reach({0, 0, -1})};
}

struct Triangle {
  std::array<Vec3, 3> corners;  // relative to the body's origin
  Vec3 normal;
  const SurfaceTriangle* source = nullptr;
};

/// The contact points of one triangle, with their separations along the normal.
struct Candidate {
  Vec3 normal;  // unit normal from the surface to the body
  float separation = 0;
  std::uint32_t count = 0;
  std::array<CollisionPoint, max_manifold_points> points;
};

Vec3d support_of_body(const SurfaceSetting& s, Vec3d direction) {
  return s.axes * support(s.body, transpose_multiply(s.axes, direction));
}

/// Returns the body's side that faces along `direction`, in the setting's frame.
Side side_of_body(const SurfaceSetting& s, Vec3 direction) {
  const Mat3 axes = narrowed(s.axes);
  Side side = side_towards(s.body, transpose_multiply(axes, direction));
  side.normal = axes * side.normal;
  for (std::uint32_t i = 0; i < side.count; ++i)
    side.corners[i] = axes * side.corners[i];
  return side;
}

bool is_over(const Triangle& t, Vec3 point, float border) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = t.corners[(i + 1) % 3] - t.corners[i];
    const Vec3 outward = cross(edge, t.normal);
    if (dot(outward, point - t.corners[i]) > border * length(edge)) return false;
  }
  return true;
}

Side face_of(const Triangle& t) {
  Side face;
  face.normal = t.normal;
  face.offset = dot(t.normal, t.corners[0]);
  for (std::uint32_t i = 0; i < 3; ++i)
    face.add(t.corners[i], i);
  return face;
}

/// Returns contact points from the part of the body's lower side that lies over the triangle.
Candidate over_triangle(const SurfaceSetting& s, const Triangle& t, Vec3 lowest) {
  const Side side = side_of_body(s, -t.normal), face = face_of(t);
  const FaceFrame frame = frame_of(face);
  Patch patch = clip_to_face(side, face, frame, 1e-3f * s.size);
  const std::uint32_t own_names = static_cast<std::uint32_t>(side.name) << 8;
  constexpr std::uint32_t is_lowest = 0xFFFF;
  float least = 3.0e38f;
  for (std::uint32_t i = 0; i < patch.count; ++i)
    least = math::min_of(least, patch.vertices[i].height);
  // The side that faces down need not contain the body's lowest corner.
  const ClipVertex low = frame.place(lowest, is_lowest);
  if (low.height < least - 1e-3f * s.size && is_over(t, lowest, 0.0f) &&
      patch.count < Patch::capacity) {
    patch.add(low);
  }
  std::uint32_t near = 0;
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    ClipVertex vertex = patch.vertices[i];
    vertex.height -= s.body.rounding;
    if (vertex.height <= s.margin) patch.vertices[near++] = vertex;
  }
  std::array<std::uint32_t, 4> picked{};
  const std::uint32_t count = pick_four(std::span(patch.vertices).first(near), picked);
  Candidate candidate;
  candidate.normal = t.normal;
  candidate.separation = 3.0e38f;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ClipVertex& p = patch.vertices[picked[i]];
    candidate.separation = math::min_of(candidate.separation, p.height);
    // A corner of the body has the same feature id on all triangles; the id of a cut point contains
    // the triangle.
    constexpr std::uint32_t is_cut = 1U << 31;
    const std::uint32_t feature =
        p.edge < 0x100 ? own_names | p.edge : is_cut | (t.source->index << 18 ^ p.edge);
    candidate.points[candidate.count++] = {frame.point(p) + t.normal * (0.5f * p.height), p.height,
                                           feature};
  }
  return candidate;
}

/// Returns true if a corner of the triangle, relative to the origin of the setting, is `at`.
bool has_corner(const SurfaceSetting& s, const SurfaceTriangle& triangle, Vec3 at) {
  const auto is_there = [&](Vec3 corner) {
    return corner.x - s.origin.x == at.x && corner.y - s.origin.y == at.y &&
           corner.z - s.origin.z == at.z;
  };
  return is_there(triangle.corners[0]) || is_there(triangle.corners[1]) ||
         is_there(triangle.corners[2]);
}

/// Returns true if no triangle that shares the touched corners rises above these corners along `up`
/// by a slope of more than `rise`. If an edge is touched, the slope is that across the edge,
/// because the other edges of a thin triangle are almost parallel to it.
bool is_farthest_around(const SurfaceSetting& s, std::span<const Vec3> touched, Vec3 up) {
  const Vec3 along = touched.size() == 2 ? normalized_or(touched[1] - touched[0], Vec3{}) : Vec3{};
  for (const SurfaceTriangle& other : s.triangles) {
    const bool shares =
        std::ranges::all_of(touched, [&](Vec3 corner) { return has_corner(s, other, corner); });
    if (!shares) continue;
    for (const Vec3 corner : other.corners) {
      const Vec3 at = corner - s.origin;
      // Rounding errors would decide whether a touched corner rises above itself.
      if (std::ranges::find(touched, at) != touched.end()) continue;
      const Vec3 edge = at - touched[0];
      const Vec3 across = edge - along * dot(edge, along);
      if (dot(across, up) > rise * length(across)) return false;
    }
  }
  return true;
}

/// Returns true if the surface can push along `up` at the corners of the triangle that are highest
/// along `up`. A body that comes from this direction touches these corners first.
bool can_push(const SurfaceSetting& s, const Triangle& t, Vec3 up) {
  const float height = math::max_of(dot(t.corners[0], up),
                                    math::max_of(dot(t.corners[1], up), dot(t.corners[2], up)));
  std::array<Vec3, 3> touched;
  std::array<std::size_t, 3> which{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (dot(t.corners[i], up) < height - 1e-3f * s.size) continue;
    which[count] = i;
    touched[count++] = t.corners[i];
  }
  const auto convex = [&](std::size_t edge) { return (t.source->convex_edges >> edge & 1U) != 0; };
  if (count == 1) {
    if (!convex(which[0]) && !convex((which[0] + 2) % 3)) return false;
  } else if (count == 2) {
    const std::size_t edge = which[0] == 0 && which[1] == 2 ? 2 : which[0];
    if (!convex(edge)) return false;
  }
  return is_farthest_around(s, std::span(touched).first(count), up);
}

/// A point of a triangle's border, on the edge from corner `edge` to the next one.
struct BorderPoint {
  Vec3 at;
  std::size_t edge = 0;
  float share = 0;  // position along the edge, 0 to 1
};

/// Returns the point of the triangle's border that is nearest to `to`.
BorderPoint nearest_on_border(const Triangle& t, Vec3 to) {
  BorderPoint best;
  float least = 3.0e38f;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 from = t.corners[i], edge = t.corners[(i + 1) % 3] - from;
    const float share = math::clamp(dot(to - from, edge) / dot(edge, edge), 0.0f, 1.0f);
    const Vec3 point = from + edge * share;
    const float squared = length_squared(point - to);
    if (squared < least) {
      least = squared;
      best = {point, i, share};
    }
  }
  return best;
}

/// Returns true if the edge or corner at `border` can push along `up`: it is convex, and no
/// triangle that shares it rises above it.
bool can_push(const SurfaceSetting& s, const Triangle& t, const BorderPoint& border, Vec3 up) {
  const auto convex = [&](std::size_t edge) { return (t.source->convex_edges >> edge & 1U) != 0; };
  const std::size_t tail = border.edge, head = (tail + 1) % 3;
  if (border.share > 0.0f && border.share < 1.0f)
    return convex(tail) && is_farthest_around(s, std::array{t.corners[tail], t.corners[head]}, up);
  const std::size_t corner = border.share > 0.0f ? head : tail;
  return (convex(corner) || convex((corner + 2) % 3)) &&
         is_farthest_around(s, std::array{t.corners[corner]}, up);
}

/// Returns true if a ball about the origin is beside the triangle, but is expected to run onto its
/// face within the step. The separation from the face's plane is `separation`. The ball must reach
/// the triangle across flat or concave edges: there the plane of the face, beyond the edge, lies
/// below the surface, so it stops the ball only where the face itself does.
///
/// Without this contact, the ball would enter the face ahead by up to a step's travel times the
/// sine of the angle between the faces. Its correction would lift the ball at no cost of speed.
bool runs_onto(const SurfaceSetting& s, const Triangle& t, float separation) {
  if (separation < -1e-3f * s.size || separation + dot(s.travel, t.normal) >= 0.0f) return false;
  const float reach = length(s.travel);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = t.corners[(i + 1) % 3] - t.corners[i];
    const float beside = dot(cross(edge, t.normal), -t.corners[i]), scale = length(edge);
    if (beside <= 1e-3f * s.size * scale) continue;
    if ((t.source->convex_edges >> i & 1U) != 0 || beside > reach * scale) return false;
  }
  return true;
}

/// Collides a ball about the origin with the face below it or ahead of it, or with an edge or
/// corner that can push.
Candidate collide_ball(const SurfaceSetting& s, const Triangle& t) {
  const float radius = s.body.rounding, height = -dot(t.corners[0], t.normal);
  if (height <= -pressed_through * radius || height - radius > s.margin) return {};
  Candidate candidate;
  candidate.normal = t.normal;
  candidate.separation = height - radius;
  if (!is_over(t, {}, 1e-3f * s.size) && !runs_onto(s, t, candidate.separation)) {
    if (t.source->convex_edges == 0) return {};
    const BorderPoint nearest = nearest_on_border(t, {});
    const float distance = length(nearest.at);
    if (distance == 0.0f || distance - radius > s.margin) return {};
    candidate.normal = nearest.at * (-1.0f / distance);
    candidate.separation = distance - radius;
    if (!can_push(s, t, nearest, candidate.normal)) return {};
  }
  const float down = radius + 0.5f * candidate.separation;
  candidate.count = 1;
  candidate.points[0] = {candidate.normal * -down, candidate.separation, 0};
  return candidate;
}

bool is_in_reach(const SurfaceSetting& s, const Triangle& t) {
  const Mat3 axes = narrowed(s.axes);
  const Vec3 p = transpose_multiply(axes, t.corners[0]), q = transpose_multiply(axes, t.corners[1]),
             r = transpose_multiply(axes, t.corners[2]);
  const Vec3 lower = min_of(p, min_of(q, r)), upper = max_of(p, max_of(q, r));
  return lower.x <= s.upper.x && lower.y <= s.upper.y && lower.z <= s.upper.z &&
         upper.x >= s.lower.x && upper.y >= s.lower.y && upper.z >= s.lower.z;
}

/// The triangle that a body overlaps along the steepest direction in which the surface cannot push.
/// It pushes the body if nothing else of the surface does.
struct LastResort {
  Triangle triangle;
  ConvexDistance distance;
  float steepness = 0;
};

/// Returns the manifold of a body with an edge, a corner or the face of a triangle.
Candidate meet_features(const Triangle& t, const Collision& collision) {
  Candidate candidate;
  candidate.normal = collision.normal;
  candidate.count = collision.point_count;
  candidate.points = collision.points;
  candidate.separation = 3.0e38f;
  for (std::uint32_t i = 0; i < collision.point_count; ++i) {
    candidate.points[i].feature ^= t.source->index << 12;
    candidate.separation = math::min_of(candidate.separation, collision.points[i].separation);
  }
  return candidate;
}

Candidate collide_triangle(const SurfaceSetting& s, const Triangle& t, LastResort& last) {
  if (!is_in_reach(s, t)) return {};
  const Vec3d up = widened(t.normal);
  const Vec3 lowest = narrowed(support_of_body(s, -up)), highest = narrowed(support_of_body(s, up));
  const float low = dot(lowest - t.corners[0], t.normal) - s.body.rounding;
  const float high = dot(highest - t.corners[0], t.normal) + s.body.rounding;
  if (low > s.margin || low + high <= -pressed_through * (high - low)) return {};

  // If the body's lowest point lies over the triangle and is not deep inside, the body touches the
  // face. The body also touches the face if no edge of the triangle can push.
  constexpr float deep = 0.25f;
  const Candidate over = over_triangle(s, t, lowest);
  if (t.source->convex_edges == 0) return over;
  const bool is_lowest_over = over.count > 0 && over.separation < low + 1e-3f * s.size;
  if (is_lowest_over && low > -deep * (high - low)) return over;

  const Convex flat = convex_of_triangle(t.corners, t.normal);
  const ConvexPair pair{flat, s.body, {}, s.axes};
  const float reach = s.margin + s.body.rounding;
  const Vec3 mid = lowest * 0.8f;
  const Vec3 to_centre = mid - nearest_on_border(t, mid).at;
  const Vec3d guess = to_centre == Vec3{} ? up : widened(to_centre);
  const ConvexDistance distance = convex_distance(pair, guess, static_cast<double>(reach));
  if (distance.is_beyond || distance.distance > static_cast<double>(reach)) return {};
  const Vec3 direction = narrowed(distance.normal);
  const float steepness = dot(direction, t.normal);
  // Points of the face are enough, but a body beside the triangle may have none.
  const bool has_points = over.count > 0;
  constexpr float is_face = 0.9998f;  // cos 1.1°
  constexpr float sideways = -0.02f;
  if ((has_points && steepness > is_face) || steepness < sideways) return over;
  if (!can_push(s, t, direction)) {
    if (distance.distance < static_cast<double>(s.body.rounding) && steepness > last.steepness)
      last = {t, distance, steepness};
    return over;
  }
  const Collision collision = convex_manifold(pair, distance, s.margin);
  if (has_points && dot(collision.normal, t.normal) > is_face) return over;
  return meet_features(t, collision);
}

/// Collides a body with all triangles of the setting. Works in the setting's frame; normals lead
/// from the surface to the body.
void collide_body(const SurfaceSetting& s, SurfaceScratch& scratch, CollisionSet& result) {
  SurfacePoints points(scratch.points);
  LastResort last;
  const bool is_ball = s.body.kind == ConvexKind::Point;
  const auto add = [&](const Candidate& found) {
    for (std::uint32_t i = 0; i < found.count; ++i)
      points.add({found.normal, found.points[i],
                  is_ball ? found.points[i].separation + dot(s.travel, found.normal) : 3.0e38f});
  };
  for (const SurfaceTriangle& source : s.triangles) {
    Triangle t;
    t.source = &source;
    for (std::size_t i = 0; i < 3; ++i)
      t.corners[i] = source.corners[i] - s.origin;
    const Vec3 normal = cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]);
    const float twice_area = length(normal);
    constexpr float no_area = 1e-12f;  // m²
    if (!(twice_area > no_area)) continue;
    t.normal = normal / twice_area;
    add(is_ball ? collide_ball(s, t) : collide_triangle(s, t, last));
  }
  if (points.is_empty() && last.steepness > 0.0f) {
    const Convex flat = convex_of_triangle(last.triangle.corners, last.triangle.normal);
    add(meet_features(last.triangle, convex_manifold(ConvexPair{flat, s.body, {}, s.axes},
                                                     last.distance, s.margin)));
  }
  points.merge(s.size, s.margin, result);
}

void collide_convex_surface(const PlacedShape& surface, const PlacedShape& other, Vec3 origin,
                            Vec3 travel, float margin, SurfaceScratch& scratch,
                            CollisionSet& result) {
  const Convex body = convex_of(other.shape);
  SurfaceSetting s{body,   transpose_multiply(widened(surface.axes), widened(other.axes)),
                   origin, travel,
                   margin, smallest_size(body),
                   {},     {},
                   {}};
  find_own_bounds(s);
  const auto reach = [&](Vec3d direction) {
    return static_cast<float>(dot(support_of_body(s, direction), direction)) + body.rounding;
  };
  const float spare = margin + 1e-3f * s.size;
  const Vec3 upper{reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})};
  const Vec3 lower{reach({-1, 0, 0}), reach({0, -1, 0}), reach({0, 0, -1})};
  const Vec3 border{spare, spare, spare};
  geometry::find_triangles(surface.shape, s.origin - lower - border, s.origin + upper + border,
                           scratch.triangles);
  scratch.examined_triangles += scratch.triangles.size();
  s.triangles = scratch.triangles;
  collide_body(s, scratch, result);
}

/// Turns normals and points from the surface's frame to the world's. Normals then lead from a to b,
/// and points are relative to the origin of a.
void turn_to_world(const PlacedShape& surface, bool is_b_surface, Vec3 offset,
                   CollisionSet& result) {
  for (std::uint32_t k = 0; k < result.count; ++k) {
    Collision& collision = result.collisions[k];
    const Vec3 to_world = surface.axes * collision.normal;
    collision.normal = is_b_surface ? -to_world : to_world;
    for (std::uint32_t i = 0; i < collision.point_count; ++i) {
      Vec3& position = collision.points[i].position;
      position = surface.axes * position;
      if (!is_b_surface) position += offset;
    }
  }
}

void collide_box_surface(const PlacedShape& surface, const PlacedShape& box, Vec3 origin,
                         float margin, SurfaceScratch& scratch, CollisionSet& result) {
  const Mat3 axes = narrowed(transpose_multiply(widened(surface.axes), widened(box.axes)));
  const Vec3 half = box.shape.half_extents;
  const float size = math::min_of(half.x, math::min_of(half.y, half.z));
  constexpr float slack = 1e-3f;  // share of the box's size
  const float spare = margin + slack * size;
  const Vec3 reach = abs_of(axes.cx) * half.x + abs_of(axes.cy) * half.y +
                     abs_of(axes.cz) * half.z + Vec3{spare, spare, spare};
  geometry::find_blocks(surface.shape, origin - reach, origin + reach, scratch.blocks);
  SurfacePoints points(scratch.points);
  meet_box({half, axes, origin, margin, slack * size}, scratch, points);
  points.merge(size, margin, result);
}

}  // namespace

void collide_surface(const PlacedShape& a, const PlacedShape& b, Vec3 offset, Vec3 travel,
                     float margin, SurfaceScratch& scratch, CollisionSet& result) {
  result.count = 0;
  const bool is_b_surface = is_surface(b.shape.kind);
  const PlacedShape &surface = is_b_surface ? b : a, &other = is_b_surface ? a : b;
  if (is_surface(other.shape.kind) || other.shape.kind == state::ShapeKind::Plane) return;
  const Vec3 origin = transpose_multiply(surface.axes, is_b_surface ? -offset : offset);
  if (other.shape.kind == state::ShapeKind::Box) {
    collide_box_surface(surface, other, origin, margin, scratch, result);
  } else {
    const Vec3 path = transpose_multiply(surface.axes, is_b_surface ? -travel : travel);
    collide_convex_surface(surface, other, origin, path, margin, scratch, result);
  }
  turn_to_world(surface, is_b_surface, offset, result);
}

}  // namespace jostle::physics
