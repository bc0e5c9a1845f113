#include "shared/physics/collision/convex_manifold.h"

#include "shared/physics/collision/side_clip.h"

#include <cmath>

namespace jostle::physics {

using math::Mat3;
using math::Vec3;
using math::Vec3d;

namespace {

constexpr std::uint32_t is_lone_point = 1U << 31, reference_is_b = 1U << 30;
/// A point over a face counts as the lone point of contact within this share of the smaller body's
/// size.
constexpr float lone_share = 0.1f;
constexpr std::uint32_t is_lowest = 0x3FFFF;  // an id that no other point over a face has

/// Two bodies, and the sides with which they face each other, in the frame of a.
struct Overlap {
  const ConvexPair& pair;
  const ConvexDistance& distance;
  Vec3 normal;
  float separation = 0;
  float margin = 0;
  // m; a face may be the reference if its separation is at most this much below the exact one
  float slack = 0;
  Side side_a, side_b;

  float radii() const { return pair.a.rounding + pair.b.rounding; }
};

Side placed(const Side& side, const ConvexPair& pair) {
  Side result;
  const Mat3 axes = narrowed(pair.axes);
  const Vec3 centre = narrowed(pair.centre);
  result.normal = axes * side.normal;
  result.offset = side.offset + dot(result.normal, centre);
  result.name = side.name;
  result.is_disc = side.is_disc;
  for (std::uint32_t i = 0; i < side.count; ++i)
    result.add(centre + axes * side.corners[i], side.names[i]);
  return result;
}

/// Returns the point of one body's core that is lowest over the face of the other body. The face is
/// that of a if `is_of_a`, else that of b.
Vec3d lowest_over(const Overlap& m, bool is_of_a) {
  const Vec3d down = -widened((is_of_a ? m.side_a : m.side_b).normal);
  if (!is_of_a) return support(m.pair.a, down);
  return m.pair.centre + m.pair.axes * support(m.pair.b, transpose_multiply(m.pair.axes, down));
}

bool is_over(const Side& face, Vec3 point) {
  for (std::uint32_t i = 0; i < face.count; ++i) {
    const Vec3 tail = face.corners[i], head = face.corners[i + 1 == face.count ? 0 : i + 1];
    if (dot(cross(head - tail, face.normal), point - tail) > 0.0f) return false;
  }
  return true;
}

/// Returns the separation, m, of one body from the face of the other, given its lowest point over
/// the face.
float separation_from(const Overlap& m, const Side& face, Vec3d lowest) {
  const double height = dot(lowest, widened(face.normal)) - static_cast<double>(face.offset);
  return static_cast<float>(height) - m.radii();
}

/// Returns the separation, m, of one body from the face of the other. The face is that of a if
/// `is_of_a`, else that of b.
float face_separation(const Overlap& m, bool is_of_a) {
  return separation_from(m, is_of_a ? m.side_a : m.side_b, lowest_over(m, is_of_a));
}

enum class Reference : std::uint8_t { None, FaceOfA, FaceOfB };

/// Chooses the reference face from the separations `of_a` and `of_b` along the two faces' normals.
/// A face is eligible if its separation is less than the exact one by at most the slack. If both
/// are, a polygon is preferred to a disc. Otherwise the face of a is chosen, unless that of b has a
/// separation larger by half the slack, so that each step makes the same choice.
Reference prefer(const Overlap& m, float of_a, float of_b) {
  const float wanted = m.separation - m.slack;
  const bool serves_a = of_a >= wanted, serves_b = of_b >= wanted;
  if (!serves_a && !serves_b) return Reference::None;
  if (serves_a != serves_b) return serves_a ? Reference::FaceOfA : Reference::FaceOfB;
  if (m.side_a.is_disc != m.side_b.is_disc) {
    return m.side_b.is_disc ? Reference::FaceOfA : Reference::FaceOfB;
  }
  return of_b > of_a + 0.5f * m.slack ? Reference::FaceOfB : Reference::FaceOfA;
}

Reference choose_reference(const Overlap& m) {
  constexpr float none = -3.0e38f;
  const float of_a = m.side_a.is_face() ? face_separation(m, true) : none;
  const float of_b = m.side_b.is_face() ? face_separation(m, false) : none;
  return prefer(m, of_a, of_b);
}

/// Returns the point midway between the closest points of the two surfaces, convex radii included.
Vec3 lone_point(const Overlap& m) {
  const Vec3d middle = (m.distance.on_a + m.distance.on_b) * 0.5;
  return narrowed(middle) + m.normal * (0.5f * (m.pair.a.rounding - m.pair.b.rounding));
}

/// Adds the lowest point of the other body's core if it lies over the reference face, and lower
/// than all points of the patch. The side that faces the reference face need not contain it. The
/// face is that of a if `is_a`, else that of b.
void add_lowest(const Overlap& m, bool is_a, const FaceFrame& frame, Patch& patch) {
  const Vec3 lowest = narrowed(lowest_over(m, is_a));
  const ClipVertex low = frame.place(lowest, is_lowest);
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    if (patch.vertices[i].height <= low.height + 0.1f * m.slack) return;
  }
  if (patch.count < Patch::capacity && is_over(is_a ? m.side_a : m.side_b, lowest)) patch.add(low);
}

/// The points over a face, and the separation of the deepest one, m, which need not be among them.
struct FacePoints {
  Collision collision;
  float deepest = 3.0e38f;
};

/// Clips the other side to the prism over the reference face. Returns no points if nothing lies
/// over it.
FacePoints over_face(const Overlap& m, Reference reference) {
  const bool is_a = reference == Reference::FaceOfA;
  const Side &face = is_a ? m.side_a : m.side_b, &other = is_a ? m.side_b : m.side_a;
  const float rounding = is_a ? m.pair.a.rounding : m.pair.b.rounding;
  // The prism is a little wider than the face. Corners that lie exactly over each other, as in a
  // stack of equal boxes, would otherwise be cut in one step and not in the next.
  const FaceFrame frame = frame_of(face);
  Patch patch = clip_to_face(other, face, frame, 0.1f * m.slack);
  add_lowest(m, is_a, frame, patch);

  FacePoints found;
  std::uint32_t near_count = 0;
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    ClipVertex vertex = patch.vertices[i];
    vertex.height -= m.radii();
    if (vertex.height > m.margin) continue;
    patch.vertices[near_count++] = vertex;
    found.deepest = math::min_of(found.deepest, vertex.height);
  }
  std::array<std::uint32_t, 4> picked{};
  const std::uint32_t count = pick_four(std::span(patch.vertices).first(near_count), picked);
  const std::uint32_t mark =
      (is_a ? 0 : reference_is_b) | (face.name & 0x3FU) << 24 | (other.name & 0x3FU) << 18;
  Collision& result = found.collision;
  result.normal = is_a ? face.normal : -face.normal;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ClipVertex& vertex = patch.vertices[picked[i]];
    const float up = rounding + 0.5f * vertex.height;
    result.add(
        {frame.point(vertex) + face.normal * up, vertex.height, mark | (vertex.edge & 0x3FFFFU)});
  }
  return found;
}

float deepest(const Collision& collision) {
  float least = 3.0e38f;
  for (std::uint32_t i = 0; i < collision.point_count; ++i)
    least = math::min_of(least, collision.points[i].separation);
  return least;
}

/// Returns the ends of the overlap of two segments that are nearly parallel (within 5.7°). Returns
/// no points if the sides are not such segments, if they overlap by less than 5 % of the shorter
/// one, or if they are closest between those ends.
Collision along_lines(const Overlap& m) {
  Collision result;
  result.normal = m.normal;
  if (m.side_a.count != 2 || m.side_b.count != 2) return result;
  const Vec3 a0 = m.side_a.corners[0], line_a = m.side_a.corners[1] - a0;
  const Vec3 b0 = m.side_b.corners[0], line_b = m.side_b.corners[1] - b0;
  const float length_a = length(line_a), length_b = length(line_b);
  if (length_a == 0.0f || length_b == 0.0f) return result;
  const Vec3 u = line_a / length_a;
  const float along = dot(u, line_b);
  constexpr float side_by_side = 0.995f;  // cos 5.7°
  if (math::abs_of(along) < side_by_side * length_b) return result;
  const float start = dot(b0 - a0, u), end = start + along;
  const float low = math::max_of(0.0f, math::min_of(start, end));
  const float high = math::min_of(length_a, math::max_of(start, end));
  if (high - low < 0.05f * math::min_of(length_a, length_b)) return result;
  std::uint32_t name = 0;
  for (const float x : {low, high}) {
    const Vec3 on_a = a0 + u * x;
    const Vec3 on_b = b0 + line_b * ((x - start) / along);
    const float separation = dot(m.normal, on_b - on_a) - m.radii();
    if (separation <= m.margin) {
      const float up = m.pair.a.rounding + 0.5f * separation;
      result.add({on_a + m.normal * up, separation, name});
    }
    ++name;
  }
  // If both ends are farther apart than the closest points, these lie between the ends.
  if (deepest(result) > m.separation + m.slack) result.point_count = 0;
  return result;
}

/// Returns the manifold of bodies that touch at one point, with the contact's exact normal. If
/// faces look at each other there, as those of two bars that lie across each other do, further
/// points are added where the faces lie over each other. Their separations are the gaps along the
/// normal. Without these points, a thin body would rock from edge to edge.
Collision around_lone_point(const Overlap& m, float size) {
  Collision result;
  result.normal = m.normal;
  const Vec3 lone = lone_point(m);
  result.add({lone, m.separation, is_lone_point});
  const float along_a = m.side_a.is_face() ? dot(m.side_a.normal, m.normal) : 0.0f;
  const float along_b = m.side_b.is_face() ? -dot(m.side_b.normal, m.normal) : 0.0f;
  const bool is_a = along_a >= along_b;
  const float cosine = is_a ? along_a : along_b;
  constexpr float facing = 0.9f;  // cos 26°
  if (cosine < facing) return result;
  const Side &face = is_a ? m.side_a : m.side_b, &other = is_a ? m.side_b : m.side_a;
  const FaceFrame frame = frame_of(face);
  Patch patch = clip_to_face(other, face, frame, 0.1f * m.slack);
  const ClipVertex at = frame.place(lone, is_lowest);
  const float apart = lone_share * size;
  std::uint32_t near_count = 0;
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    ClipVertex vertex = patch.vertices[i];
    vertex.height = math::max_of(vertex.height / cosine - m.radii(), m.separation);
    const float u = vertex.u - at.u, v = vertex.v - at.v;
    if (vertex.height > m.margin || u * u + v * v < apart * apart) continue;
    patch.vertices[near_count++] = vertex;
  }
  std::array<std::uint32_t, 4> picked{};
  const std::uint32_t count = pick_four(std::span(patch.vertices).first(near_count), picked);
  const std::uint32_t mark = is_lone_point | (is_a ? 0 : reference_is_b) |
                             (face.name & 0x3FU) << 24 | (other.name & 0x3FU) << 18;
  const float rounding = is_a ? m.pair.a.rounding : m.pair.b.rounding;
  for (std::uint32_t i = 0; i < count && result.point_count < max_manifold_points; ++i) {
    const ClipVertex& vertex = patch.vertices[picked[i]];
    const float up = rounding + 0.5f * vertex.height;
    result.add(
        {frame.point(vertex) + face.normal * up, vertex.height, mark | (vertex.edge & 0x3FFFFU)});
  }
  return result;
}

constexpr float face_preference = 0.01f;  // share of the smaller body's size

/// Returns true if the bodies overlap by at least `depth` along the axes of their own boxes,
/// cylinders and cones, and across those of cylinders and cones. Returns false for other kinds,
/// whose sides may face in any direction.
bool overlaps_along_axes(const ConvexPair& pair, float depth) {
  const auto least = static_cast<double>(depth);
  const auto overlaps = [&](Vec3d axis) {
    const Vec3d towards = dot(axis, pair.centre) < 0 ? -axis : axis;
    return dot(towards, difference_support(pair, towards).at) >= least * length(axis);
  };
  const auto overlaps_own = [&](const Convex& body, const math::Mat3d& axes) {
    if (body.kind == ConvexKind::Box)
      return overlaps(axes.cx) && overlaps(axes.cy) && overlaps(axes.cz);
    if (body.kind != ConvexKind::Cylinder && body.kind != ConvexKind::Cone) return false;
    const Vec3d across = pair.centre - axes.cy * dot(pair.centre, axes.cy);
    return overlaps(axes.cy) && (dot(across, across) == 0 || overlaps(across));
  };
  return overlaps_own(pair.a, {}) && overlaps_own(pair.b, pair.axes);
}

/// Tries to use a face near `axis`, the normal of the previous step. If the other body's nearest
/// corner lies over a face, and the cores are apart along its normal, no other direction separates
/// them more: the manifold is known without computing a distance. Returns no points if there is no
/// such face, or if the bodies are farther apart than `margin`.
///
/// If the cores overlap by less than the slack, a face within 1.1° of the axis counts. If they
/// overlap by up to a quarter of the smaller body, a face within 5.7° counts, unless the overlap is
/// shallower along another axis of the bodies.
Collision over_known_face(const ConvexPair& pair, Vec3d axis, float margin) {
  const float size = math::min_of(smallest_size(pair.a), smallest_size(pair.b));
  const Vec3 normal = narrowed(axis);
  const Vec3 normal_in_b = narrowed(transpose_multiply(pair.axes, axis));
  const ConvexDistance unknown;
  Overlap m{pair,
            unknown,
            normal,
            0,
            margin,
            face_preference * size,
            side_towards(pair.a, normal),
            placed(side_towards(pair.b, -normal_in_b), pair)};
  constexpr float same_direction = 0.9998f, near_direction = 0.995f;  // cos 1.1°, cos 5.7°
  constexpr float most_overlap = 0.25f, none = -3.0e38f;
  const auto separation_of = [&](bool is_of_a) {
    const Side& face = is_of_a ? m.side_a : m.side_b;
    if (!face.is_face()) return none;
    const Vec3d lowest = lowest_over(m, is_of_a);
    const float separation = separation_from(m, face, lowest);
    const float along = dot(face.normal, is_of_a ? normal : -normal);
    if (along > same_direction && separation >= -m.slack) return separation;
    const bool is_apart = separation + m.radii() > 0.0f;
    if (separation > margin || separation < -most_overlap * size ||
        !is_over(face, narrowed(lowest)))
      return none;
    const bool is_shallowest =
        is_apart ||
        (along > near_direction && overlaps_along_axes(pair, -separation - m.radii() - m.slack));
    return is_shallowest ? separation : none;
  };
  const float of_a = separation_of(true), of_b = separation_of(false);
  m.separation = math::max_of(of_a, of_b);
  if (m.separation == none || m.separation > margin) return {};
  const Reference reference = prefer(m, of_a, of_b);
  const FacePoints points = over_face(m, reference);
  const float found = reference == Reference::FaceOfA ? of_a : of_b;
  constexpr float rounding_share = 0.1f;  // fraction of the slack
  return points.deepest <= found + rounding_share * m.slack ? points.collision : Collision{};
}

Collision in_world(const Collision& local, const Mat3& axes) {
  Collision result = local;
  result.normal = axes * local.normal;
  for (std::uint32_t i = 0; i < local.point_count; ++i)
    result.points[i].position = axes * local.points[i].position;
  return result;
}

}  // namespace

Collision convex_manifold(const ConvexPair& pair, const ConvexDistance& distance, float margin) {
  // Faces win near ties, because four points are better than one.
  const float size = math::min_of(smallest_size(pair.a), smallest_size(pair.b));
  const Vec3 normal = narrowed(distance.normal);
  const float separation =
      static_cast<float>(distance.distance) - pair.a.rounding - pair.b.rounding;
  const Vec3 normal_in_b = narrowed(transpose_multiply(pair.axes, distance.normal));
  const Overlap m{pair,
                  distance,
                  normal,
                  separation,
                  margin,
                  face_preference * size,
                  side_towards(pair.a, normal),
                  placed(side_towards(pair.b, -normal_in_b), pair)};

  const Reference reference = choose_reference(m);
  Collision result;
  if (reference != Reference::None) {
    const FacePoints points = over_face(m, reference);
    // If the clipped side does not contain the body's nearest corner, use the closest points.
    if (points.deepest <= separation + m.slack) return points.collision;
  } else {
    result = along_lines(m);
    if (result.point_count > 0) return result;
  }
  return around_lone_point(m, size);
}

Collision collide_convex(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin,
                         Vec3 axis) {
  const Convex body_a = convex_of(a.shape), body_b = convex_of(b.shape);
  const math::Mat3d axes_a = widened(a.axes);
  const ConvexPair pair{body_a, body_b, transpose_multiply(axes_a, widened(offset)),
                        transpose_multiply(axes_a, widened(b.axes))};
  Vec3d guess = transpose_multiply(axes_a, widened(axis));
  const float reach = margin + body_a.rounding + body_b.rounding;
  if (dot(guess, guess) != 0) {
    if (-dot(guess, difference_support(pair, guess).at) > static_cast<double>(reach)) {
      Collision apart;
      apart.normal = axis;
      return apart;
    }
    const Collision known = over_known_face(pair, guess, margin);
    if (known.point_count > 0) return in_world(known, a.axes);
  } else {
    guess = pair.centre;
  }
  if (dot(guess, guess) == 0) guess = {0, 1, 0};
  const ConvexDistance distance = convex_distance(pair, guess, static_cast<double>(reach));
  Collision result;
  if (distance.is_beyond || distance.distance > static_cast<double>(reach)) {
    result.normal = a.axes * narrowed(distance.normal);
    return result;
  }
  return in_world(convex_manifold(pair, distance, margin), a.axes);
}

/// Collides the side that faces the plane, and the body's lowest point if that side does not
/// contain it.
Collision collide_convex_plane(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                               float margin) {
  Collision result;
  const Vec3 up = b.axes.cy;
  result.normal = -up;
  const Convex body = convex_of(a.shape);
  const Vec3 down_local = transpose_multiply(a.axes, -up);
  const Vec3 lowest = narrowed(support(body, widened(down_local)));
  const float height = -dot(down_local, lowest) - dot(offset, up) - body.rounding;
  if (height > margin) return result;

  const Side side = side_towards(body, down_local);
  const Vec3 u = perpendicular(down_local), v = cross(down_local, u);
  Patch patch;
  const auto add = [&](Vec3 corner, std::uint32_t name) {
    const float corner_height = -dot(down_local, corner) - dot(offset, up) - body.rounding;
    if (corner_height > margin) return;
    patch.add({dot(corner, u), dot(corner, v), corner_height, name});
  };
  float side_height = 3.0e38f;
  for (std::uint32_t i = 0; i < side.count; ++i) {
    add(side.corners[i], static_cast<std::uint32_t>(side.name) << 8 | side.names[i]);
    side_height = math::min_of(side_height, -dot(down_local, side.corners[i]));
  }
  const float tolerance = 1e-3f * smallest_size(body);
  if (side_height > -dot(down_local, lowest) + tolerance) add(lowest, is_lone_point);

  std::array<std::uint32_t, 4> picked{};
  const std::uint32_t count = pick_four(std::span(patch.vertices).first(patch.count), picked);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ClipVertex& p = patch.vertices[picked[i]];
    // `core` is the coordinate of the core's point along `down_local`. The contact point lies
    // further down by the convex radius and half of the gap to the plane.
    const float core = dot(down_local, lowest) - (p.height - height);
    const float down = core + body.rounding + 0.5f * p.height;
    result.add({a.axes * (u * p.u + v * p.v + down_local * down), p.height, p.edge});
  }
  return result;
}

}  // namespace jostle::physics
