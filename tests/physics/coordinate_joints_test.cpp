#include "shared/base/hash.h"
#include "tests/physics/coordinate_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

using std::numbers::pi;

/// Returns a six-DOF joint configured like a joint of the given kind.
JointDef six_axis_like(const World& world, JointKind kind, BodyHandle a, BodyHandle b,
                       Position anchor, math::Quat rotation) {
  JointDef def = make_six_dof_joint_def(world, a, b, anchor, rotation);
  const auto free = [&](std::size_t axis) { set_axis(def, axis, JointFreedom::Free); };
  if (kind == JointKind::Ball) {
    free(3), free(4), free(5);
  } else if (kind == JointKind::Hinge) {
    free(3);
  } else if (kind == JointKind::Slider) {
    free(0);
  }
  return def;
}

/// The same bodies must move equally with a joint of each kind and with a six-DOF joint that is
/// configured like it.
TEST(SixDofJoint, MatchesEachJointKindItIsConfiguredAs) {
  for (const JointKind kind :
       {JointKind::Ball, JointKind::Hinge, JointKind::Slider, JointKind::Fixed}) {
    World plain(awake_options(earth)), six(awake_options(earth));
    std::vector<BodyHandle> bodies[2];
    for (int w = 0; w < 2; ++w) {
      World& world = w == 0 ? plain : six;
      BodyHandle above = add_anchor(world, {});
      for (int i = 1; i <= 3; ++i) {
        const BodyHandle body = add_weight(world, {0.8 * i, 0.1 * i, 0}, 2);
        const Position anchor{0.8 * i - 0.4, 0.1 * i, 0};
        // The hinges turn about z. The axes of the sliders are inclined downwards.
        const math::Quat rotation =
            math::from_axis_angle({0, 1, 0}, float(-0.5 * pi)) *
            math::from_axis_angle({0, 0, 1}, kind == JointKind::Slider ? -0.3f : 0);
        const Vec3 axis = rotate(rotation, {1, 0, 0});
        world.create_joint(w == 0 ? make_joint_def(world, kind, above, body, anchor, axis)
                                  : six_axis_like(world, kind, above, body, anchor, rotation));
        bodies[w].push_back(body);
        above = body;
      }
    }
    double worst = 0;
    for (int i = 0; i < 90; ++i) {
      plain.step();
      six.step();
      for (std::size_t k = 0; k < 3; ++k)
        worst = std::max(worst, double(length(plain.pose(bodies[0][k]).position -
                                              six.pose(bodies[1][k]).position)));
    }
    EXPECT_LT(worst, 0.02) << int(kind);
    EXPECT_LT(worst_failure(six).gap, 5e-4f) << int(kind);
    EXPECT_LT(worst_failure(six).lean, 0.1f / 180 * float(pi)) << int(kind);
  }
}

/// Any of the three angles may be the free one.
TEST(SixDofJoint, TurnsFullyAboutAnyFreeAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    World world(awake_options({}));
    const BodyHandle ground = add_anchor(world, {});
    const BodyHandle body = add_weight(world, {}, 2);
    JointDef def = make_six_dof_joint_def(world, ground, body, {}, {});
    set_axis(def, 3 + axis, JointFreedom::Free);
    const JointHandle joint = world.create_joint(def);
    const Vec3 spin = axis == 0 ? Vec3{3, 0, 0} : axis == 1 ? Vec3{0, 3, 0} : Vec3{0, 0, 3};
    world.set_velocity(body, {}, spin);
    for (int i = 0; i < 300; ++i) {
      world.step();
      ASSERT_NEAR(dot(world.angular_velocity(body), spin), 9, 1e-3) << axis << " " << i;
      ASSERT_LT(world.joint_state(joint).lean, 1e-4f) << axis << " " << i;
    }
    EXPECT_NEAR(world.joint_state(joint).rates[3 + axis], 3, 1e-4f);
  }
}

TEST(SixDofJoint, HoldsLimitsOnEveryAxis) {
  for (std::size_t axis = 0; axis < 6; ++axis) {
    World world(awake_options({}));
    const BodyHandle ground = add_anchor(world, {});
    const BodyHandle body = add_weight(world, {}, 2);
    JointDef def = make_six_dof_joint_def(world, ground, body, {}, {});
    set_axis(def, axis, JointFreedom::Limited, -0.5f, 0.8f);
    const JointHandle joint = world.create_joint(def);
    for (const float way : {1.0f, -1.0f}) {
      for (int i = 0; i < 240; ++i) {
        Vec3 push{};
        (axis % 3 == 0 ? push.x : axis % 3 == 1 ? push.y : push.z) = 5 * way;
        if (axis < 3) {
          world.apply_central_force(body, push);
        } else {
          world.apply_torque(body, push * 0.1f);
        }
        world.step();
      }
      const JointState state = world.joint_state(joint);
      EXPECT_NEAR(state.axes[axis], way > 0 ? 0.8f : -0.5f, 1e-3f) << axis;
      EXPECT_LT(state.gap, 5e-4f);
      EXPECT_LT(state.lean, 1e-3f);
    }
  }
}

TEST(SixDofJoint, SpringsOscillateAtTheirFrequency) {
  for (const std::size_t axis : {std::size_t{1}, std::size_t{5}}) {
    World world(awake_options({}));
    const BodyHandle ground = add_anchor(world, {});
    const BodyHandle body = add_weight(world, {}, 2);
    JointDef def = make_six_dof_joint_def(world, ground, body, {}, {});
    set_axis(def, axis, JointFreedom::Free);
    def.details.edit().axes[axis].spring = {true, 2, 0};
    const JointHandle joint = world.create_joint(def);
    world.set_velocity(body, axis == 1 ? Vec3{0, 1, 0} : Vec3{},
                       axis == 5 ? Vec3{0, 0, 1} : Vec3{});
    for (int i = 1; i <= 600; ++i) {
      world.step();
      const double t = i / 60.0, expected = std::sin(4 * pi * t) / (4 * pi);
      EXPECT_NEAR(world.joint_state(joint).axes[axis], expected, 5e-4) << axis << " " << i;
    }
  }
}

TEST(SixDofJoint, MotorsReachTheirSpeedAndFrictionHolds) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {});
  const BodyHandle driven = add_weight(world, {}, 2), held = add_weight(world, {0, 5, 0}, 2);
  JointDef def = make_six_dof_joint_def(world, ground, driven, {}, {});
  set_axis(def, 2, JointFreedom::Free);
  def.details.edit().axes[2].motor = {true, 2, 4};
  world.create_joint(def);
  JointDef other = make_six_dof_joint_def(world, ground, held, {0, 5, 0}, {});
  set_axis(other, 0, JointFreedom::Free);
  other.details.edit().axes[0].friction = 3;
  world.create_joint(other);
  run(world, 30);
  EXPECT_NEAR(world.linear_velocity(driven).z, 1, 2e-3) << "expected acceleration F/m";
  for (int i = 0; i < 60; ++i) {
    world.apply_central_force(held, {2.9f, 0, 0});
    world.step();
  }
  EXPECT_LT(length(world.linear_velocity(held)), 1e-4f);
  EXPECT_NEAR(world.linear_velocity(driven).z, 2, 2e-3);
  for (int i = 0; i < 60; ++i) {
    world.apply_central_force(held, {5, 0, 0});
    world.step();
  }
  EXPECT_NEAR(world.linear_velocity(held).x, 1, 5e-3) << "expected acceleration (F − R)/m";
}

// --- drift and momentum --------------------------------------------------------------------------

struct Case {
  std::string name;
  JointDef (*make)(const World&, BodyHandle, BodyHandle, Position);
};

const Case cases[] = {
    {"wheel",
     [](const World& world, BodyHandle a, BodyHandle b, Position at) {
       JointDef def = make_wheel_joint_def(world, a, b, at, {0, 1, 0}, {0, 0, 1});
       def.limits = {true, -0.2f, 0.2f};
       def.spring = {true, 2, 0.3f};
       return def;
     }},
    {"six axes locked", [](const World& world, BodyHandle a, BodyHandle b,
                           Position at) { return make_six_dof_joint_def(world, a, b, at, {}); }},
    {"ball by six axes",
     [](const World& world, BodyHandle a, BodyHandle b, Position at) {
       JointDef def = make_six_dof_joint_def(world, a, b, at, {});
       for (std::size_t i = 3; i < 6; ++i)
         set_axis(def, i, JointFreedom::Limited, -0.6f, 0.6f);
       return def;
     }},
    {"cardan",
     [](const World& world, BodyHandle a, BodyHandle b, Position at) {
       JointDef def = make_six_dof_joint_def(world, a, b, at, {});
       set_axis(def, 3, JointFreedom::Free);
       set_axis(def, 4, JointFreedom::Limited, -0.8f, 0.8f);
       return def;
     }},
    {"plane",
     [](const World& world, BodyHandle a, BodyHandle b, Position at) {
       JointDef def = make_six_dof_joint_def(world, a, b, at, {});
       set_axis(def, 0, JointFreedom::Limited, -0.5f, 0.5f);
       set_axis(def, 1, JointFreedom::Limited, -0.5f, 0.5f);
       set_axis(def, 5, JointFreedom::Free);
       return def;
     }},
    {"pulley",
     [](const World& world, BodyHandle a, BodyHandle b, Position at) {
       return make_pulley_joint_def(world, a, b, at, at, at + Vec3{-1, 3, 0}, at + Vec3{1, 3, 0},
                                    1.5f);
     }},
};

/// Gravity, random forces and random torques act for a minute on two bodies that the tested joint
/// connects; a ball joint holds the first body. The tested joint's gap must stay below 2 cm, and
/// must be below 0.5 mm one second after the last random force.
TEST(CoordinateJoints, DoNotDriftInAMinuteOfRandomLoads) {
  for (const Case& c : cases) {
    World world(awake_options(earth));
    const BodyHandle ground = add_anchor(world, {});
    const BodyHandle a = add_weight(world, {0.5, -0.2, 0.1}, 3);
    const BodyHandle b = add_weight(world, {1.2, -0.4, 0.3}, 2);
    world.create_joint(make_joint_def(world, JointKind::Ball, ground, a, {}, {0, 1, 0}));
    const JointHandle joint = world.create_joint(c.make(world, a, b, {0.9, -0.3, 0.2}));
    base::Random random(7);
    for (int i = 0; i < 3540; ++i) {
      const auto any = [&](float most) {
        return Vec3{random.between(-most, most), random.between(-most, most),
                    random.between(-most, most)};
      };
      if (i % 10 == 0) world.apply_torque(b, any(10));
      if (i % 10 == 5) world.apply_central_force(b, any(100));
      world.step();
      const JointState state = world.joint_state(joint);
      EXPECT_LT(state.gap, 0.02f) << c.name << " " << i;
    }
    run(world, 60);
    const JointState state = world.joint_state(joint);
    EXPECT_LT(state.gap, 5e-4f) << c.name;
    EXPECT_LT(state.lean, 0.1f / 180 * float(pi)) << c.name;
    EXPECT_EQ(world.stats().quarantined_bodies, 0U);
  }
}

/// Forces between the bodies are internal, so they must conserve momentum.
TEST(CoordinateJoints, ConserveMomentum) {
  for (const Case& c : cases) {
    if (c.name == "pulley") continue;  // the pulley is attached to the world
    World world(awake_options({}));
    const BodyHandle a = add_weight(world, {0.5, -0.2, 0.1}, 3);
    const BodyHandle b = add_weight(world, {1.2, -0.4, 0.3}, 2);
    JointDef def = c.make(world, a, b, {0.9, -0.3, 0.2});
    def.details.edit().steer_angle = 0;
    world.create_joint(def);
    world.set_velocity(b, {1, 2, 0.5f}, {1, 0.5f, -2});
    const auto linear = [&] {
      return world.linear_velocity(a) * 3.0f + world.linear_velocity(b) * 2.0f;
    };
    const auto angular = [&] {
      Vec3 sum;
      for (const BodyHandle body : {a, b}) {
        const math::Mat3 r = to_matrix(world.pose(body).rotation);
        const Vec3 spin =
            r * (world.inertia_local(body) * (transpose(r) * world.angular_velocity(body)));
        sum = sum + spin +
              cross(world.centre_of_mass(body) - Position{}, world.linear_velocity(body)) *
                  world.mass(body);
      }
      return sum;
    };
    world.step();
    const Vec3 p = linear(), l = angular();
    run(world, 600);
    EXPECT_LT(length(linear() - p), 1e-4f * length(p)) << c.name;
    EXPECT_LT(length(angular() - l), 2e-3f * length(l)) << c.name;
  }
}

// --- saves, events, contracts --------------------------------------------------------------------

World busy_coordinates() {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  double z = 0;
  for (const Case& c : cases) {
    const BodyHandle a = add_dynamic(world, {0, 2, z}, state::box({0.2f, 0.3f, 0.4f}));
    const BodyHandle b = add_dynamic(world, {1, 2, z}, state::box({0.2f, 0.3f, 0.4f}));
    world.create_joint(c.make(world, a, b, {0.5, 2, z}));
    world.set_velocity(b, {0, 1, 1}, {3, 1, 0});
    z += 3;
  }
  const BodyHandle a = add_dynamic(world, {4, 2, 0}, state::box({0.2f, 0.3f, 0.4f}));
  const BodyHandle b = add_dynamic(world, {5, 2, 0}, state::box({0.2f, 0.3f, 0.4f}));
  world.create_joint(make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 0, 1}, 2));
  world.create_joint(make_rack_and_pinion_joint_def(world, b, a, {0, 1, 0}, {1, 0, 0}, 0.5f));
  world.create_joint(
      make_servo_joint_def(world, ground, b, {5, 2, 0}, {.hertz = 2, .damping_ratio = 1}, 50, 5));
  JointDef bungee = make_distance_joint_def(world, ground, a, {4, 5, 0}, {4, 2, 0});
  bungee.spring = {.is_enabled = true, .hertz = 1, .damping_ratio = 0.1f, .tension_only = true};
  world.create_joint(bungee);
  return world;
}

TEST(CoordinateJoints, RestoringAfterEveryStepChangesNothing) {
  World straight = busy_coordinates(), through = busy_coordinates();
  for (int tick = 0; tick < 100; ++tick) {
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash()) << tick;
    World copy = restored(saved(through));
    ASSERT_EQ(saved(copy), saved(through));
    for (std::size_t i = 0; i < copy.joints().size(); ++i)
      ASSERT_EQ(copy.joint_def(copy.joints()[i]), straight.joint_def(straight.joints()[i]));
    through = std::move(copy);
  }
}

TEST(CoordinateJoints, FlippedBitsInSavesAreRejectedOrChangeTheHash) {
  World world = busy_coordinates();
  run(world, 20);
  const std::vector<std::byte> good = saved(world);
  const StateHash before = world.hash();
  // Flips bits of the whole payload. Flips in the joints' part must change the hash of the joints.
  constexpr std::size_t header = 24;
  std::size_t changed = 0, refused = 0;
  for (std::size_t at = header; at < good.size(); at += 3) {
    for (const unsigned bit : {0U, 5U}) {
      std::vector<std::byte> bad = good;
      bad[at] ^= static_cast<std::byte>(1U << bit);
      base::ByteWriter hash;
      hash.u64(base::hash_bytes(std::span(bad).subspan(header)));
      std::copy(hash.bytes().begin(), hash.bytes().end(), bad.begin() + 16);
      World copy{WorldOptions{}};
      base::ByteReader reader(bad);
      if (!copy.restore(reader).has_value()) {
        ++refused;
        continue;
      }
      ASSERT_EQ(saved(copy), bad) << at;
      EXPECT_NE(copy.hash().total, before.total) << at;
      if (copy.hash().joints != before.joints) ++changed;
    }
  }
  EXPECT_GT(changed, 1000U);
  EXPECT_GT(refused, 100U);
}

TEST(CoordinateJoints, AreBitIdenticalForAllThreadCountsAndSimdLevels) {
  const auto hashes = [](const Execution& execution) {
    World world = busy_coordinates();
    world.set_execution(execution);
    std::vector<std::uint64_t> out;
    for (int i = 0; i < 120; ++i) {
      world.step();
      out.push_back(world.hash().total);
    }
    return out;
  };
  const auto plain = hashes({1, simd::InstructionSet::Plain});
  for (const simd::InstructionSet level : simd::all_instruction_sets) {
    if (!simd::is_supported(level)) continue;
    EXPECT_EQ(hashes({1, level}), plain) << simd::name_of(level);
    EXPECT_EQ(hashes({3, level}), plain) << simd::name_of(level);
  }
}

TEST(CoordinateJoints, BreakAtTheirForceAndReportIt) {
  World world(awake_options(earth));
  const BodyHandle ground = add_anchor(world, {-1, 0, 0});
  const BodyHandle load = add_weight(world, {1, 0, 0}, 10);
  JointDef def =
      make_pulley_joint_def(world, ground, load, {-1, 0, 0}, {1, 0, 0}, {-1, 5, 0}, {1, 5, 0}, 1);
  def.break_force = 90;  // the load is 98 N
  const JointHandle rope = world.create_joint(def);
  bool is_reported = false;
  for (int i = 0; i < 20 && !is_reported; ++i) {
    world.step();
    for (const JointBreak& torn : world.joint_breaks())
      is_reported = is_reported || torn == JointBreak{rope, ground, load};
  }
  EXPECT_TRUE(is_reported);
  EXPECT_FALSE(world.is_alive(rope));
}

TEST(CoordinateJointsDeathTest, RejectInvalidDefinitions) {
  World world{WorldOptions{}};
  const BodyHandle a = add_weight(world, {}, 1), b = add_weight(world, {1, 0, 0}, 1);
  const auto refused = [&](JointDef def, auto&& spoil) {
    spoil(def);
    EXPECT_DEATH(world.create_joint(def), "is_valid|can_join");
  };
  const JointDef gear = make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 0, 1}, 1);
  const JointDef six = make_six_dof_joint_def(world, a, b, {}, {});
  const JointDef wheel = make_wheel_joint_def(world, a, b, {}, {0, 1, 0}, {0, 0, 1});
  refused(gear, [](JointDef& def) { def.details.edit().ratio = 0; });
  refused(gear, [](JointDef& def) { def.details.edit().ratio = NAN; });
  refused(gear, [&](JointDef& def) { def.body_b = def.body_a; });
  refused(six, [](JointDef& def) { set_axis(def, 1, JointFreedom::Limited, 1, -1); });
  refused(six, [](JointDef& def) { set_axis(def, 4, JointFreedom::Limited, -4, 4); });
  refused(six, [](JointDef& def) { def.details.edit().axes[0].motor.max_force = -1; });
  refused(six, [](JointDef& def) {
    for (std::size_t i = 3; i < 6; ++i)
      // the range of the second angle is too large, whichever axis is the second one
      set_axis(def, i, JointFreedom::Limited, -2, 2);
  });
  refused(wheel, [](JointDef& def) { def.details.edit().steer_angle = 2; });
  refused(wheel, [](JointDef& def) { def.spring.tension_only = true; });
  JointDef pulley = make_pulley_joint_def(world, a, b, {}, {1, 0, 0}, {0, 5, 0}, {1, 5, 0}, 1);
  refused(pulley, [](JointDef& def) { def.details.edit().ratio = -1; });
  EXPECT_DEATH(world.set_wheel_steering(world.create_joint(gear), 0.1f), "Wheel");
  EXPECT_DEATH(make_wheel_joint_def(world, a, b, {}, {0, 1, 0}, {0, 1, 0}), "across");
}

}  // namespace
}  // namespace jostle::physics
