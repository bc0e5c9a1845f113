#pragma once

#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::detail {

/// A bounding box of all positions in a message. Positions are sent as 16-bit offsets from its
/// lower corner, in steps of 1/512 m or, if the box is too large for that, in steps of 2^shift/512
/// m.
class OffsetBox {
 public:
  OffsetBox() = default;
  /// Constructs the box of a received message. Contract: the shift is at most `max_shift`.
  OffsetBox(std::array<std::int32_t, 3> corner, std::uint8_t shift)
      : low_{corner[0], corner[1], corner[2]}, shift_(shift), is_empty_(false) {}

  /// Returns true if the position can be encoded: not more than 4,000 km from the origin per axis.
  static bool can_encode(const math::Position& position);
  /// Extends the box. Contract: can_encode(position).
  void add(const math::Position& position);
  /// Computes the shift. Call it once, after all positions were added.
  void close();

  std::array<std::int32_t, 3> corner() const;
  std::uint8_t shift() const { return shift_; }
  /// Returns the offsets of a position, rounded to a step.
  std::array<std::uint16_t, 3> offsets_of(const math::Position& position) const;
  math::Position at(std::uint16_t x, std::uint16_t y, std::uint16_t z) const;

  static constexpr std::uint8_t max_shift = 16;

 private:
  std::array<std::int64_t, 3> low_{}, high_{};  // bounds in steps
  std::uint8_t shift_ = 0;
  bool is_empty_ = true;
};

}  // namespace jostle::protocol::detail
