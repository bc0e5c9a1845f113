// Trees of joints that are solved directly
// (shared/physics/stabilizers/articulations/joint_trees.h).
#include "shared/math/vec3d.h"
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr double link_length = 0.5;

struct Chain {
  BodyHandle anchor;
  std::vector<BodyHandle> links;
  std::vector<JointHandle> joints;  // the joint above each link, and above the bob
  BodyHandle bob;
};

/// Adds `count` links of 0.5 m in a row in the direction `way`, and a bob of `ratio` times a link's
/// mass at the end. If `is_anchored` is true, the first link is joined to a static body at the
/// origin.
Chain add_chain(World& world, JointKind kind, int count, float ratio, Vec3 way,
                bool is_anchored = true) {
  Chain chain;
  const auto at = [&](double links) {
    const double s = links * link_length;
    return Position{s * way.x, s * way.y, s * way.z};
  };
  chain.anchor = add_anchor(world, {});
  BodyHandle before = chain.anchor;
  const auto join = [&](BodyHandle body, double place) {
    if (before != chain.anchor || is_anchored)
      chain.joints.push_back(
          world.create_joint(make_joint_def(world, kind, before, body, at(place), {0, 0, 1})));
    before = body;
  };
  for (int i = 0; i < count; ++i) {
    chain.links.push_back(add_body(world, MotionType::Dynamic, {at(i + 0.5), {}},
                                   ghost(state::box({0.1f, 0.1f, 0.1f}))));
    join(chain.links.back(), i);
  }
  BodyDef def;
  def.pose.position = at(count + 0.5);
  def.mass = ratio * world.mass(before);
  chain.bob = world.create_body(def);
  world.add_shape(chain.bob, ghost(state::sphere(0.3f)));
  join(chain.bob, count);
  return chain;
}

/// Runs `steps` steps. Returns the largest anchor gap and the largest angle error of any joint in
/// these steps.
JointFailure run_and_watch(World& world, int steps) {
  JointFailure worst;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const JointFailure failure = worst_failure(world);
    worst.gap = std::max(worst.gap, failure.gap);
    worst.lean = std::max(worst.lean, failure.lean);
  }
  return worst;
}

class LoadedChain : public ::testing::TestWithParam<std::tuple<JointKind, float>> {};

TEST_P(LoadedChain, KeepsItsJointsTogetherAtRestAndSwinging) {
  const auto [kind, ratio] = GetParam();
  World world(without_sleep());
  const Chain chain = add_chain(world, kind, 20, ratio, {0, -1, 0});
  EXPECT_LT(run_and_watch(world, 120).gap, 1e-5f);
  world.set_velocity(chain.bob, {3, 0, 0}, {});
  world.step();  // removes the part of the bob's velocity that the joints do not allow
  const double before = total_energy(world);
  const JointFailure swinging = run_and_watch(world, 300);
  EXPECT_LT(swinging.gap, 1e-4f);
  EXPECT_LT(swinging.lean, 1e-4f);
  EXPECT_LT(total_energy(world), before + 0.01 * 4.5 * static_cast<double>(world.mass(chain.bob)));
}

INSTANTIATE_TEST_SUITE_P(Ratios, LoadedChain,
                         ::testing::Combine(::testing::Values(JointKind::Ball, JointKind::Hinge),
                                            ::testing::Values(1.0f, 100.0f, 10000.0f)));

TEST(LoadedBeam, StaysStraight) {
  for (const JointKind kind : {JointKind::Fixed, JointKind::Slider}) {
    World world(without_sleep());
    const Chain chain = add_chain(world, kind, 20, 1000, {1, 0, 0});
    const JointFailure failure = run_and_watch(world, 120);
    EXPECT_LT(failure.gap, 1e-5f);
    EXPECT_LT(failure.lean, 1e-5f);
    EXPECT_NEAR(world.centre_of_mass(chain.bob).y, 0, 1e-4);
  }
}

TEST(LoadedChain, JointForcesEqualTheWeightBelow) {
  World world(without_sleep());
  const Chain chain = add_chain(world, JointKind::Ball, 12, 50, {0, -1, 0});
  run(world, 60);
  double below = static_cast<double>(world.mass(chain.bob));
  for (std::size_t i = chain.joints.size(); i > 0; --i) {
    const Vec3 force = world.joint_state(chain.joints[i - 1]).force;
    EXPECT_NEAR(force.y / (below * 9.81), 1, 1e-4) << i;
    if (i > 1) below += static_cast<double>(world.mass(chain.links[i - 2]));
  }
}

struct Momenta {
  math::Vec3d linear, angular;
};
Momenta momenta_of(const World& world) {
  Momenta sum;
  for (const BodyHandle body : world.bodies()) {
    const auto mass = static_cast<double>(world.mass(body));
    const math::Vec3d v = math::widened(world.linear_velocity(body)) * mass;
    const Position at = world.centre_of_mass(body);
    sum.linear = sum.linear + v;
    sum.angular = sum.angular + cross(math::Vec3d{at.x, at.y, at.z}, v) +
                  math::widened(angular_momentum(world, body));
  }
  return sum;
}

TEST(FreeChain, ConservesMomentumAndEnergy) {
  WorldOptions options = without_sleep();
  options.gravity = {};
  World world(options);
  const Chain chain = add_chain(world, JointKind::Ball, 20, 100, {1, 0, 0}, false);
  world.set_velocity(chain.links.front(), {0, 3, 1}, {1, 2, 3});
  world.step();
  const Momenta before = momenta_of(world);
  const double energy = total_energy(world);
  EXPECT_LT(run_and_watch(world, 600).gap, 1e-4f);
  const Momenta after = momenta_of(world);
  EXPECT_LT(length(after.linear - before.linear), 1e-3 * length(before.linear));
  EXPECT_LT(length(after.angular - before.angular), 1e-3 * length(before.angular));
  EXPECT_NEAR(total_energy(world), energy, 0.01 * energy);
}

// A light body is connected by rods to two heavy ones. If the heavy bodies move apart when the rods
// come into line, the light body would have to move infinitely fast.
TEST(JointTree, LightBodyBetweenHeavyOnesAddsNoEnergy) {
  for (int seed = 0; seed < 20; ++seed) {
    WorldOptions options = without_sleep();
    options.gravity = {};
    World world(options);
    base::Random random(static_cast<std::uint64_t>(seed));
    std::vector<BodyHandle> bodies;
    for (int i = 0; i < 3; ++i) {
      BodyDef def;
      def.pose.position = {1.5 * i, i == 1 ? 0.4 : 0, 0};
      def.mass = i == 1 ? 1.0f : 600.0f;
      def.linear_velocity = random_vector(random, 5);
      bodies.push_back(world.create_body(def));
      world.add_shape(bodies.back(), ghost(state::sphere(0.2f)));
      if (i > 0)
        world.create_joint(make_distance_joint_def(
            world, bodies[static_cast<std::size_t>(i) - 1], bodies.back(),
            world.centre_of_mass(bodies[static_cast<std::size_t>(i) - 1]), def.pose.position));
    }
    world.step();
    const double start = total_energy(world);
    for (int i = 0; i < 600; ++i) {
      world.step();
      ASSERT_LT(total_energy(world), 1.03 * start) << "seed " << seed << ", step " << i;
    }
  }
}

TEST(JointTree, CutChainFallsBelowTheCutAndHangsAboveIt) {
  World world(without_sleep());
  const Chain chain = add_chain(world, JointKind::Ball, 20, 100, {0, -1, 0});
  run(world, 30);
  const double before = world.centre_of_mass(chain.bob).y;
  world.destroy_joint(chain.joints[10]);
  run(world, 60);
  EXPECT_NEAR(world.centre_of_mass(chain.bob).y, before - 0.5 * 9.81, 1e-3);
  EXPECT_NEAR(world.centre_of_mass(chain.links[9]).y, -9.5 * link_length, 1e-3);
  EXPECT_LT(worst_failure(world).gap, 1e-4f);
}

TEST(LoadedChain, HoldsHingeLimits) {
  World world(without_sleep());
  const Chain chain = add_chain(world, JointKind::Hinge, 10, 20, {1, 0, 0});
  const JointLimits limits{true, -0.1f, 0.1f};
  for (const JointHandle joint : chain.joints)
    world.set_joint_limits(joint, limits);
  run(world, 600);
  for (const JointHandle joint : chain.joints)
    EXPECT_LT(std::abs(world.joint_state(joint).angle), 0.1f + 0.03f);
  EXPECT_LT(worst_failure(world).gap, 1e-3f);
}

}  // namespace
}  // namespace jostle::physics
