#include "tools/snapshots/frame_set.h"

#include <array>
#include <cstdint>

namespace jostle::snapshots {
namespace {

using protocol::QuantizedBody;

constexpr std::size_t numbers_per_body = 8;
constexpr std::size_t frame_bytes = bodies_per_frame * numbers_per_body * sizeof(std::int32_t);
/// Maximum absolute coordinate of a position in a snapshot, in steps.
constexpr std::int32_t max_position = 4'194'303 * protocol::position_steps_per_metre;

using Record = std::array<std::int32_t, numbers_per_body>;

/// A unit quaternion without its largest component, which is positive. `largest` is the index of
/// that component; the others are stored at their own index.
struct Rotation {
  std::size_t largest = 3;
  std::array<std::int32_t, 4> component{};
};
Rotation rotation_of(std::size_t largest, const std::array<std::int32_t, 3>& smallest) {
  Rotation rotation{largest, {}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != largest) rotation.component[i] = smallest[next++];
  return rotation;
}
std::array<std::int32_t, 3> smallest_of(const Rotation& rotation) {
  std::array<std::int32_t, 3> smallest{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != rotation.largest) smallest[next++] = rotation.component[i];
  return smallest;
}

/// Returns the rotation with component `from[i]` at index i and with the component at `negated`
/// negated. If `negated` is the index of the largest component, which must stay positive, negates
/// all others instead.
Rotation turned(const Rotation& source, const std::array<std::size_t, 4>& from,
                std::size_t negated) {
  Rotation result;
  for (std::size_t i = 0; i < 4; ++i) {
    if (from[i] == source.largest) result.largest = i;
    result.component[i] = source.component[from[i]];
  }
  const bool are_all_negated = result.largest == negated;
  for (std::size_t i = 0; i < 4; ++i)
    if (are_all_negated || i == negated)
      result.component[i] = protocol::rotation_max - result.component[i];
  return result;
}

Record record_of(const QuantizedBody& body) {
  const Rotation ours =
      rotation_of(body.largest, {body.smallest[0], body.smallest[1], body.smallest[2]});
  const Rotation theirs = turned(ours, {0, 2, 1, 3}, 1);
  const auto smallest = smallest_of(theirs);
  return {static_cast<std::int32_t>(theirs.largest),
          smallest[0],
          smallest[1],
          smallest[2],
          body.position[0],
          -body.position[2],
          body.position[1],
          body.is_awake ? 1 : 0};
}

QuantizedBody body_of(const Record& record) {
  const Rotation theirs =
      rotation_of(static_cast<std::size_t>(record[0]), {record[1], record[2], record[3]});
  const Rotation ours = turned(theirs, {0, 2, 1, 3}, 2);
  const auto smallest = smallest_of(ours);
  QuantizedBody body;
  body.largest = static_cast<std::uint8_t>(ours.largest);
  for (std::size_t i = 0; i < 3; ++i)
    body.smallest[i] = static_cast<std::uint16_t>(smallest[i]);
  body.position = {record[4], record[6], -record[5]};
  body.is_awake = record[7] != 0;
  return body;
}

bool is_valid(const Record& record) {
  const auto is_within = [](std::int32_t x, std::int32_t low, std::int32_t high) {
    return x >= low && x <= high;
  };
  bool is_good = is_within(record[0], 0, 3) && is_within(record[7], 0, 1);
  for (std::size_t i = 1; i <= 3; ++i)
    is_good = is_good && is_within(record[i], 0, protocol::rotation_max);
  for (std::size_t i = 4; i <= 6; ++i)
    is_good = is_good && is_within(record[i], -max_position, max_position);
  return is_good;
}

std::int32_t read_number(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return static_cast<std::int32_t>(value);
}

}  // namespace

base::Result<FrameSet, std::string> parse_frames(std::span<const std::byte> bytes) {
  if (bytes.empty() || bytes.size() % frame_bytes != 0) {
    return "is not a file of frames: its " + std::to_string(bytes.size()) +
           " bytes are not a multiple of the " + std::to_string(frame_bytes) +
           " of a frame of 901 bodies";
  }
  FrameSet set;
  set.frames.resize(bytes.size() / frame_bytes);
  for (std::size_t f = 0; f < set.frames.size(); ++f) {
    for (std::size_t b = 0; b < bodies_per_frame; ++b) {
      Record record{};
      for (std::int32_t& number : record) {
        number = read_number(bytes);
        bytes = bytes.subspan(sizeof(std::int32_t));
      }
      if (!is_valid(record))
        return "body " + std::to_string(b) + " of frame " + std::to_string(f) +
               " is out of range: expected components of the "
               "rotation from 0 to " +
               std::to_string(protocol::rotation_max) + ", positions within ±" +
               std::to_string(max_position) + " steps, and awake 0 or 1";
      set.frames[f].push_back(body_of(record));
    }
  }
  return set;
}

std::vector<std::byte> write_frames(const FrameSet& set) {
  std::vector<std::byte> bytes;
  bytes.reserve(set.frames.size() * frame_bytes);
  for (const Frame& frame : set.frames) {
    for (const QuantizedBody& body : frame) {
      for (const std::int32_t number : record_of(body)) {
        for (int shift = 0; shift < 32; shift += 8)
          bytes.push_back(static_cast<std::byte>(static_cast<std::uint32_t>(number) >> shift));
      }
    }
  }
  return bytes;
}

std::size_t count_changed(const Frame& frame, const Frame& baseline) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < frame.size(); ++i) {
    QuantizedBody before = baseline[i];
    before.is_awake = frame[i].is_awake;
    if (before != frame[i]) ++changed;
  }
  return changed;
}

}  // namespace jostle::snapshots
