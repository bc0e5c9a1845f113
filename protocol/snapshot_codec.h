#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"
#include "protocol/quantize.h"
#include "shared/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace jostle::protocol {

/// Consecutive bodies of a part that share a baseline. Tick 0 stands for the spawn pose, which
/// both sides know from the world's definition; any other must be one that the client acknowledged.
struct BaselineRun {
  std::uint32_t count = 0;
  state::Tick baseline;

  bool operator==(const BaselineRun&) const = default;
};

/// The coded bodies [first, first + count) of a snapshot, without the header of a session, so that
/// all clients with the same baselines share it.
struct EncodedPart {
  std::uint32_t first = 0, count = 0;
  std::vector<std::byte> payload;
  std::vector<std::uint32_t> chosen;  // those that it holds, by index; none: all of the range
};

/// The bodies of one part.
struct DecodedPart {
  std::vector<QuantizedBody> bodies;
  std::vector<std::uint32_t> chosen;  // their indices; none: all of the part's range, in order
};

/// Looks a baseline up: the state of `id` at tick `baseline` (or its spawn pose for tick 0), or
/// nullptr.
using BaselineLookup = std::function<const QuantizedBody*(state::BodyId id, state::Tick baseline)>;

/// Codes all of `snapshot` in parts of at most `max_payload_bytes` each. `runs` covers all its
/// bodies in order; every baseline it names must be there. A snapshot always has at least one part.
std::vector<EncodedPart> encode_parts(const QuantizedSnapshot& snapshot,
                                      std::span<const BaselineRun> runs,
                                      const BaselineLookup& lookup, std::size_t max_payload_bytes);

/// What stands before a part's payload.
struct SnapshotHeader {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::uint8_t part = 0, parts = 1;
  std::uint32_t first = 0,
                count = 0;  // bodies in this part, by index in the revision's moving bodies
  /// Newest tick of which this client's input has arrived, and how early it was: ticks before it
  /// was needed, negative when late. The client steers its lead by it.
  state::Tick input_ack;
  std::int16_t input_margin_ticks = 0;  // on the wire −128..127
  /// Snapshots that were left out for this client right before this one; at most 255.
  std::uint8_t skipped = 0;
  std::int64_t server_send_us = 0;

  bool operator==(const SnapshotHeader&) const = default;
};

/// How a payload is coded: by encode_parts here, by the context coder (protocol/context), or in
/// profile fine or lossless (protocol/precise).
enum class SnapshotCodec : std::uint8_t {
  BitPacked = 1,
  Context = 2,
  Foreseen = 3,
  Fine = 4,
  Lossless = 5
};

/// A whole message: header and payload, at most max_state_message_bytes.
std::vector<std::byte> encode_snapshot_message(const SnapshotHeader& header, SnapshotCodec codec,
                                               std::span<const std::byte> payload);

struct SnapshotMessage {
  SnapshotHeader header;
  SnapshotCodec codec = SnapshotCodec::Context;
  std::vector<std::byte> payload;
};
base::Result<SnapshotMessage, DecodeError> decode_snapshot_message(
    std::span<const std::byte> bytes);

/// Payload bytes of the largest part that fits a message with its header.
std::size_t max_part_payload_bytes();

/// The bodies of one part. `ids` are the moving bodies of the header's revision. Reads nothing but
/// its arguments, so that order of arrival cannot matter.
base::Result<std::vector<QuantizedBody>, DecodeError> decode_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, const BaselineLookup& lookup);

/// A whole snapshot without baselines, as a blob: for late joiners and those that fell behind.
std::vector<std::byte> encode_keyframe(const QuantizedSnapshot& snapshot);
base::Result<QuantizedSnapshot, DecodeError> decode_keyframe(std::span<const std::byte> bytes);

/// The same in profile fine or lossless; protocol/precise makes something of it.
struct PreciseKeyframe {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  Profile profile = Profile::Fine;
  std::vector<state::BodyId> ids;  // ascending
  std::vector<std::byte> coded;
};
std::vector<std::byte> encode_precise_keyframe(const PreciseKeyframe& keyframe);
base::Result<PreciseKeyframe, DecodeError> decode_precise_keyframe(
    std::span<const std::byte> bytes);

}  // namespace jostle::protocol
