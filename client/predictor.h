#pragma once

#include "client/snapshot_buffer.h"
#include "protocol/context/context_codec.h"
#include "protocol/context/quantized_input.h"
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

/// A body at the predicted time, with the player's current input applied.
struct PredictedBody {
  state::BodyId id;
  math::Pose pose;
  bool is_awake = true;
};

/// Cost and error of the prediction.
struct PredictionMetrics {
  bool is_running = false;
  std::string text;        // reason why prediction is not running, for display
  double ticks_ahead = 0;  // ticks between the newest snapshot and the prediction
  /// Server tick, with fraction, at which predicted bodies are shown.
  double shown_tick = 0;
  // largest error of the player's own body that snapshots revealed in the last second
  double error_m = 0;
  double cpu_ms = 0;       // CPU time of all predictions of the last second
  std::size_t bodies = 0;  // number of predicted bodies
  // number of re-simulations from a snapshot that differed from its prediction
  std::uint64_t rollbacks = 0;
};

/// Interface of client-side prediction: shows the player's own body and nearby bodies at the tick
/// at which the server will apply the current input. The thin client depends only on this
/// interface, which client/sim implements with the physics engine.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// Starts a new connection as `player`. Discards all state of an earlier connection.
  virtual void begin(state::PlayerId player) = 0;
  /// Loads a Simulation blob: the full state of the server's simulation when it was requested.
  virtual void handle_simulation(std::span<const std::byte> bytes) = 0;
  /// Receives the commands that were applied to the server's simulation. Movement and buttons of a
  /// player are included only when they change.
  virtual void handle_commands(state::TickCommands commands) = 0;
  /// Returns true if the predictor needs the full simulation state, for the first time or again.
  virtual bool wants_simulation() const = 0;

  // Simulation-predicted baselines: snapshots in SnapshotCodec::Predicted are coded against the
  // result of a simulation. The server sends such snapshots only to clients that can run this
  // simulation.

  /// Returns the offer that enables SnapshotCodec::Predicted on the server, once per loaded
  /// simulation state; otherwise null. The offer becomes invalid when the next simulation state is
  /// loaded.
  virtual std::optional<protocol::PredictionBaselineOffer> take_offer() = 0;
  /// Returns the number of players whose inputs are needed to predict this world.
  virtual std::size_t steered_players(const state::WorldDef& world) = 0;
  struct Predicted {
    protocol::context::BaselinePair references;
    state::Tick tick;
    std::span<const protocol::QuantizedBody> baseline, previous;  // states of all bodies
    std::span<const protocol::context::QuantizedInput> inputs;
  };
  /// Returns the predicted states of the bodies of `world`; empty if they cannot be predicted.
  /// Valid until the next call.
  virtual std::span<const protocol::context::BaselinePrediction> predict_baseline(
      const state::WorldDef& world, const Predicted& predicted) = 0;

  struct Moment {
    double client_tick = 0;             // tick of the client's inputs, with fraction
    std::optional<state::Tick> newest;  // tick of the newest input; empty before the first input
    /// Inputs that the server may not have received yet, sorted by tick.
    std::span<const state::PlayerInput> inputs;
    const SnapshotBuffer* snapshots = nullptr;
    /// The most ticks to predict beyond the newest snapshot. If the server is silent for longer
    /// than expected, the prediction stops there.
    double most_ticks_ahead = 0;
  };
  virtual void advance(const Moment& moment) = 0;

  /// Returns the predicted bodies, sorted by id; empty while there is no prediction.
  virtual const std::vector<PredictedBody>& bodies() const = 0;
  virtual const PredictionMetrics& figures() const = 0;
};

}  // namespace jostle::client
