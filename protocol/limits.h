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
inline constexpr std::size_t max_scenes = 256;  // that a server tells of
inline constexpr std::size_t max_bodies = 1U << 20;
inline constexpr std::size_t max_shapes_per_body = 256;
inline constexpr std::size_t max_body_shapes = 1U << 20;  // of all bodies of a world together

/// Hulls, meshes and height fields that come with the bodies of one change.
inline constexpr std::size_t max_change_solids = 256;

/// Parts of one snapshot. An acknowledgement names them by a 64-bit mask per tick: `ack_bit`.
inline constexpr std::size_t max_snapshot_parts = 255;
/// Moving bodies of one snapshot: so many fit max_snapshot_parts whatever they do, which the
/// snapshot codec asserts at compile time.
inline constexpr std::size_t max_snapshot_bodies = 10'000;
/// Ticks from one snapshot to the next.
inline constexpr std::uint32_t max_snapshot_interval_ticks = 128;
/// What stands before the payload of a part.
inline constexpr std::size_t max_snapshot_header_bytes = 60;
/// Of PartAck in one input packet.
inline constexpr std::size_t max_partial_acks = 8;

/// The bit of PartAck::parts that stands for `part` of `parts`: beyond 64 parts, neighbours share
/// one, which is set when all of them are decoded.
constexpr int ack_bit(int part, int parts) {
  return part / ((parts + 63) / 64);
}
static_assert(ack_bit(63, 64) == 63 && ack_bit(254, 255) == 63 && ack_bit(64, 65) == 32);

/// Runs of equal baselines in one part.
inline constexpr std::size_t max_baseline_runs = 64;
/// How many ticks back a baseline may lie: both sides keep that many. On thin links seconds pass
/// from one state of a body to its next.
inline constexpr std::uint32_t baseline_window_ticks = 256;
/// In codec 1.
inline constexpr std::uint32_t bit_packed_window_ticks = 128;

/// A chunk with its header.
inline constexpr std::size_t max_chunk_message_bytes = max_blob_chunk_bytes + 64;
static_assert(max_chunk_message_bytes <= net::max_reliable_bytes);
/// A message of the Time channel.
inline constexpr std::size_t max_time_message_bytes = 96;
/// The commands of one tick in a recording: 4,095 players with the longest inputs fit.
inline constexpr std::size_t max_commands_bytes = 1U << 20;

/// Messages of one frame of particles: state::max_shown_particles fit, of 64 kinds.
inline constexpr std::size_t max_particle_parts = 32;
inline constexpr std::size_t max_readout_name_bytes = 40;  // 16 figures fit a message
inline constexpr float max_particle_radius = 1e3f;         // m
inline constexpr float max_particle_acceleration = 1e9f;   // m/s²
inline constexpr float max_particle_velocity_step = 1e6f;  // m/s

inline constexpr std::size_t max_interest_bodies = 64;

// Numbers that a stranger sends and physics will meet.
inline constexpr double max_position = 1e7;       // m, each axis
inline constexpr float max_impulse = 1e6f;        // N·s of a push, m/s of a shot; each axis
inline constexpr float max_move_length = 1.001f;  // of (move_x, move_z): 1 and its rounding
inline constexpr float max_shape_size = 1e6f;     // m, every radius and half extent
inline constexpr float unit_tolerance = 1e-3f;    // of the squared length of a quaternion
inline constexpr std::uint32_t max_rate_percent = 1'000;     // ControlKind::Rate
inline constexpr std::uint32_t max_control_steps = 100'000;  // ControlKind::Step

}  // namespace jostle::protocol
