// Landings: bounces, and bodies that spin while they land.
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// These bodies turn by a radian per step. When they land, their inertia tensor in the world frame
/// is therefore not that of the start of the step.
TEST(Landing, SpinningSticksAndPlatesGainNoEnergy) {
  for (const Vec3 half :
       {Vec3{0.1f, 0.02f, 0.1f}, Vec3{0.1f, 0.1f, 0.01f}, Vec3{0.1f, 0.01f, 0.01f},
        Vec3{0.06f, 0.03f, 0.1f}, Vec3{0.3f, 0.05f, 0.05f}}) {
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(i);
      const float angle = 0.3f * static_cast<float>(i);
      World world(without_sleep());
      add_ground(world);
      const BodyHandle body = add_dynamic(world, {0, 1 + 0.013 * i, 0}, state::box(half));
      world.set_velocity(body, {1, 0, 0}, Vec3{std::sin(angle), 0.4f, std::cos(angle)} * 60.0f);
      const double start = total_energy(world);
      double lowest = start;
      for (int step = 0; step < 180; ++step) {
        world.step();
        const double energy = total_energy(world);
        ASSERT_LT(energy, lowest + 0.03 * start) << "step " << step;
        lowest = std::min(lowest, energy);
      }
    }
  }
}

struct BounceCase {
  float restitution = 0, height = 0;
};
class Bounce : public ::testing::TestWithParam<BounceCase> {};

/// The heights h of the first three bounces must follow hₙ = e²·hₙ₋₁ with the restitution e, within
/// 0.2 % of the previous measured height. Between two bounces, the energy of the ball gives the
/// height that it reaches.
TEST_P(Bounce, HeightFollowsTheSquareOfRestitution) {
  const BounceCase& c = GetParam();
  WorldOptions options = without_sleep();
  options.restitution_threshold = 0;
  World world(options);
  add_ground(world, Material{0.5f, 0});
  ShapeDef def = shape_def(state::sphere(0.5f));
  def.material.restitution = c.restitution;
  const double e = static_cast<double>(c.restitution);
  constexpr double lowest_bounce = 0.03;  // m; lower bounces do not separate from the ground
  double before = static_cast<double>(c.height);
  const BodyHandle ball = add_body(world, MotionType::Dynamic, {{0, 0.5 + before, 0}, {}}, def);
  int bounces = 0;
  double highest = 0;
  float speed_before = 0;
  for (int i = 0; i < 1500 && bounces < 3; ++i) {
    world.step();
    const float speed = world.linear_velocity(ball).y;
    if (speed <= 0 && speed_before > 0) {
      const double wanted = e * e * before;
      if (wanted > lowest_bounce) {
        EXPECT_NEAR(highest, wanted, 0.002 * wanted) << "bounce " << bounces;
      }
      before = highest;
      highest = 0;
      ++bounces;
    } else if (speed > 0) {  // the top lies between two steps
      const double v = static_cast<double>(speed);
      highest = world.centre_of_mass(ball).y - 0.5 + v * v / (2 * 9.81);
    }
    speed_before = speed;
  }
  EXPECT_EQ(bounces, 3);
}

INSTANTIATE_TEST_SUITE_P(Heights, Bounce,
                         ::testing::Values(BounceCase{1.0f, 2.5f}, BounceCase{0.9f, 2.5f},
                                           BounceCase{0.5f, 2.5f}, BounceCase{0.9f, 10.0f},
                                           BounceCase{0.5f, 10.0f}, BounceCase{1.0f, 1.0f},
                                           BounceCase{0.7f, 1.0f}, BounceCase{0.5f, 1.0f}));

}  // namespace
}  // namespace jostle::physics
