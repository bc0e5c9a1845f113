#include "client/render/rope_marks.h"

#include "tests/client_app/fake_scene.h"

#include <gtest/gtest.h>

namespace jostle::render {
namespace {

using state::Rope;
using state::RopeKind;

// Returns a scene with the ground (ID 1), a crate at (0, 3, 0) rotated by 90° about z (ID 2), and a
// ball at (2, 3, 0) (ID 3).
FakeScene two_bodies() {
  FakeScene scene({});
  scene.add(state::box({0.5f, 0.5f, 0.5f}), {0, 3, 0}, {0, 0, 0.70710678f, 0.70710678f},
            state::MotionType::Dynamic, {});
  scene.add(state::sphere(0.5f), {2, 3, 0}, {}, state::MotionType::Dynamic, {});
  return scene;
}

float apart(math::Position a, math::Position b) {
  return math::length(a - b);
}

TEST(RopeMarks, DrawARopeBetweenTheShownAnchorPoints) {
  const FakeScene scene = two_bodies();
  const std::vector<Rope> ropes{{{{2}, {0.5f, 0, 0}}, {{3}, {0, 0.5f, 0}}, RopeKind::Rope},
                                {{{}, {0, 9, 0}}, {{3}, {}}, RopeKind::Rod}};
  std::vector<Mark> marks;
  const auto bodies = scene.shown();
  add_rope_marks(ropes, bodies, marks);
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_LT(apart(marks[0].from, {0, 3.5, 0}), 1e-6f) << "turned with the crate";
  EXPECT_LT(apart(marks[0].to, {2, 3.5, 0}), 1e-6f);
  EXPECT_GT(marks[0].radius, 0.0f);
  EXPECT_LT(apart(marks[1].from, {0, 9, 0}), 1e-6f);
  EXPECT_NE(marks[0].colour, marks[1].colour);
}

TEST(RopeMarks, DrawASpringAsAContinuousCoil) {
  const FakeScene scene = two_bodies();
  const std::vector<Rope> ropes{{{{2}, {}}, {{3}, {}}, RopeKind::Spring}};
  std::vector<Mark> marks;
  const auto bodies = scene.shown();
  add_rope_marks(ropes, bodies, marks);
  ASSERT_GT(marks.size(), 40U);
  EXPECT_LT(apart(marks.front().from, {0, 3, 0}), 1e-6f);
  EXPECT_LT(apart(marks.back().to, {2, 3, 0}), 1e-6f);
  double above = 0, below = 0;
  for (std::size_t i = 1; i < marks.size(); ++i) {
    EXPECT_EQ(marks[i].from, marks[i - 1].to);
    above = std::max(above, marks[i].from.y - 3);
    below = std::max(below, 3 - marks[i].from.y);
  }
  EXPECT_GT(above, 0.05);
  EXPECT_NEAR(above, below, 0.02);
}

TEST(RopeMarks, SkipRopesOfBodiesThatAreNotShown) {
  const FakeScene scene = two_bodies();
  const std::vector<Rope> ropes{{{{2}, {}}, {{77}, {}}, RopeKind::Rope},
                                {{{77}, {}}, {{}, {}}, RopeKind::Spring}};
  std::vector<Mark> marks;
  const auto bodies = scene.shown();
  add_rope_marks(ropes, bodies, marks);
  EXPECT_TRUE(marks.empty());
}

// A client knows the number of ropes before it has received each of them.
TEST(RopeMarks, SkipRopesThatHaveNotArrived) {
  const FakeScene scene = two_bodies();
  const std::vector<Rope> ropes(3);
  std::vector<Mark> marks;
  const auto bodies = scene.shown();
  add_rope_marks(ropes, bodies, marks);
  EXPECT_TRUE(marks.empty());
}

TEST(RopeMarks, DrawManySpringsAsLines) {
  const FakeScene scene = two_bodies();
  const std::vector<Rope> ropes(200, {{{2}, {}}, {{3}, {}}, RopeKind::Spring});
  std::vector<Mark> marks;
  const auto bodies = scene.shown();
  add_rope_marks(ropes, bodies, marks);
  EXPECT_EQ(marks.size(), 200U);
}

}  // namespace
}  // namespace jostle::render
