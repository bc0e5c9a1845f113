#pragma once

#include "shared/net/io.h"
#include "shared/physics/execution.h"
#include "shared/state/tick.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace jostle::server {

/// Run-time options of a server. The options that affect the simulation (tick rate and seed) are
/// also stored in recordings.
struct Options {
  /// Names of settings in messages: options of the program, or fields of the C API.
  struct Names {
    std::string sandbox = "--sandbox", record = "--record FILE";
  };

  std::string name = "jostle";
  int tick_rate_hz = state::default_tick_rate_hz;
  int snapshot_interval_ticks = 1;
  std::uint64_t seed = 0;
  std::size_t max_players = 16;
  std::size_t max_sessions = 64;  // players and spectators
  /// True if every client may pause, step, slow down, reset and change the scene.
  bool is_sandbox = false;
  Names names{};
  /// True to encode snapshots against a simulated prediction (codec 3) for clients that have the
  /// engine. Saves about a fifth of the payload when many bodies move, but may increase it
  /// otherwise. Takes some milliseconds of CPU time per snapshot on the server and on the client.
  bool uses_prediction_baseline = false;
  /// True if clients that have the engine may request lockstep: commands of each tick instead of
  /// snapshots.
  bool is_lockstep = false;
  /// Sync test: every tick, roll back this many ticks, simulate them again and compare; 0: off.
  std::uint32_t sync_test_ticks = 0;
  /// Maximum rate of snapshots and blobs to one client, including all headers.
  double max_client_bytes_per_second = std::numeric_limits<double>::infinity();
  /// Time for which a player whose connection broke keeps its reconnect slot, s.
  double reconnect_window_seconds = 60;
  /// Time in which a new connection must send its Hello. It has no place of the server until then.
  std::int64_t handshake_timeout_us = 3'000'000;
  /// Maximum number of places of one address, see AddressShares.
  std::optional<std::size_t> max_per_address{};
  /// Time without an input after which a player gives its place to a client that finds the server
  /// full, s; 0: never.
  double idle_seconds = 300;
  /// Clock for timing the stages of a step, used while a client requests statistics; null: no
  /// timing.
  physics::StageClock stage_clock = nullptr;
};

/// Maximum number of connections without a Hello of one remote address.
inline constexpr std::size_t max_waiting_per_address = 4;
/// Returns the maximum number of connections without a Hello. They do not count as clients.
constexpr std::size_t max_waiting_of(std::size_t max_sessions) {
  return std::clamp<std::size_t>(max_sessions, 32, 256);
}
/// Returns the number of connections that the transport of a server must accept.
constexpr std::size_t transport_peers_of(std::size_t max_sessions, std::size_t most) {
  // Spare peers, so that rejected clients receive a reason.
  constexpr std::size_t spare = 16;
  return std::min(max_sessions + max_waiting_of(max_sessions) + spare, most);
}
/// Maximum number of ticks that are simulated at once to catch up after a stall. The rest of the
/// delay is skipped.
inline constexpr int max_catch_up_ticks = 4;
/// Number of refused messages that a session may accumulate; one is forgiven per second.
inline constexpr double max_refused_messages = 20;
/// Maximum rate of a session's messages that follow the tick rate, such as input packets.
inline constexpr double messages_per_tick = 1.5;
/// Maximum rate of a session's other messages, such as pings and camera updates, per second.
inline constexpr double other_messages_per_second = 20;
/// Length of the burst of messages that a session may send after a pause, s at the maximum rate.
inline constexpr double message_burst_seconds = 2;
/// Returns the maximum rate of all messages of a session, per second.
constexpr double messages_per_second_of(double tick_rate_hz) {
  return messages_per_tick * tick_rate_hz + other_messages_per_second;
}
/// Maximum number of control commands per session and tick.
inline constexpr int max_controls_per_tick = 4;
/// Minimum interval between two scene list requests of a session. Also the minimum interval between
/// two loads of a scene, for all clients together.
inline constexpr std::int64_t scene_interval_us = 1'000'000;
/// Minimum interval between two resets of the scene, for all clients together: each reset sends the
/// whole world to every client.
inline constexpr std::int64_t reset_interval_us = 500'000;
/// Minimum interval between two requests of a session for the full simulation state. Also the
/// minimum interval between two encodings of that state.
inline constexpr std::int64_t simulation_interval_us = 1'000'000;
/// Minimum interval between two encodings of the full simulation state, in multiples of the
/// duration of the last encoding. Applies to all clients together and limits encoding to 2 % of the
/// time.
inline constexpr std::int64_t simulation_inverse_duty = 50;
/// Time without an acknowledgement of the last keyframe after which a newer keyframe is sent.
inline constexpr double keyframe_patience_seconds = 3;
/// Number of keyframes in a row without an acknowledgement after which a client is dropped, because
/// it cannot keep up.
inline constexpr int max_unanswered_keyframes = 8;
/// Time in which a playing client acknowledges no newer snapshot after which it is dropped.
inline constexpr int max_unacknowledged_seconds = 30;
/// Maximum number of blob chunks per tick and session.
inline constexpr int chunks_per_tick = 16;
/// Fraction of a rate-limited client's bytes that blobs may use while the client also receives
/// snapshots, and the same on links below `thin_bytes_per_second`, where a simulation state would
/// otherwise take very long.
inline constexpr double bulk_share = 0.5, thin_bulk_share = 0.6;
inline constexpr double thin_bytes_per_second = 16'000;
/// Number of particle frames per second.
inline constexpr double particle_frames_per_second = 10;
/// Number of updates of all labels per second.
inline constexpr double labels_per_second = 4;
/// Number of rope messages per second.
inline constexpr double rope_messages_per_second = 4;
/// Returns true if a message with a rate of `per_second` messages per second is due in `tick`.
constexpr bool is_due(const Options& options, state::Tick tick, double per_second) {
  const double interval_ticks = static_cast<double>(options.tick_rate_hz) / per_second;
  return tick.number % static_cast<std::uint32_t>(std::max(interval_ticks, 1.0)) == 0;
}
/// Number of statistics messages per second to each client that requests them.
inline constexpr double statistics_per_second = 2;
/// Maximum number of body reports per second to each client that requests them.
inline constexpr double reports_per_second = 5;
/// Maximum number of debug draw frames per second to each client that requests them.
inline constexpr double debug_draws_per_second = 20;
/// Maximum rate of debug draw frames to each client, bytes per second including headers.
inline constexpr double debug_draw_bytes_per_second = 64e3;
/// Maximum number of items in a debug draw frame.
inline constexpr std::size_t most_debug_draw_items = 800;
/// Minimum interval between two debug draw frames, in multiples of the time that the server took to
/// make the last frame. Applies to all clients together and limits debug draw frames to 5 % of the
/// time.
inline constexpr std::int64_t debug_draw_inverse_duty = 20;
/// Maximum number of debug draw messages per tick and client.
inline constexpr int debug_draw_parts_per_tick = 4;
/// Number of unacknowledged bytes on a connection above which no further blob chunk is sent.
inline constexpr std::size_t max_pending_bulk_bytes = 64U << 10;
/// The same while the client plays. ENet sends no other reliable message, such as a change of the
/// world, while 64 KiB are in flight.
inline constexpr std::size_t max_playing_pending_bulk_bytes = 16U << 10;

}  // namespace jostle::server
