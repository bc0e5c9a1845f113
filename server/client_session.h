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

/// State of one connection on the server.
struct ClientSession {
  net::PeerId peer;
  ClientSessionState state = ClientSessionState::AwaitHello;
  std::int64_t connected_us = 0;
  // highest role that the client's credentials allow
  secure::Role granted_role = secure::Role::Player;
  protocol::Role role = protocol::Role::Player;
  std::string name;
  state::PlayerId player;             // null for spectators and before Hello
  std::uint64_t reconnect_token = 0;  // token with which the player can reconnect

  InputBuffer inputs;
  BlobSender blobs;
  BaselineTracker baselines;
  SharedSnapshot keyframe;  // keyframe that was sent and is not acknowledged yet
  protocol::Profile profile = protocol::Profile::Visual;
  SharedFrame precise_keyframe;  // newest keyframe, for the profiles fine and lossless

  // Rate control, and the choice of bodies if not all of them fit the rate.
  RateController rate{std::numeric_limits<double>::max()};
  std::optional<protocol::SetInterest> interest;
  PriorityAccumulator priorities;
  SharedSnapshot sent_whole;         // the newest snapshot sent with all bodies
  state::Tick sent_tick;             // tick of the newest snapshot sent
  std::uint8_t skipped = 0;          // snapshots skipped since `sent_tick`
  double budget_bytes = 0;           // bytes that may be sent now; negative after overspending
  double bulk_budget_bytes = 0;      // budget for blobs, bytes, if a rate limit is set
  std::optional<double> body_bytes;  // smoothed bytes per changed body
  /// Subtracts sent bytes from the budget, which falls to minus the bytes of one second at most.
  void spend(double bytes) {
    budget_bytes = std::max(budget_bytes - bytes, -rate.bytes_per_second());
  }

  /// Returns the maximum rate in bytes per second: the lower of `by_server` and the limit that the
  /// client requested. A requested limit below RateController::min_bytes_per_second is raised to
  /// it; 0 means no limit.
  double most_bytes_per_second(double by_server) const {
    const double by_client = interest ? static_cast<double>(interest->max_bytes_per_second) : 0;
    if (by_client == 0) return by_server;
    return std::min(by_server, std::max(by_client, RateController::min_bytes_per_second));
  }

  /// State of a client that plays in lockstep: it receives the commands of each tick instead of
  /// snapshots. Null for other clients.
  std::optional<LockstepPeer> lockstep;
  // true if the client runs the simulation and receives its commands
  bool receives_commands = false;
  // true if the client can decode predicted snapshots in the current scene
  bool uses_prediction_baseline = false;
  bool wants_simulation = false;  // true if the client requested the full simulation state
  std::optional<std::int64_t> simulation_asked_us;
  protocol::InspectRequest inspection;  // the client's newest inspection request
  // earliest ticks of the client's next debug draw frame and body report
  state::Tick debug_draw_due, report_due;
  // encoded parts of a debug draw frame that are not sent yet
  std::deque<std::vector<std::byte>> debug_draw_parts;
  std::optional<protocol::SceneStatus> sent_status;  // the status that was sent last
  std::optional<std::int64_t> control_denied_us;     // time of the last denial notice
  bool wants_keyframe = false;
  int keyframes_unanswered = 0;  // consecutive keyframes fully sent and never acknowledged
  state::Tick last_progress;     // tick at which the newest acknowledged tick last increased
  state::Tick last_heard;        // tick at which the client's last message arrived

  double message_budget = 0;  // number of messages that the client may send now
  int controls_this_tick = 0;
  // time at which the client last received the scene list
  std::optional<std::int64_t> scene_list_sent_us;
  double refused_score = 0;  // count of refused messages, decays over time
  std::uint64_t messages_refused = 0;
  std::uint64_t snapshot_bytes = 0;  // snapshot parts including their headers
};

}  // namespace jostle::server
