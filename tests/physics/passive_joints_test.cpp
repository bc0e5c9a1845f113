// Passive joints do no work and must not change the energy of their bodies
// (stabilizers/energy_limiter/passive_groups.h).
#include "shared/math/trig.h"
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Minimum and maximum of the energy minus its initial value, J.
struct Range {
  double least = 0, most = 0;
};
Range energy_range(World& world, int steps) {
  const double start = total_energy(world);
  Range range;
  for (int i = 0; i < steps; ++i) {
    world.step();
    const double now = total_energy(world) - start;
    range.least = std::min(range.least, now);
    range.most = std::max(range.most, now);
  }
  return range;
}

// The ball joint holds the slender load 5 cm beside its long axis, so the load spins about this
// axis at many rad/s while it falls.
TEST(PassiveJoints, DoublePendulumGainsNoEnergy) {
  for (const JointKind post_kind : {JointKind::Hinge, JointKind::Ball}) {
    for (const float load : {1.0f, 100.0f}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(post_kind) << ", " << load << " kg");
      World world(without_sleep());
      const BodyHandle post = add_anchor(world, {});
      const BodyHandle arm = add_ghost_box(world, {0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1);
      const BodyHandle hung = add_ghost_box(world, {1.5, 0, 0.05}, {0.5f, 0.05f, 0.05f}, load);
      world.create_joint(make_joint_def(world, post_kind, post, arm, {0, 0, 0}, {0, 0, 1}));
      world.create_joint(make_joint_def(world, JointKind::Ball, arm, hung, {1, 0, 0}, {0, 0, 1}));
      const double fall = 2 * g * (0.5 + 1.5 * static_cast<double>(load));
      const Range range = energy_range(world, 600);
      EXPECT_LT(range.most, 1e-5 * fall);
      EXPECT_GT(range.least, -0.3 * fall);
      EXPECT_LT(worst_failure(world).gap, 5e-4f);
    }
  }
}

void add_chain_of_three(World& world) {
  BodyHandle above = add_anchor(world, {});
  for (int i = 0; i < 3; ++i) {
    const BodyHandle link = add_ghost_box(world, {i + 0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1);
    world.create_joint(
        make_joint_def(world, JointKind::Ball, above, link, {double(i), 0, 0}, {0, 0, 1}));
    above = link;
  }
}

TEST(PassiveJoints, ChainOfThreeLosesLittleEnergy) {
  World world(without_sleep());
  add_chain_of_three(world);
  const double fall = 2 * g * (0.5 + 1.5 + 2.5);
  const Range range = energy_range(world, 6'000);
  EXPECT_LT(range.most, 1e-5 * fall);
  EXPECT_GT(range.least, -0.05 * fall);
}

TEST(PassiveJoints, FastTopAndFastRotorConserveEnergy) {
  for (const bool is_top : {false, true}) {
    World world(without_sleep());
    const BodyHandle post = add_anchor(world, {});
    const BodyHandle body = is_top ? add_ghost_box(world, {0, 0.5, 0.2}, {0.3f, 0.05f, 0.3f}, 1)
                                   : add_ghost_box(world, {0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1);
    const JointKind kind = is_top ? JointKind::Ball : JointKind::Hinge;
    world.create_joint(make_joint_def(world, kind, post, body, {0, 0, 0}, {0, 0, 1}));
    const Vec3 spin = is_top ? Vec3{0, 40, 0} : Vec3{0, 0, 40};
    world.set_velocity(body, is_top ? Vec3{} : Vec3{0, 20, 0}, spin);
    world.step();
    const double start = total_energy(world);
    const Range range = energy_range(world, 3'000);
    EXPECT_LT(range.most, 1e-3 * start) << is_top;
    EXPECT_GT(range.least, -1e-3 * start) << is_top;
  }
}

// The load may be up to a thousand times as heavy as the arm that carries it.
TEST(PassiveJoints, LimitsAddNoEnergy) {
  for (const float load : {1.0f, 15.0f, 30.0f, 100.0f, 1'000.0f}) {
    for (const int hinges : {0, 1, 2}) {  // 0: a slider
      SCOPED_TRACE(::testing::Message() << load << " kg, " << hinges);
      World world(without_sleep());
      const BodyHandle post = add_anchor(world, {});
      const BodyHandle arm = add_ghost_box(world, {0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1);
      for (int i = 0; i < std::max(hinges, 1); ++i) {
        JointDef def =
            make_joint_def(world, hinges == 0 ? JointKind::Slider : JointKind::Hinge, post, arm,
                           {0, 0, 0.3 * i}, hinges == 0 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
        def.limits = {true, -0.3f, 0.4f};
        world.create_joint(def);
      }
      const BodyHandle hung = add_ghost_box(world, {1.4, -0.2, 0.1}, {0.2f, 0.2f, 0.2f}, load);
      world.create_joint(make_joint_def(world, JointKind::Ball, arm, hung, {1, 0, 0}, {0, 0, 1}));
      EXPECT_LT(energy_range(world, 600).most, 1e-4 * g * static_cast<double>(1 + load));
    }
  }
}

/// Two bodies that move and turn together, connected by one or two joints.
struct TumblingPair {
  World world{without_gravity()};
  BodyHandle a, b;

  TumblingPair(JointKind kind, float mass, int joints, float speed) {
    a = add_ghost_box(world, {-0.5, 0, 0}, {0.2f, 0.1f, 0.15f}, 1);
    b = add_ghost_box(world, {0.5, 0, 0}, {0.3f, 0.1f, 0.05f}, mass);
    for (int i = 0; i < joints; ++i) {
      const double side = joints == 1 ? 0 : -0.2 + 0.4 * i;
      world.create_joint(make_joint_def(world, kind, a, b, {0, 0.05, side}, {0, 0, 1}));
    }
    const Vec3 spin = normalized_or(Vec3{0.3f, 0.5f, 0.81f}, Vec3{}) * speed;
    const float middle = 0.5f * (mass - 1) / (mass + 1);
    world.set_velocity(a, cross(spin, Vec3{-0.5f - middle, 0, 0}), spin);
    world.set_velocity(b, cross(spin, Vec3{0.5f - middle, 0, 0}), spin);
  }

  math::Vec3d momentum() const {
    math::Vec3d sum;
    for (const BodyHandle body : {a, b}) {
      const math::Vec3d at = math::widened(world.centre_of_mass(body) - Position{});
      sum = sum + cross(at, math::widened(world.linear_velocity(body) * world.mass(body))) +
            math::widened(angular_momentum(world, body));
    }
    return sum;
  }
};

TEST(PassiveJoints, TumblingPairConservesEnergyAndMomentum) {
  for (const JointKind kind : {JointKind::Ball, JointKind::Hinge, JointKind::Fixed}) {
    for (const float mass : {1.0f, 30.0f}) {
      for (const int joints : {1, 2}) {
        SCOPED_TRACE(::testing::Message()
                     << "kind " << static_cast<int>(kind) << ", " << mass << " kg, " << joints);
        TumblingPair pair(kind, mass, joints, 20);
        const double start = total_energy(pair.world);
        const math::Vec3d momentum = pair.momentum();
        const Range range = energy_range(pair.world, 1'200);
        EXPECT_LT(range.most, 1e-4 * start);
        EXPECT_GT(range.least, -1e-3 * start);
        const math::Vec3d lost = pair.momentum() - momentum;
        EXPECT_LT(std::sqrt(dot(lost, lost)), 2e-5 * std::sqrt(dot(momentum, momentum)));
      }
    }
  }
}

// The energy of two slender bodies relative to their common centre of mass must not grow, at any
// speed of that centre.
TEST(PassiveJoints, WhirlingPairGainsNoEnergyAtAnyFlightSpeed) {
  for (const float speed : {0.0f, 3.0f, 6.0f, 30.0f}) {
    SCOPED_TRACE(speed);
    World world(without_gravity());
    const BodyHandle a = add_ghost_box(world, {-0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1),
                     b = add_ghost_box(world, {0.5, 0, 0}, {0.5f, 0.1f, 0.05f}, 2);
    world.create_joint(make_joint_def(world, JointKind::Ball, a, b, {0, 0, 0}, {0, 0, 1}));
    // The anchor moves at `speed`.
    const Vec3 flight{speed, 0, 0}, spin_a{1, 30, 2}, spin_b{0, -15, 30}, arm{0.5f, 0, 0};
    world.set_velocity(a, flight - cross(spin_a, arm), spin_a);
    world.set_velocity(b, flight + cross(spin_b, arm), spin_b);
    const Vec3 momentum = world.linear_velocity(a) + world.linear_velocity(b) * 2.0f;
    const double of_flight = static_cast<double>(dot(momentum, momentum)) / 6;
    const double start = total_energy(world) - of_flight;
    for (int i = 0; i < 3'000; ++i) {
      world.step();
      const double now = total_energy(world) - of_flight;
      ASSERT_LT(now, 1.03 * start) << i;
      ASSERT_GT(now, 0.2 * start) << i;
    }
  }
}

// The ends of a rod are apart, but the forces on its two bodies are still along one line.
TEST(PassiveJoints, RodsBesideOtherJointsConserveEnergy) {
  const state::MotionLocks plane =
      state::lock_linear_z | state::lock_angular_x | state::lock_angular_y;
  for (const state::MotionLocks locks : {state::MotionLocks{0}, plane}) {
    for (const std::string_view kinds : {"br", "hr", "fr", "rr", "rrr"}) {
      SCOPED_TRACE(::testing::Message() << kinds << ", locks " << static_cast<int>(locks));
      World world(without_gravity());
      const auto add = [&](Position at, float mass) {
        const BodyHandle body = add_ghost_box(world, at, {0.2f, 0.3f, 0.25f}, mass, locks);
        world.set_velocity(body, cross(Vec3{0, 0, 8}, at - Position{}), {0, 0, 8});
        return body;
      };
      const BodyHandle a = add({0, 0.7, 0}, 2.5f), b = add({0.6, 0.4, 0}, 1);
      double side = 0;
      for (const char kind : kinds) {
        const Position at{0.3, 0.55 + side, 0};
        side += 0.2;
        world.create_joint(
            kind == 'r'   ? make_distance_joint_def(world, a, b, at, {0.6, 0.6 + 1.5 * side, 0})
            : kind == 'b' ? make_joint_def(world, JointKind::Ball, a, b, at, {0, 0, 1})
            : kind == 'h' ? make_joint_def(world, JointKind::Hinge, a, b, at, {0, 0, 1})
                          : make_joint_def(world, JointKind::Fixed, a, b, at, {0, 0, 1}));
      }
      const double start = total_energy(world);
      const Range range = energy_range(world, 300);
      EXPECT_LT(range.most, 1e-4 * start);
      EXPECT_GT(range.least, -1e-2 * start);
    }
  }
}

// Springs and motors do work, so the energy limiter must not slow down what they drive.
TEST(PassiveJoints, MotorsAndSpringsKeepTheirFullEffect) {
  World world(without_gravity());
  const BodyHandle post = add_anchor(world, {});
  const BodyHandle driven = add_ghost_box(world, {0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1);
  JointDef motor = make_joint_def(world, JointKind::Hinge, post, driven, {0, 0, 0}, {0, 0, 1});
  motor.motor = {true, 10, 5};
  world.create_joint(motor);
  const BodyHandle sprung = add_ghost_box(world, {5.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1);
  JointDef spring = make_joint_def(world, JointKind::Hinge, post, sprung, {5, 0, 0}, {0, 0, 1});
  spring.spring = {true, 1, 0};
  spring.rest = 1;
  world.create_joint(spring);
  float most = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    most = std::max(most, world.angular_velocity(sprung).z);
  }
  EXPECT_NEAR(world.angular_velocity(driven).z, 10, 0.01);
  EXPECT_NEAR(most, 2 * math::pi, 0.05);  // ω·A for 1 Hz and 1 rad
}

// A swing goes faster when its rope is shortened.
TEST(PassiveJoints, ShorteningARopeAddsEnergy) {
  for (const JointKind kind : {JointKind::Distance, JointKind::Pulley}) {
    SCOPED_TRACE(static_cast<int>(kind));
    World world(without_gravity());
    const BodyHandle post = add_anchor(world, {});
    const BodyHandle bob = add_ghost_box(world, {2, 0, 0}, {0.1f, 0.1f, 0.1f}, 1);
    const BodyHandle far_bob = add_ghost_box(world, {20, 0, 0}, {0.1f, 0.1f, 0.1f}, 1'000);
    const JointHandle rope = world.create_joint(
        kind == JointKind::Distance
            ? make_distance_joint_def(world, post, bob, {}, {2, 0, 0})
            : make_pulley_joint_def(world, bob, far_bob, {2, 0, 0}, {20, 0, 0}, {}, {20, 0, 0}, 1));
    world.set_velocity(bob, {0, 2, 0}, {});
    for (int i = 1; i <= 120; ++i) {
      world.set_joint_spring(rope, {}, 2 - i / 120.0f);
      world.step();
    }
    run(world, 30);
    // The radius is halved, so conservation of angular momentum gives twice the speed, 4 m/s. Each
    // change of the length also leaves an error that position correction removes without changing
    // the velocity. The speed therefore stays below 4 m/s.
    EXPECT_GT(length(world.linear_velocity(bob)), 3);
    EXPECT_LT(length(world.linear_velocity(bob)), 4);
  }
}

TEST(PassiveJoints, LiftingAnAnchorKeepsTheSwingGoing) {
  World world(without_sleep());
  const BodyHandle post = add_anchor(world, {});
  const BodyHandle bob = add_ghost_box(world, {3, -4, 0}, {0.1f, 0.1f, 0.1f}, 1);
  world.create_joint(make_distance_joint_def(world, post, bob, {}, {3, -4, 0}));
  run(world, 30);
  const float speed = length(world.linear_velocity(bob));
  for (int i = 1; i <= 60; ++i) {
    world.set_pose(post, {{0, i / 120.0, 0}, {}});
    world.step();
  }
  EXPECT_GT(length(world.linear_velocity(bob)), 0.5f * speed);
}

TEST(PassiveJoints, DampingIsNotAppliedTwice) {
  for (const float damping : {1.0f, 5.0f, 60.0f}) {
    World world(without_sleep());
    BodyDef def;
    def.linear_damping = damping;
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, ghost(state::box({0.2f, 0.2f, 0.2f})));
    const BodyHandle post = add_anchor(world, {});
    world.create_joint(make_joint_def(world, JointKind::Slider, post, body, {}, {0, 1, 0}));
    run(world, 30);
    const double c = static_cast<double>(damping), wanted = g / c * (1 - std::exp(-0.5 * c));
    EXPECT_NEAR(world.linear_velocity(body).y, -wanted, 3e-3 * wanted) << damping;
  }
}

// Some rows of a closed linkage are redundant. Other rows become redundant as the linkage turns.
TEST(PassiveJoints, CrankOfAClosedLinkageKeepsTurning) {
  World world(without_gravity());
  const BodyHandle post = add_anchor(world, {});
  const BodyHandle crank = add_ghost_box(world, {0.15, 0, 0}, {0.15f, 0.03f, 0.03f}, 1);
  const BodyHandle rod = add_ghost_box(world, {0.8, 0, 0}, {0.5f, 0.03f, 0.03f}, 0.5f);
  const BodyHandle piston = add_ghost_box(world, {1.3, 0, 0}, {0.1f, 0.1f, 0.1f}, 0.5f);
  world.create_joint(make_joint_def(world, JointKind::Hinge, post, crank, {0, 0, 0}, {0, 0, 1}));
  world.create_joint(make_joint_def(world, JointKind::Hinge, crank, rod, {0.3, 0, 0}, {0, 0, 1}));
  world.create_joint(make_joint_def(world, JointKind::Hinge, rod, piston, {1.3, 0, 0}, {0, 0, 1}));
  world.create_joint(
      make_joint_def(world, JointKind::Slider, post, piston, {1.3, 0, 0}, {1, 0, 0}));
  world.set_velocity(crank, {0, 3, 0}, {0, 0, 20});
  run(world, 10);
  const double start = total_energy(world);
  EXPECT_GT(energy_range(world, 290).least, -0.3 * start);
}

// The arms form a fan. Each arm is lighter than the hub, but all arms together are heavier.
TEST(PassiveJoints, ManyArmsOnAHubGainNoEnergy) {
  for (const JointKind kind : {JointKind::Ball, JointKind::Hinge, JointKind::Fixed}) {
    for (const int arms : {3, 8, 16}) {
      for (const bool is_driven : {false, true}) {
        SCOPED_TRACE(::testing::Message()
                     << "kind " << static_cast<int>(kind) << ", " << arms << ", " << is_driven);
        World world(without_gravity());
        const BodyHandle hub = add_ghost_box(world, {0, 0, 0}, {0.3f, 0.3f, 0.1f}, 2);
        for (int i = 0; i < arms; ++i) {
          const float angle = 2 * math::pi * static_cast<float>(i) / static_cast<float>(arms);
          const Vec3 out = rotate(math::from_axis_angle({0, 0, 1}, angle), Vec3{1, 0, 0});
          BodyDef def;
          def.pose = {math::Position{} + out * 0.65f, math::from_axis_angle({0, 0, 1}, angle)};
          def.mass = 1;
          const BodyHandle blade = world.create_body(def);
          world.add_shape(blade, ghost(state::box({0.35f, 0.05f, 0.02f})));
          world.create_joint(
              make_joint_def(world, kind, hub, blade, math::Position{} + out * 0.3f, {0, 0, 1}));
        }
        if (is_driven) {
          JointDef axle =
              make_joint_def(world, JointKind::Hinge, add_anchor(world, {}), hub, {}, {0, 0, 1});
          axle.motor = {true, 1, 1e3f};
          world.create_joint(axle);
        } else {
          world.set_velocity(hub, {0.1f, 0, 0}, {});
        }
        for (int i = 0; i < 300; ++i) {
          world.step();
          // at the motor's speed, the driven hub and its arms have up to 4 J
          ASSERT_LT(total_energy(world), is_driven ? 15 : 0.011) << i;
        }
      }
    }
  }
}

// Light links whirl between a fixed point and a heavy load.
TEST(PassiveJoints, LightLinksWithAHeavyLoadStayFinite) {
  for (const int substeps : {1, 2, 4}) {
    for (const float link : {0.01f, 0.1f}) {
      for (const float load : {100.0f, 1'000.0f, 10'000.0f}) {
        for (const float speed : {5.0f, 12.0f, 25.0f}) {
          WorldOptions options = without_sleep();
          options.substeps = substeps;
          World world(options);
          std::vector<BodyHandle> bodies{add_anchor(world, {})};
          for (int i = 0; i < 3; ++i) {
            bodies.push_back(add_ghost_box(world, {0.4 * i + 0.2, 0, 0}, {0.2f, 0.03f, 0.03f},
                                           i == 2 ? load : link));
            JointDef def = make_joint_def(world, i == 2 ? JointKind::Fixed : JointKind::Ball,
                                          bodies[static_cast<std::size_t>(i)], bodies.back(),
                                          {0.4 * i, 0, 0}, {0, 0, 1});
            world.create_joint(def);
            const Vec3 spin = Vec3{0.3f, 0.5f, 0.81f} * speed;
            world.set_velocity(bodies.back(), cross(spin, Vec3{0.4f * float(i) + 0.2f, 0, 0}),
                               spin);
          }
          run(world, 120);
          for (const BodyHandle body : bodies)
            ASSERT_FALSE(world.is_quarantined(body)) << substeps << link << load << speed;
        }
      }
    }
  }
}

// The energy limiter records lost energy as credit, up to which the energy may rise again. This
// credit is part of the state.
TEST(PassiveJoints, RestoredWorldContinuesBitExactly) {
  World world(without_sleep());
  add_chain_of_three(world);
  for (int i = 0; i < 12; ++i) {
    World copy = restored(saved(world));
    run(copy, 20);
    run(world, 20);
    ASSERT_EQ(copy.hash(), world.hash()) << i;
  }
}

}  // namespace
}  // namespace jostle::physics
