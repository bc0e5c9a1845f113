#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"
#include "protocol/precise/fine_body.h"
#include "protocol/precise/lossless_body.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/result.h"
#include "shared/state/ids.h"
#include "shared/state/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace jostle::protocol::precise {

/// Bodies in profile fine or lossless.
using Bodies = std::variant<std::vector<FineBody>, std::vector<LosslessBody>>;

std::size_t size_of(const Bodies& bodies);
Profile profile_of(const Bodies& bodies);
/// Returns the state of the body at `index`, with a null id. Returns null if a number is not
/// finite.
std::optional<state::BodyState> body_at(const Bodies& bodies, std::size_t index);

/// A snapshot with all bodies; `bodies` are in the order of `ids`.
struct Frame {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<state::BodyId> ids;  // sorted ids
  Bodies bodies;
};

/// Converts a snapshot to profile fine or lossless; null if a number is not finite.
std::optional<Frame> frame_of(const state::Snapshot& snapshot, Profile profile);

/// Maximum age of a baseline, in ticks.
inline constexpr std::int64_t max_frame_age_ticks = 224;

/// Encodes all of `now` in parts of at most `max_payload_bytes` each, which can be decoded
/// independently. `baseline` may be null. Otherwise it has the same profile and is older, by at
/// most max_frame_age_ticks. Bodies that exist in both frames are delta-encoded, whatever their
/// indices.
std::vector<EncodedPart> encode_parts(const Frame& now, const Frame* baseline, int tick_rate_hz,
                                      std::size_t max_payload_bytes);

/// A frame that a decoder has kept: its ids and all of its bodies.
struct FrameView {
  std::span<const state::BodyId> ids;
  const Bodies* bodies = nullptr;  // the decoded frame; null if it is not kept
};
using FrameLookup = std::function<FrameView(state::Tick tick)>;

/// Decodes the bodies [header.first, header.first + header.count) of `ids`, which are the moving
/// bodies of the header's revision.
base::Result<Bodies, DecodeError> decode_part(Profile profile, const SnapshotHeader& header,
                                              std::span<const std::byte> payload,
                                              std::span<const state::BodyId> ids, int tick_rate_hz,
                                              const FrameLookup& lookup);

/// Codec of a frame without a baseline, as a blob, for late joiners and clients that fell behind.
std::vector<std::byte> encode_frame(const Frame& frame);
base::Result<Frame, DecodeError> decode_frame(std::span<const std::byte> bytes);

}  // namespace jostle::protocol::precise
