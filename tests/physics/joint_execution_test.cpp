#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Adds joints of every kind between the ground and boxes in the air. Limits, cones, springs and
/// motors are enabled in various combinations.
void add_rich_joints(World& world, BodyHandle ground) {
  for (int i = 0; i < 45; ++i) {
    const auto kind = static_cast<JointKind>(i % joint_kind_count);
    const double x = 3.0 * i - 60, z = -20;
    const BodyHandle box = add_dynamic(world, {x, 3, z}, state::box({0.2f, 0.3f, 0.4f}));
    JointDef def = make_joint_def(world, kind, ground, box, {x, 3.5, z}, {0, 1, 0});
    if (kind == JointKind::Distance) {
      def = make_distance_joint_def(world, ground, box, {x, 5, z}, {x, 3, z});
    }
    if (kind == JointKind::Pulley) {
      def = make_pulley_joint_def(world, ground, box, {x, 5, z}, {x, 3, z}, {x, 6, z}, {x, 6, z},
                                  1.5f);
    }
    def.limits = {i % 2 == 0, 0, 0.5f};
    def.cone = {i % 4 == 0, 0.3f};
    def.spring = {i % 3 != 0, i % 3 == 1 ? 3.0f : 30.0f, 0.2f};
    def.motor = {i % 5 == 0, def.kind == JointKind::Ball ? 0.0f : 1.0f, 20};
    world.create_joint(def);
    world.set_velocity(box, {0.3f, 1, 0.2f}, {1, 2, -1});
  }
}

/// Adds a plate that hangs by 8 joints and carries 80 others, which are more joints than there are
/// graph colours.
void add_loom(World& world, BodyHandle ground) {
  const BodyHandle plate = add_dynamic(world, {0, 8, 40}, state::box({6, 0.1f, 6}));
  for (int i = 0; i < 80; ++i) {
    const double x = i % 10 - 4.5, z = 40 + i / 10 - 3.5;
    const BodyHandle bead = add_dynamic(world, {x, 6, z}, state::sphere(0.2f));
    world.create_joint(make_joint_def(world, JointKind::Ball, plate, bead, {x, 7, z}, {0, 1, 0}));
    if (i % 10 == 0) {
      world.create_joint(make_distance_joint_def(world, ground, plate, {x, 12, z}, {x, 8, z}));
    }
  }
}

/// Adds chains with heavy loads, which the tree solver handles.
void add_laden_chains(World& world, BodyHandle ground) {
  for (int i = 0; i < 5; ++i) {
    const auto kind = static_cast<JointKind>(i % joint_kind_count);
    BodyHandle above = ground;
    for (int k = 0; k < 9; ++k) {
      const Position at{3.0 * i, 6 - 0.7 * k, 20};
      BodyDef def;
      def.pose.position = at;
      def.mass = k == 8 ? 500.0f : 2.0f;
      const BodyHandle body = world.create_body(def);
      world.add_shape(body, shape_def(state::capsule(0.2f, 0.1f)));
      const Position top{at.x, at.y + 0.35, at.z};
      JointDef joint = make_joint_def(world, kind, above, body, top, {0, 0, 1});
      if (kind == JointKind::Distance) joint = make_distance_joint_def(world, above, body, top, at);
      if (i == 0) joint.cone = {true, 0.5f};
      if (i == 1) joint.limits = {true, -0.5f, 0.5f};
      world.create_joint(joint);
      world.set_velocity(body, {1, 0, 0.5f}, {});
      above = body;
    }
  }
}

/// Adds a scene that is large enough to be divided among threads.
void add_jointed_scene(World& world) {
  const BodyHandle ground = add_ground(world);
  add_joint_grid(world, 18, 18);
  for (int i = 0; i < 6; ++i)
    add_ragdoll(world, {0.4 * i, 1.3 + 2 * i, 0.1 * i - 10}, 0.8f * static_cast<float>(i));
  add_rich_joints(world, ground);
  add_loom(world, ground);
  add_laden_chains(world, ground);
}

std::vector<std::uint64_t> jointed_hashes(const Execution& execution, int steps) {
  World world{WorldOptions{}};
  world.set_execution(execution);
  add_jointed_scene(world);
  std::vector<std::uint64_t> out;
  for (int i = 0; i < steps; ++i) {
    world.step();
    out.push_back(world.hash().total);
  }
  EXPECT_EQ(world.stats().quarantined_bodies, 0U);
  return out;
}

/// Parameter: number of steps.
class JointExecutionFor : public ::testing::TestWithParam<int> {};

TEST_P(JointExecutionFor, IsBitIdenticalForAllSimdLevels) {
  const int steps = GetParam();
  const std::vector<std::uint64_t> plain = jointed_hashes({1, simd::InstructionSet::Plain}, steps);
  for (const simd::InstructionSet level : simd::all_instruction_sets) {
    if (!simd::is_supported(level) || level == simd::InstructionSet::Plain) continue;
    SCOPED_TRACE(simd::name_of(level));
    EXPECT_EQ(jointed_hashes({1, level}, steps), plain);
  }
}
INSTANTIATE_TEST_SUITE_P(Steps, JointExecutionFor, ::testing::Values(45));
INSTANTIATE_TEST_SUITE_P(Full, JointExecutionFor, ::testing::Values(120));

TEST(JointExecution, IsBitIdenticalForAllThreadCounts) {
  constexpr int steps = 80;
  const Execution one;
  const std::vector<std::uint64_t> serial = jointed_hashes(one, steps);
  for (const int threads : {2, 3, 4, 8}) {
    SCOPED_TRACE(threads);
    EXPECT_EQ(jointed_hashes({threads, one.simd}, steps), serial);
  }
}

TEST(JointExecution, RestoredWorldContinuesBitExactlyWithAnotherExecution) {
  World world{WorldOptions{}};
  add_jointed_scene(world);
  run(world, 60);
  World copy{WorldOptions{}};
  copy.set_execution({3, simd::InstructionSet::Plain});
  const std::vector<std::byte> bytes = saved(world);
  base::ByteReader reader(bytes);
  ASSERT_TRUE(copy.restore(reader).has_value());
  for (int i = 0; i < 20; ++i) {
    world.step();
    copy.step();
    ASSERT_EQ(copy.hash(), world.hash()) << "step " << i;
  }
}

// A joint may share a SIMD bundle with unrelated joints, and its bodies may share a block with
// unrelated bodies.
TEST(JointExecution, FarJointsDoNotChangeARagdoll) {
  World alone{WorldOptions{}}, among{WorldOptions{}};
  std::vector<BodyHandle> alone_bodies, among_bodies;
  for (World* world : {&alone, &among}) {
    const BodyHandle ground = add_ground(*world);
    const bool is_among = world == &among;
    std::vector<BodyHandle>& bodies = is_among ? among_bodies : alone_bodies;
    if (is_among) add_dynamic(*world, {200, 9, 0}, state::box({0.1f, 0.2f, 0.3f}));
    for (const BodyHandle body : add_ragdoll(*world, {0, 2, 0}, 0.4f)) {
      bodies.push_back(body);
      if (is_among) add_dynamic(*world, {200 + 3.0 * body.index, 4, 0}, state::sphere(0.4f));
    }
    if (is_among) add_rich_joints(*world, ground);
  }
  for (int i = 0; i < 120; ++i) {
    alone.step();
    among.step();
    for (std::size_t k = 0; k < alone_bodies.size(); ++k) {
      ASSERT_EQ(alone.pose(alone_bodies[k]), among.pose(among_bodies[k])) << i << ", " << k;
      ASSERT_EQ(alone.angular_velocity(alone_bodies[k]), among.angular_velocity(among_bodies[k]));
    }
  }
}

}  // namespace
}  // namespace jostle::physics
