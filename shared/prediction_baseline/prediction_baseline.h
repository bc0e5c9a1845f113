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

/// The input of a prediction, which sender and receiver both know.
struct Known {
  // states of the bodies in the newer and in the older baseline, one per role
  std::span<const protocol::QuantizedBody> baseline, previous;
  std::int32_t age_ticks = 1;  // ticks from `baseline` to the frame to predict
  // ticks from `previous` to `baseline`; 0: there is no older baseline
  std::int32_t gap_ticks = 0;
  /// Inputs of each steered body in the order of roles, gap_ticks + age_ticks each: from the first
  /// tick after `previous` to the frame's tick.
  std::span<const protocol::context::QuantizedInput> inputs;
};

/// A predictor of body states by simulation. It steps a small world from the older baseline to the
/// frame; the world holds the moving bodies and the bodies that they may touch. No state is kept
/// between frames, so both ends compute the same prediction bit for bit, whatever else they have
/// received.
///
/// The initial velocities are chosen so that the bodies arrive near the newer baseline. A trial run
/// starts with the mean velocities between the two baselines and ends at the newer one's tick.
/// Forces and contacts make it end at other poses than those of the newer baseline. The difference,
/// divided by the duration of the trial run, is added to the initial velocities of the second run.
/// At the newer baseline's tick, the second run sets the moving bodies to that baseline's poses.
/// Without an older baseline there is no trial run, and the bodies start at rest.
class PredictionBaseline {
 public:
  PredictionBaseline(const scene::SceneDef& scene, int tick_rate_hz, std::vector<Role> cast);

  /// Returns the prediction of one state per role. Bodies out of reach of all moving bodies stay at
  /// their baseline. For bodies that the scene does not define, `is_known` is false. `execution`
  /// does not affect the result.
  std::vector<protocol::context::BaselinePrediction> predict_baseline(
      const Known& known, const physics::Execution& execution) const;
  /// Returns the number of steered bodies, whose players' inputs are needed.
  std::size_t steered_count() const;

 private:
  scene::SceneDef scene_;
  physics::WorldOptions options_;
  std::vector<Role> cast_;
  std::vector<float> radii_;
};

}  // namespace jostle::prediction_baseline
