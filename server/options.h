#pragma once

#include "shared/net/io.h"
#include "shared/physics/execution.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace jostle::server {

/// Run-time choices of a server, printed at start and, where they reach results, stored in
/// recordings.
struct Options {
  std::string name = "jostle";
  int tick_rate_hz = state::default_tick_rate_hz;
  int snapshot_interval_ticks = 1;
  std::uint64_t seed = 0;
  std::size_t max_players = 16;
  std::size_t max_sessions = 64;  // players and spectators
  /// Everyone may pause, step, slow down and reset the world.
  bool is_sandbox = false;
  /// Snapshots of clients that have the engine are coded against what a simulation expects (codec
  /// 3): a fifth fewer bytes of them, for some milliseconds of processor time at each end.
  bool foresees = false;
  /// Peers that have the engine may ask for what is done in each tick instead of snapshots.
  bool is_lockstep = false;
  /// Each tick goes so many back and does them again, to compare; 0: none does.
  std::uint32_t sync_test_ticks = 0;
  /// Of snapshots and blobs to one client, all headers included.
  double max_client_bytes_per_second = std::numeric_limits<double>::infinity();
  /// How long the place of a player whose connection broke is kept for it.
  double keep_place_seconds = 60;
  std::int64_t handshake_timeout_us = 5'000'000;
  /// By which the stages of steps are timed while a client asks for that; null: they are not.
  physics::StageClock stage_clock = nullptr;
};

/// At most this many ticks are made up for after a stall; the rest of the delay is let go.
inline constexpr int max_catch_up_ticks = 4;
/// Refused messages that a session may have standing against it; one is forgiven per second.
inline constexpr double max_refused_messages = 20;
/// Messages that a session may send in the long run: for each tick, and others in a second (pings
/// and views come by a client's own clock); and what it may save up of both.
inline constexpr double messages_per_tick = 1.5, other_messages_per_second = 20;
inline constexpr double message_burst_seconds = 2;
constexpr double messages_per_second_of(double tick_rate_hz) {
  return messages_per_tick * tick_rate_hz + other_messages_per_second;
}
/// Control commands that one session may give in one tick.
inline constexpr int max_controls_per_tick = 4;
/// A session may ask for the list of scenes once in so long; another scene is read once in so long.
inline constexpr std::int64_t scene_interval_us = 1'000'000;
/// A scene begins anew once in so long, whoever asks: everybody is told all of it each time.
inline constexpr std::int64_t reset_interval_us = 500'000;
/// A session may ask for the whole simulation once in so long.
inline constexpr std::int64_t simulation_interval_us = 1'000'000;
/// And the server makes it once in so many times what that takes, for all that ask.
inline constexpr std::int64_t simulation_rest = 50;
/// A keyframe that is not acknowledged for so long is followed by a newer one.
inline constexpr double keyframe_patience_seconds = 3;
/// Who leaves so many in a row unanswered keeps up with nothing, and is dropped.
inline constexpr int max_unanswered_keyframes = 8;
/// Blob chunks put on the wire per tick and session, while no more than this is unacknowledged.
inline constexpr int chunks_per_tick = 16;
/// Of the bytes that a client with a limit may be sent, while it also gets snapshots.
inline constexpr double bulk_share = 0.5;
/// What is shown beside bodies.
inline constexpr double particle_frames_per_second = 10, readouts_per_second = 4,
                        cord_messages_per_second = 4;
/// What those are told who look closer: at most so many overlays, of so many items and bytes to
/// each of them, headers included.
inline constexpr double statistics_per_second = 2, reports_per_second = 5, overlays_per_second = 20,
                        overlay_bytes_per_second = 64e3;
inline constexpr std::size_t most_overlay_items = 800;
/// And one is made once in so many times what that takes, for all that ask.
inline constexpr std::int64_t overlay_rest = 20;
inline constexpr int overlay_parts_per_tick = 4;
inline constexpr std::size_t max_pending_bulk_bytes = 64U << 10;

}  // namespace jostle::server
