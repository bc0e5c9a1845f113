#pragma once

#include "client/interpolate.h"
#include "client/predictor.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <vector>

namespace jostle::prediction {

/// A run of the simulation from what is known on, with what the player has done since: the bodies
/// of its last two ticks, between which they are shown. A run that begins anew comes to other
/// places; what was shown fades out into them.
class AheadRun {
 public:
  static constexpr double fade_seconds = 0.1;
  /// Beyond this a body is shown where it is at once.
  static constexpr float max_fade_distance = 5;  // m

  explicit AheadRun(sim::Simulation simulation);

  /// Begins at what is known, without a word of what was there before.
  void begin(const sim::Simulation& known);
  /// One tick more, with what is done in it.
  void step(std::vector<state::Command> commands);

  state::Tick tick() const { return simulation_.tick(); }
  const sim::Simulation& simulation() const { return simulation_; }

  /// Call before a run begins anew, and after it has come as far as it does: what was shown for
  /// `shown_tick` (as in `bodies_at`) will fade out from there.
  void keep_shown(double shown_tick);
  void fade_from_kept(double shown_tick);

  /// Where bodies are at a tick with fraction: between the last two, or somewhat beyond.
  const std::vector<client::PredictedBody>& bodies_at(double shown_tick);

 private:
  struct Fade {
    state::BodyId id;
    client::PoseCorrection correction;
    double since = 0;  // tick
  };
  math::Pose faded(const state::BodyId& id, const math::Pose& pose, double shown_tick) const;
  std::vector<client::PredictedBody> between(double shown_tick) const;

  sim::Simulation simulation_;
  double fade_ticks_ = 0;
  std::vector<state::BodyState> before_, now_;  // awake ones of the last two ticks, by id
  std::vector<client::PredictedBody> kept_, bodies_;
  std::vector<Fade> fades_;  // by id
};

}  // namespace jostle::prediction
