#include "shared/physics/joint_equivalents.h"

#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

JointDef six_dof() {
  JointDef def;
  def.kind = JointKind::SixDof;
  return def;
}
JointAxisDef free_axis() {
  JointAxisDef axis;
  axis.freedom = JointFreedom::Free;
  return axis;
}
JointAxisDef limited_axis(float lower, float upper) {
  JointAxisDef axis;
  axis.freedom = JointFreedom::Limited;
  axis.lower = lower;
  axis.upper = upper;
  return axis;
}

TEST(JointEquivalents, AreFoundForEachKind) {
  JointDef def = six_dof();
  EXPECT_EQ(equivalent_joint(def)->kind, JointKind::Fixed);
  auto& axes = def.details.edit().axes;
  axes[4] = limited_axis(-0.5f, 0.25f);
  const auto hinge = equivalent_joint(def);
  ASSERT_TRUE(hinge);
  EXPECT_EQ(hinge->kind, JointKind::Hinge);
  EXPECT_EQ(hinge->limits, (JointLimits{true, -0.5f, 0.25f}));
  EXPECT_NEAR(rotate(hinge->frame_a.rotation, Vec3{1, 0, 0}).y, 1, 1e-6);
  axes[3] = axes[4] = axes[5] = free_axis();
  EXPECT_EQ(equivalent_joint(def)->kind, JointKind::Ball);
  axes = {};
  axes[2] = free_axis();
  const auto slider = equivalent_joint(def);
  ASSERT_TRUE(slider);
  EXPECT_EQ(slider->kind, JointKind::Slider);
  EXPECT_NEAR(rotate(slider->frame_b.rotation, Vec3{1, 0, 0}).z, 1, 1e-6);
}

TEST(JointEquivalents, DoNotExistForOtherAxes) {
  JointDef def = six_dof();
  auto& axes = def.details.edit().axes;
  axes[0] = axes[1] = free_axis();
  EXPECT_FALSE(equivalent_joint(def)) << "two translations";
  axes = {};
  axes[3] = limited_axis(-1, 1);
  axes[4] = limited_axis(-1, 1);
  EXPECT_FALSE(equivalent_joint(def)) << "two rotations";
  axes = {};
  axes[5] = free_axis();
  axes[5].friction = 1;
  EXPECT_FALSE(equivalent_joint(def)) << "friction";
  axes = {};
  axes[3].rest = 0.2f;
  EXPECT_FALSE(equivalent_joint(def)) << "an angle that is locked beside 0";
}

TEST(JointEquivalents, FollowAChangeOfAnAxisAndASave) {
  World world(without_sleep());
  const BodyHandle post = add_anchor(world, {});
  const BodyHandle arm = add_body(world, MotionType::Dynamic, {{0.5, 0, 0}, {}},
                                  ghost(state::box({0.5f, 0.05f, 0.05f})));
  const JointHandle joint = world.create_joint(make_six_dof_joint_def(world, post, arm, {}, {}));
  run(world, 30);
  EXPECT_NEAR(world.centre_of_mass(arm).y, 0, 1e-5);
  world.set_joint_axis(joint, 5, free_axis());
  World copy = restored(saved(world));
  for (int i = 0; i < 25; ++i) {
    world.step();
    copy.step();
    ASSERT_EQ(world.hash().total, copy.hash().total) << i;
  }
  EXPECT_LT(world.centre_of_mass(arm).y, -0.3);
  const Position at = world.centre_of_mass(arm);
  EXPECT_NEAR(world.joint_state(joint).axes[5], std::atan2(at.y, at.x), 1e-3);
  EXPECT_EQ(world.joint_def(joint).kind, JointKind::SixDof);
}

}  // namespace
}  // namespace jostle::physics
