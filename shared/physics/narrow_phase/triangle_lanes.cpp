#include "shared/physics/narrow_phase/triangle_lanes.h"

#include "shared/simd/baseline.h"
#include "shared/simd/vector_lanes.h"

namespace jostle::physics {

using geometry::SurfaceTriangle;
using math::Vec3;
using simd::baseline::Floats;
using simd::baseline::Mask;
using Vectors = simd::Vectors<Floats>;

namespace {

Floats abs_of(Floats x) {
  return max_of(x, -x);
}
Vectors abs_of(const Vectors& v) {
  return {abs_of(v.x), abs_of(v.y), abs_of(v.z)};
}
Vectors min_of(const Vectors& a, const Vectors& b) {
  return {min_of(a.x, b.x), min_of(a.y, b.y), min_of(a.z, b.z)};
}
Vectors max_of(const Vectors& a, const Vectors& b) {
  return {max_of(a.x, b.x), max_of(a.y, b.y), max_of(a.z, b.z)};
}
Vectors splat(Vec3 v) {
  return {Floats::splat(v.x), Floats::splat(v.y), Floats::splat(v.z)};
}
Mask is_within(const Vectors& v, const Vectors& limit) {
  return (v.x <= limit.x) & (v.y <= limit.y) & (v.z <= limit.z);
}
Vectors transpose_multiply(const math::Mat3& m, const Vectors& v) {
  return {dot(splat(m.cx), v), dot(splat(m.cy), v), dot(splat(m.cz), v)};
}

/// The triangles' corners about the box's origin, still in the surface's frame. Lanes without a
/// triangle repeat the last one.
struct Gathered {
  alignas(32) float corners[9][8];
  alignas(32) float gap[3][8];  // what the prism widens over an edge, for each metre of depth
  std::array<std::uint32_t, 3> is_convex{};
};

void gather(std::span<const SurfaceTriangle> triangles, Gathered& g) {
  for (std::size_t i = 0; i < 8; ++i) {
    const SurfaceTriangle& t = triangles[i < triangles.size() ? i : triangles.size() - 1];
    for (std::size_t c = 0; c < 3; ++c) {
      g.corners[3 * c][i] = t.corners[c].x;
      g.corners[3 * c + 1][i] = t.corners[c].y;
      g.corners[3 * c + 2][i] = t.corners[c].z;
      const std::uint32_t is_convex = t.convex_edges >> c & 1U;
      g.gap[c][i] = is_convex != 0 ? 0.0f : half_bend;
      g.is_convex[c] |= is_convex << i;
    }
  }
}

/// The triangles' planes and their edges' sides, in the box's frame.
struct Planes {
  Vectors normal;
  Floats height;                    // of the box's origin
  std::array<Vectors, 3> outwards;  // of an edge, as long as it, in the plane
  std::array<Floats, 3> offsets;    // outwards · x of the edge
  std::array<Floats, 3> squares;    // of the edges' lengths
};

/// Whether a corner of the box is over each triangle.
Mask is_over(const Planes& p, const Gathered& g, const Vectors& corner, Floats height,
             Floats slack) {
  const Floats zero = Floats::splat(0), depth = max_of(-height, zero);
  Mask result = zero <= zero;
  for (std::size_t e = 0; e < 3; ++e) {
    const Floats outward = max_of(dot(p.outwards[e], corner) - p.offsets[e], zero);
    const Floats border = slack + Floats::load(g.gap[e]) * depth;
    result = result & (outward * outward <= border * border * p.squares[e]);
  }
  return result;
}

}  // namespace

void look_at_eight(const BoxOnSurface& s, std::span<const SurfaceTriangle> triangles,
                   TriangleLanes& lanes) {
  Gathered g;
  gather(triangles, g);
  const Vectors origin = splat(s.origin), half = splat(s.half);
  std::array<Vectors, 3> from_origin, corners;
  for (std::size_t c = 0; c < 3; ++c) {
    from_origin[c] = Vectors::load(&g.corners[3 * c]) - origin;
    corners[c] = transpose_multiply(s.axes, from_origin[c]);
    corners[c].store(&lanes.corners[3 * c]);
  }
  const Vectors area = cross(from_origin[1] - from_origin[0], from_origin[2] - from_origin[0]);
  const Vectors area_own = transpose_multiply(s.axes, area);
  const Floats above = -dot(area, from_origin[0]), size = sqrt_of(dot(area, area));
  const Floats zero = Floats::splat(0), margin = Floats::splat(s.margin);
  constexpr float no_area = 1e-12f;  // m²
  const Vectors grown = half + Vectors{margin, margin, margin};
  const Vectors lower = min_of(corners[0], min_of(corners[1], corners[2]));
  const Vectors upper = max_of(corners[0], max_of(corners[1], corners[2]));
  const Mask is_near = (zero < above) & (Floats::splat(no_area) < size) &
                       (above - dot(abs_of(area_own), half) <= margin * size) &
                       is_within(lower, grown) & is_within({-upper.x, -upper.y, -upper.z}, grown);
  const std::uint32_t present = (1U << triangles.size()) - 1;
  const std::uint32_t near = bits_of(is_near) & present;
  lanes.is_under = {};
  lanes.is_vertex_near = lanes.is_edge_near = {};
  if (near == 0) return;

  const Floats scale = Floats::splat(1) / max_of(size, Floats::splat(no_area));
  Planes p;
  p.normal = area_own * scale;
  p.height = above * scale;
  const Floats one_half = Floats::splat(0.5f);
  for (std::size_t e = 0; e < 3; ++e) {
    const std::size_t next = (e + 1) % 3, last = (e + 2) % 3;
    const Vectors edge = corners[next] - corners[e];
    p.outwards[e] = cross(edge, p.normal);
    p.offsets[e] = dot(p.outwards[e], corners[e]);
    p.squares[e] = dot(edge, edge);
    const Vectors apart = abs_of(corners[e] + corners[next]) * one_half - abs_of(edge) * one_half;
    lanes.is_edge_near[e] = near & g.is_convex[e] & bits_of(is_within(apart, grown));
    lanes.is_vertex_near[e] =
        near & (g.is_convex[e] | g.is_convex[last]) & bits_of(is_within(abs_of(corners[e]), grown));
  }
  const Floats slack = Floats::splat(s.slack);
  for (std::uint32_t k = 0; k < 8; ++k) {
    const Vectors corner =
        splat({(k & 1U) != 0 ? s.half.x : -s.half.x, (k & 2U) != 0 ? s.half.y : -s.half.y,
               (k & 4U) != 0 ? s.half.z : -s.half.z});
    const Floats height = p.height + dot(p.normal, corner);
    height.store(lanes.corner_heights[k]);
    const std::uint32_t low = near & bits_of(height <= margin);
    if (low != 0) lanes.is_under[k] = low & bits_of(is_over(p, g, corner, height, slack));
  }
}

}  // namespace jostle::physics
