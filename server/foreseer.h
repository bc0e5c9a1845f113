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

/// Expects where bodies will be, for clients that expect the same (codec 3). Remembers what players
/// held, since clients do not know it.
class Foreseer {
 public:
  Foreseer(const scene::SceneDef& scene, int tick_rate_hz) : foresight_(scene, tick_rate_hz) {}

  /// Once a tick.
  void note(const state::TickCommands& commands);
  void set_world(const state::WorldDef& world) { foresight_.set_world(world); }

  struct Expected {
    std::vector<protocol::context::ForeseenBody> bodies;
    std::vector<protocol::context::HeldInput> inputs;
  };
  /// Of the bodies of `now`, from these references; nothing where they are too old, or of other
  /// bodies.
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
  std::deque<TickInputs> inputs_;  // of the last max_foreseen_ticks
};

}  // namespace jostle::server
