#pragma once

#include "client/snapshot_buffer.h"
#include "protocol/context/context_codec.h"
#include "protocol/context/held_input.h"
#include "protocol/messages.h"
#include "shared/math/transform.h"
#include "shared/state/command.h"
#include "shared/state/ids.h"
#include "shared/state/input.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::client {

/// A body where it is when what the player does now is done.
struct PredictedBody {
  state::BodyId id;
  math::Pose pose;
  bool is_awake = true;
};

/// What a prediction costs, and how far it was from what came.
struct PredictionFigures {
  bool is_running = false;
  std::string words;       // why it is not, for people
  double ticks_ahead = 0;  // of the newest snapshot
  /// Of the server, with fraction: predicted bodies are shown as they will be then.
  double shown_tick = 0;
  double error_m = 0;      // of the own body, the largest that snapshots showed in the last second
  double cpu_ms = 0;       // of the last second's predictions together
  std::size_t bodies = 0;  // predicted ones
  std::uint64_t reruns = 0;  // from a snapshot on, because it was not as predicted
};

/// Runs ahead of the snapshots: shows a player's own body, and what that touches, where it will be
/// when the input of now has been taken up by the server. The thin client knows this much of it;
/// client/sim has one with the engine in it.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// A new connection, as this player; nothing of an earlier one holds.
  virtual void begin(state::PlayerId player) = 0;
  /// A Simulation blob: what the server's simulation was when it was asked for.
  virtual void take_simulation(std::span<const std::byte> bytes) = 0;
  /// What happens to the server's simulation beside what players hold.
  virtual void take_commands(state::TickCommands commands) = 0;
  /// Whether it wants the whole simulation (again).
  virtual bool wants_simulation() const = 0;

  // Snapshots by codec 3 are coded against what a simulation expects. Only those that can run it
  // are sent such.

  /// What the server is to be told once of this, or nothing. Ends when the simulation is another.
  virtual std::optional<protocol::ForesightOffer> take_offer() = 0;
  /// How many players' inputs are needed to foresee in this world.
  virtual std::size_t steered_players(const state::WorldDef& world) = 0;
  struct Foreseen {
    protocol::context::ReferencePair references;
    state::Tick tick;
    std::span<const protocol::QuantizedBody> baseline, previous;  // all bodies
    std::span<const protocol::context::HeldInput> inputs;
  };
  /// Where the bodies of `world` are expected; nothing where that cannot be told. Valid until the
  /// next call.
  virtual std::span<const protocol::context::ForeseenBody> foresee(const state::WorldDef& world,
                                                                   const Foreseen& foreseen) = 0;

  struct Moment {
    double client_tick = 0;             // of the inputs, with fraction
    std::optional<state::Tick> newest;  // input; nothing before the first
    /// Inputs that the server may not have yet, by tick.
    std::span<const state::PlayerInput> inputs;
    const SnapshotBuffer* snapshots = nullptr;
  };
  virtual void advance(const Moment& moment) = 0;

  /// By id; empty while there is no prediction.
  virtual const std::vector<PredictedBody>& bodies() const = 0;
  virtual const PredictionFigures& figures() const = 0;
};

}  // namespace jostle::client
