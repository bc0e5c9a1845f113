// Joints under impulses far beyond what the iterations of a substep can solve.
#include "tests/physics/coordinate_scenes.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

Vec3 unit_vector(base::Random& random) {
  return normalized_or(random_vector(random, 1), {1, 0, 0});
}

using Maker = JointDef (*)(const World&, base::Random&, BodyHandle, BodyHandle, Position);
struct Kind {
  const char* name;
  Maker make;
};

template <JointKind kind>
JointDef plain(const World& world, base::Random& random, BodyHandle a, BodyHandle b, Position at) {
  return make_joint_def(world, kind, a, b, at, unit_vector(random));
}
JointDef rod(const World& world, base::Random&, BodyHandle a, BodyHandle b, Position) {
  return make_distance_joint_def(world, a, b, world.centre_of_mass(a), world.centre_of_mass(b));
}
JointDef six(const World& world, base::Random& random, BodyHandle a, BodyHandle b, Position at) {
  return make_six_dof_joint_def(world, a, b, at, random_rotation(random));
}
JointDef six_limited(const World& world, base::Random& random, BodyHandle a, BodyHandle b,
                     Position at) {
  JointDef def = six(world, random, a, b, at);
  for (std::size_t i = 3; i < 6; ++i)
    set_axis(def, i, JointFreedom::Limited, -0.6f, 0.6f);
  return def;
}
JointDef six_mixed(const World& world, base::Random& random, BodyHandle a, BodyHandle b,
                   Position at) {
  JointDef def = six(world, random, a, b, at);
  set_axis(def, random.below(6), JointFreedom::Free);
  set_axis(def, random.below(6), JointFreedom::Limited, -0.3f, 0.4f);
  return def;
}
JointDef wheel(const World& world, base::Random&, BodyHandle a, BodyHandle b, Position at) {
  JointDef def = make_wheel_joint_def(world, a, b, at, {0, 1, 0}, {0, 0, 1});
  def.limits = {true, -0.2f, 0.2f};
  def.spring = {true, 2, 0.3f};
  return def;
}
JointDef pulley(const World& world, base::Random&, BodyHandle a, BodyHandle b, Position at) {
  return make_pulley_joint_def(world, a, b, world.centre_of_mass(a), world.centre_of_mass(b),
                               at + Vec3{-1, 6, 0}, at + Vec3{1, 6, 0}, 1.5f);
}
JointDef gear(const World& world, base::Random& random, BodyHandle a, BodyHandle b, Position) {
  return make_gear_joint_def(world, a, b, unit_vector(random), unit_vector(random), 2);
}
JointDef rack(const World& world, base::Random& random, BodyHandle a, BodyHandle b, Position) {
  const Vec3 axis = unit_vector(random);
  const Vec3 across = normalized_or(cross(axis, unit_vector(random)), {1, 0, 0});
  return make_rack_and_pinion_joint_def(world, a, b, axis, across, 0.5f);
}
JointDef servo(const World& world, base::Random&, BodyHandle a, BodyHandle b, Position at) {
  return make_servo_joint_def(world, a, b, at, {.hertz = 3, .damping_ratio = 0.5f}, 500, 50);
}
JointDef bungee(const World& world, base::Random& random, BodyHandle a, BodyHandle b, Position at) {
  JointDef def = rod(world, random, a, b, at);
  def.spring = {.is_enabled = true, .hertz = 3, .damping_ratio = 0.1f, .tension_only = true};
  return def;
}

const Kind kinds[] = {{"Ball", plain<JointKind::Ball>},
                      {"Hinge", plain<JointKind::Hinge>},
                      {"Slider", plain<JointKind::Slider>},
                      {"Fixed", plain<JointKind::Fixed>},
                      {"Rod", rod},
                      {"SixAxesLocked", six},
                      {"SixAxesLimited", six_limited},
                      {"SixAxesMixed", six_mixed},
                      {"Wheel", wheel},
                      {"Pulley", pulley},
                      {"Gear", gear},
                      {"Rack", rack},
                      {"Servo", servo},
                      {"Bungee", bungee}};

/// Adds a ground and chains of three jointed bodies each. Bodies of different chains collide with
/// each other.
std::vector<BodyHandle> add_trees(World& world, base::Random& random, const Kind& kind) {
  add_ground(world);
  std::vector<BodyHandle> all;
  for (int i = 0; i < 24; ++i) {
    const Position at{(i % 4 - 1.5) * 1.1, 1.0 + 1.1 * (i / 16), (i / 4 % 4 - 1.5) * 1.1};
    ShapeDef shape = shape_def(random_shape(random));
    shape.material = {0.5f, random.between(0, 0.8f)};
    const BodyHandle body =
        add_body(world, MotionType::Dynamic, {at, random_rotation(random)}, shape);
    if (i % 3 != 0) {
      const Vec3 apart = world.centre_of_mass(body) - world.centre_of_mass(all.back());
      const Position middle = world.centre_of_mass(all.back()) + 0.5f * apart;
      world.create_joint(kind.make(world, random, all.back(), body, middle));
    }
    all.push_back(body);
  }
  return all;
}

class ThrownJoints : public ::testing::TestWithParam<Kind> {};

TEST_P(ThrownJoints, StayFiniteAndWithinTheSpeedLimits) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    base::Random random(seed);
    World world{WorldOptions{}};
    const std::vector<BodyHandle> all = add_trees(world, random, GetParam());
    const float linear = world.options().max_linear_speed * 1.00001f;
    const float angular = world.options().max_angular_speed * 1.00001f;
    for (int tick = 0; tick < 300; ++tick) {
      if (tick < 200) {
        for (const BodyHandle body : all)
          throw_about(world, random, body);
      }
      world.step();
      ASSERT_EQ(world.stats().quarantined_bodies, 0U) << "seed " << seed << ", tick " << tick;
      for (const BodyHandle body : all) {
        ASSERT_LE(length(world.linear_velocity(body)), linear) << seed << " " << tick;
        ASSERT_LE(length(world.angular_velocity(body)), angular) << seed << " " << tick;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, ThrownJoints, ::testing::ValuesIn(kinds),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace jostle::physics
