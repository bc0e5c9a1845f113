#include "protocol/detail/body_delta.h"

#include <algorithm>
#include <bit>

namespace jostle::protocol::detail {
namespace {

constexpr int rotation_zero = 1 << (rotation_bits - 1);
constexpr int rotation_reach = rotation_zero - 1;
constexpr int rotation_scale_squared = 2 * rotation_reach * rotation_reach;

/// Returns the largest integer whose square does not exceed `value`.
int integer_root(int value) {
  int root = 0;
  for (int bit = 1 << 15; bit > 0; bit >>= 1) {
    const int next = root | bit;
    if (std::int64_t{next} * next <= value) root = next;
  }
  return root;
}

/// Returns the three components of the baseline other than component `largest`, with the sign that
/// makes component `largest` non-negative. A quaternion and its negative are the same rotation, so
/// a body whose largest component changes has no jump in the others.
std::array<int, 3> seen_from(const QuantizedBody& baseline, std::uint8_t largest) {
  if (largest == baseline.largest)
    return {baseline.smallest[0], baseline.smallest[1], baseline.smallest[2]};
  std::array<int, 4> c{};
  int rest = rotation_scale_squared;
  for (std::size_t i = 0, slot = 0; i < 4; ++i) {
    if (i == baseline.largest) continue;
    c[i] = int{baseline.smallest[slot++]} - rotation_zero;
    rest -= c[i] * c[i];
  }
  c[baseline.largest] = rest > 0 ? integer_root(rest) : 0;
  const int sign = c[largest] < 0 ? -1 : 1;
  std::array<int, 3> result{};
  for (std::size_t i = 0, slot = 0; i < 4; ++i) {
    if (i == largest) continue;
    result[slot++] = std::clamp(sign * c[i] + rotation_zero, 0, rotation_max);
  }
  return result;
}

unsigned width_of(const std::array<std::uint32_t, 3>& codes) {
  return static_cast<unsigned>(std::bit_width(codes[0] | codes[1] | codes[2]));
}

constexpr unsigned width_escape = 15;
constexpr unsigned width_escape_bits = 5;

/// Predicts the rotation width: the position width minus `offset`, because slow bodies turn about
/// as much as they move. The position width is first limited to max_rotation_width − 1.
unsigned rotation_width_guess(unsigned position_width, unsigned offset) {
  const unsigned guess = std::min(position_width, max_rotation_width - 1);
  return guess > offset ? guess - offset : 0;
}

std::uint32_t difference(unsigned value, unsigned guess) {
  return zigzag(static_cast<std::int32_t>(value) - static_cast<std::int32_t>(guess));
}

void write_position_width(BitWriter& writer, unsigned width, unsigned last_width, unsigned mode) {
  if (mode != 0) {
    writer.golomb(difference(width, last_width), mode - 1);
    return;
  }
  writer.bits(std::min(width, width_escape), 4);
  if (width >= width_escape) writer.bits(width - width_escape, width_escape_bits);
}

/// Reads a width that is coded as a difference. A width above `limit` makes the reader fail and
/// yields 0.
unsigned read_difference(BitReader& reader, unsigned guess, unsigned order, unsigned limit) {
  const std::int64_t width = std::int64_t{guess} + unzigzag(reader.golomb(order));
  if (width >= 0 && width <= std::int64_t{limit}) return static_cast<unsigned>(width);
  reader.fail();
  return 0;
}

unsigned read_position_width(BitReader& reader, unsigned last_width, unsigned mode) {
  if (mode != 0) return read_difference(reader, last_width, mode - 1, max_position_width);
  unsigned width = reader.bits(4);
  if (width == width_escape) width += reader.bits(width_escape_bits);
  if (width <= max_position_width) return width;
  reader.fail();
  return 0;
}

}  // namespace

BodyDelta subtract(const QuantizedBody& body, const QuantizedBody& baseline) {
  BodyDelta delta;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t steps = static_cast<std::uint32_t>(body.position[i]) -
                                static_cast<std::uint32_t>(baseline.position[i]);
    delta.position[i] = zigzag(static_cast<std::int32_t>(steps));
  }
  const std::array<int, 3> before = seen_from(baseline, body.largest);
  for (std::size_t i = 0; i < 3; ++i)
    delta.rotation[i] = zigzag(body.smallest[i] - before[i]);
  delta.position_width = width_of(delta.position);
  delta.rotation_width = width_of(delta.rotation);
  delta.largest = body.largest;
  delta.is_largest_kept = body.largest == baseline.largest;
  delta.was_awake = baseline.is_awake;
  delta.is_awake = body.is_awake;
  return delta;
}

std::optional<QuantizedBody> add(const QuantizedBody& baseline, const BodyDelta& delta) {
  QuantizedBody body;
  for (std::size_t i = 0; i < 3; ++i) {
    body.position[i] =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(baseline.position[i]) +
                                  static_cast<std::uint32_t>(unzigzag(delta.position[i])));
  }
  const std::array<int, 3> before = seen_from(baseline, delta.largest);
  for (std::size_t i = 0; i < 3; ++i) {
    const int component = before[i] + unzigzag(delta.rotation[i]);
    if (component < 0 || component > rotation_max) return {};
    body.smallest[i] = static_cast<std::uint16_t>(component);
  }
  body.largest = delta.largest;
  body.is_awake = delta.is_awake;
  return body;
}

void write(BitWriter& writer, const DeltaCoding& coding) {
  writer.bit(coding.is_awake_body_changed);
  writer.bits(coding.awake_gap_order, 3);
  writer.bits(coding.asleep_gap_order, 3);
  writer.bits(coding.width_mode, 2);
  writer.bits(coding.rotation_offset, 2);
  writer.bits(coding.rotation_order, 1);
  writer.bit(coding.is_any_falling_asleep);
}

DeltaCoding read_coding(BitReader& reader) {
  DeltaCoding coding;
  coding.is_awake_body_changed = reader.bit();
  coding.awake_gap_order = reader.bits(3);
  coding.asleep_gap_order = reader.bits(3);
  coding.width_mode = reader.bits(2);
  coding.rotation_offset = reader.bits(2);
  coding.rotation_order = reader.bits(1);
  coding.is_any_falling_asleep = reader.bit();
  return coding;
}

std::size_t position_width_bits(unsigned width, unsigned last_width, unsigned mode) {
  if (mode != 0) return golomb_bits(difference(width, last_width), mode - 1);
  return width >= width_escape ? 4 + width_escape_bits : 4;
}

std::size_t rotation_width_bits(unsigned width, unsigned position_width, unsigned offset,
                                unsigned order) {
  return golomb_bits(difference(width, rotation_width_guess(position_width, offset)), order);
}

std::size_t body_bits(const BodyDelta& delta, unsigned last_width, const DeltaCoding& coding) {
  const bool has_awake_bit = coding.is_any_falling_asleep && delta.is_pose_changed();
  return position_width_bits(delta.position_width, last_width, coding.width_mode) +
         std::size_t{3} * delta.position_width +
         rotation_width_bits(delta.rotation_width, delta.position_width, coding.rotation_offset,
                             coding.rotation_order) +
         std::size_t{3} * delta.rotation_width + (delta.is_largest_kept ? 1 : 3) +
         (has_awake_bit ? 1 : 0);
}

void write(BitWriter& writer, const BodyDelta& delta, unsigned last_width,
           const DeltaCoding& coding) {
  write_position_width(writer, delta.position_width, last_width, coding.width_mode);
  writer.golomb(difference(delta.rotation_width,
                           rotation_width_guess(delta.position_width, coding.rotation_offset)),
                coding.rotation_order);
  writer.bit(delta.is_largest_kept);
  if (!delta.is_largest_kept) writer.bits(delta.largest, 2);
  if (coding.is_any_falling_asleep && delta.is_pose_changed()) writer.bit(delta.is_awake);
  for (const std::uint32_t code : delta.position)
    writer.bits(code, delta.position_width);
  for (const std::uint32_t code : delta.rotation)
    writer.bits(code, delta.rotation_width);
}

void read(BitReader& reader, BodyDelta& delta, std::uint8_t largest_before, unsigned last_width,
          const DeltaCoding& coding) {
  delta.position_width = read_position_width(reader, last_width, coding.width_mode);
  delta.rotation_width =
      read_difference(reader, rotation_width_guess(delta.position_width, coding.rotation_offset),
                      coding.rotation_order, max_rotation_width);
  delta.is_largest_kept = reader.bit();
  delta.largest = largest_before;
  if (!delta.is_largest_kept) {
    delta.largest = static_cast<std::uint8_t>(reader.bits(2));
    if (delta.largest == largest_before) reader.fail();
  }
  // A body that moved is awake unless its bit says otherwise. A body that did not move can only
  // have changed its awake flag.
  if (!delta.is_pose_changed()) {
    delta.is_awake = !delta.was_awake;
  } else {
    delta.is_awake = !coding.is_any_falling_asleep || reader.bit();
  }
  for (std::uint32_t& code : delta.position)
    code = reader.bits(delta.position_width);
  for (std::uint32_t& code : delta.rotation)
    code = reader.bits(delta.rotation_width);
}

}  // namespace jostle::protocol::detail
