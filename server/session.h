#pragma once

#include "protocol/messages.h"
#include "server/baseline_tracker.h"
#include "server/blob_sender.h"
#include "server/input_queue.h"
#include "server/lockstep_host.h"
#include "server/precise_frames.h"
#include "server/rate_controller.h"
#include "server/update_picker.h"
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

/// How far a connection has come.
///
///   AwaitHello --Hello--> Joining --keyframe acknowledged--> Playing
///                             ^                                 |
///                             +---- nothing acknowledged for 1 s -+   (a new keyframe is sent)
///
/// From anywhere: the peer is gone, a timeout, a refused Hello or too much nonsense end it.
enum class SessionState : std::uint8_t { AwaitHello, Joining, Playing };

/// One connection, as the server knows it.
struct Session {
  net::PeerId peer;
  SessionState state = SessionState::AwaitHello;
  std::int64_t connected_us = 0;
  secure::Role may_be = secure::Role::Player;  // by what it was let in with
  protocol::Role role = protocol::Role::Player;
  std::string name;
  state::PlayerId player;       // null for spectators and before Hello
  std::uint64_t place_key = 0;  // of the player's place

  InputQueue inputs;
  BlobSender blobs;
  BaselineTracker baselines;
  SharedSnapshot keyframe;  // sent and not yet acknowledged
  protocol::Profile profile = protocol::Profile::Visual;
  SharedFrame precise_keyframe;  // the last one, in profiles fine and lossless

  // What its link takes, and what goes out when that is less than everything.
  RateController rate{std::numeric_limits<double>::max()};
  std::optional<protocol::SetInterest> interest;
  UpdatePicker picker;
  SharedSnapshot told_whole;         // the newest that went out whole
  state::Tick told_tick;             // of the newest at all
  std::uint8_t skipped = 0;          // snapshots since then that were left out
  double allowance_bytes = 0;        // that may go out now; negative when too much did
  double bulk_allowance_bytes = 0;   // of blobs, where a limit was set
  std::optional<double> body_bytes;  // of a body that has changed, of late
  /// Of what was too much at once, a second's worth counts.
  void spend(double bytes) {
    allowance_bytes = std::max(allowance_bytes - bytes, -rate.bytes_per_second());
  }

  /// The limit that was set, by the server or by the client; infinite where none was.
  double most_bytes_per_second(double by_server) const {
    const double by_client = interest ? static_cast<double>(interest->max_bytes_per_second) : 0;
    if (by_client == 0) return by_server;
    return std::min(by_server, std::max(by_client, RateController::min_bytes_per_second));
  }

  /// Plays in lockstep: is sent what is done in each tick, and no snapshots.
  std::optional<LockstepPeer> lockstep;
  bool follows_simulation = false;  // runs one itself: is told what happens to ours
  bool foresees = false;            // in the scene as it is now
  bool wants_simulation = false;    // all of it, as it is now
  std::optional<std::int64_t> simulation_asked_us;
  protocol::InspectRequest inspection;               // what it wants to be told of beside the world
  state::Tick overlay_due, report_due;               // when its next ones may be made
  std::deque<std::vector<std::byte>> overlay_parts;  // made, and not sent yet
  std::optional<protocol::SceneStatus> told_status;  // the last that it was sent
  std::optional<std::int64_t> control_denied_us;     // when it was last told that it may not
  bool wants_keyframe = false;
  int keyframes_unanswered = 0;  // in a row: all of each was taken, and never acknowledged
  state::Tick last_progress;     // when an acknowledgement last brought something new
  state::Tick last_heard;        // when it last said anything

  double message_allowance = 0;  // messages that it may send now
  int controls_this_tick = 0;
  std::optional<std::int64_t> scenes_told_us;  // when it last heard which scenes there are
  double refused_standing = 0;                 // refused messages not yet forgiven
  std::uint64_t messages_refused = 0;
  std::uint64_t snapshot_bytes = 0;  // of parts, headers included
};

}  // namespace jostle::server
