#pragma once

#include "protocol/bit_stream.h"
#include "protocol/quantize.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::detail {

/// Maximum widths of a delta, in bits of its zigzag code.
inline constexpr unsigned max_position_width = 32;
inline constexpr unsigned max_rotation_width = rotation_bits + 1;

/// Difference of a body from its baseline, in integers. Each width is the number of bits of the
/// largest of three zigzag codes.
struct BodyDelta {
  std::array<std::uint32_t, 3> position{};  // zigzag codes, modulo 2^32
  // Zigzag codes of the rotation components other than component `largest`, relative to those of
  // the baseline.
  std::array<std::uint32_t, 3> rotation{};
  unsigned position_width = 0, rotation_width = 0;
  std::uint8_t largest = 3;
  bool is_largest_kept = true;
  bool was_awake = true, is_awake = true;

  bool is_pose_changed() const {
    return position_width != 0 || rotation_width != 0 || !is_largest_kept;
  }
  bool is_changed() const { return is_pose_changed() || was_awake != is_awake; }
};

BodyDelta subtract(const QuantizedBody& body, const QuantizedBody& baseline);
/// Reverses `subtract` using position, rotation, largest and is_awake of the delta. Returns null if
/// a rotation component is outside 0..rotation_max.
std::optional<QuantizedBody> add(const QuantizedBody& baseline, const BodyDelta& delta);

/// Encoder parameters that every part of a snapshot repeats. The encoder picks the values that give
/// the shortest encoding.
struct DeltaCoding {
  // True if bodies that were awake in their baseline are expected to have changed, false if not.
  // Only the exceptions from this are listed.
  bool is_awake_body_changed = true;
  // Golomb order, 0..7, of the gaps between these exceptions.
  unsigned awake_gap_order = 0;
  // Golomb order, 0..7, of the gaps between changed bodies that were asleep in their baseline.
  unsigned asleep_gap_order = 0;
  // Code of position widths:
  // - 0: four bits, or nine if the width is 15 or more
  // - n: Golomb code of order n − 1 of the difference from the width of the previous changed body
  unsigned width_mode = 0;
  unsigned rotation_offset = 0;  // 0..3, see rotation_width_guess()
  unsigned rotation_order = 0;   // Golomb order, 0..1, of rotation widths relative to their guess
  // True if some body whose pose changed is now asleep. Each body whose pose changed then has a bit
  // that says whether it is awake.
  bool is_any_falling_asleep = false;

  bool operator==(const DeltaCoding&) const = default;
};
inline constexpr unsigned delta_coding_bits = 1 + 3 + 3 + 2 + 2 + 1 + 1;
void write(BitWriter& writer, const DeltaCoding& coding);
DeltaCoding read_coding(BitReader& reader);

/// Prediction of the first position width of a part.
inline constexpr unsigned first_width_guess = 8;

/// Returns the length of a changed body's code in bits. `last_width` is the position width of the
/// previous changed body.
std::size_t body_bits(const BodyDelta& delta, unsigned last_width, const DeltaCoding& coding);
void write(BitWriter& writer, const BodyDelta& delta, unsigned last_width,
           const DeltaCoding& coding);
/// Reads a changed body into `delta`, whose `was_awake` must be set before. `largest_before` is the
/// `largest` of the baseline. An impossible value makes the reader fail.
void read(BitReader& reader, BodyDelta& delta, std::uint8_t largest_before, unsigned last_width,
          const DeltaCoding& coding);

std::size_t position_width_bits(unsigned width, unsigned last_width, unsigned mode);
std::size_t rotation_width_bits(unsigned width, unsigned position_width, unsigned offset,
                                unsigned order);

}  // namespace jostle::protocol::detail
