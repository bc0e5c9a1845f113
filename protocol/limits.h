#pragma once

#include "shared/net/transport.h"
#include "shared/state/input.h"

#include <cstddef>
#include <cstdint>

namespace jostle::protocol {

/// Maximum size of a message on the State channel, such as an input packet or a snapshot part with
/// its header.
inline constexpr std::size_t max_state_message_bytes = 1'100;
static_assert(max_state_message_bytes <= net::max_unreliable_bytes,
              "unreliable messages must fit in one datagram");

/// Maximum size of a client → server message on any channel.
inline constexpr std::size_t max_client_message_bytes = 1'100;
/// Maximum size of a server → client message on the Control channel.
inline constexpr std::size_t max_control_message_bytes = 8 * 1024;
static_assert(max_control_message_bytes <= net::max_reliable_bytes);

inline constexpr std::size_t max_blob_chunk_bytes = 1'024;
inline constexpr std::size_t max_blob_bytes = 32U << 20;
inline constexpr std::size_t max_inputs_per_packet = 24;
inline constexpr std::size_t max_name_bytes = 64;
inline constexpr std::size_t max_text_bytes = 512;
inline constexpr std::size_t max_scenes = 256;  // offered by a server
inline constexpr std::size_t max_bodies = 1U << 20;
inline constexpr std::size_t max_shapes_per_body = 256;
inline constexpr std::size_t max_body_shapes = 1U << 20;  // sum over all bodies of a world

/// Maximum number of hulls, meshes and height fields in one world change.
inline constexpr std::size_t max_change_solids = 256;

/// Maximum number of parts of a snapshot. Acknowledgements use a 64-bit mask per tick, see
/// `ack_bit`.
inline constexpr std::size_t max_snapshot_parts = 255;
/// Maximum number of moving bodies in a snapshot. They always fit in max_snapshot_parts parts,
/// which the snapshot codec asserts at compile time.
inline constexpr std::size_t max_snapshot_bodies = 10'000;
/// Maximum number of ticks between two snapshots.
inline constexpr std::uint32_t max_snapshot_interval_ticks = 128;
/// Maximum size of a part without its payload: header and FlatBuffers' overhead.
inline constexpr std::size_t max_snapshot_header_bytes = 60;
/// Maximum number of Teleport entries in a part, and the payload that the part must leave out for
/// them: 4 B each, and FlatBuffers' overhead.
inline constexpr std::size_t max_part_teleports = 32;
inline constexpr std::size_t teleport_room_bytes = 4 * max_part_teleports + 16;
/// Maximum age of a teleport in a snapshot, in ticks.
inline constexpr std::uint32_t teleport_window_ticks = 128;
/// Maximum number of PartAck entries in one input packet.
inline constexpr std::size_t max_partial_acks = 8;

/// Returns the index of the bit in PartAck::parts for part number `part` of a snapshot with `parts`
/// parts. If there are more than 64 parts, neighbouring parts share a bit, which is set if all of
/// them were decoded.
constexpr int ack_bit(int part, int parts) {
  return part / ((parts + 63) / 64);
}
static_assert(ack_bit(63, 64) == 63 && ack_bit(254, 255) == 63 && ack_bit(64, 65) == 32);

/// Maximum number of runs of equal baselines in one part.
inline constexpr std::size_t max_baseline_runs = 64;
/// Maximum age of a baseline in ticks; both sides keep snapshots that long. On links with little
/// bandwidth, seconds may pass between two states of a body.
inline constexpr std::uint32_t baseline_window_ticks = 256;
/// Maximum age of a baseline in codec 1 (SnapshotCodec::BitPacked), in ticks.
inline constexpr std::uint32_t bit_packed_window_ticks = 128;

/// Maximum size of a message with a chunk of a blob.
inline constexpr std::size_t max_chunk_message_bytes = max_blob_chunk_bytes + 64;
static_assert(max_chunk_message_bytes <= net::max_reliable_bytes);
/// Maximum size of a message on the Time channel.
inline constexpr std::size_t max_time_message_bytes = 96;
/// Maximum size of the commands of one tick in a recording. The longest inputs of 4,095 players
/// fit.
inline constexpr std::size_t max_commands_bytes = 1U << 20;

/// Maximum number of messages per particle frame. They hold state::max_shown_particles particles in
/// 64 groups.
inline constexpr std::size_t max_particle_parts = 32;
inline constexpr std::size_t max_label_name_bytes = 40;    // lets 16 labels fit a message
inline constexpr float max_particle_radius = 1e3f;         // m
inline constexpr float max_particle_acceleration = 1e9f;   // m/s²
inline constexpr float max_particle_velocity_step = 1e6f;  // m/s

inline constexpr std::size_t max_interest_bodies = 64;

// Limits of untrusted numbers that reach the physics.
inline constexpr double max_position = 1e7;       // m, each axis
inline constexpr float max_impulse = 1e6f;        // N·s for a push, m/s for a shot; each axis
inline constexpr float max_move_length = 1.001f;  // length of (move_x, move_z): 1 plus rounding
inline constexpr float max_shape_size = 1e6f;     // m, every radius and half extent
inline constexpr float unit_tolerance = 1e-3f;    // tolerance of a quaternion's squared length
inline constexpr std::uint32_t max_rate_percent = 1'000;     // maximum count of ControlKind::Rate
inline constexpr std::uint32_t max_control_steps = 100'000;  // maximum count of ControlKind::Step

}  // namespace jostle::protocol
