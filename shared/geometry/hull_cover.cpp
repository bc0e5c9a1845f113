#include "shared/geometry/detail/hull_cover.h"

#include "shared/geometry/detail/grid_hull.h"
#include "shared/geometry/detail/polyhedron.h"
#include "shared/geometry/detail/solid_mesh.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/shape_check.h"

#include <algorithm>
#include <cmath>

namespace jostle::geometry::detail {

using math::Vec3;
using math::Vec3d;
using state::ConvexHull;

namespace {

struct Grid {
  std::vector<GridPoint> points;
  double step = 0;  // m; 0 if all points are equal
};

Grid on_grid(std::span<const Vec3d> points) {
  if (points.empty()) return {};
  Vec3d lower = points[0], upper = points[0];
  for (const Vec3d p : points) {
    lower = min_of(lower, p);
    upper = max_of(upper, p);
  }
  const Vec3d size = upper - lower;
  const double extent = std::max({size.x, size.y, size.z});
  if (!(extent > 0.0)) return {};
  const double scale = static_cast<double>(grid_steps) / extent;
  Grid grid;
  grid.step = extent / static_cast<double>(grid_steps);
  grid.points.reserve(points.size());
  const auto step = [&](double from) {
    return static_cast<std::int64_t>(std::floor(from * scale + 0.5));
  };
  for (const Vec3d p : points) {
    const Vec3d from = p - lower;
    grid.points.push_back({step(from.x), step(from.y), step(from.z)});
  }
  return grid;
}

std::vector<Vec3d> widened(std::span<const Vec3> points) {
  std::vector<Vec3d> wide;
  wide.reserve(points.size());
  for (const Vec3 p : points)
    wide.push_back(math::widened(p));
  return wide;
}

/// Returns the corners of the points' hull to a tolerance, given as a share of their extent.
std::vector<Vec3> corners_of_hull(std::span<const Vec3> points, double tolerance) {
  const Grid grid = on_grid(widened(points));
  std::vector<std::uint32_t> used;
  for (const GridTriangle& triangle :
       build_grid_hull(grid.points, tolerance * static_cast<double>(grid_steps)))
    used.insert(used.end(), triangle.corners.begin(), triangle.corners.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<Vec3> corners;
  corners.reserve(used.size());
  for (const std::uint32_t index : used)
    corners.push_back(points[index]);
  return corners;
}

bool is_sound(const ConvexHull& hull) {
  return hull.inner_radius >= min_inner_radius;
}

/// Returns the factor by which a hull must be scaled about `centre`, a point inside it, to enclose
/// all points.
double growth_to_hold(const ConvexHull& hull, Vec3d centre, std::span<const Vec3> points) {
  double growth = 1.0;
  for (const state::HullFace& face : hull.faces) {
    const Vec3d normal = math::widened(face.normal);
    const double depth = static_cast<double>(face.offset) - dot(normal, centre);
    for (const Vec3 p : points)
      growth = std::max(growth, dot(normal, math::widened(p) - centre) / depth);
  }
  return growth;
}

/// Returns a hull with fewer corners that still encloses all points.
std::optional<ConvexHull> simplified_cover(std::span<const Vec3> points) {
  constexpr int attempts = 50;
  // coarsens the tolerance up to about a seventh of the extent (1.2⁵⁰ · hull_tolerance)
  constexpr double coarser = 1.2;
  double tolerance = hull_tolerance;
  for (int i = 0; i < attempts; ++i) {
    tolerance *= coarser;
    std::vector<Vec3> corners = corners_of_hull(points, tolerance);
    if (corners.size() > max_hull_vertices) continue;
    const auto core = build_hull(corners);
    if (!core || !is_sound(*core)) return std::nullopt;
    const Vec3d centre = integrate(*core).centre;
    const double growth = growth_to_hold(*core, centre, points);
    for (Vec3& corner : corners)
      corner = narrowed(centre + (math::widened(corner) - centre) * growth);
    auto hull = build_hull(corners);
    if (!hull) return std::nullopt;
    return *std::move(hull);
  }
  return std::nullopt;
}

}  // namespace

HullMeasure measure_hull(std::span<const Vec3d> points) {
  constexpr double tolerance = static_cast<double>(grid_steps) / 1024;
  const Grid grid = on_grid(points);
  HullMeasure measure;
  for (const GridTriangle& triangle : build_grid_hull(grid.points, tolerance)) {
    const Vec3d origin = detail::widened(grid.points[0]);
    const Vec3d a = detail::widened(grid.points[triangle.corners[0]]) - origin;
    const Vec3d b = detail::widened(grid.points[triangle.corners[1]]) - origin;
    const Vec3d c = detail::widened(grid.points[triangle.corners[2]]) - origin;
    measure.volume += dot(a, cross(b, c)) / 6.0;
    measure.area += length(cross(b - a, c - a)) / 2.0;
  }
  measure.area *= grid.step * grid.step;
  measure.volume *= grid.step * grid.step * grid.step;
  return measure;
}

std::optional<ConvexHull> cover(std::span<const Vec3> points) {
  std::vector<Vec3> few;
  if (points.size() > max_hull_points) {
    few = corners_of_hull(points, 0.0);
    points = few;
  }
  auto hull = build_hull(points);
  if (!hull && hull.error() == HullError::TooManyVertices) return simplified_cover(points);
  if (!hull && hull.error() == HullError::TooManyPoints) return simplified_cover(points);
  if (!hull || !is_sound(*hull)) return std::nullopt;
  return *std::move(hull);
}

}  // namespace jostle::geometry::detail
