#include "shared/prediction_baseline/world_prediction_baseline.h"

#include "protocol/context/layout.h"
#include "shared/base/hash.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <string_view>
#include <utility>

namespace jostle::prediction_baseline {
namespace {

constexpr int fingerprint_ticks = 45;
/// A scene whose bodies fall, slide and roll from the first tick on.
constexpr std::string_view fingerprint_scene = R"({
  "name": "fingerprint",
  "bodies": [
    { "name": "ground", "motion": "static", "shape": { "plane": {} } },
    { "name": "ramp", "motion": "static", "position": [0, 0.2, 0], "rotation_degrees": [0, 0, 20],
      "shape": { "box": { "size": [6, 0.4, 6] } } },
    { "name": "a", "position": [0, 1.1, 0], "rotation_degrees": [10, 20, 30], "shape": { "box": { "size": [0.8, 0.6, 0.7] } } },
    { "name": "b", "position": [0.2, 2.0, 0.1], "rotation_degrees": [40, 0, 15], "shape": { "capsule": { "radius": 0.3, "height": 1.2 } } },
    { "name": "c", "position": [-0.3, 2.8, 0.2], "shape": { "sphere": { "radius": 0.35 } },
      "linear_velocity": [1, -3, 0.5], "angular_velocity": [3, 2, 1] },
    { "name": "d", "position": [0.1, 3.6, -0.1], "rotation_degrees": [5, 50, 80], "shape": { "cylinder": { "radius": 0.4, "height": 0.5 } } }
  ],
  "spawns": [ { "position": [9, 1, 0] } ]
})";

std::uint64_t engine_fingerprint() {
  auto scene = scene::parse_scene(fingerprint_scene, "fingerprint");
  if (!scene) return 0;
  sim::Simulation simulation(*std::move(scene), sim::SimulationOptions{60, 0},
                             sim::default_rules());
  for (int i = 0; i < fingerprint_ticks; ++i)
    simulation.step({simulation.tick() + 1, {}});
  return simulation.hash().world.total;
}

}  // namespace

std::uint64_t fingerprint() {
  static const std::uint64_t made = [] {
    base::Hasher hasher;
    hasher.add(engine_fingerprint());
    hasher.add(protocol::context::trained_predicted_priors_hash());
    return hasher.finish();
  }();
  return made;
}

void WorldPredictionBaseline::set_world(const state::WorldDef& world) {
  if (prediction_baseline_ && revision_ == world.revision) return;
  revision_ = world.revision;
  std::vector<Role> cast = roles_of(scene_, world);
  steered_.clear();
  moving_ = 0;
  for (const state::BodyInfo& body : world.bodies) {
    if (body.motion == state::MotionType::Static) continue;
    if (cast[moving_++].is_steered) steered_.push_back(body.owner);
  }
  prediction_baseline_.emplace(scene_, tick_rate_hz_, std::move(cast));
}

std::vector<protocol::context::BaselinePrediction> WorldPredictionBaseline::predict_baseline(
    const protocol::context::BaselinePair& references, state::Tick tick,
    std::span<const protocol::QuantizedBody> baseline,
    std::span<const protocol::QuantizedBody> previous,
    std::span<const protocol::context::QuantizedInput> inputs) const {
  const std::int64_t age = tick - references.baseline;
  const std::int64_t gap = references.baseline - references.previous;
  const bool is_possible = prediction_baseline_ && age >= 1 && gap >= 0 &&
                           baseline.size() == moving_ && previous.size() == moving_ &&
                           inputs.size() == steered_.size() * static_cast<std::size_t>(age + gap);
  if (!is_possible) return {};
  return prediction_baseline_->predict_baseline(
      {baseline, previous, static_cast<std::int32_t>(age), static_cast<std::int32_t>(gap), inputs},
      {1});
}

}  // namespace jostle::prediction_baseline
