// Tests invariants of every scene in scenes/ while it runs: all numbers are finite, bodies stay
// above the ground, and joints stay together.
#include "shared/sim/random_inputs.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace jostle::sim {
namespace {

using physics::JointDef;
using physics::JointKind;
using physics::JointState;

constexpr int ticks_per_second = 60;
constexpr double degree = 3.14159265358979323846 / 180;

/// The error of a joint, including its limits: gap in m, lean in degrees.
struct Failure {
  double gap = 0, lean = 0;
};
/// The maximum error that a joint of any scene may have in any tick.
constexpr Failure wanted{0.5e-3, 0.1};

/// Returns the simulated time of each run in s: the value of JOSTLE_GALLERY_SECONDS, or 60. The
/// variable shortens the runs in the usual tests, and more in builds that are many times slower.
int seconds_to_run() {
  const char* seconds = std::getenv("JOSTLE_GALLERY_SECONDS");
  return seconds == nullptr ? 60 : std::max(std::atoi(seconds), 1);
}

std::vector<std::filesystem::path> gallery() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenes")) {
    if (entry.path().filename().string().ends_with(".scene.json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns how far a value is beyond its limits; 0 if it is within them or has none.
double beyond(const physics::JointLimits& limits, double value) {
  if (!limits.is_enabled) return 0;
  return std::max({limits.lower - value, value - limits.upper, 0.0});
}

Failure failure_of(const JointDef& def, const JointState& state) {
  if (def.kind == JointKind::Servo) return {};  // a spring without a hard constraint
  Failure failure{state.gap, state.lean};
  const double at_limit =
      beyond(def.limits, def.kind == JointKind::Slider ? state.translation : state.angle);
  if (def.kind == JointKind::Slider) failure.gap = std::max(failure.gap, at_limit);
  if (def.kind == JointKind::Hinge || def.kind == JointKind::Ball)
    failure.lean = std::max(failure.lean, at_limit);
  if (def.kind == JointKind::Ball && def.cone.is_enabled)
    failure.lean = std::max<double>(failure.lean, state.swing - def.cone.angle);
  return {failure.gap, failure.lean / degree};
}

std::string name_of(const Simulation& simulation, physics::BodyHandle body) {
  const state::BodyId id = BodyRegistry::id_of(simulation.world(), body);
  const std::size_t index = id.value - 1;
  const auto& bodies = simulation.scene().bodies;
  return index < bodies.size() && !bodies[index].name.empty() ? bodies[index].name
                                                              : std::to_string(id.value);
}

/// The largest error over several ticks and its location.
struct Worst {
  Failure failure;
  std::string gap_at, lean_at;

  void take(const Simulation& simulation) {
    const physics::World& world = simulation.world();
    for (const physics::JointHandle joint : world.joints()) {
      const JointDef& def = world.joint_def(joint);
      const Failure now = failure_of(def, world.joint_state(joint));
      const auto where = [&] {
        return name_of(simulation, def.body_a) + " and " + name_of(simulation, def.body_b) +
               " in tick " + std::to_string(simulation.tick().number);
      };
      // Written as "not less or equal", so that NaN counts as the worst value.
      if (!(now.gap <= failure.gap)) {
        failure.gap = now.gap;
        gap_at = where();
      }
      if (!(now.lean <= failure.lean)) {
        failure.lean = now.lean;
        lean_at = where();
      }
    }
  }
  void expect_within(const Failure& bound) const {
    EXPECT_LE(failure.gap, bound.gap) << "m, between " << gap_at;
    EXPECT_LE(failure.lean, bound.lean) << "degrees, between " << lean_at;
  }
};

bool has_ground(const scene::SceneDef& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [](const scene::SceneBody& body) {
    return body.shapes[0].shape.kind == state::ShapeKind::Plane;
  });
}

bool is_finite(const physics::World& world, physics::BodyHandle body) {
  const math::Pose pose = world.pose(body);
  return math::is_finite(pose.position) && math::is_finite(pose.rotation) &&
         math::is_finite(world.linear_velocity(body)) &&
         math::is_finite(world.angular_velocity(body));
}

auto parsed_scene(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return scene::parse_scene(text, path.string());
}

class GalleryMinute : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GalleryMinute, StaysFiniteAboveTheGroundAndKeepsJointsTogether) {
  auto parsed = parsed_scene(GetParam());
  ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
  const auto simulation = simulate(*std::move(parsed));
  const physics::World& world = simulation->world();
  const bool is_on_ground = has_ground(simulation->scene());

  Worst worst;
  // In slow motion a minute of simulated time takes more ticks.
  const int ticks = seconds_to_run() * ticks_per_second * 100 /
                    static_cast<int>(simulation->scene().world.time_percent);
  for (int tick = 1; tick <= ticks; ++tick) {
    step(*simulation);
    ASSERT_EQ(world.stats().quarantined_bodies, 0U) << "tick " << tick;
    for (const physics::BodyHandle body : world.bodies()) {
      ASSERT_TRUE(is_finite(world, body)) << name_of(*simulation, body) << ", tick " << tick;
      if (!is_on_ground || world.motion_type(body) != state::MotionType::Dynamic) continue;
      // All grounds in the gallery are at height 0. A lift may press a barrel into the ground, but
      // not through it.
      ASSERT_GT(world.aabb(body).upper.y, 0.0)
          << name_of(*simulation, body) << " fell through the ground in tick " << tick;
    }
    worst.take(*simulation);
  }
  Worst end;
  end.take(*simulation);
  RecordProperty("worst_gap_mm", std::to_string(worst.failure.gap * 1e3));
  RecordProperty("worst_lean_degrees", std::to_string(worst.failure.lean));
  RecordProperty("end_gap_mm", std::to_string(end.failure.gap * 1e3));
  RecordProperty("end_lean_degrees", std::to_string(end.failure.lean));
  worst.expect_within(wanted);
}

// Players walk, push, drag, and shoot at 100 m/s. These loads may open gaps of up to 0.11 m in
// joints, but all numbers must stay finite.
TEST_P(GalleryMinute, StaysFiniteAndKeepsJointsTogetherUnderRandomPlayers) {
  auto parsed = parsed_scene(GetParam());
  ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
  for (const std::uint64_t seed : {1U, 3U}) {
    SCOPED_TRACE(seed);
    const auto simulation = simulate(*parsed);
    const physics::World& world = simulation->world();
    RandomInputs players(seed, 2);
    Worst worst;
    for (int tick = 1; tick <= std::min(seconds_to_run(), 15) * ticks_per_second; ++tick) {
      simulation->step(players.next(*simulation));
      ASSERT_EQ(world.stats().quarantined_bodies, 0U) << "tick " << tick;
      for (const physics::BodyHandle body : world.bodies())
        ASSERT_TRUE(is_finite(world, body)) << name_of(*simulation, body) << ", tick " << tick;
      worst.take(*simulation);
    }
    EXPECT_LE(worst.failure.gap, 0.11) << "m, between " << worst.gap_at;
    RecordProperty("worst_gap_mm_" + std::to_string(seed), std::to_string(worst.failure.gap * 1e3));
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, GalleryMinute, testing::ValuesIn(gallery()),
                         [](const auto& row) { return row.param.stem().stem().string(); });

}  // namespace
}  // namespace jostle::sim
