#include "shared/physics/collision/clip.h"
#include "shared/physics/collision/collide.h"
#include "shared/physics/collision/triple.h"

#include <array>
#include <cmath>

namespace jostle::physics {

using math::Mat3;
using math::Vec3;

namespace {

// Separating axis test (SAT): two boxes are apart exactly if one of the faces' normals or one of
// the nine cross products of their edges separates them (Gottschalk et al., "OBBTree", 1996). If
// they overlap, the axis of least depth gives the normal. If it is the normal of a face, the
// incident face of the other box is clipped to that face. A pair of edges gives one point.

Collision separated_along(Vec3 axis) {
  Collision result;
  result.normal = axis;
  return result;
}

/// Returns the half extent of a box along a unit vector.
float reach(const PlacedShape& box, Vec3 axis) {
  return dot(abs_of(transpose_multiply(box.axes, axis)), box.shape.half_extents);
}

/// Returns true if `axis` separates the boxes by more than `margin`. It must be a unit vector or
/// zero; zero separates nothing.
bool are_apart_along(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin,
                     Vec3 axis) {
  return dot(axis, offset) - reach(a, axis) - reach(b, axis) > margin;
}

/// Box b in the frame of box a.
struct Relative {
  Triple half_a, half_b;
  Triple centre;                    // centre of b
  std::array<Triple, 3> axes;       // axes[j] is axis j of b
  std::array<Triple, 3> magnitude;  // absolute values of the components of `axes`
};

Relative seen_from(const PlacedShape& a, const PlacedShape& b, Vec3 offset) {
  Relative r;
  r.half_a = triple(a.shape.half_extents);
  r.half_b = triple(b.shape.half_extents);
  r.centre = triple(transpose_multiply(a.axes, offset));
  const std::array<Vec3, 3> columns{b.axes.cx, b.axes.cy, b.axes.cz};
  for (std::size_t j = 0; j < 3; ++j) {
    const Vec3 axis = transpose_multiply(a.axes, columns[j]);
    r.axes[j] = triple(axis);
    r.magnitude[j] = triple(abs_of(axis));
  }
  return r;
}

struct FaceAxis {
  float separation = -3.0e38f;
  std::size_t axis = 0;
  float side = 1;  // ±1: the side of the reference box that faces the other box
};

/// The two face axes of one box with the largest separations, best first.
struct FaceAxes {
  FaceAxis best, second;

  void offer(const FaceAxis& axis) {
    if (axis.separation > best.separation) {
      second = best;
      best = axis;
    } else if (axis.separation > second.separation) {
      second = axis;
    }
  }
};

/// Returns true if, along the second-best face axis in `axes`, the boxes are apart or overlap by
/// less than 2 % of `size` and less than 1 mm. This happens if a box slides over a floor of flush
/// boxes and reaches the next one: the best axis is then the normal of a side at the seam (an
/// internal edge), the second one the normal of the floor. The caller uses the second axis, so that
/// the seam has no effect.
bool is_flush(const FaceAxes& axes, float size) {
  constexpr float flush_share = 0.02f, most = 1e-3f;  // share of the size; m
  return axes.second.separation > -math::min_of(flush_share * size, most);
}

/// Returns the outward normal of the face of `box`, in world axes.
Vec3 normal_of(const PlacedShape& box, const FaceAxis& face) {
  const Vec3 column = face.axis == 0 ? box.axes.cx : face.axis == 1 ? box.axes.cy : box.axes.cz;
  return column * face.side;
}

FaceAxes face_axes_of_a(const Relative& r) {
  FaceAxes axes;
  for (std::size_t i = 0; i < 3; ++i) {
    const float reach = r.magnitude[0][i] * r.half_b[0] + r.magnitude[1][i] * r.half_b[1] +
                        r.magnitude[2][i] * r.half_b[2];
    const float separation = math::abs_of(r.centre[i]) - r.half_a[i] - reach;
    axes.offer({separation, i, r.centre[i] < 0.0f ? -1.0f : 1.0f});
  }
  return axes;
}

FaceAxes face_axes_of_b(const Relative& r) {
  FaceAxes axes;
  for (std::size_t j = 0; j < 3; ++j) {
    const float along =
        r.centre[0] * r.axes[j][0] + r.centre[1] * r.axes[j][1] + r.centre[2] * r.axes[j][2];
    const float reach = r.magnitude[j][0] * r.half_a[0] + r.magnitude[j][1] * r.half_a[1] +
                        r.magnitude[j][2] * r.half_a[2];
    const float separation = math::abs_of(along) - r.half_b[j] - reach;
    // Seen from b, a lies in the opposite direction.
    axes.offer({separation, j, along < 0.0f ? 1.0f : -1.0f});
  }
  return axes;
}

struct EdgeAxis {
  float separation = -3.0e38f;
  std::size_t edge_a = 0, edge_b = 0;
  Triple normal{0, 1, 0};  // unit vector from a to b, frame of a
};

/// Returns the pair of edges with the largest separation. Stops early at a pair that is farther
/// apart than `margin`.
EdgeAxis best_edges(const Relative& r, float margin) {
  // Pairs of nearly parallel edges (below 1.8°) are skipped: their axes separate no boxes that the
  // faces do not separate.
  constexpr float parallel_sine_squared = 1e-3f;
  EdgeAxis best;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      // e_i × axis_j has components (−axis[i2], axis[i1]) at (i1, i2).
      const float n1 = -r.axes[j][i2], n2 = r.axes[j][i1];
      const float squared = n1 * n1 + n2 * n2;
      if (squared < parallel_sine_squared) continue;
      const float along = r.centre[i1] * n1 + r.centre[i2] * n2;
      const float reach_a = r.half_a[i1] * r.magnitude[j][i2] + r.half_a[i2] * r.magnitude[j][i1];
      const float reach_b = r.half_b[j1] * r.magnitude[j2][i] + r.half_b[j2] * r.magnitude[j1][i];
      const float scale = 1.0f / std::sqrt(squared);
      const float separation = (math::abs_of(along) - reach_a - reach_b) * scale;
      if (separation <= best.separation) continue;
      const float sign = along < 0.0f ? -scale : scale;
      best.separation = separation;
      best.edge_a = i;
      best.edge_b = j;
      best.normal = {0, 0, 0};
      best.normal[i1] = n1 * sign;
      best.normal[i2] = n2 * sign;
      if (separation > margin) return best;
    }
  }
  return best;
}

/// The edges of one box that are parallel to the contact's edge and may touch the other box: the
/// edge that reaches farthest along the normal, and the one beside it on the face that faces the
/// other box most. All vectors are in the frame of box a.
struct ParallelEdges {
  Vec3 along;                             // unit vector
  std::array<Vec3, 2> middle;             // middles of the edges
  std::array<std::uint32_t, 2> corner{};  // their names: one bit for each side that they are on
  float behind = 0;  // m, distance of the second edge behind the first one along the normal
};

/// Returns the edges of a box with the given axes and half extents. `towards` points from this box
/// to the other one.
ParallelEdges parallel_edges(const std::array<Vec3, 3>& axes, const Triple& half, Vec3 centre,
                             std::size_t edge, Vec3 towards) {
  ParallelEdges edges;
  edges.along = axes[edge];
  Vec3 first = centre, step;
  std::uint32_t corner = 0, other = 0;
  float least = 3.0e38f;
  for (std::size_t k = 0; k < 3; ++k) {
    if (k == edge) continue;
    const float along = dot(axes[k], towards), side = along < 0.0f ? -half[k] : half[k];
    first += axes[k] * side;
    if (along < 0.0f) corner |= 1U << k;
    const float behind = 2.0f * half[k] * math::abs_of(along);
    if (behind >= least) continue;
    least = behind;
    step = axes[k] * (-2.0f * side);
    other = 1U << k;
  }
  edges.middle = {first, first + step};
  edges.corner = {corner, corner ^ other};
  edges.behind = least;
  return edges;
}

/// Collides edges with edges. The first point is midway between the closest points of the two edges
/// that reach farthest. The edges parallel to them cross at the same normal, so they give further
/// points. Without these, a thin box that lies across another one would be supported by one point,
/// and would rock from edge to edge.
Collision collide_edges(const Relative& r, const EdgeAxis& best, float margin) {
  const auto vector_of = [](const Triple& t) { return Vec3{t[0], t[1], t[2]}; };
  const Vec3 n = vector_of(best.normal);
  const ParallelEdges on_a =
      parallel_edges({Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, r.half_a, {}, best.edge_a, n);
  const ParallelEdges on_b =
      parallel_edges({vector_of(r.axes[0]), vector_of(r.axes[1]), vector_of(r.axes[2])}, r.half_b,
                     vector_of(r.centre), best.edge_b, -n);
  const float along = dot(on_a.along, on_b.along), denominator = 1.0f - along * along;
  const auto edges = static_cast<std::uint32_t>(best.edge_a * 3 + best.edge_b);
  Collision result;
  result.normal = n;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const float separation =
          best.separation + (i == 0 ? 0.0f : on_a.behind) + (k == 0 ? 0.0f : on_b.behind);
      if (separation > margin) continue;
      // The closest points of the lines p + s·u and q + t·v; u and v are unit vectors and not
      // parallel.
      const Vec3 p = on_a.middle[i], q = on_b.middle[k], between = q - p;
      const float pu = dot(between, on_a.along), pv = dot(between, on_b.along);
      const float s = (pu - along * pv) / denominator, t = (along * pu - pv) / denominator;
      const bool is_first = i == 0 && k == 0;
      if (!is_first &&
          (math::abs_of(s) > r.half_a[best.edge_a] || math::abs_of(t) > r.half_b[best.edge_b]))
        continue;
      constexpr std::uint32_t is_edge_pair = 1U << 20;
      result.add({((p + on_a.along * s) + (q + on_b.along * t)) * 0.5f, separation,
                  is_edge_pair | edges << 6 | on_a.corner[i] << 3 | on_b.corner[k]});
    }
  }
  return result;
}

/// The reference box in its own frame, and the other box relative to it.
struct FaceSetting {
  Triple half;                 // half extents of the reference box
  Triple centre;               // centre of the other box
  std::array<Triple, 3> axes;  // axes of the other box
  Triple half_other;
  FaceAxis face;
};

/// Returns the incident face: the face of the other box that faces the reference face most. Sets
/// `face_name` to its id.
ClipPolygon incident_face(const FaceSetting& s, std::uint32_t& face_name) {
  const std::size_t r = s.face.axis;
  std::size_t j = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (math::abs_of(s.axes[k][r]) > math::abs_of(s.axes[j][r])) j = k;
  }
  const bool is_along = s.axes[j][r] * s.face.side > 0.0f;
  const float side = is_along ? -s.half_other[j] : s.half_other[j];
  face_name = static_cast<std::uint32_t>(2 * j + (is_along ? 1 : 0));

  const std::size_t k = (j + 1) % 3, l = (j + 2) % 3, u = (r + 1) % 3, v = (r + 2) % 3;
  const std::array<float, 4> along_k{1, -1, -1, 1}, along_l{1, 1, -1, -1};
  ClipPolygon polygon;
  for (std::uint32_t corner = 0; corner < 4; ++corner) {
    const auto coordinate = [&](std::size_t x) {
      return s.centre[x] + s.axes[j][x] * side +
             s.axes[k][x] * (along_k[corner] * s.half_other[k]) +
             s.axes[l][x] * (along_l[corner] * s.half_other[l]);
    };
    polygon.add({coordinate(u), coordinate(v), s.face.side * coordinate(r) - s.half[r], corner});
  }
  return polygon;
}

/// Clips the incident face to the reference face. Returns the points and the outward normal of the
/// reference face, in the frame of the reference box.
Collision collide_face(const FaceSetting& s, float margin) {
  Collision result;
  const std::size_t r = s.face.axis, u = (r + 1) % 3, v = (r + 2) % 3;
  std::uint32_t other_face = 0;
  // The rectangle is a little larger than the face. Corners that lie exactly over each other, as in
  // a stack of equal boxes, would otherwise be cut in one step and not in the next.
  constexpr float enlarged = 1.002f;
  const ClipPolygon cut =
      clip_to_rectangle(incident_face(s, other_face), s.half[u] * enlarged, s.half[v] * enlarged);
  ClipPolygon near;
  std::array<std::uint32_t, 8> names{};
  for (std::uint32_t i = 0; i < cut.count; ++i) {
    if (cut.vertices[i].height > margin) continue;
    names[near.count] = cut.corner_name(i);
    near.add(cut.vertices[i]);
  }
  std::array<std::uint32_t, 4> picked{};
  const std::uint32_t count = pick_four(std::span(near.vertices).first(near.count), picked);
  const auto own_face = static_cast<std::uint32_t>(2 * r + (s.face.side < 0.0f ? 1 : 0));
  for (std::uint32_t i = 0; i < count; ++i) {
    const ClipVertex& p = near.vertices[picked[i]];
    Triple position{0, 0, 0};
    position[r] = s.face.side * (s.half[r] + 0.5f * p.height);
    position[u] = p.u;
    position[v] = p.v;
    const std::uint32_t feature = own_face << 9 | other_face << 6 | names[picked[i]];
    result.add({{position[0], position[1], position[2]}, p.height, feature});
  }
  Triple normal{0, 0, 0};
  normal[r] = s.face.side;
  result.normal = {normal[0], normal[1], normal[2]};
  return result;
}

/// Returns the boxes in the frame of a, with box a as the reference.
FaceSetting setting_of_a(const Relative& r, const FaceAxis& face) {
  return {r.half_a, r.centre, r.axes, r.half_b, face};
}

FaceSetting setting_of_b(const Relative& r, const FaceAxis& face) {
  FaceSetting s;
  s.half = r.half_b;
  s.half_other = r.half_a;
  s.face = face;
  for (std::size_t j = 0; j < 3; ++j) {
    s.centre[j] =
        -(r.centre[0] * r.axes[j][0] + r.centre[1] * r.axes[j][1] + r.centre[2] * r.axes[j][2]);
    for (std::size_t i = 0; i < 3; ++i)
      s.axes[i][j] = r.axes[j][i];
  }
  return s;
}

void turn(Collision& collision, const Mat3& axes, Vec3 origin, bool is_flipped,
          std::uint32_t feature_mark) {
  collision.normal = axes * collision.normal;
  if (is_flipped) collision.normal = -collision.normal;
  for (std::uint32_t i = 0; i < collision.point_count; ++i) {
    CollisionPoint& point = collision.points[i];
    point.position = origin + axes * point.position;
    point.feature |= feature_mark;
  }
}

}  // namespace

Collision collide_box_box(const PlacedShape& a, const PlacedShape& b, Vec3 offset, float margin,
                          Vec3 axis) {
  if (are_apart_along(a, b, offset, margin, axis)) return separated_along(axis);
  const Relative r = seen_from(a, b, offset);
  const FaceAxes axes_a = face_axes_of_a(r);
  if (axes_a.best.separation > margin) return separated_along(normal_of(a, axes_a.best));
  const FaceAxes axes_b = face_axes_of_b(r);
  if (axes_b.best.separation > margin) return separated_along(-normal_of(b, axes_b.best));
  const Vec3 smaller = min_of(a.shape.half_extents, b.shape.half_extents);
  const float size = math::min_of(smaller.x, math::min_of(smaller.y, smaller.z));
  const bool is_flush_a = is_flush(axes_a, size), is_flush_b = is_flush(axes_b, size);
  const FaceAxis &face_a = is_flush_a ? axes_a.second : axes_a.best,
                 &face_b = is_flush_b ? axes_b.second : axes_b.best;
  const EdgeAxis edges = best_edges(r, margin);
  if (edges.separation > margin) return separated_along(a.axes * vector(edges.normal));

  // If separations are nearly equal, faces win over edges, and the faces of a over those of b. Four
  // points are better than one, and the same choice in each step lets the impulses of the previous
  // step warm-start this one.
  constexpr float face_preference = 0.01f, first_preference = 0.005f;  // share of the size
  const float best_face = math::max_of(face_a.separation, face_b.separation);
  Collision result;
  const bool is_edge = edges.separation > best_face + face_preference * size;
  if (is_edge && !is_flush_a && !is_flush_b) {
    result = collide_edges(r, edges, margin);
    turn(result, a.axes, {}, false, 0);
  } else if (face_b.separation > face_a.separation + first_preference * size) {
    constexpr std::uint32_t reference_is_b = 1U << 16;
    result = collide_face(setting_of_b(r, face_b), margin);
    turn(result, b.axes, offset, true, reference_is_b);
  } else {
    result = collide_face(setting_of_a(r, face_a), margin);
    turn(result, a.axes, {}, false, 0);
  }
  return result;
}

}  // namespace jostle::physics
