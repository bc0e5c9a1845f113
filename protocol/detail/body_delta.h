#pragma once

#include "protocol/bit_stream.h"
#include "protocol/quantize.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::detail {

/// Widths that a delta can have, in bits of its zigzag form.
inline constexpr unsigned max_position_width = 32;
inline constexpr unsigned max_rotation_width = rotation_bits + 1;

/// A body against its baseline, integers only. A width is that of the widest of three codes.
struct BodyDelta {
  std::array<std::uint32_t, 3> position{};  // zigzag, modulo 2^32
  std::array<std::uint32_t, 3> rotation{};  // zigzag, against the baseline seen from `largest`
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
/// Undoes `subtract`, reading position, rotation, largest and is_awake. Nothing when a rotation
/// component leaves 0..rotation_max.
std::optional<QuantizedBody> add(const QuantizedBody& baseline, const BodyDelta& delta);

/// Choices of the encoder that every part of a snapshot repeats: whatever makes it shortest.
struct DeltaCoding {
  bool is_awake_body_changed = true;  // what is not worth a code among bodies that were awake
  unsigned awake_gap_order = 0;       // 0..7, Golomb orders of the gaps between the others
  unsigned asleep_gap_order = 0;      // 0..7, of the gaps between changed bodies that were asleep
  unsigned width_mode = 0;       // 0: four bits; n: Golomb order n − 1 against the last width
  unsigned rotation_offset = 0;  // 0..3, see rotation_width_guess
  unsigned rotation_order = 0;   // 0..1
  bool is_any_falling_asleep = false;  // some body moved and sleeps now: a bit each

  bool operator==(const DeltaCoding&) const = default;
};
inline constexpr unsigned delta_coding_bits = 1 + 3 + 3 + 2 + 2 + 1 + 1;
void write(BitWriter& writer, const DeltaCoding& coding);
DeltaCoding read_coding(BitReader& reader);

/// Where the first width of a part is coded against.
inline constexpr unsigned first_width_guess = 8;

/// Code of one changed body. `last_width` is the position width of the changed body before it.
std::size_t body_bits(const BodyDelta& delta, unsigned last_width, const DeltaCoding& coding);
void write(BitWriter& writer, const BodyDelta& delta, unsigned last_width,
           const DeltaCoding& coding);
/// `was_awake` must be set in advance; what cannot be makes the reader fail.
void read(BitReader& reader, BodyDelta& delta, std::uint8_t largest_before, unsigned last_width,
          const DeltaCoding& coding);

std::size_t position_width_bits(unsigned width, unsigned last_width, unsigned mode);
std::size_t rotation_width_bits(unsigned width, unsigned position_width, unsigned offset,
                                unsigned order);

}  // namespace jostle::protocol::detail
