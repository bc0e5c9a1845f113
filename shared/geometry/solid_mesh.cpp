#include "shared/geometry/detail/solid_mesh.h"

#include "shared/geometry/detail/triangle.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::geometry::detail {

using math::Vec3d;

namespace {

constexpr std::uint32_t max_leaf = 4;

double squared_distance_to_box(Vec3d p, Vec3d lower, Vec3d upper) {
  const Vec3d nearest = min_of(max_of(p, lower), upper);
  return dot(p - nearest, p - nearest);
}

/// Returns the winding number of a triangle's edges around a point, projected along x. If the point
/// lies on an edge or a corner, the fill rule of polygons applies: among adjacent triangles that
/// do not overlap in the projection, exactly one counts the point (Sunday, "Inclusion of a Point in
/// a Polygon", 2001).
int turns_around(const std::array<GridPoint, 3>& corners, GridPoint p) {
  int turns = 0;
  for (std::size_t e = 0; e < 3; ++e) {
    const GridPoint &u = corners[e], &v = corners[(e + 1) % 3];
    const bool is_rising = u.z <= p.z && p.z < v.z, is_falling = v.z <= p.z && p.z < u.z;
    if (!is_rising && !is_falling) continue;
    const std::int64_t side = (v.y - u.y) * (p.z - u.z) - (p.y - u.y) * (v.z - u.z);
    if (is_rising && side > 0) ++turns;
    if (is_falling && side < 0) --turns;
  }
  return turns;
}

}  // namespace

SolidMesh::SolidMesh(const state::TriangleMesh& mesh) {
  triangles_.reserve(mesh.triangles.size());
  for (const auto& corners : mesh.triangles) {
    triangles_.push_back({widened(mesh.vertices[corners[0]]), widened(mesh.vertices[corners[1]]),
                          widened(mesh.vertices[corners[2]])});
  }
  lower_ = upper_ = triangles_[0][0];
  for (const Triangle& triangle : triangles_) {
    for (const Vec3d corner : triangle) {
      lower_ = min_of(lower_, corner);
      upper_ = max_of(upper_, corner);
    }
  }
  const Vec3d size = upper_ - lower_;
  extent_ = std::max({size.x, size.y, size.z});
  for (const Triangle& t : triangles_)
    grid_triangles_.push_back({on_grid(t[0]), on_grid(t[1]), on_grid(t[2])});

  const auto count = static_cast<std::uint32_t>(triangles_.size());
  for (std::uint32_t i = 0; i < count; ++i)
    order_.push_back(i);
  nodes_.emplace_back();
  build(0, 0, count);
}

/// Builds a node and its descendants for `count` triangles of order_ from `first` on. Splits them
/// along the longest axis of their box, at the median of the triangles' middles.
void SolidMesh::build(std::uint32_t node, std::uint32_t first, std::uint32_t count) {
  Vec3d lower = triangles_[order_[first]][0], upper = lower;
  for (std::uint32_t i = first; i < first + count; ++i) {
    for (const Vec3d corner : triangles_[order_[i]]) {
      lower = min_of(lower, corner);
      upper = max_of(upper, corner);
    }
  }
  nodes_[node].lower = lower;
  nodes_[node].upper = upper;
  if (count <= max_leaf) {
    nodes_[node].first = first;
    nodes_[node].count = count;
    return;
  }
  const Vec3d size = upper - lower;
  const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto key = [&](std::uint32_t triangle) {
    const Triangle& t = triangles_[triangle];
    return component(t[0], axis) + component(t[1], axis) + component(t[2], axis);
  };
  const auto begin = order_.begin() + first;
  std::sort(begin, begin + count, [&](std::uint32_t x, std::uint32_t y) {
    const double kx = key(x), ky = key(y);
    return kx != ky ? kx < ky : x < y;
  });
  const auto child = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].child = child;
  nodes_.resize(nodes_.size() + 2);
  build(child, first, count / 2);
  build(child + 1, first + count / 2, count - count / 2);
}

GridPoint SolidMesh::on_grid(Vec3d point) const {
  const double scale = static_cast<double>(grid_steps) / extent_;
  const auto step = [&](double from) {
    return static_cast<std::int64_t>(std::floor(from * scale + 0.5));
  };
  const Vec3d from = point - lower_;
  return {step(from.x), step(from.y), step(from.z)};
}

/// Calls visit(triangle) for the triangles of each leaf, if test(lower, upper) accepts the boxes of
/// the leaf and of all its ancestors. Stops if visit returns false.
template <typename Test, typename Visit>
void SolidMesh::visit(Test&& test, Visit&& visit) const {
  // splitting 2²¹ triangles in halves takes at most 21 levels, and each leaves one node waiting
  std::array<std::uint32_t, 64> waiting{};
  std::size_t count = 1;
  while (count > 0) {
    const Node& node = nodes_[waiting[--count]];
    if (!test(node.lower, node.upper)) continue;
    if (node.count == 0) {
      waiting[count++] = node.child;
      waiting[count++] = node.child + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (!visit(order_[i])) return;
    }
  }
}

bool SolidMesh::is_near(Vec3d point, double distance) const {
  const double squared = distance * distance;
  bool is_found = false;
  visit([&](Vec3d low, Vec3d high) { return squared_distance_to_box(point, low, high) <= squared; },
        [&](std::uint32_t t) {
          const Vec3d offset = point - closest_on_triangle(triangles_[t], point);
          is_found = dot(offset, offset) <= squared;
          return !is_found;
        });
  return is_found;
}

bool SolidMesh::is_inside(Vec3d point) const {
  const Vec3d below = point - lower_, above = upper_ - point;
  if (std::min({below.x, below.y, below.z, above.x, above.y, above.z}) < 0.0) return false;
  const GridPoint p = on_grid(point);
  // The boxes are those of the unrounded corners, but the test uses corners on the grid, so the
  // boxes are widened.
  const double slack = 2.0 * extent_ / static_cast<double>(grid_steps);
  int winding = 0;  // sum over the triangles that a ray towards +x crosses
  visit(
      [&](Vec3d low, Vec3d high) {
        return high.x + slack >= point.x && low.y - slack <= point.y && point.y <= high.y + slack &&
               low.z - slack <= point.z && point.z <= high.z + slack;
      },
      [&](std::uint32_t t) {
        const std::array<GridPoint, 3>& c = grid_triangles_[t];
        const int turns = turns_around(c, p);
        if (turns == 0) return true;
        const std::int64_t height = dot(cross(c[1] - c[0], c[2] - c[0]), p - c[0]);
        // If turns > 0, the triangle's normal points along the ray. The ray then crosses the
        // triangle, and leaves the solid there, if the point lies below the triangle. If turns < 0,
        // the ray enters the solid there if the point lies above the triangle.
        if (turns > 0 ? height < 0 : height > 0) winding += turns;
        return true;
      });
  return winding > 0;
}

std::vector<std::uint32_t> SolidMesh::overlapping(Vec3d lower, Vec3d upper) const {
  std::vector<std::uint32_t> found;
  const auto overlaps = [&](Vec3d low, Vec3d high) {
    return low.x <= upper.x && lower.x <= high.x && low.y <= upper.y && lower.y <= high.y &&
           low.z <= upper.z && lower.z <= high.z;
  };
  visit(overlaps, [&](std::uint32_t t) {
    const Triangle& c = triangles_[t];
    if (overlaps(min_of(min_of(c[0], c[1]), c[2]), max_of(max_of(c[0], c[1]), c[2])))
      found.push_back(t);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace jostle::geometry::detail
