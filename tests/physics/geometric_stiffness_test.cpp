// Chains under high tension (shared/physics/stabilizers/geometric_stiffness/taut_bodies.h).
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

struct Link {
  state::Shape shape;
  float mass = 1;
};

/// Adds a horizontal chain of 1 m links to a static body. The last link may have another shape and
/// mass.
void add_row_of_links(World& world, JointKind kind, int count, const Link& link, const Link& last) {
  BodyHandle previous = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  for (int i = 0; i < count; ++i) {
    const Link& made = i + 1 == count ? last : link;
    BodyDef def;
    def.motion = MotionType::Dynamic;
    def.pose.position = {0.5 + i, 0, 0};
    def.mass = made.mass;
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, shape_def(made.shape));
    world.create_joint(
        make_joint_def(world, kind, previous, body, {static_cast<double>(i), 0, 0}, {0, 0, 1}));
    previous = body;
  }
}

/// Runs `steps` steps. Returns the largest energy minus the initial energy, J. If the energy is not
/// finite after a step, returns this energy.
double energy_gained(World& world, int steps) {
  const double start = total_energy(world);
  double most = -1e300;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const double energy = total_energy(world);
    if (!std::isfinite(energy)) return energy;
    most = std::max(most, energy - start);
  }
  return most;
}

TEST(TautChain, WhipThatHitsItselfGainsNoEnergy) {
  World world(without_sleep());
  const Link link{state::capsule(0.1f, 0.35f)};
  add_row_of_links(world, JointKind::Ball, 40, link, link);
  const Vec3 push{0.05f, 0.02f, 0.05f};
  for (const BodyHandle body : world.bodies())
    if (world.motion_type(body) == MotionType::Dynamic) world.set_velocity(body, push, {});
  // For comparison, the chain loses 7.8e3 J between the horizontal position and the hanging one.
  EXPECT_LT(energy_gained(world, 1200), 50.0);
}

class TautChain : public ::testing::TestWithParam<std::tuple<JointKind, float>> {};

TEST_P(TautChain, GainsNoEnergyFromAHeavyBob) {
  const auto [kind, ratio] = GetParam();
  World world(without_sleep());
  add_row_of_links(world, kind, 20, {state::capsule(0.1f, 0.35f)}, {state::sphere(0.4f), ratio});
  EXPECT_LT(energy_gained(world, 600), 1.0);
}

INSTANTIATE_TEST_SUITE_P(All, TautChain,
                         ::testing::Combine(::testing::Values(JointKind::Ball, JointKind::Hinge),
                                            ::testing::Values(10.0f, 1000.0f, 10000.0f)));

}  // namespace
}  // namespace jostle::physics
