#pragma once

#include "protocol/decode_error.h"
#include "shared/base/result.h"
#include "shared/state/body_report.h"
#include "shared/state/overlay.h"
#include "shared/state/server_statistics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::protocol {

// What a server tells those who look closer (InspectRequest), on the State channel. Each message is
// decoded by itself, and what is lost is replaced by the next.

/// One message of an overlay: some of its items.
struct OverlayPart {
  std::uint32_t world_revision = 0;
  std::uint8_t part = 0, parts = 1;
  state::Overlay overlay;  // `left_out` of the whole overlay

  bool operator==(const OverlayPart&) const = default;
};

/// Of one overlay; as many items fit.
inline constexpr std::size_t max_overlay_parts = 16;
extern const std::size_t max_overlay_items;

/// At least one message, each of at most max_state_message_bytes. Points are rounded to 1/512 m, or
/// where those of a message lie farther apart than 128 m, to 1/65,535 of that. Items that are more
/// than 4,000 km from the origin are left out. Contract: at most max_overlay_items.
std::vector<std::vector<std::byte>> encode_overlay(const state::Overlay& overlay,
                                                   std::uint32_t world_revision);
base::Result<OverlayPart, DecodeError> decode_overlay(std::span<const std::byte> bytes);

/// Contract: all figures are finite and not negative.
std::vector<std::byte> encode_statistics(const state::ServerStatistics& statistics);
base::Result<state::ServerStatistics, DecodeError> decode_statistics(
    std::span<const std::byte> bytes);

/// Contract: the mass is finite and not negative, the body is not null.
std::vector<std::byte> encode_body_report(const state::BodyReport& report);
base::Result<state::BodyReport, DecodeError> decode_body_report(std::span<const std::byte> bytes);

}  // namespace jostle::protocol
