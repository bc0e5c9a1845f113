#include "tools/rig/rig.h"
#include "tools/workload/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace jostle {
namespace {

constexpr int steps = 600;
constexpr double energy_gain_allowed = 0.01;  // relative to the energy at the start

/// Returns the kinetic and potential energy (relative to y = 0) of all dynamic bodies, J.
double mechanical_energy(const physics::World& world) {
  const double g = static_cast<double>(-world.options().gravity.y);
  double sum = 0;
  for (const physics::BodyHandle body : world.bodies()) {
    const math::Vec3 v = world.linear_velocity(body);
    const math::Vec3 w = inverse_rotate(world.pose(body).rotation, world.angular_velocity(body));
    const float moving = 0.5f * (world.mass(body) * dot(v, v));
    const float turning = 0.5f * dot(w, world.inertia_local(body) * w);
    sum += static_cast<double>(moving) + static_cast<double>(turning) +
           static_cast<double>(world.mass(body)) * g * world.centre_of_mass(body).y;
  }
  return sum;
}

/// Results of a run.
struct Outcome {
  // true if the energy was finite in every step, all final states are finite, and no body was
  // quarantined
  bool is_finite = true;
  double energy_gain = 0;  // largest during the run, relative to the start
  // number of dynamic bodies at the end that are below the floor within its extent
  int below_floor = 0;
  std::vector<std::uint64_t> hashes;
};

Outcome run(const workload::Scene& scene, int threads) {
  auto rig = rig::set_up(scene, {threads, simd::best_instruction_set()}, {});
  EXPECT_TRUE(rig.has_value());
  const double start = mechanical_energy(rig->world);
  Outcome outcome;
  for (int step = 0; step < steps; ++step) {
    rig::step(scene, step, *rig);
    outcome.hashes.push_back(rig->world.hash().total);
    const double gain = mechanical_energy(rig->world) / start - 1;
    outcome.energy_gain = std::max(outcome.energy_gain, gain);
    outcome.is_finite =
        outcome.is_finite && std::isfinite(gain) && rig->world.stats().quarantined_bodies == 0;
  }
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    const workload::BodyState state = rig::state_of(*rig, i);
    outcome.is_finite = outcome.is_finite && workload::is_finite(state);
    const float x = std::abs(state.position.x), z = std::abs(state.position.z);
    const float half_width = scene.arena.half_width;  // 0: infinite
    const bool is_over_floor = half_width == 0.0f || std::max(x, z) <= half_width;
    if (workload::is_dynamic(scene.bodies[i]) && is_over_floor && state.position.y < 0)
      ++outcome.below_floor;
  }
  return outcome;
}

/// Returns the number of seeds: the value of JOSTLE_RANDOM_SCENES, or 12. `./run test --full` uses
/// 300.
std::uint32_t seed_count() {
  const char* const wanted = std::getenv("JOSTLE_RANDOM_SCENES");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : 12;
}

/// Returns the random scene of this seed. `jostle bench physics --scene randomSEED` runs the same
/// scene with joints.
workload::Scene make(std::uint32_t seed, bool has_joints) {
  auto scene = workload::make_scene("random" + std::to_string(seed));
  EXPECT_TRUE(scene);
  if (!has_joints) scene->joints.clear();
  return *std::move(scene);
}

class RandomScene : public testing::TestWithParam<std::uint32_t> {};

void expect_to_behave(const Outcome& outcome) {
  EXPECT_TRUE(outcome.is_finite);
  EXPECT_LE(outcome.energy_gain, energy_gain_allowed);
  EXPECT_EQ(outcome.below_floor, 0);
}

TEST_P(RandomScene, StaysFiniteAndGainsNoEnergyWithoutJoints) {
  expect_to_behave(run(make(GetParam(), false), 1));
}

TEST_P(RandomScene, StaysFiniteAndGainsNoEnergyWithJoints) {
  expect_to_behave(run(make(GetParam(), true), 1));
}

TEST_P(RandomScene, HasTheSameHashesOnOneAndTwoThreads) {
  const workload::Scene scene = make(GetParam(), true);
  EXPECT_EQ(run(scene, 2).hashes, run(scene, 1).hashes);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomScene, testing::Range(0U, seed_count()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace jostle
