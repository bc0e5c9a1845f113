#pragma once

#include "shared/net/transport.h"
#include "shared/state/input.h"

#include <cstddef>
#include <cstdint>

namespace jostle::protocol {

/// A client → server message of the State channel, and a snapshot part with its header.
inline constexpr std::size_t max_state_message_bytes = 1'100;
static_assert(max_state_message_bytes <= net::max_unreliable_bytes,
              "what is not reliable must fit one datagram");

/// Of a client → server message on any channel.
inline constexpr std::size_t max_client_message_bytes = 1'100;
/// Of a server → client message on the Control channel.
inline constexpr std::size_t max_control_message_bytes = 8 * 1024;
static_assert(max_control_message_bytes <= net::max_reliable_bytes);

inline constexpr std::size_t max_blob_chunk_bytes = 1'024;
inline constexpr std::size_t max_blob_bytes = 32U << 20;
inline constexpr std::size_t max_inputs_per_packet = 24;
inline constexpr std::size_t max_name_bytes = 64;
inline constexpr std::size_t max_words_bytes = 512;
inline constexpr std::size_t max_bodies = 1U << 20;
inline constexpr std::size_t max_shapes_per_body = 256;
/// Parts of one snapshot: an acknowledgement names them by a 64-bit mask per tick.
inline constexpr std::size_t max_snapshot_parts = 64;
/// Runs of equal baselines in one part.
inline constexpr std::size_t max_baseline_runs = 64;
/// How many ticks back a baseline may lie: both sides keep that many.
inline constexpr std::uint32_t baseline_window_ticks = 128;

}  // namespace jostle::protocol
