#pragma once

#include "protocol/messages.h"
#include "server/baseline_tracker.h"
#include "server/blob_sender.h"
#include "server/input_buffer.h"
#include "server/lockstep_server.h"
#include "server/precise_frames.h"
#include "server/priority_accumulator.h"
#include "server/rate_controller.h"
#include "shared/net/transport.h"
#include "shared/secure/token.h"
#include "shared/state/ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace jostle::server {

/// The state of a connection.
///
///   AwaitHello --Hello--> Joining --keyframe acknowledged--> Playing
///                             ^                                 |
///                             +---- nothing acknowledged for 1 s -+   (a new keyframe is sent)
///
/// In any state the session ends if the peer disconnects, times out, sends a rejected Hello, sends
/// too many invalid messages or leaves too many keyframes unacknowledged.
enum class ClientSessionState : std::uint8_t { AwaitHello, Joining, Playing };

/// Limits on the messages of a client. MessageHandler owns it.
struct MessageLimits {
  double budget = 0;           // number of messages that the client may send now
  double refused_score = 0;    // refused messages: each adds 1; falls by 1 per second
  state::Tick last_heard;      // tick at which the client's last message arrived
  double usual_gap_ticks = 0;  // the longest recent gap between two messages; decays

  /// Records that a message has arrived in tick `now`.
  void note_heard(state::Tick now, int tick_rate_hz);
};

/// Limits on the control messages of a client, and its scene status. SceneControl owns it.
struct SceneControlState {
  int controls_this_tick = 0;
  std::optional<protocol::SceneStatus> sent_status;  // the status that was sent last
  std::optional<std::int64_t> denied_us;             // time of the last denial notice
  // time at which the client last received the scene list
  std::optional<std::int64_t> list_sent_us;
};

/// Bytes that may be sent to a client. SnapshotSender adds to `bytes`, and BulkSender to
/// `bulk_bytes`. Snapshots, auxiliary messages (such as particles and debug draw) and, while the
/// client plays, blobs subtract from `bytes`.
struct SendBudget {
  /// The window of blobs at first while the client joins (ten packets, as in RFC 6928), at first
  /// while it plays, and at least. It doubles in each round trip in which no queue builds up.
  static constexpr double joining_bulk_window_bytes = 10'240, first_bulk_window_bytes = 2'048,
                          least_bulk_window_bytes = 512;

  RateController rate{std::numeric_limits<double>::max()};
  double bytes = 0;  // bytes that may be sent now; negative after overspending
  // the most that `bytes` can be
  double most_bytes = std::numeric_limits<double>::infinity();
  double bulk_bytes = 0;  // budget for blobs, bytes, if a rate limit is set
  // the most reliable bytes in flight, and when it became smaller
  double bulk_window = first_bulk_window_bytes;
  std::int64_t bulk_narrowed_us = 0;
  std::size_t pending_reliable_bytes = 0;  // not acknowledged at the last look

  /// Subtracts sent bytes from the budget. The budget does not fall below minus the bytes that may
  /// be sent in one second.
  void spend(double sent_bytes) { bytes = std::max(bytes - sent_bytes, -rate.bytes_per_second()); }
};

/// Snapshots and keyframes that were sent to a client, and its acknowledgements. SnapshotPublisher
/// and its SnapshotSender own it.
struct SnapshotState {
  BaselineTracker baselines;
  SharedSnapshot keyframe;  // keyframe that was sent and is not acknowledged yet
  // the newest keyframe in the profile fine or lossless; null for the profile visual
  SharedFrame precise_keyframe;
  bool wants_keyframe = false;
  int keyframes_unanswered = 0;  // consecutive keyframes fully sent and never acknowledged
  state::Tick last_progress;     // tick at which the newest acknowledged tick last increased

  // choice of bodies if not all of them fit the rate
  PriorityAccumulator priorities;
  SharedSnapshot sent_whole;         // the newest snapshot sent with all bodies
  state::Tick sent_tick;             // tick of the newest snapshot sent
  std::uint8_t skipped = 0;          // snapshots skipped since `sent_tick`
  bool is_rate_limited = false;      // true if one of them was skipped because of the rate
  std::optional<double> body_bytes;  // smoothed bytes per changed body
  // true if the client can decode predicted snapshots in the current scene
  bool uses_prediction_baseline = false;

  /// Cancels the keyframe of a client that needs no snapshots.
  void cancel_keyframe() {
    wants_keyframe = false;
    keyframe.reset();
  }
};

/// Subscription of a client that runs the simulation. SimulationPublisher owns it.
struct SimulationSubscription {
  bool receives_commands = false;  // true if the client receives the commands of each tick
  bool wants_state = false;        // true if the client requested the full simulation state
  std::optional<std::int64_t> requested_us;  // time of the client's last request
};

/// Subscription of a client that inspects the world. DebugDrawPublisher owns it, except
/// `request.wants_statistics`, which StatisticsPublisher reads.
struct InspectionSubscription {
  protocol::InspectRequest request;  // the client's newest request
  // earliest ticks of the client's next debug draw frame and body report
  state::Tick debug_draw_due, report_due;
  // encoded parts of a debug draw frame that are not sent yet
  std::deque<std::vector<std::byte>> debug_draw_parts;
};

/// Lowest rate to which a client or an operator can limit the server, bytes/s. The server itself
/// may send less over a slower link.
inline constexpr double min_requested_bytes_per_second = 8'000;

/// State of one connection on the server. Each part belongs to the class that its comment names.
struct ClientSession {
  net::PeerId peer;
  ClientSessionState state = ClientSessionState::AwaitHello;
  bool is_rejected = false;  // the client was told why; only the end of its connection is awaited

  // set by Admission
  std::int64_t connected_us = 0;
  net::Ip subscriber;  // address of the client at its start; an IPv6 address counts as its /64
  // The Hello of a client whose single-use token is being stored; null otherwise.
  std::optional<protocol::Hello> waiting_hello;
  state::Tick active_tick;  // newest tick with an input that does something
  // highest role that the client's credentials allow
  secure::Role granted_role = secure::Role::Player;
  std::string name;
  state::PlayerId player;             // null for spectators and before Hello
  std::uint64_t reconnect_token = 0;  // token with which the player can reconnect

  // settings that the client chose
  protocol::Profile profile = protocol::Profile::Visual;
  std::optional<protocol::SetInterest> interest;

  InputBuffer inputs;
  BlobSender blobs;
  MessageLimits messages;
  SceneControlState control;
  SendBudget budget;
  SnapshotState snapshots;
  SimulationSubscription simulation;
  /// State of a client that plays in lockstep: it receives the commands of each tick instead of
  /// snapshots. Null for other clients. LockstepSessions owns it.
  std::optional<LockstepPeer> lockstep;
  InspectionSubscription inspection;

  /// Returns the maximum rate in bytes per second: the lower of `by_server` and the limit that the
  /// client requested. A requested limit of 0 means no limit; other limits are raised to
  /// min_requested_bytes_per_second if they are lower.
  double most_bytes_per_second(double by_server) const {
    const double by_client = interest ? static_cast<double>(interest->max_bytes_per_second) : 0;
    if (by_client == 0) return by_server;
    return std::min(by_server, std::max(by_client, min_requested_bytes_per_second));
  }
};

}  // namespace jostle::server
