#pragma once

#include "protocol/context/quantized_input.h"
#include "protocol/context/references.h"
#include "protocol/quantize.h"
#include "shared/physics/execution.h"
#include "shared/physics/world.h"
#include "shared/prediction_baseline/body_roles.h"
#include "shared/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::prediction_baseline {

/// Input of a prediction that both ends know.
struct Known {
  // states of the bodies, one per role
  std::span<const protocol::QuantizedBody> baseline, previous;
  std::int32_t age_ticks = 1;  // ticks from the baseline to the frame
  // ticks from `previous` to the baseline; 0: there is no previous state
  std::int32_t gap_ticks = 0;
  /// Inputs of each steered body in the order of roles, gap_ticks + age_ticks each: from the first
  /// tick after `previous` to the frame's tick.
  std::span<const protocol::context::QuantizedInput> inputs;
};

/// Predicts body states by simulation: steps a world with the moving bodies and the bodies that
/// they may meet from the references to the frame. No state is kept between frames, so both ends
/// compute the same prediction bit for bit, whatever else they have received.
///
/// The initial velocities are those that lead from the older reference to the newer one. A trial
/// run with the mean velocity between them shows how much forces and contacts change it; the
/// velocities are corrected by that.
class PredictionBaseline {
 public:
  PredictionBaseline(const scene::SceneDef& scene, int tick_rate_hz, std::vector<Role> cast);

  /// Predicts one state per role. Bodies out of reach of all moving bodies stay at their baseline.
  /// Bodies that the scene does not define are marked as not known. `execution` does not affect the
  /// result.
  std::vector<protocol::context::BaselinePrediction> predict_baseline(
      const Known& known, const physics::Execution& execution) const;
  /// Returns the number of players whose inputs are needed.
  std::size_t steered_count() const;

 private:
  scene::SceneDef scene_;
  physics::WorldOptions options_;
  std::vector<Role> cast_;
  std::vector<float> radii_;
};

}  // namespace jostle::prediction_baseline
