#pragma once

#include "protocol/messages.h"
#include "server/baseline_predictor.h"
#include "server/blob_sender.h"
#include "server/clients.h"
#include "server/options.h"
#include "server/precise_frames.h"
#include "server/snapshot_history.h"
#include "server/snapshot_sender.h"
#include "server/teleport_log.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/sim/simulation.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace jostle::server {

/// Sends snapshots and keyframes to all clients, and handles their acknowledgements.
class SnapshotPublisher {
 public:
  SnapshotPublisher(net::Io& io, net::Transport& transport, const sim::Simulation& simulation,
                    const Options& options, Clients& clients)
      : io_(io),
        transport_(transport),
        simulation_(simulation),
        options_(options),
        clients_(clients) {}

  /// Function that is called with every quantised snapshot before it is sent.
  using Hook = std::function<void(const protocol::QuantizedSnapshot&)>;
  void set_hook(Hook hook) { hook_ = std::move(hook); }

  /// Handles a client's acknowledgements. When the client acknowledges its keyframe, its session
  /// starts to play.
  void acknowledge(ClientSession& session, const protocol::SnapshotAck& ack);
  /// Handles a client's offer to decode predicted snapshots. If the offer is for another engine or
  /// scene, the client receives snapshots of other codecs; this does not count as misbehaviour.
  void receive_offer(ClientSession& session, const protocol::PredictionBaselineOffer& offer);

  /// Stores the tick's inputs for predicted snapshots. If another scene was loaded, stops
  /// predicting until a client sends an offer for that scene.
  void note_commands(const state::TickCommands& commands);
  /// Captures the snapshot of this tick, if one is due, and sends it to all clients except those in
  /// lockstep.
  void publish();

 private:
  void send_to(ClientSession& session);
  PreciseFrames::Wanted wanted_profiles() const;
  void resync_if_stalled(ClientSession& session);
  void start_keyframe(ClientSession& session);
  SharedBlob encode_keyframe(protocol::Profile profile);

  net::Io& io_;
  net::Transport& transport_;
  const sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  Hook hook_;
  SnapshotHistory history_;
  PreciseFrames precise_frames_{io_};
  SnapshotSender sender_{io_};
  SharedSnapshot newest_;
  state::Snapshot captured_;  // the state of newest_
  TeleportLog teleports_;
  struct Keyframe {
    std::optional<state::Tick> tick;
    SharedBlob blob;
  };
  // The last keyframe of each profile, shared by clients that join at the same time.
  std::array<Keyframe, protocol::profile_count> keyframes_;
  // predictor for the scene with hash `scene_hash_`
  std::optional<BaselinePredictor> predictor_;
  std::uint64_t scene_hash_ = 0;
};

}  // namespace jostle::server
