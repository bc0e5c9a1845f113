#include "protocol/detail/offset_box.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jostle::protocol::detail {
namespace {

constexpr double steps_per_metre = 512;
constexpr double farthest = 4e6;  // m
constexpr std::int64_t largest_offset = 65'535;

std::array<std::int64_t, 3> in_steps(const math::Position& p) {
  const auto steps = [](double x) {
    return static_cast<std::int64_t>(std::floor(x * steps_per_metre + 0.5));
  };
  return {steps(p.x), steps(p.y), steps(p.z)};
}

}  // namespace

bool OffsetBox::can_encode(const math::Position& p) {
  return std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::abs(p.z) <= farthest;
}

void OffsetBox::add(const math::Position& position) {
  const auto at = in_steps(position);
  if (is_empty_) low_ = high_ = at;
  is_empty_ = false;
  for (std::size_t i = 0; i < at.size(); ++i) {
    low_[i] = std::min(low_[i], at[i]);
    high_[i] = std::max(high_[i], at[i]);
  }
}

void OffsetBox::close() {
  const std::int64_t size = std::max({high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]});
  while (((size + (std::int64_t{1} << shift_ >> 1)) >> shift_) > largest_offset)
    ++shift_;
  JOSTLE_ASSERT(shift_ <= max_shift);
}

std::array<std::int32_t, 3> OffsetBox::corner() const {
  return {static_cast<std::int32_t>(low_[0]), static_cast<std::int32_t>(low_[1]),
          static_cast<std::int32_t>(low_[2])};
}

std::array<std::uint16_t, 3> OffsetBox::offsets_of(const math::Position& position) const {
  const std::int64_t half = std::int64_t{1} << shift_ >> 1;
  const auto at = in_steps(position);
  std::array<std::uint16_t, 3> offsets{};
  for (std::size_t i = 0; i < at.size(); ++i)
    offsets[i] = static_cast<std::uint16_t>((at[i] - low_[i] + half) >> shift_);
  return offsets;
}

math::Position OffsetBox::at(std::uint16_t x, std::uint16_t y, std::uint16_t z) const {
  const auto place = [this](std::int64_t corner, std::uint16_t offset) {
    return static_cast<double>(corner + (std::int64_t{offset} << shift_)) / steps_per_metre;
  };
  return {place(low_[0], x), place(low_[1], y), place(low_[2], z)};
}

}  // namespace jostle::protocol::detail
