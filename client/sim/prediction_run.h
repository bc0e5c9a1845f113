#pragma once

#include "client/interpolate.h"
#include "client/predictor.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <span>
#include <vector>

namespace jostle::prediction {

/// Simulation from the newest known state to later ticks, with the player's inputs (rollback and
/// resimulation). Bodies are shown at poses between the last two ticks, or extrapolated by at most
/// one tick. If the bodies arrive at different poses after a rollback, the difference from the
/// shown poses is faded out.
class PredictionRun {
 public:
  static constexpr double fade_seconds = 0.1;
  /// Longest distance that is faded. A body that would move farther jumps immediately.
  static constexpr float max_fade_distance = 5;  // m

  explicit PredictionRun(sim::Simulation simulation);

  /// Rolls back to the state of `known` and discards all later ticks.
  void begin(const sim::Simulation& known);
  /// Simulates one more tick with its commands.
  void step(std::vector<state::Command> commands);

  state::Tick tick() const { return simulation_.tick(); }
  const sim::Simulation& simulation() const { return simulation_; }

  /// Records the poses that bodies_at(shown_tick) would return. Call it before a rollback.
  void keep_shown(double shown_tick);
  /// Starts fading from the recorded poses, except for the bodies that were set elsewhere: in the
  /// simulated ticks, or before them (`moved`, sorted). Call it after the resimulation.
  void fade_from_kept(double shown_tick, std::span<const state::BodyId> moved);

  /// Returns the bodies that were awake after one of the last two ticks, at their poses at the
  /// fractional tick `shown_tick`. `shown_tick` is clamped to the range from the last but one tick
  /// to one tick after the last.
  const std::vector<client::PredictedBody>& bodies_at(double shown_tick);

 private:
  struct Fade {
    state::BodyId id;
    client::PoseCorrection correction;
    double since = 0;  // tick at which the fade began
  };
  math::Pose faded(const state::BodyId& id, const math::Pose& pose, double shown_tick) const;
  std::vector<client::PredictedBody> between(double shown_tick) const;

  sim::Simulation simulation_;
  double fade_ticks_ = 0;
  // awake bodies after the last two ticks, sorted by id
  std::vector<state::BodyState> before_, now_;
  std::vector<state::BodyId> teleported_;      // set elsewhere between `before_` and `now_`, sorted
  std::vector<state::BodyId> all_teleported_;  // set elsewhere since begin(), unsorted
  std::vector<client::PredictedBody> kept_, bodies_;
  std::vector<Fade> fades_;  // sorted by body id
};

}  // namespace jostle::prediction
