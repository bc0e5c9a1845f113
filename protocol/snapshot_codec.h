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

/// Consecutive bodies that share a baseline. Tick 0 is the spawn pose, which both sides know from
/// the world definition. Any other tick must be one that the client acknowledged.
struct BaselineRun {
  std::uint32_t count = 0;
  state::Tick baseline;

  bool operator==(const BaselineRun&) const = default;
};

/// The encoded bodies [first, first + count) of a snapshot, without the per-session header, so that
/// all clients with the same baselines can share them.
struct EncodedPart {
  std::uint32_t first = 0, count = 0;
  std::vector<std::byte> payload;
  // indices in the snapshot of the encoded bodies; empty: all of the range
  std::vector<std::uint32_t> chosen;
};

/// The decoded bodies of one part.
struct DecodedPart {
  std::vector<QuantizedBody> bodies;
  // indices in the snapshot of the decoded bodies; empty: the part's whole range, in order
  std::vector<std::uint32_t> chosen;

  bool operator==(const DecodedPart&) const = default;
};

/// Function that returns the state of `id` at tick `baseline` (the spawn pose for tick 0); null if
/// it is not kept.
using BaselineLookup = std::function<const QuantizedBody*(state::BodyId id, state::Tick baseline)>;

/// Encodes all of `snapshot` in parts of at most `max_payload_bytes` each; at least one part.
/// Contract: `runs` covers all bodies in order, and `lookup` has every baseline in `runs`.
std::vector<EncodedPart> encode_parts(const QuantizedSnapshot& snapshot,
                                      std::span<const BaselineRun> runs,
                                      const BaselineLookup& lookup, std::size_t max_payload_bytes);

/// A body of a part that was set elsewhere, which is no motion: clients must not interpolate
/// between states before and after it. The part repeats teleports of earlier ticks, because the
/// client may have missed them.
struct Teleport {
  static constexpr std::uint32_t all_bodies = 0xffff;
  std::uint32_t index = 0;      // index in the snapshot; `all_bodies`: every body of the part
  std::uint32_t age_ticks = 0;  // ticks since the teleport, less than teleport_window_ticks

  bool operator==(const Teleport&) const = default;
};

/// Header of a part, which precedes its payload in the message.
struct SnapshotHeader {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::uint8_t part = 0, parts = 1;
  // The part has bodies of the range [first, first + count) of the revision's moving bodies.
  std::uint32_t first = 0, count = 0;
  /// Tick of the newest input that arrived from this client, and the number of ticks by which that
  /// input was early; negative: late. The client adjusts its clock lead accordingly.
  state::Tick input_ack;
  std::int16_t input_margin_ticks = 0;  // the wire range is −128..127
  /// Number of snapshots skipped for this client directly before this one; at most 255.
  std::uint8_t skipped = 0;
  std::int64_t server_send_us = 0;
  std::vector<Teleport> teleports{};  // at most max_part_teleports

  bool operator==(const SnapshotHeader&) const = default;
};

/// Codec of a payload.
enum class SnapshotCodec : std::uint8_t {
  BitPacked = 1,  // encode_parts() of this file
  Context = 2,    // context coder (protocol/context)
  Predicted = 3,  // context coder with prediction baselines
  Fine = 4,       // profile fine (protocol/precise)
  Lossless = 5    // profile lossless (protocol/precise)
};

/// Encodes a whole message: header and payload, at most max_state_message_bytes.
std::vector<std::byte> encode_snapshot_message(const SnapshotHeader& header, SnapshotCodec codec,
                                               std::span<const std::byte> payload);

struct SnapshotMessage {
  SnapshotHeader header;
  SnapshotCodec codec = SnapshotCodec::Context;
  std::vector<std::byte> payload;

  bool operator==(const SnapshotMessage&) const = default;
};
base::Result<SnapshotMessage, DecodeError> decode_snapshot_message(
    std::span<const std::byte> bytes);

/// Returns the maximum payload size of a part that fits in a message with its header, without
/// teleports. With teleports, the payload must be smaller by teleport_room_bytes.
std::size_t max_part_payload_bytes();

/// Decodes the bodies of one part of codec BitPacked. `ids` are the moving bodies of the header's
/// revision. The result depends only on the arguments, so parts may arrive in any order.
base::Result<std::vector<QuantizedBody>, DecodeError> decode_part(
    const SnapshotHeader& header, std::span<const std::byte> payload,
    std::span<const state::BodyId> ids, const BaselineLookup& lookup);

/// Codec of a snapshot without baselines, as a blob, for late joiners and clients that fell behind.
std::vector<std::byte> encode_keyframe(const QuantizedSnapshot& snapshot);
base::Result<QuantizedSnapshot, DecodeError> decode_keyframe(std::span<const std::byte> bytes);

/// A keyframe in profile fine or lossless; protocol/precise decodes `coded`.
struct PreciseKeyframe {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  Profile profile = Profile::Fine;
  std::vector<state::BodyId> ids;  // sorted ids
  std::vector<std::byte> coded;
};
std::vector<std::byte> encode_precise_keyframe(const PreciseKeyframe& keyframe);
base::Result<PreciseKeyframe, DecodeError> decode_precise_keyframe(
    std::span<const std::byte> bytes);

}  // namespace jostle::protocol
