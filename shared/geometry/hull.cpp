#include "shared/geometry/hull.h"

#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "shared/geometry/detail/grid_hull.h"
#include "shared/geometry/shape_check.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace jostle::geometry {

using detail::GridPoint;
using math::Vec3;
using math::Vec3d;

namespace {

using Faces = std::vector<std::vector<std::uint16_t>>;

bool is_before(Vec3 a, Vec3 b) {
  return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
}

std::vector<Vec3> distinct(std::span<const Vec3> points) {
  std::vector<Vec3> sorted;
  sorted.reserve(points.size());
  for (const Vec3 p : points)
    sorted.push_back(p + Vec3{});  // −0 becomes 0, so that equal content has equal hashes
  std::sort(sorted.begin(), sorted.end(), is_before);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

struct Extent {
  Vec3d lower;
  double size = 0;  // size along the longest axis
};

Extent extent_of(std::span<const Vec3> points) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3 p : points) {
    lower = min_of(lower, p);
    upper = max_of(upper, p);
  }
  const Vec3d size = widened(upper) - widened(lower);
  return {widened(lower), std::max({size.x, size.y, size.z})};
}

/// Rounds the points onto the grid. Of points that round to the same grid point, only the first is
/// kept.
std::vector<GridPoint> to_grid(std::vector<Vec3>& points, const Extent& extent) {
  const Vec3d origin = extent.lower;
  const double scale = static_cast<double>(detail::grid_steps) / extent.size;
  const auto step = [&](double from) {
    return static_cast<std::int64_t>(std::floor(from * scale + 0.5));
  };

  std::vector<std::pair<GridPoint, Vec3>> placed;
  for (const Vec3 p : points) {
    const Vec3d from = widened(p) - origin;
    placed.emplace_back(GridPoint{step(from.x), step(from.y), step(from.z)}, p);
  }
  const auto key = [](const auto& entry) {
    return std::tie(entry.first.x, entry.first.y, entry.first.z);
  };
  std::stable_sort(placed.begin(), placed.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  points.clear();
  std::vector<GridPoint> grid;
  for (const auto& [spot, point] : placed) {
    if (!grid.empty() && grid.back() == spot) continue;
    grid.push_back(spot);
    points.push_back(point);
  }
  return grid;
}

/// Returns the same polyhedron with only the used vertices, in the order documented at build_hull.
std::pair<std::vector<Vec3>, Faces> in_order(const std::vector<Vec3>& points,
                                             const std::vector<detail::Loop>& loops) {
  std::vector<std::uint32_t> used;
  for (const detail::Loop& loop : loops)
    used.insert(used.end(), loop.begin(), loop.end());
  std::sort(used.begin(), used.end(),
            [&](std::uint32_t x, std::uint32_t y) { return is_before(points[x], points[y]); });
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<Vec3> vertices;
  std::vector<std::uint16_t> number(points.size(), 0);
  for (const std::uint32_t index : used) {
    number[index] = static_cast<std::uint16_t>(vertices.size());
    vertices.push_back(points[index]);
  }
  Faces faces;
  for (const detail::Loop& loop : loops) {
    std::vector<std::uint16_t>& face = faces.emplace_back();
    for (const std::uint32_t index : loop)
      face.push_back(number[index]);
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  }
  // std::vector's own comparison is not used: in libstdc++ 12 it compares only half of the bytes on
  // big-endian machines.
  std::sort(faces.begin(), faces.end(), [](const auto& x, const auto& y) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  return {std::move(vertices), std::move(faces)};
}

}  // namespace

base::Result<state::ConvexHull, HullError> build_hull(std::span<const Vec3> input) {
  if (input.size() > max_hull_points) return HullError::TooManyPoints;
  for (const Vec3 p : input) {
    if (!is_finite(p)) return HullError::NotFinite;
    const Vec3 size = abs_of(p);
    if (std::max({size.x, size.y, size.z}) > max_shape_size) return HullError::TooLarge;
  }
  std::vector<Vec3> points = distinct(input);
  if (points.size() < 4) return HullError::TooFewPoints;
  const Extent extent = extent_of(points);
  if (extent.size < static_cast<double>(min_shape_size)) return HullError::TooSmall;
  const std::vector<GridPoint> grid = to_grid(points, extent);

  const double tolerance = hull_tolerance * static_cast<double>(detail::grid_steps);
  const auto triangles = detail::build_grid_hull(grid, tolerance);
  if (triangles.empty()) return HullError::Flat;

  HullError error = HullError::Flat;
  for (const double share : {1.0, 1.0 / 16, 0.0}) {
    const auto loops = detail::merge_faces(grid, triangles, share * tolerance);
    if (loops.empty()) continue;
    auto [vertices, faces] = in_order(points, loops);
    if (vertices.size() > max_hull_vertices) {
      error = HullError::TooManyVertices;
    } else if (auto hull = assemble_hull(std::move(vertices), faces)) {
      return std::move(*hull);
    }
  }
  return error;
}

std::string_view describe(HullError error) {
  switch (error) {
    case HullError::TooFewPoints:
      return "has fewer than four different points";
    case HullError::TooManyPoints:
      return "has more than 16384 points";
    case HullError::NotFinite:
      return "has a coordinate that is not finite";
    case HullError::TooSmall:
      return "is smaller than 0.001 m";
    case HullError::TooLarge:
      return "has a coordinate above 100000 m";
    case HullError::Flat:
      return "lies in one plane";
    case HullError::TooManyVertices:
      return "has more than 256 corners";
  }
  return "is invalid";
}

std::shared_ptr<const state::Solid> share(state::ConvexHull hull) {
  base::Hasher hasher;
  hasher.add(static_cast<std::uint8_t>(state::ShapeKind::Hull));
  hasher.add(static_cast<std::uint64_t>(hull.vertices.size()));
  for (const Vec3 v : hull.vertices) {
    hasher.add(v.x);
    hasher.add(v.y);
    hasher.add(v.z);
  }
  hasher.add(static_cast<std::uint64_t>(hull.faces.size()));
  for (const state::HullFace& face : hull.faces)
    hasher.add(face.corner_count);
  for (const std::uint16_t corner : hull.corners)
    hasher.add(corner);
  auto solid = std::make_shared<state::Solid>();
  solid->content_hash = hasher.finish();
  solid->content = std::move(hull);
  return solid;
}

}  // namespace jostle::geometry
