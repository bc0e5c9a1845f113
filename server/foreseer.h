#pragma once

#include "protocol/context/foreseen_codec.h"
#include "server/snapshot_history.h"
#include "shared/foresight/world_foresight.h"
#include "shared/state/command.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace jostle::server {

/// Predicts body states by simulation, for clients that compute the same prediction (codec 3).
/// Remembers the inputs of players, because clients do not know them.
class Foreseer {
 public:
  Foreseer(const scene::SceneDef& scene, int tick_rate_hz) : foresight_(scene, tick_rate_hz) {}

  /// Remembers the inputs of a tick. Call it once per tick.
  void note(const state::TickCommands& commands);
  void set_world(const state::WorldDef& world) { foresight_.set_world(world); }

  struct Expected {
    std::vector<protocol::context::ForeseenBody> bodies;
    std::vector<protocol::context::HeldInput> inputs;
  };
  /// Predicts the bodies of `now` from the snapshots of `references`. Returns null if they are too
  /// old or hold other bodies than `now`.
  std::optional<Expected> expect(const protocol::context::ReferencePair& references,
                                 const protocol::QuantizedSnapshot& now,
                                 const SnapshotHistory& history) const;

 private:
  protocol::context::HeldInput held_in(state::Tick tick, state::PlayerId player) const;

  foresight::WorldForesight foresight_;
  struct TickInputs {
    state::Tick tick;
    std::map<state::PlayerId, protocol::context::HeldInput> held;
  };
  std::deque<TickInputs> inputs_;  // inputs of the last max_foreseen_ticks ticks
};

}  // namespace jostle::server
