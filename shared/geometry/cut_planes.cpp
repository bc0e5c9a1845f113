#include "shared/geometry/detail/cut_planes.h"

#include "shared/geometry/detail/hull_cover.h"
#include "shared/geometry/detail/surface_edges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

// A plane is rated by the volume of the hulls of its two sides, because a small volume means little
// excess over the solid (Mamou, "Volumetric Hierarchical Approximate Convex Decomposition", 2016).
// The volume alone is not enough: no single plane makes the hulls of a ring smaller. Therefore,
// among planes with similar volumes, the rating prefers:
//
// - planes along reflex edges, because a convex piece has none;
// - planes whose sides have similar volumes;
// - planes with small sections, measured by the surface area of the hulls.

namespace jostle::geometry::detail {

using math::Vec3d;

namespace {

constexpr double least_bend = 0.1;  // Minimum bend of a reflex edge, in rad.
constexpr std::size_t max_reflex_planes = 24;
constexpr int positions = 8;  // intervals along each axis, with seven planes in between
constexpr int refinements = 2;
constexpr double imbalance_weight = 0.05, area_weight = 0.05, reflex_weight = 0.3;
/// Minimum share of the hulls' volumes that the smaller side must have.
constexpr double least_share = 1e-4;

/// Returns the unit eigenvectors of a symmetric matrix, by rotating pairs of axes until the
/// off-diagonal elements vanish (Jacobi, "Über ein leichtes Verfahren", 1846).
std::array<Vec3d, 3> eigenvectors(std::array<std::array<double, 3>, 3> m) {
  // eigenvectors, stored by columns
  std::array<std::array<double, 3>, 3> v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int sweeps = 12;
  constexpr std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const auto& [p, q] : pairs) {
      if (m[p][q] == 0.0) continue;
      const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
      const double root = std::sqrt(theta * theta + 1.0);
      const double t = theta >= 0.0 ? 1.0 / (theta + root) : 1.0 / (theta - root);
      const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
      for (std::size_t k = 0; k < 3; ++k) {
        const double kp = m[k][p], kq = m[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const double pk = m[p][k], qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
        const double vp = v[p][k], vq = v[q][k];
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
      }
    }
  }
  std::array<Vec3d, 3> axes;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3d axis{v[i][0], v[i][1], v[i][2]};
    axes[i] = axis * (1.0 / length(axis));
  }
  return axes;
}

/// Returns the principal axes of the surface. Triangles are weighted by area, so that a finer
/// triangulation of one region changes the axes little.
std::array<Vec3d, 3> principal_axes(const Polygons& surface) {
  struct Weighted {
    Vec3d middle;
    double area = 0;
  };
  std::vector<Weighted> triangles;
  Vec3d mean;
  double total = 0;
  for (const Polygons::Face& face : surface.faces) {
    const Vec3d a = surface.points[surface.loops[face.first]];
    for (std::uint32_t i = 1; i + 1 < face.count; ++i) {
      const Vec3d b = surface.points[surface.loops[face.first + i]];
      const Vec3d c = surface.points[surface.loops[face.first + i + 1]];
      const Weighted triangle{(a + b + c) * (1.0 / 3.0), length(cross(b - a, c - a))};
      mean = mean + triangle.middle * triangle.area;
      total += triangle.area;
      triangles.push_back(triangle);
    }
  }
  if (!(total > 0.0)) return {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  mean = mean * (1.0 / total);
  std::array<std::array<double, 3>, 3> spread{};
  for (const Weighted& triangle : triangles) {
    const Vec3d d = triangle.middle - mean;
    const std::array<double, 3> e{d.x, d.y, d.z};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        spread[i][k] += triangle.area * e[i] * e[k] / total;
    }
  }
  return eigenvectors(spread);
}

/// The part of a reflex edge that lies in a cell.
struct Reflex {
  Vec3d tail, head;
  double weight = 0;  // length (m) times |normal_a − normal_b|² / 2, which is 1 at a right angle
  std::size_t edge = 0;
};

/// Clips a segment to a cell. Returns false if nothing remains or if the segment lies in a wall of
/// the cell.
bool cut_off(const Polygons& cell, double tolerance, Vec3d& tail, Vec3d& head) {
  double enter = 0.0, leave = 1.0;
  for (const Polygons::Face& face : cell.faces) {
    const Vec3d wall = cell.points[cell.loops[face.first]];
    const double a = dot(face.normal, tail - wall), b = dot(face.normal, head - wall);
    if (a >= -tolerance && b >= -tolerance) return false;
    if (a > 0.0) enter = std::max(enter, a / (a - b));
    if (b > 0.0) leave = std::min(leave, a / (a - b));
  }
  const Vec3d along = head - tail, start = tail;
  tail = start + along * enter;
  head = start + along * leave;
  return (leave - enter) * length(along) > tolerance;
}

bool is_same(const Plane& a, const Plane& b, double tolerance) {
  constexpr double parallel = 1.0 - 1e-6;
  const double along = dot(a.normal, b.normal);
  if (std::abs(along) < parallel) return false;
  return std::abs(a.offset - (along > 0.0 ? b.offset : -b.offset)) < tolerance;
}

/// A part, and the planes that were tried on it.
class Trial {
 public:
  Trial(const SolidMesh& solid, const SolidPart& part, const std::vector<ReflexEdge>& edges);

  void try_reflex_planes(const std::vector<ReflexEdge>& edges);
  void try_along(Vec3d direction);
  std::vector<Plane> best(std::size_t max_planes);

 private:
  struct Candidate {
    Plane plane;
    double cost = 0;
  };
  static bool is_cheaper(const Candidate& x, const Candidate& y) { return x.cost < y.cost; }

  void try_plane(const Plane& plane);
  double reflex_left_by(const Plane& plane) const;

  const SolidMesh& solid_;
  const SolidPart& part_;
  double tolerance_ = 0;
  HullMeasure whole_;
  std::vector<Reflex> reflexes_;  // the heaviest first
  double reflex_length_ = 0;      // m
  std::vector<Candidate> candidates_;
};

Trial::Trial(const SolidMesh& solid, const SolidPart& part, const std::vector<ReflexEdge>& edges)
    : solid_(solid),
      part_(part),
      tolerance_(plane_tolerance(solid)),
      whole_(measure_hull(part.corners)) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Reflex reflex{edges[i].tail, edges[i].head, 0, i};
    if (!cut_off(part.cell, tolerance_, reflex.tail, reflex.head)) continue;
    const double size = length(reflex.head - reflex.tail);
    const Vec3d bend = edges[i].normal_a - edges[i].normal_b;
    reflex.weight = size * dot(bend, bend) / 2.0;
    reflex_length_ += size;
    reflexes_.push_back(reflex);
  }
  std::sort(reflexes_.begin(), reflexes_.end(), [](const Reflex& x, const Reflex& y) {
    return x.weight != y.weight ? x.weight > y.weight : x.edge < y.edge;
  });
}

/// Tries the planes of the faces at the part's heaviest reflex edges, and the planes halfway
/// between them.
void Trial::try_reflex_planes(const std::vector<ReflexEdge>& edges) {
  std::vector<Plane> planes;
  const auto add = [&](Vec3d normal, Vec3d through) {
    const double size = length(normal);
    if (!(size > 0.0)) return;
    const Vec3d unit = normal * (1.0 / size);
    const Plane plane{unit, dot(unit, through)};
    const bool is_known = std::any_of(planes.begin(), planes.end(), [&](const Plane& known) {
      return is_same(known, plane, 16.0 * tolerance_);
    });
    if (!is_known) planes.push_back(plane);
  };
  for (std::size_t i = 0; i < reflexes_.size() && planes.size() < max_reflex_planes; ++i) {
    const ReflexEdge& edge = edges[reflexes_[i].edge];
    add(edge.normal_a, edge.tail);
    add(edge.normal_b, edge.tail);
    add(edge.normal_a - edge.normal_b, edge.tail);
  }
  for (const Plane& plane : planes)
    try_plane(plane);
}

/// Returns the total weight of the reflex edges that do not lie in the plane, divided by the total
/// length of all reflex edges. The ratio is near 0 for a smooth surface, where no plane could
/// follow the many small bends.
double Trial::reflex_left_by(const Plane& plane) const {
  if (!(reflex_length_ > 0.0)) return 0.0;
  double left = 0;
  for (const Reflex& reflex : reflexes_) {
    const double far =
        std::max(std::abs(plane.height(reflex.tail)), std::abs(plane.height(reflex.head)));
    if (far > tolerance_) left += reflex.weight;
  }
  return left / reflex_length_;
}

void Trial::try_plane(const Plane& plane) {
  const TwoParts sides = cut(solid_, part_, plane);
  const HullMeasure below = measure_hull(sides.below.corners);
  const HullMeasure above = measure_hull(sides.above.corners);
  const double volume = below.volume + above.volume;
  if (!(std::min(below.volume, above.volume) > least_share * volume)) return;
  const double cost =
      (volume + imbalance_weight * std::abs(below.volume - above.volume)) / whole_.volume +
      area_weight * (below.area + above.area) / whole_.area + reflex_weight * reflex_left_by(plane);
  candidates_.push_back({plane, cost});
}

/// Tries evenly spaced planes perpendicular to a direction, and then planes near the best of them.
void Trial::try_along(Vec3d direction) {
  double low = dot(direction, part_.corners[0]), high = low;
  for (const Vec3d p : part_.corners) {
    low = std::min(low, dot(direction, p));
    high = std::max(high, dot(direction, p));
  }
  const std::size_t first = candidates_.size();
  double spacing = (high - low) / positions;
  for (int i = 1; i < positions; ++i)
    try_plane({direction, low + spacing * i});
  for (int i = 0; i < refinements && candidates_.size() > first; ++i) {
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    const double offset = std::min_element(begin, candidates_.end(), is_cheaper)->plane.offset;
    spacing *= 0.5;
    try_plane({direction, offset - spacing});
    try_plane({direction, offset + spacing});
  }
}

std::vector<Plane> Trial::best(std::size_t max_planes) {
  std::stable_sort(candidates_.begin(), candidates_.end(), is_cheaper);
  std::vector<Plane> planes;
  for (std::size_t i = 0; i < candidates_.size() && i < max_planes; ++i)
    planes.push_back(candidates_[i].plane);
  return planes;
}

}  // namespace

std::vector<ReflexEdge> find_reflex_edges(const state::TriangleMesh& mesh) {
  struct Half {
    std::uint32_t low = 0, high = 0, triangle = 0, third = 0;
  };
  state::TriangleMesh clean = mesh;
  for (math::Vec3& v : clean.vertices)
    v += math::Vec3{};  // −0 and 0 are the same position
  const Triangles triangles = triangles_by_place(clean);
  const auto at = [&](std::uint32_t vertex) { return widened(mesh.vertices[vertex]); };
  std::vector<Half> halves;
  std::vector<Vec3d> normals;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto& c = triangles[t];
    for (std::size_t e = 0; e < 3; ++e) {
      const std::uint32_t tail = c[e], head = c[(e + 1) % 3];
      halves.push_back({std::min(tail, head), std::max(tail, head), t, c[(e + 2) % 3]});
    }
    const Vec3d normal = cross(at(c[1]) - at(c[0]), at(c[2]) - at(c[0]));
    normals.push_back(normal * (1.0 / length(normal)));
  }
  std::sort(halves.begin(), halves.end(), [](const Half& x, const Half& y) {
    return std::tie(x.low, x.high, x.triangle) < std::tie(y.low, y.high, y.triangle);
  });
  std::vector<ReflexEdge> edges;
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2) {
    const Vec3d a = normals[halves[i].triangle], b = normals[halves[i + 1].triangle];
    const Vec3d tail = at(halves[i].low);
    const bool bends_in = dot(a, at(halves[i + 1].third) - tail) > 0.0;
    if (bends_in && length(a - b) > least_bend) edges.push_back({tail, at(halves[i].high), a, b});
  }
  return edges;
}

std::vector<Plane> PlaneSearch::best_planes(const SolidPart& part, std::size_t max_planes) const {
  Trial trial(solid_, part, edges_);
  trial.try_reflex_planes(edges_);
  std::vector<Vec3d> directions{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3d axis : principal_axes(part.surface)) {
    constexpr double parallel = 0.99;
    const bool is_known = std::any_of(directions.begin(), directions.end(), [&](Vec3d known) {
      return std::abs(dot(known, axis)) > parallel;
    });
    if (!is_known) directions.push_back(axis);
  }
  for (const Vec3d direction : directions)
    trial.try_along(direction);
  return trial.best(max_planes);
}

}  // namespace jostle::geometry::detail
