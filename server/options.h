#pragma once

#include "shared/net/io.h"
#include "shared/physics/execution.h"
#include "shared/state/tick.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace jostle::server {

/// Run-time options of a server. The options that affect the simulation (tick rate and seed) are
/// also stored in recordings.
struct Options {
  std::string name = "jostle";
  int tick_rate_hz = state::default_tick_rate_hz;
  int snapshot_interval_ticks = 1;
  std::uint64_t seed = 0;
  std::size_t max_players = 16;
  std::size_t max_sessions = 64;  // players and spectators
  /// True if every client may pause, step, slow down, reset and change the scene.
  bool is_sandbox = false;
  /// True to encode snapshots against a simulated prediction (codec 3) for clients that have the
  /// engine. Saves about a fifth of the payload when many bodies move, and may cost bytes
  /// otherwise. Costs some milliseconds of CPU time at each end.
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
  std::int64_t handshake_timeout_us = 5'000'000;
  /// Clock for timing the stages of a step, used while a client requests statistics; null: no
  /// timing.
  physics::StageClock stage_clock = nullptr;
};

/// Maximum number of ticks that are simulated at once to catch up after a stall. The rest of the
/// delay is skipped.
inline constexpr int max_catch_up_ticks = 4;
/// Number of refused messages that a session may accumulate; one is forgiven per second.
inline constexpr double max_refused_messages = 20;
/// Rate limit for messages of a session: a number per tick, plus a number per second for pings and
/// camera updates, which follow the client's own clock. Unused messages of up to
/// `message_burst_seconds` can accumulate.
inline constexpr double messages_per_tick = 1.5, other_messages_per_second = 20;
inline constexpr double message_burst_seconds = 2;
constexpr double messages_per_second_of(double tick_rate_hz) {
  return messages_per_tick * tick_rate_hz + other_messages_per_second;
}
/// Maximum number of control commands per session and tick.
inline constexpr int max_controls_per_tick = 4;
/// Minimum interval between two scene list requests of a session, and between two loads of a scene
/// by any clients.
inline constexpr std::int64_t scene_interval_us = 1'000'000;
/// Minimum interval between two resets of the scene, for all clients together: each reset sends the
/// whole world to every client.
inline constexpr std::int64_t reset_interval_us = 500'000;
/// Minimum interval between two requests of a session for the full simulation state, and between
/// two encodings of it.
inline constexpr std::int64_t simulation_interval_us = 1'000'000;
/// Minimum interval between two encodings of the full simulation state, in multiples of the
/// duration of the last encoding. It applies to all clients together and limits encoding to 2 % of
/// the time.
inline constexpr std::int64_t simulation_inverse_duty = 50;
/// Time without an acknowledgement of the last keyframe after which a newer keyframe is sent.
inline constexpr double keyframe_patience_seconds = 3;
/// Number of keyframes in a row without an acknowledgement after which a client is dropped, because
/// it cannot keep up.
inline constexpr int max_unanswered_keyframes = 8;
/// Maximum number of blob chunks per tick and session, while at most `max_pending_bulk_bytes` are
/// unacknowledged.
inline constexpr int chunks_per_tick = 16;
/// Fraction of a rate-limited client's bytes that blobs may use while the client also receives
/// snapshots.
inline constexpr double bulk_share = 0.5;
/// Update rates of displayed data other than bodies, per second.
inline constexpr double particle_frames_per_second = 10, labels_per_second = 4,
                        rope_messages_per_second = 4;
/// Returns true in the ticks in which something with the rate `per_second` is due.
constexpr bool is_due(const Options& options, state::Tick tick, double per_second) {
  const double interval_ticks = static_cast<double>(options.tick_rate_hz) / per_second;
  return tick.number % static_cast<std::uint32_t>(std::max(interval_ticks, 1.0)) == 0;
}
/// Limits for clients that inspect the world: update rates per second, and for the debug draw
/// frames of each client the number of bytes (including headers) per second and of items per frame.
inline constexpr double statistics_per_second = 2, reports_per_second = 5,
                        debug_draws_per_second = 20, debug_draw_bytes_per_second = 64e3;
inline constexpr std::size_t most_debug_draw_items = 800;
/// Minimum interval between two debug draw frames, in multiples of the time that the last frame
/// took. It applies to all clients together and limits debug draw frames to 5 % of the time.
inline constexpr std::int64_t debug_draw_inverse_duty = 20;
inline constexpr int debug_draw_parts_per_tick = 4;
inline constexpr std::size_t max_pending_bulk_bytes = 64U << 10;

}  // namespace jostle::server
