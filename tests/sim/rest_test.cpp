// Ragdolls come to rest, and wedged ones are not thrown out.
#include "shared/base/random.h"
#include "shared/scene/builders.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace jostle::sim {
namespace {

constexpr const char* plane = R"({"motion_type": "static", "shape": {"plane": {}}})";

/// Returns the bodies of six steps, each 20 cm high and 30 cm deep.
std::string stairs() {
  std::string bodies;
  for (int i = 1; i <= 6; ++i) {
    bodies += R"(, {"motion_type": "static", "position": [0, )" + std::to_string(0.1 * i) + ", " +
              std::to_string(-0.3 * (i - 1)) + R"(], "shape": {"box": {"size": [3, )" +
              std::to_string(0.2 * i) + ", 0.3]}}}";
  }
  return bodies;
}

scene::SceneDef scene_with(const std::string& bodies, const std::string& position,
                           const std::string& degrees) {
  const std::string text =
      R"({"name": "rest", "spawns": [{"position": [0, 80, 80]}], "bodies": [)" + bodies +
      R"(], "assemblies": [{"kind": "ragdoll", "position": )" + position +
      R"(, "rotation_degrees": )" + degrees + "}]}";
  return scene::parse_scene(text, "rest").value();
}

double kinetic_energy(const physics::World& world) {
  double sum = 0;
  for (const physics::BodyHandle body : world.bodies())
    if (world.mass(body) > 0) sum += physics::testing::kinetic_energy(world, body);
  return sum;
}

double potential_energy(const physics::World& world) {
  return physics::testing::total_energy(world) - kinetic_energy(world);
}

bool is_asleep(const physics::World& world) {
  return std::ranges::none_of(world.bodies(), [&](physics::BodyHandle body) {
    return world.mass(body) > 0 && world.is_awake(body);
  });
}

/// Results of a run.
struct Fall {
  double slept_after = -1;    // s; −1: never
  double kinetic_gained = 0;  // J, largest gain of kinetic energy in a step beyond the lost height
  double most_kinetic = 0;    // J
};
Fall fall_of(const scene::SceneDef& def, int hz, int seconds) {
  SimulationOptions options;
  options.tick_rate_hz = hz;
  Simulation simulation(def, options, default_rules());
  const physics::World& world = simulation.world();
  Fall result;
  double kinetic = kinetic_energy(world), potential = potential_energy(world);
  for (int i = 1; i <= seconds * hz; ++i) {
    simulation.step({state::Tick{static_cast<std::uint32_t>(i)}, {}});
    const double now = kinetic_energy(world), height = potential_energy(world);
    const double fallen = std::max(potential - height, 0.0);
    result.kinetic_gained = std::max(result.kinetic_gained, now - kinetic - fallen);
    result.most_kinetic = std::max(result.most_kinetic, now);
    kinetic = now;
    potential = height;
    if (!is_asleep(world)) continue;
    result.slept_after = static_cast<double>(i) / hz;
    break;
  }
  return result;
}

TEST(Rest, RagdollsOnAPlaneFallAsleepAndGainNoEnergy) {
  base::Random random(11);
  for (int i = 0; i < 8; ++i) {
    const auto angle = [&] { return std::to_string(360.0f * random.unit()); };
    const std::string degrees = "[" + angle() + ", " + angle() + ", " + angle() + "]";
    SCOPED_TRACE(degrees);
    const Fall result = fall_of(scene_with(plane, "[0, 2, 0]", degrees), 60, 12);
    EXPECT_GT(result.slept_after, 0);
    EXPECT_LT(result.kinetic_gained, 2e-3 * result.most_kinetic);
  }
}

// The figure starts inside the steps, which squeeze its limbs.
TEST(Rest, RagdollWedgedInStairsIsNotThrownOut) {
  const std::string bodies = plane + stairs();
  const Fall result =
      fall_of(scene_with(bodies, "[-0.31927, 1.5, -0.4184]", "[115.0044, 134.0631, 0]"), 60, 12);
  EXPECT_GT(result.slept_after, 0);
  EXPECT_LT(result.most_kinetic, 150);
  EXPECT_LT(result.kinetic_gained, 10);
}

}  // namespace
}  // namespace jostle::sim
