#pragma once

#include "client/predictor.h"
#include "client/sim/input_history.h"
#include "client/sim/prediction_run.h"
#include "client/sim/world_follower.h"
#include "shared/net/io.h"
#include "shared/prediction_baseline/world_prediction_baseline.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace jostle::prediction {

struct PredictorOptions {
  /// CPU time that one update may take. If an update takes longer, less is predicted: fewer ticks
  /// ahead, and only bodies near the player. If the time is not enough for 2 ticks, prediction
  /// pauses for 2 s.
  std::int64_t max_update_us = 5'000;
};

/// Client-side prediction with the physics engine. A WorldFollower holds the world at the newest
/// snapshot. A PredictionRun simulates from there to the tick of the newest input. If a snapshot
/// differs from the prediction, the PredictionRun rolls back; otherwise it continues.
class WorldPredictor final : public client::Predictor {
 public:
  /// `io` is the clock that measures the duration of updates. It must outlive the predictor.
  explicit WorldPredictor(net::Io& io, const PredictorOptions& options = {});

  void begin(state::PlayerId player) override;
  void handle_simulation(std::span<const std::byte> bytes) override;
  void handle_commands(state::TickCommands commands) override;
  bool wants_simulation() const override;
  std::optional<protocol::PredictionBaselineOffer> take_offer() override;
  std::size_t steered_players(const state::WorldDef& world) override;
  std::span<const protocol::context::BaselinePrediction> predict_baseline(
      const state::WorldDef& world, const Predicted& predicted) override;
  void advance(const Moment& moment) override;
  const std::vector<client::PredictedBody>& bodies() const override { return bodies_; }
  const client::PredictionMetrics& figures() const override { return figures_; }

 private:
  struct World {
    WorldFollower follower;
    PredictionRun ahead;
  };
  void run(const Moment& moment);
  bool follow(const Moment& moment);
  void run_ahead(bool begins_anew, const Moment& moment);
  void note_error(const client::BufferedSnapshot& newest);
  void note_cost(std::int64_t us, int ticks);
  void note_figures(std::int64_t us);
  state::Tick target_of(const Moment& moment) const;
  double shown_tick(state::Tick target, const Moment& moment) const;
  double own_reach() const;
  void show(const Moment& moment);
  void fail(std::string words);

  net::Io& io_;
  PredictorOptions options_;
  state::PlayerId player_;
  std::optional<World> world_;
  std::deque<state::TickCommands> commands_;  // the most recent commands
  InputHistory inputs_;
  double contradictions_ = 0;  // number of recent rollbacks, decaying exponentially
  double ticks_since_simulation_ = 0;
  /// Arguments and result of the last predict_baseline(), which all parts of a snapshot share.
  struct LastPredicted {
    std::uint32_t revision = 0;
    protocol::context::BaselinePair references;
    state::Tick tick;
    std::vector<protocol::context::QuantizedInput> inputs;
    std::vector<protocol::context::BaselinePrediction> bodies;
  };
  std::optional<prediction_baseline::WorldPredictionBaseline> prediction_baseline_;
  std::optional<LastPredicted> last_predicted_;
  bool is_offer_due_ = false;
  // true after a simulation state could not be loaded; no other state is then requested
  bool has_failed_ = false;

  double tick_us_ = 0;     // mean cost of a tick
  double most_ticks_ = 0;  // affordable number of ticks ahead
  // radius around the player's own body in which bodies are corrected by snapshots, m; infinite at
  // first
  double wide_reach_ = 0;
  // remaining pause of a prediction that takes too much CPU time
  double paused_ticks_ = 0;
  double last_client_tick_ = 0;

  struct Expected {
    state::Tick tick;
    math::Position position;
  };
  // predicted positions of the own body, by tick modulo size
  std::array<Expected, 256> expected_{};

  std::vector<client::PredictedBody> bodies_;
  client::PredictionMetrics figures_;
  std::int64_t second_began_us_ = 0;
  double second_error_m_ = 0, second_cpu_us_ = 0;
};

}  // namespace jostle::prediction
