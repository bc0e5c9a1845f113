#pragma once

#include "protocol/decode_error.h"
#include "protocol/messages.h"
#include "protocol/precise/exact_body.h"
#include "protocol/precise/fine_body.h"
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
using Bodies = std::variant<std::vector<FineBody>, std::vector<ExactBody>>;

std::size_t size_of(const Bodies& bodies);
Profile profile_of(const Bodies& bodies);
/// Of the body at `index`, but for its id; nothing where a number is not finite.
std::optional<state::BodyState> body_at(const Bodies& bodies, std::size_t index);

/// A whole snapshot: `bodies` are those of `ids`, in their order.
struct Frame {
  state::Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<state::BodyId> ids;  // ascending
  Bodies bodies;
};

/// In profile fine or lossless; nothing where a number is not finite.
std::optional<Frame> frame_of(const state::Snapshot& snapshot, Profile profile);

/// Frames may refer to one that is so much older at most, in ticks.
inline constexpr std::int64_t max_frame_age_ticks = 224;

/// Codes all of `now` in parts of at most `max_payload_bytes` each, which are decoded independently
/// of each other. The baseline, or null, is of the same profile and older; its bodies that are
/// still there are what theirs are coded against, wherever they stand.
std::vector<EncodedPart> encode_parts(const Frame& now, const Frame* baseline, int tick_rate_hz,
                                      std::size_t max_payload_bytes);

/// What a decoder has of the frame of a tick: all of its bodies, of these ids.
struct FrameView {
  std::span<const state::BodyId> ids;
  const Bodies* bodies = nullptr;  // null: it does not have it
};
using FrameLookup = std::function<FrameView(state::Tick tick)>;

/// The bodies [header.first, header.first + header.count) of `ids`, the moving bodies of the
/// header's revision.
base::Result<Bodies, DecodeError> decode_part(Profile profile, const SnapshotHeader& header,
                                              std::span<const std::byte> payload,
                                              std::span<const state::BodyId> ids, int tick_rate_hz,
                                              const FrameLookup& lookup);

/// All of a frame, without any other, as a blob: for those who join and those who fell behind.
std::vector<std::byte> encode_frame(const Frame& frame);
base::Result<Frame, DecodeError> decode_frame(std::span<const std::byte> bytes);

}  // namespace jostle::protocol::precise
