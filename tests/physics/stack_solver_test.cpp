// Stacks in static equilibrium must not move (shared/physics/stabilizers/stacks/support_graph.h).
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr float gravity = 9.81f;
constexpr float half = 0.5f;  // m, half extent of unit boxes

BodyHandle add_unit_box(World& world, Position at, float density) {
  ShapeDef def = shape_def(state::box({half, half, half}));
  def.density = density;
  return add_body(world, MotionType::Dynamic, {at, {}}, def);
}

/// Adds a tower of unit boxes; densities are from bottom to top.
std::vector<BodyHandle> add_tower(World& world, const std::vector<float>& densities,
                                  Position foot = {}) {
  std::vector<BodyHandle> tower;
  for (const float density : densities) {
    tower.push_back(add_unit_box(world, foot + Vec3{0, half, 0}, density));
    foot = foot + Vec3{0, 2 * half, 0};
  }
  return tower;
}

double distance(Position a, Position b) {
  return length(a - b);
}

/// Runs the world for `seconds`. Returns the largest distance in m between the final and the
/// initial position of a body.
double drift_of(World& world, const std::vector<BodyHandle>& bodies, int seconds) {
  std::vector<Position> start;
  for (const BodyHandle body : bodies)
    start.push_back(world.centre_of_mass(body));
  run(world, seconds * 60);
  double drift = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    drift = std::max(drift, distance(world.centre_of_mass(bodies[i]), start[i]));
  return drift;
}

/// Returns the drift of a tower of boxes with these densities after 20 s, m.
double drift_of_tower(const std::vector<float>& densities) {
  World world(without_sleep());
  add_ground(world);
  return drift_of(world, add_tower(world, densities), 20);
}

TEST(StackSolver, TowerOfFiftyNeitherSagsNorLeans) {
  EXPECT_LT(drift_of_tower(std::vector<float>(50, 1000)), 1e-4);
}

/// The boxes are neither aligned exactly nor without gaps, as in a stack built by hand.
TEST(StackSolver, UnevenTowerWithGapsComesToRest) {
  World world(without_sleep());
  add_ground(world);
  base::Random random(4);
  std::vector<BodyHandle> tower;
  for (int i = 0; i < 20; ++i) {
    const float x = random.between(-0.03f, 0.03f), z = random.between(-0.03f, 0.03f);
    const float turn = random.between(-0.2f, 0.2f);
    tower.push_back(add_body(world, MotionType::Dynamic,
                             {{x, 0.5 + i * 1.0004, z}, math::from_axis_angle({0, 1, 0}, turn)},
                             shape_def(state::box({half, half, half}))));
  }
  EXPECT_LT(drift_of(world, tower, 10), 0.02);
}

TEST(StackSolver, BoxCarriesAThousandTimesItsWeight) {
  EXPECT_LT(drift_of_tower({1000, 1e5f}), 1e-4);
  EXPECT_LT(drift_of_tower({1000, 1e6f}), 1e-4);
}

TEST(StackSolver, TenBoxesCarryAHundredTimesTheMassOfOne) {
  std::vector<float> densities(11, 1000);
  densities.back() = 1e5f;
  EXPECT_LT(drift_of_tower(densities), 1e-4);
}

TEST(StackSolver, AlternatingLightAndHeavyBoxesStand) {
  EXPECT_LT(drift_of_tower({1000, 1e5f, 100, 1e4f, 1000, 1e6f}), 1e-4);
}

TEST(StackSolver, PyramidStaysAsItWasBuilt) {
  World world(without_sleep());
  add_ground(world);
  const std::vector<BodyHandle> boxes = add_pyramid(world, 30);
  EXPECT_LT(drift_of(world, boxes, 10), 1e-4);
}

TEST(StackSolver, GroundBearsTheWholeWeightOfAPyramid) {
  World world(without_sleep());
  const BodyHandle ground = add_ground(world);
  float mass = 0;
  for (const BodyHandle box : add_pyramid(world, 20))
    mass += world.mass(box);
  run(world, 60);
  float pressed = 0;
  for (const ContactView& contact : world.contacts()) {
    if (world.body_of(contact.a) != ground && world.body_of(contact.b) != ground) continue;
    for (int i = 0; i < contact.point_count; ++i)
      pressed += contact.points[static_cast<std::size_t>(i)].normal_impulse;
  }
  EXPECT_NEAR(pressed / (mass * gravity / step_rate), 1, 1e-4);
}

TEST(StackSolver, LightBoxHoldsAHeavyOneThatDropsOnIt) {
  World world(without_sleep());
  add_ground(world);
  const std::vector<BodyHandle> tower = add_tower(world, {1000, 1e6f});
  world.set_pose(tower[1], {{0, 1.6, 0}, {}});
  run(world, 20 * 60);
  EXPECT_NEAR(world.centre_of_mass(tower[0]).y, 0.5, 1e-3);
  EXPECT_NEAR(world.centre_of_mass(tower[1]).y, 1.5, 1e-3);
}

TEST(StackSolver, TowerStandsOnAMovingAndTurningLift) {
  World world(without_sleep());
  const BodyHandle lift = add_body(world, MotionType::Kinematic, {{0, -0.5, 0}, {}},
                                   shape_def(state::box({3, half, 3})));
  world.set_velocity(lift, {0, 1, 0}, {0, 0.2f, 0});
  const std::vector<BodyHandle> tower =
      add_tower(world, std::vector<float>(8, 1000), Position{1, 0, 0});
  for (const BodyHandle body : tower)
    world.set_velocity(body, {0, 1, -0.2f}, {0, 0.2f, 0});
  run(world, 300);
  const math::Pose ground = world.pose(lift);
  for (std::size_t i = 0; i < tower.size(); ++i) {
    const Vec3 seen =
        rotate(conjugate(ground.rotation), world.centre_of_mass(tower[i]) - ground.position);
    EXPECT_NEAR(seen.x, 1, 0.01);
    EXPECT_NEAR(seen.y, static_cast<float>(i) + 1, 0.01);
    EXPECT_NEAR(seen.z, 0, 0.01);
  }
}

TEST(StackSolver, PushedTowerFalls) {
  World world(without_sleep());
  add_ground(world);
  const std::vector<BodyHandle> tower = add_tower(world, std::vector<float>(10, 1000));
  run(world, 60);
  world.apply_impulse(tower.back(), Vec3{5000, 0, 0}, world.centre_of_mass(tower.back()));
  run(world, 300);
  EXPECT_LT(world.centre_of_mass(tower.back()).y, 8.9);
}

TEST(StackSolver, TowerDropsWhenItsLowestBoxIsDestroyed) {
  World world(without_sleep());
  add_ground(world);
  const std::vector<BodyHandle> tower = add_tower(world, std::vector<float>(10, 1000));
  run(world, 60);
  world.destroy_body(tower.front());
  run(world, 120);
  for (std::size_t i = 1; i < tower.size(); ++i)
    EXPECT_NEAR(world.centre_of_mass(tower[i]).y, static_cast<double>(i) - 0.5, 1e-3);
}

/// Adds four boxes, each offset to the side of the one below.
std::vector<BodyHandle> add_leaning_tower(World& world, double overhang) {
  std::vector<BodyHandle> tower;
  for (int i = 0; i < 4; ++i)
    tower.push_back(add_unit_box(world, {overhang * i, half + i, 0}, 1000));
  return tower;
}

/// The centre of mass of the upper three is 0.44 m outside the edge of the lowest box.
TEST(StackSolver, TowerThatLeansBeyondItsBaseFalls) {
  World world(without_sleep());
  add_ground(world);
  const std::vector<BodyHandle> tower = add_leaning_tower(world, 0.47);
  run(world, 180);
  EXPECT_LT(world.centre_of_mass(tower.back()).y, 3);
}

TEST(StackSolver, TowerThatLeansWithinItsBaseStands) {
  World world(without_sleep());
  add_ground(world);
  EXPECT_LT(drift_of(world, add_leaning_tower(world, 0.2), 10), 1e-3);
}

}  // namespace
}  // namespace jostle::physics
