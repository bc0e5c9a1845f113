#include "shared/physics/world/joint_equivalents.h"

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/world/joint_coordinates.h"
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
  axis.rest = math::clamp(0.0f, lower, upper);
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
  axes[4] = {};
  const auto universal = equivalent_joint(def);
  ASSERT_TRUE(universal);
  EXPECT_EQ(universal->kind, universal_joint);
  EXPECT_EQ(axis_shift(def), 0U) << "the locked angle about y is the second one";
  axes[4] = free_axis();
  axes[5] = {};
  EXPECT_EQ(equivalent_joint(def)->kind, universal_joint);
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
  axes[5] = free_axis();
  EXPECT_FALSE(equivalent_joint(def)) << "a hinge with an angle that is locked beside 0";
}

TEST(JointEquivalents, TakeEqualLimitsAsLocks) {
  JointDef def = six_dof();
  auto& axes = def.details.edit().axes;
  axes.fill(limited_axis(0, 0));
  EXPECT_EQ(equivalent_joint(def)->kind, JointKind::Fixed);
  axes[1] = limited_axis(0.3f, 0.3f);
  axes[5] = limited_axis(-0.2f, -0.2f);
  const auto fixed = equivalent_joint(def);
  ASSERT_TRUE(fixed);
  EXPECT_EQ(fixed->kind, JointKind::Fixed);
  EXPECT_NEAR(fixed->frame_a.offset.y, 0.3f, 1e-6);
  axes[2] = free_axis();
  EXPECT_EQ(equivalent_joint(def)->kind, JointKind::Slider);
}

// Every order of the angles: the second one is the first that is locked, or the narrowest.
TEST(JointEquivalents, OfLockedAnglesHaveThePoseOfTheAngles) {
  for (int narrow = 0; narrow < 3; ++narrow) {
    World world(without_gravity());
    const BodyHandle post = add_anchor(world, {});
    const BodyHandle arm = add_body(world, MotionType::Dynamic, {{0.5, 0.1, 0}, {}},
                                    ghost(state::box({0.5f, 0.05f, 0.05f})));
    JointDef def = make_six_dof_joint_def(world, post, arm, {}, {});
    auto& axes = def.details.edit().axes;
    const float values[3] = {0.5f, -0.4f, 0.3f};
    for (int i = 0; i < 3; ++i)
      axes[3 + i] = i == narrow ? JointAxisDef{} : limited_axis(values[i], values[i]);
    axes[3 + narrow].rest = values[narrow];
    const JointHandle joint = world.create_joint(def);
    run(world, 120);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(world.joint_state(joint).axes[3 + i], values[i], 1e-4) << narrow << " " << i;
    EXPECT_LT(world.joint_state(joint).lean, 1e-4);
  }
}

// Ten bars in a row, with a heavy load beside their end.
TEST(JointEquivalents, WithEqualLimitsHoldACantilever) {
  for (const int hertz : {30, 60}) {
    WorldOptions options = without_sleep();
    options.step_seconds = 1.0f / static_cast<float>(hertz);
    World world(options);
    BodyHandle before = add_anchor(world, {});
    for (int i = 0; i < 11; ++i) {
      const bool is_load = i == 10;
      BodyDef body;
      body.mass = is_load ? 50.0f : 1.0f;
      body.pose.position = is_load ? Position{5, 0, 0.5} : Position{0.25 + 0.5 * i, 0, 0};
      const BodyHandle next = world.create_body(body);
      world.add_shape(next, ghost(state::box({0.25f, 0.1f, 0.1f})));
      JointDef def = make_six_dof_joint_def(world, before, next, {0.5 * i, 0, 0}, {});
      def.details.edit().axes.fill(limited_axis(0, 0));
      world.create_joint(def);
      before = next;
    }
    for (int i = 0; i < 5 * hertz; ++i) {
      world.step();
      ASSERT_LT(length(world.centre_of_mass(before) - Position{5, 0, 0.5}), 1e-3) << hertz;
    }
  }
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
