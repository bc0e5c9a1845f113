#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::detail {

/// A box around all positions of a message, which then go as offsets of 16 bits from its corner: in
/// steps of 1/512 m, or in as many of them as the box is too large for that.
class OffsetBox {
 public:
  OffsetBox() = default;
  /// As it came, with a shift of at most `max_shift`.
  OffsetBox(std::array<std::int32_t, 3> corner, std::uint8_t shift)
      : low_{corner[0], corner[1], corner[2]}, shift_(shift), is_empty_(false) {}

  /// Whether it can be among the others: not more than 4,000 km from the origin.
  static bool may_hold(const math::Position& position);
  /// Contract: may_hold() it.
  void add(const math::Position& position);
  /// Once, after all were added.
  void close();

  std::array<std::int32_t, 3> corner() const;
  std::uint8_t shift() const { return shift_; }
  /// Rounded to a step.
  std::array<std::uint16_t, 3> offsets_of(const math::Position& position) const;
  math::Position at(std::uint16_t x, std::uint16_t y, std::uint16_t z) const;

  static constexpr std::uint8_t max_shift = 16;

 private:
  std::array<std::int64_t, 3> low_{}, high_{};  // in steps
  std::uint8_t shift_ = 0;
  bool is_empty_ = true;
};

}  // namespace jostle::protocol::detail
