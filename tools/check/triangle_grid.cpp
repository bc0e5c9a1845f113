#include "tools/check/triangle_grid.h"

#include <algorithm>
#include <limits>

namespace jostle::check {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr std::size_t max_cells_along = 512;

/// Returns twice the signed area of the triangle of a, b and (x, z) in the xz-plane.
double area(Vector a, Vector b, double x, double z) {
  return (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
}

Vector low_of(Vector a, Vector b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vector high_of(Vector a, Vector b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

std::size_t cell_of(double offset, double cell, std::size_t count) {
  if (!(offset > 0)) return 0;
  return std::min(static_cast<std::size_t>(std::min(offset / cell, 1e6)), count - 1);
}

}  // namespace

TriangleGrid::TriangleGrid(const workload::Shape& mesh, const Frame& frame)
    : low_{no_bound, no_bound, no_bound}, high_{-no_bound, -no_bound, -no_bound} {
  std::vector<Vector> points;
  for (const math::Vec3& point : mesh.points) {
    points.push_back(frame.to_world(widen(point)));
    low_ = low_of(low_, points.back());
    high_ = high_of(high_, points.back());
  }
  const double extent = std::max({high_.x - low_.x, high_.z - low_.z, 1e-6});
  const double per_side = std::sqrt(static_cast<double>(mesh.triangles.size()));
  cell_ = extent / std::clamp(per_side, 1.0, static_cast<double>(max_cells_along));
  columns_ = static_cast<std::size_t>((high_.x - low_.x) / cell_) + 1;
  rows_ = static_cast<std::size_t>((high_.z - low_.z) / cell_) + 1;
  cells_.resize(columns_ * rows_);
  for (const auto& corners : mesh.triangles) {
    const Triangle triangle{points[corners[0]], points[corners[1]], points[corners[2]]};
    const Vector low = low_of(low_of(triangle[0], triangle[1]), triangle[2]);
    const Vector high = high_of(high_of(triangle[0], triangle[1]), triangle[2]);
    for (std::size_t c = column(low.x); c <= column(high.x); ++c) {
      for (std::size_t r = row(low.z); r <= row(high.z); ++r)
        cells_[c * rows_ + r].push_back(static_cast<std::uint32_t>(triangles_.size()));
    }
    triangles_.push_back(triangle);
  }
}

std::size_t TriangleGrid::column(double x) const {
  return cell_of(x - low_.x, cell_, columns_);
}

std::size_t TriangleGrid::row(double z) const {
  return cell_of(z - low_.z, cell_, rows_);
}

std::vector<std::uint32_t> TriangleGrid::candidates(const Bounds& bounds) const {
  std::vector<std::uint32_t> found;
  if (!overlap(bounds, {low_, high_})) return found;
  for (std::size_t c = column(bounds.low.x); c <= column(bounds.high.x); ++c) {
    for (std::size_t r = row(bounds.low.z); r <= row(bounds.high.z); ++r) {
      const auto& cell = cells_[c * rows_ + r];
      found.insert(found.end(), cell.begin(), cell.end());
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

double TriangleGrid::height_at(double x, double z) const {
  double height = -no_bound;
  if (x < low_.x || x > high_.x || z < low_.z || z > high_.z) return height;
  for (const std::uint32_t index : cells_[column(x) * rows_ + row(z)]) {
    const auto& [a, b, c] = triangles_[index];
    const double from_a = area(b, c, x, z), from_b = area(c, a, x, z), from_c = area(a, b, x, z);
    const bool is_inside =
        (from_a >= 0 && from_b >= 0 && from_c >= 0) || (from_a <= 0 && from_b <= 0 && from_c <= 0);
    const double whole = from_a + from_b + from_c;
    if (!is_inside || whole == 0) continue;
    height = std::max(height, (from_a * a.y + from_b * b.y + from_c * c.y) / whole);
  }
  return height;
}

}  // namespace jostle::check
