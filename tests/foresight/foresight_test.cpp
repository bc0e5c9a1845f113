#include "shared/foresight/foresight.h"

#include "protocol/context/rotation.h"
#include "shared/sim/simulation.h"
#include "shared/sim/stock_rules.h"
#include "tools/snapshots/katamari_frames.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

namespace jostle::foresight {
namespace {

using protocol::context::ForeseenBody;
using protocol::context::HeldInput;

scene::SceneDef load(const std::string& name) {
  const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return scene::parse_scene(text, path).value();
}

struct Match {
  scene::SceneDef scene = load("katamari");
  snapshots::FrameSet set = snapshots::play(scene, 301, snapshots::Activity::Mid, 500).value();
  Foresight foresight{scene, snapshots::frames_per_second, snapshots::cast_of_frames(scene)};

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

TEST(Foresight, PredictsTheSameOnAnyNumberOfThreads) {
  for (std::size_t frame = 100; frame < 500; frame += 80) {
    const Known known = match().known(frame, 6, 1);
    const auto one = match().foresight.foresee(known, {1});
    EXPECT_EQ(match().foresight.foresee(known, {3}), one);
    physics::Execution plain;
    plain.simd = simd::Level::Plain;
    EXPECT_EQ(match().foresight.foresee(known, plain), one);
  }
}

TEST(Foresight, DoesNotDependOnEarlierPredictions) {
  const scene::SceneDef scene = load("katamari");
  for (std::size_t frame = 499; frame > 100; frame -= 90) {  // not in chronological order
    const Known known = match().known(frame, 6, 1);
    const Foresight fresh(scene, snapshots::frames_per_second, snapshots::cast_of_frames(scene));
    EXPECT_EQ(match().foresight.foresee(known, {1}), fresh.foresee(known, {1}));
  }
}

/// Sums over the bodies that changed of log2(1 + error), with errors in steps of the wire.
struct Errors {
  double foreseen = 0, going_on = 0;
};
Errors errors_of(std::size_t frame, std::size_t age, std::size_t gap) {
  const auto &now = match().set.frames[frame], &baseline = match().set.frames[frame - age],
             &previous = match().set.frames[frame - age - gap];
  const auto foreseen = match().foresight.foresee(match().known(frame, age, gap), {1});
  Errors errors;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (protocol::context::is_same_pose(now[i], baseline[i])) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = now[i].position[axis];
      const double expected = foreseen[i].is_still
                                  ? baseline[i].position[axis]
                                  : static_cast<double>(foreseen[i].position[axis]) / 16;
      const double step = baseline[i].position[axis] - previous[i].position[axis];
      const double going_on =
          baseline[i].position[axis] + step * static_cast<double>(age) / static_cast<double>(gap);
      errors.foreseen += std::log2(1 + std::abs(at - expected));
      errors.going_on += std::log2(1 + std::abs(at - going_on));
    }
  }
  return errors;
}

TEST(Foresight, IsMoreAccurateThanConstantVelocity) {
  for (const auto& [age, gap] : {std::array<std::size_t, 2>{6, 1}, {3, 1}, {6, 4}, {12, 2}}) {
    SCOPED_TRACE(age);
    Errors sum;
    for (std::size_t frame = 100; frame < 500; frame += 11) {
      const Errors errors = errors_of(frame, age, gap);
      sum.foreseen += errors.foreseen;
      sum.going_on += errors.going_on;
    }
    EXPECT_LT(sum.foreseen, 0.8 * sum.going_on);
  }
}

TEST(Foresight, BodiesOutOfReachStayAtTheirBaseline) {
  const auto& frames = match().set.frames;
  const auto foreseen = match().foresight.foresee(match().known(200, 6, 1), {1});
  std::size_t still = 0, wrong = 0;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    ASSERT_TRUE(foreseen[i].is_known);
    if (!foreseen[i].is_still) continue;
    ++still;
    if (!protocol::context::is_same_pose(frames[200][i], frames[194][i])) ++wrong;
  }
  EXPECT_GT(still, 600U);
  EXPECT_EQ(wrong, 0U);
}

TEST(Foresight, AcceptsAnyReferencesThatASnapshotMayContain) {
  auto frames = match().set.frames;
  protocol::QuantizedBody &fast = frames[199][3], &odd = frames[199][4];
  constexpr std::int32_t farthest = 4'194'303 * protocol::position_steps_per_metre;
  fast.position = {farthest, -farthest, farthest};
  fast.is_awake = true;
  odd.largest = 1;
  odd.smallest = {511, 511, 511};
  odd.is_awake = true;
  const std::vector<HeldInput> inputs(7, {127, -127, 7});
  const Known known{frames[199], frames[198], 6, 1, inputs};
  const auto once = match().foresight.foresee(known, {1});
  EXPECT_EQ(match().foresight.foresee(known, {1}), once);
  const Known without{frames[199], frames[199], 6, 0, std::span(inputs).first(6)};
  EXPECT_EQ(match().foresight.foresee(without, {1}).size(), once.size());
}

/// A scene with joints: the prediction must keep jointed bodies together.
TEST(Foresight, KeepsJointedBodiesTogether) {
  const scene::SceneDef scene = load("ragdolls");
  sim::Simulation simulation(scene, sim::SimulationOptions{60, 1}, sim::stock_rules());
  std::vector<protocol::QuantizedSnapshot> frames;
  for (int tick = 1; tick <= 60; ++tick) {
    state::TickCommands commands;
    commands.tick = simulation.tick() + 1;
    simulation.step(commands);
    frames.push_back(protocol::quantize(simulation.capture()));
  }
  const Foresight foresight(scene, 60, cast_of(scene, simulation.world_def()));
  double foreseen_error = 0, still_error = 0;
  const auto& now = frames[50].bodies;
  const auto foreseen = foresight.foresee({frames[44].bodies, frames[43].bodies, 6, 1, {}}, {1});
  ASSERT_EQ(foreseen.size(), now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    ASSERT_TRUE(foreseen[i].is_known);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = now[i].position[axis], before = frames[44].bodies[i].position[axis];
      still_error += std::abs(at - before);
      foreseen_error += foreseen[i].is_still
                            ? std::abs(at - before)
                            : std::abs(at - static_cast<double>(foreseen[i].position[axis]) / 16);
    }
  }
  EXPECT_LT(foreseen_error, 0.3 * still_error);
}

TEST(Cast, DistinguishesPlayersSceneBodiesAndOthers) {
  const scene::SceneDef scene = load("katamari");
  sim::Simulation simulation(scene, sim::SimulationOptions{60, 1}, sim::stock_rules());
  state::TickCommands commands;
  commands.tick = simulation.tick() + 1;
  commands.commands.emplace_back(state::JoinCommand{{1}, "one"});
  commands.commands.emplace_back(state::JoinCommand{{2}, "two"});
  simulation.step(commands);
  state::WorldDef world = simulation.world_def();
  state::BodyInfo shot = world.bodies.back();
  shot.id.value += 1;
  world.bodies.push_back(shot);
  const std::vector<Role> cast = cast_of(scene, world);
  ASSERT_EQ(cast.size(), 903U);
  EXPECT_EQ(cast[0].scene_index, 1U);  // scene body 0 is the static ground
  EXPECT_EQ(cast[899].scene_index, 900U);
  EXPECT_TRUE(cast[900].is_steered && cast[901].is_steered);
  EXPECT_FALSE(cast[902].body.has_value());
}

}  // namespace
}  // namespace jostle::foresight
