#include "shared/prediction_baseline/prediction_baseline.h"

#include "shared/base/assert.h"
#include "shared/prediction_baseline/detail/pick_bodies.h"
#include "shared/prediction_baseline/detail/small_world.h"
#include "shared/sim/instantiate.h"

#include <algorithm>
#include <utility>

namespace jostle::prediction_baseline {
namespace {

using detail::Motion;
using detail::SmallWorld;
using detail::Task;
using protocol::context::BaselinePrediction;

std::int64_t round_away(double value) {
  return static_cast<std::int64_t>(value < 0 ? value - 0.5 : value + 0.5);
}

constexpr double position_steps =
    protocol::position_steps_per_metre * protocol::context::predicted_steps;
constexpr double farthest = 1e9;  // limit of coordinates, beyond the range of snapshots, m

std::int64_t position_of(double metres) {
  return round_away(std::clamp(metres, -farthest, farthest) * position_steps);
}
std::int32_t component_of(float value) {
  return static_cast<std::int32_t>(round_away(static_cast<double>(value) * protocol::context::one));
}

BaselinePrediction to_predicted(const math::Pose& pose, bool is_awake) {
  const math::Position& p = pose.position;
  const math::Quat& q = pose.rotation;
  BaselinePrediction body;
  body.position = {position_of(p.x), position_of(p.y), position_of(p.z)};
  body.rotation = {component_of(q.x), component_of(q.y), component_of(q.z), component_of(q.w)};
  body.is_awake = is_awake;
  body.is_known = true;
  return body;
}

}  // namespace

PredictionBaseline::PredictionBaseline(const scene::SceneDef& scene, int tick_rate_hz,
                                       std::vector<Role> cast)
    : scene_(scene), options_(sim::world_options(scene, tick_rate_hz)), cast_(std::move(cast)) {
  for (const Role& role : cast_)
    radii_.push_back(role.body ? detail::radius_of(*role.body) : 0.0f);
}

std::size_t PredictionBaseline::steered_count() const {
  return static_cast<std::size_t>(
      std::count_if(cast_.begin(), cast_.end(), [](const Role& role) { return role.is_steered; }));
}

std::vector<BaselinePrediction> PredictionBaseline::predict_baseline(
    const Known& known, const physics::Execution& execution) const {
  const std::size_t count = cast_.size();
  const auto ticks = static_cast<std::size_t>(known.age_ticks + known.gap_ticks);
  const auto gap = static_cast<std::size_t>(known.gap_ticks);
  JOSTLE_ASSERT(known.baseline.size() == count && known.previous.size() == count);
  JOSTLE_ASSERT(known.inputs.size() == steered_count() * ticks);
  const std::vector<Task> tasks = detail::pick_bodies(scene_, cast_, radii_, known);
  const float seconds = options_.step_seconds * static_cast<float>(known.gap_ticks);

  std::vector<math::Pose> start(count), baseline(count);
  std::vector<Motion> motions(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (tasks[i] == Task::Absent) continue;
    start[i] = baseline[i] = protocol::dequantize(known.baseline[i]);
    if (tasks[i] == Task::Bystander || gap == 0) continue;
    start[i] = protocol::dequantize(known.previous[i]);
    motions[i] = detail::motion_between(start[i], baseline[i], seconds);
  }
  const auto begin = [&] {
    return SmallWorld(scene_, options_, cast_, tasks, start, motions, execution);
  };
  const auto step = [&](SmallWorld& world, std::size_t tick) {
    world.step(known.inputs.empty() ? known.inputs : known.inputs.subspan(tick), ticks);
  };
  const auto is_mover = [&](std::size_t i) { return tasks[i] == Task::Mover; };
  if (gap > 0) {
    SmallWorld trial = begin();
    for (std::size_t tick = 0; tick < gap; ++tick)
      step(trial, tick);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_mover(i)) continue;
      const Motion missing = detail::motion_between(trial.pose(i), baseline[i], seconds);
      motions[i].linear += missing.linear;
      motions[i].angular += missing.angular;
    }
  }
  SmallWorld world = begin();
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    if (tick == gap && gap > 0) {
      for (std::size_t i = 0; i < count; ++i)
        if (is_mover(i)) world.move(i, baseline[i]);
    }
    step(world, tick);
  }
  std::vector<BaselinePrediction> predicted(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (tasks[i] != Task::Absent) {
      predicted[i] = to_predicted(world.pose(i), world.is_awake(i));
    } else if (cast_[i].body) {
      predicted[i].is_known = predicted[i].is_still = true;
      predicted[i].is_awake = known.baseline[i].is_awake;
    }
  }
  return predicted;
}

}  // namespace jostle::prediction_baseline
