#include "shared/prediction_baseline/prediction_baseline.h"

#include "protocol/context/rotation.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tools/snapshots/katamari_frames.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace jostle::prediction_baseline {
namespace {

using protocol::context::BaselinePrediction;
using protocol::context::QuantizedInput;

scene::SceneDef load(const std::string& name) {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return scene::parse_scene(text, path).value();
}

struct Match {
  scene::SceneDef scene = load("katamari");
  snapshots::FrameSet set = snapshots::play(scene, 301, snapshots::Activity::Mid, 500).value();
  PredictionBaseline prediction_baseline{scene, snapshots::frames_per_second,
                                         snapshots::roles_of_frames(scene)};

  Known known(std::size_t frame, std::size_t age, std::size_t gap) const {
    const std::size_t baseline = frame - age, previous = baseline - gap;
    return {set.frames[baseline], set.frames[previous], static_cast<std::int32_t>(age),
            static_cast<std::int32_t>(gap), std::span(set.inputs).subspan(previous + 1, age + gap)};
  }
};
const Match& match() {
  static const Match the_match;
  return the_match;
}

TEST(PredictionBaseline, PredictsTheSameOnAnyNumberOfThreads) {
  for (std::size_t frame = 100; frame < 500; frame += 80) {
    const Known known = match().known(frame, 6, 1);
    const auto one = match().prediction_baseline.predict_baseline(known, {1});
    EXPECT_EQ(match().prediction_baseline.predict_baseline(known, {3}), one);
    physics::Execution plain;
    plain.simd = simd::InstructionSet::Plain;
    EXPECT_EQ(match().prediction_baseline.predict_baseline(known, plain), one);
  }
}

TEST(PredictionBaseline, DoesNotDependOnEarlierPredictions) {
  const scene::SceneDef scene = load("katamari");
  for (std::size_t frame = 499; frame > 100; frame -= 90) {  // not in chronological order
    const Known known = match().known(frame, 6, 1);
    const PredictionBaseline fresh(scene, snapshots::frames_per_second,
                                   snapshots::roles_of_frames(scene));
    EXPECT_EQ(match().prediction_baseline.predict_baseline(known, {1}),
              fresh.predict_baseline(known, {1}));
  }
}

/// Sums of log2(1 + error) over the bodies that changed, with errors in quantisation steps.
/// `predicted` is for the prediction, `going_on` for motion at constant velocity.
struct Errors {
  double predicted = 0, going_on = 0;
};
Errors errors_of(std::size_t frame, std::size_t age, std::size_t gap) {
  const auto &now = match().set.frames[frame], &baseline = match().set.frames[frame - age],
             &previous = match().set.frames[frame - age - gap];
  const auto predicted =
      match().prediction_baseline.predict_baseline(match().known(frame, age, gap), {1});
  Errors errors;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (protocol::context::is_same_pose(now[i], baseline[i])) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = now[i].position[axis];
      const double expected = predicted[i].is_still
                                  ? baseline[i].position[axis]
                                  : static_cast<double>(predicted[i].position[axis]) / 16;
      const double step = baseline[i].position[axis] - previous[i].position[axis];
      const double going_on =
          baseline[i].position[axis] + step * static_cast<double>(age) / static_cast<double>(gap);
      errors.predicted += std::log2(1 + std::abs(at - expected));
      errors.going_on += std::log2(1 + std::abs(at - going_on));
    }
  }
  return errors;
}

TEST(PredictionBaseline, IsMoreAccurateThanConstantVelocity) {
  for (const auto& [age, gap] : {std::array<std::size_t, 2>{6, 1}, {3, 1}, {6, 4}, {12, 2}}) {
    SCOPED_TRACE(age);
    Errors sum;
    for (std::size_t frame = 100; frame < 500; frame += 11) {
      const Errors errors = errors_of(frame, age, gap);
      sum.predicted += errors.predicted;
      sum.going_on += errors.going_on;
    }
    EXPECT_LT(sum.predicted, 0.8 * sum.going_on);
  }
}

TEST(PredictionBaseline, BodiesOutOfReachStayAtTheirBaseline) {
  const auto& frames = match().set.frames;
  const auto predicted =
      match().prediction_baseline.predict_baseline(match().known(200, 6, 1), {1});
  std::size_t still = 0, wrong = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    ASSERT_TRUE(predicted[i].is_known);
    if (!predicted[i].is_still) continue;
    ++still;
    if (!protocol::context::is_same_pose(frames[200][i], frames[194][i])) ++wrong;
  }
  EXPECT_GT(still, 600U);
  EXPECT_EQ(wrong, 0U);
}

TEST(PredictionBaseline, AcceptsAnyReferencesThatASnapshotMayContain) {
  auto frames = match().set.frames;
  protocol::QuantizedBody &fast = frames[199][3], &odd = frames[199][4];
  constexpr std::int32_t farthest = 4'194'303 * protocol::position_steps_per_metre;
  fast.position = {farthest, -farthest, farthest};
  fast.is_awake = true;
  odd.largest = 1;
  odd.smallest = {511, 511, 511};
  odd.is_awake = true;
  const std::vector<QuantizedInput> inputs(7, {127, -127, 7});
  const Known known{frames[199], frames[198], 6, 1, inputs};
  const auto once = match().prediction_baseline.predict_baseline(known, {1});
  EXPECT_EQ(match().prediction_baseline.predict_baseline(known, {1}), once);
  const Known without{frames[199], frames[199], 6, 0, std::span(inputs).first(6)};
  EXPECT_EQ(match().prediction_baseline.predict_baseline(without, {1}).size(), once.size());
}

TEST(PredictionBaseline, KeepsJointedBodiesTogether) {
  const scene::SceneDef scene = load("ragdolls");
  sim::Simulation simulation(scene, sim::SimulationOptions{60, 1}, sim::default_rules());
  std::vector<protocol::QuantizedSnapshot> frames;
  for (int tick = 1; tick <= 60; ++tick) {
    state::TickCommands commands;
    commands.tick = simulation.tick() + 1;
    simulation.step(commands);
    frames.push_back(protocol::quantize(simulation.capture()));
  }
  const PredictionBaseline prediction_baseline(scene, 60, roles_of(scene, simulation.world_def()));
  double predicted_error = 0, still_error = 0;
  const auto& now = frames[50].bodies;
  const auto predicted =
      prediction_baseline.predict_baseline({frames[44].bodies, frames[43].bodies, 6, 1, {}}, {1});
  ASSERT_EQ(predicted.size(), now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    ASSERT_TRUE(predicted[i].is_known);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = now[i].position[axis], before = frames[44].bodies[i].position[axis];
      still_error += std::abs(at - before);
      predicted_error += predicted[i].is_still
                             ? std::abs(at - before)
                             : std::abs(at - static_cast<double>(predicted[i].position[axis]) / 16);
    }
  }
  EXPECT_LT(predicted_error, 0.3 * still_error);
}

TEST(BodyRoles, DistinguishesPlayersSceneBodiesAndOthers) {
  const scene::SceneDef scene = load("katamari");
  sim::Simulation simulation(scene, sim::SimulationOptions{60, 1}, sim::default_rules());
  state::TickCommands commands;
  commands.tick = simulation.tick() + 1;
  commands.commands.emplace_back(state::JoinCommand{{1}, "one"});
  commands.commands.emplace_back(state::JoinCommand{{2}, "two"});
  simulation.step(commands);
  state::WorldDef world = simulation.world_def();
  state::BodyInfo shot = world.bodies.back();
  shot.id.value += 1;
  world.bodies.push_back(shot);
  const std::vector<Role> cast = roles_of(scene, world);
  ASSERT_EQ(cast.size(), 903U);
  EXPECT_EQ(cast[0].scene_index, 1U);  // scene body 0 is the static ground
  EXPECT_EQ(cast[899].scene_index, 900U);
  EXPECT_TRUE(cast[900].is_steered && cast[901].is_steered);
  EXPECT_FALSE(cast[902].body.has_value());
}

}  // namespace
}  // namespace jostle::prediction_baseline
