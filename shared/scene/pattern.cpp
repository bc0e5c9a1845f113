#include "shared/scene/detail/pattern.h"

#include "shared/math/trig.h"

#include <algorithm>

namespace jostle::scene::detail {
namespace {

/// Returns the i-th of n positions that are `step` apart and centred on 0.
float centred(std::uint64_t i, std::uint64_t n, float step) {
  return (static_cast<float>(i) - 0.5f * static_cast<float>(n - 1)) * step;
}

float times(std::uint64_t i, float step) {
  return static_cast<float>(i) * step;
}

void add_layer(std::vector<Slot>& slots, std::uint64_t count_x, std::uint64_t count_z, float height,
               math::Vec3 spacing) {
  for (std::uint64_t z = 0; z < count_z; ++z) {
    for (std::uint64_t x = 0; x < count_x; ++x)
      slots.push_back(
          {{centred(x, count_x, spacing.x), height, centred(z, count_z, spacing.z)}, {}});
  }
}

void add_line(std::vector<Slot>& slots, const Pattern& pattern) {
  for (std::uint64_t i = 0; i < pattern.count; ++i)
    slots.push_back({pattern.spacing * static_cast<float>(i), {}});
}

/// Adds a wall in running bond. Every other row has one brick less, so it is shifted by half a
/// brick and does not protrude beyond the first row.
void add_wall(std::vector<Slot>& slots, const Pattern& pattern) {
  for (std::uint64_t row = 0; row < pattern.rows; ++row) {
    const std::uint64_t columns = pattern.columns - (pattern.columns > 1 ? row % 2 : 0);
    add_layer(slots, columns, 1, times(row, pattern.spacing.y), pattern.spacing);
  }
}

/// Adds a ring. Every other row is rotated by half a step, like the bricks of a round tower. The x
/// axis of a body points along the ring and its z axis outward.
void add_ring(std::vector<Slot>& slots, const Pattern& pattern) {
  const float step = 2.0f * math::pi / static_cast<float>(pattern.count);
  for (std::uint64_t row = 0; row < pattern.rows; ++row) {
    for (std::uint64_t i = 0; i < pattern.count; ++i) {
      const float angle = (static_cast<float>(i) + 0.5f * static_cast<float>(row % 2)) * step;
      const math::SinCos turn = math::sin_cos(angle);
      slots.push_back(
          {{pattern.radius * turn.sin, times(row, pattern.spacing.y), pattern.radius * turn.cos},
           math::from_axis_angle({0, 1, 0}, angle)});
    }
  }
}

/// Adds layers over the area, each with as many bodies as fit at this spacing.
void add_pour(std::vector<Slot>& slots, const Pattern& pattern) {
  const auto side = [&pattern](float length, float step) {
    const float fitting = std::min(length / step, static_cast<float>(pattern.count));
    return std::max<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1);
  };
  const std::uint64_t count_x = side(pattern.area_x, pattern.spacing.x);
  const std::uint64_t count_z = side(pattern.area_z, pattern.spacing.z);
  for (std::uint64_t layer = 0; slots.size() < pattern.count; ++layer) {
    for (std::uint64_t i = 0; i < count_x * count_z && slots.size() < pattern.count; ++i) {
      slots.push_back(
          {{centred(i % count_x, count_x, pattern.spacing.x), times(layer, pattern.spacing.y),
            centred(i / count_x, count_z, pattern.spacing.z)},
           {}});
    }
  }
}

}  // namespace

std::uint64_t slot_count(const Pattern& pattern) {
  const std::uint64_t rows = pattern.rows;
  switch (pattern.kind) {
    case PatternKind::Grid:
      return pattern.counts[0] * pattern.counts[1] * pattern.counts[2];
    case PatternKind::Stack:
    case PatternKind::Row:
    case PatternKind::Pour:
      return pattern.count;
    case PatternKind::Pyramid:
      return rows * (rows + 1) / 2;
    case PatternKind::SquarePyramid:
      return rows * (rows + 1) * (2 * rows + 1) / 6;
    case PatternKind::Wall:
      return rows * pattern.columns - (pattern.columns > 1 ? rows / 2 : 0);
    case PatternKind::Ring:
      return rows * pattern.count;
  }
  return 0;
}

std::vector<Slot> make_slots(const Pattern& pattern) {
  std::vector<Slot> slots;
  slots.reserve(slot_count(pattern));
  const math::Vec3 spacing = pattern.spacing;
  switch (pattern.kind) {
    case PatternKind::Grid:
      for (std::uint64_t y = 0; y < pattern.counts[1]; ++y)
        add_layer(slots, pattern.counts[0], pattern.counts[2], times(y, spacing.y), spacing);
      break;
    case PatternKind::Stack:
    case PatternKind::Row:
      add_line(slots, pattern);
      break;
    case PatternKind::Pyramid:
      for (std::uint64_t row = 0; row < pattern.rows; ++row)
        add_layer(slots, pattern.rows - row, 1, times(row, spacing.y), spacing);
      break;
    case PatternKind::SquarePyramid:
      for (std::uint64_t row = 0; row < pattern.rows; ++row)
        add_layer(slots, pattern.rows - row, pattern.rows - row, times(row, spacing.y), spacing);
      break;
    case PatternKind::Wall:
      add_wall(slots, pattern);
      break;
    case PatternKind::Ring:
      add_ring(slots, pattern);
      break;
    case PatternKind::Pour:
      add_pour(slots, pattern);
      break;
  }
  return slots;
}

}  // namespace jostle::scene::detail
