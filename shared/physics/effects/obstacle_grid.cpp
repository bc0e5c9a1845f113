#include "shared/physics/effects/obstacle_grid.h"

namespace jostle::physics {
namespace {

constexpr double least_cell = 0.25;  // m

int cell_count(double size, int most) {
  const double wanted = size / least_cell;
  return wanted < 1 ? 1 : wanted > most ? most : static_cast<int>(wanted);
}

/// Returns the cell of a coordinate. Coordinates outside the grid count as in the nearest cell.
int cell_at(double x, double corner, double per_cell, int count) {
  const double cell = (x - corner) * per_cell;
  return cell < 0 ? 0 : cell >= count ? count - 1 : static_cast<int>(cell);
}

/// Returns a mask of the bits from `low` to `high`.
std::uint64_t bits(int low, int high) {
  const int count = high - low + 1;
  const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  return ones << low;
}

}  // namespace

void ObstacleGrid::begin(const math::Aabb& box) {
  const math::Vec3d size{box.upper.x - box.lower.x, box.upper.y - box.lower.y,
                         box.upper.z - box.lower.z};
  counts_[0] = cell_count(size.x, most_cells);
  counts_[1] = cell_count(size.y, most_cells);
  counts_[2] = cell_count(size.z, most_cells);
  corner_ = {box.lower.x, box.lower.y, box.lower.z};
  const auto per_cell = [](double length, int count) { return length > 0 ? count / length : 0; };
  per_cell_ = {per_cell(size.x, counts_[0]), per_cell(size.y, counts_[1]),
               per_cell(size.z, counts_[2])};
  rows_.assign(static_cast<std::size_t>(counts_[1]) * static_cast<std::size_t>(counts_[2]), 0);
}

ObstacleGrid::Cells ObstacleGrid::cells_of(const math::Aabb& box) const {
  return {{cell_at(box.lower.x, corner_.x, per_cell_.x, counts_[0]),
           cell_at(box.lower.y, corner_.y, per_cell_.y, counts_[1]),
           cell_at(box.lower.z, corner_.z, per_cell_.z, counts_[2])},
          {cell_at(box.upper.x, corner_.x, per_cell_.x, counts_[0]),
           cell_at(box.upper.y, corner_.y, per_cell_.y, counts_[1]),
           cell_at(box.upper.z, corner_.z, per_cell_.z, counts_[2])}};
}

void ObstacleGrid::add(const math::Aabb& box) {
  const Cells cells = cells_of(box);
  const std::uint64_t row = bits(cells.low[0], cells.high[0]);
  for (int z = cells.low[2]; z <= cells.high[2]; ++z) {
    for (int y = cells.low[1]; y <= cells.high[1]; ++y)
      rows_[place_of(y, z)] |= row;
  }
}

bool ObstacleGrid::is_free(const math::Aabb& box) const {
  if (rows_.empty()) return false;
  const Cells cells = cells_of(box);
  const std::uint64_t row = bits(cells.low[0], cells.high[0]);
  for (int z = cells.low[2]; z <= cells.high[2]; ++z) {
    for (int y = cells.low[1]; y <= cells.high[1]; ++y) {
      if ((rows_[place_of(y, z)] & row) != 0) return false;
    }
  }
  return true;
}

}  // namespace jostle::physics
