#pragma once

#include "protocol/decode_error.h"
#include "shared/base/result.h"
#include "shared/state/body_report.h"
#include "shared/state/debug_draw_frame.h"
#include "shared/state/server_statistics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol {

// Messages for clients that inspect the world (see InspectRequest), on the State channel. Each
// message is decoded independently; a lost one is replaced by the next.

/// A message with some of the items of a debug draw frame.
struct DebugDrawPart {
  std::uint32_t world_revision = 0;
  std::uint8_t part = 0, parts = 1;
  state::DebugDrawFrame debug_draw;  // `left_out` counts for the whole frame

  bool operator==(const DebugDrawPart&) const = default;
};

/// Maximum number of messages of one debug draw frame.
inline constexpr std::size_t max_debug_draw_parts = 16;
/// Maximum number of items of one debug draw frame: as many as fit in max_debug_draw_parts
/// messages.
extern const std::size_t max_debug_draw_items;

/// Encodes a debug draw frame as one or more messages of at most max_state_message_bytes each.
/// Points are rounded to 1/512 m. If the points of a message span more than 128 m, they are rounded
/// to 2^n/512 m with the smallest n for which the span takes at most 65,535 steps. Items more than
/// 4,000 km from the origin along an axis are left out and counted. Contract: the frame has at most
/// max_debug_draw_items items.
std::vector<std::vector<std::byte>> encode_debug_draw(const state::DebugDrawFrame& debug_draw,
                                                      std::uint32_t world_revision);
base::Result<DebugDrawPart, DecodeError> decode_debug_draw(std::span<const std::byte> bytes);

/// Encodes statistics. Contract: all figures are finite and not negative.
std::vector<std::byte> encode_statistics(const state::ServerStatistics& statistics);
base::Result<state::ServerStatistics, DecodeError> decode_statistics(
    std::span<const std::byte> bytes);

/// Encodes a body report. Contract: the mass is finite and not negative, and the body is not null.
std::vector<std::byte> encode_body_report(const state::BodyReport& report);
base::Result<state::BodyReport, DecodeError> decode_body_report(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
