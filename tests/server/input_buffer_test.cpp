#include "server/input_buffer.h"

#include <gtest/gtest.h>

namespace jostle::server {
namespace {

using state::ActionKind;
using state::PlayerInput;
using state::Tick;

PlayerInput walking(std::uint32_t tick, float x) {
  PlayerInput input;
  input.tick = {tick};
  input.move_x = x;
  return input;
}

PlayerInput pushing(std::uint32_t tick) {
  PlayerInput input;
  input.tick = {tick};
  input.actions.push_back({ActionKind::Push, {7}, {}, {1, 2, 3}});
  return input;
}

TEST(InputBuffer, AppliesAnInputOnlyAtItsTick) {
  InputBuffer queue;
  queue.accept(pushing(5), {3});
  EXPECT_TRUE(queue.take({4}).actions.empty());
  EXPECT_EQ(queue.take({5}).actions.size(), 1U);
  EXPECT_TRUE(queue.take({6}).actions.empty());
  EXPECT_EQ(queue.counters().accepted, 1U);
}

TEST(InputBuffer, IgnoresDuplicates) {
  InputBuffer queue;
  for (int i = 0; i < 3; ++i)
    queue.accept(pushing(5), {3});
  (void)queue.take({4});
  EXPECT_EQ(queue.take({5}).actions.size(), 1U);
  queue.accept(pushing(5), {5});  // repeated after it was applied
  EXPECT_TRUE(queue.take({6}).actions.empty());
  EXPECT_EQ(queue.counters().duplicate, 3U);
}

TEST(InputBuffer, DropsLateMovementButAppliesALatePush) {
  InputBuffer queue;
  PlayerInput late = pushing(5);
  late.move_x = 1;
  queue.accept(late, {8});
  const PlayerInput next = queue.take({9});
  EXPECT_EQ(next.move_x, 0.0f);
  EXPECT_EQ(next.actions.size(), 1U);
  EXPECT_TRUE(queue.take({10}).actions.empty());
  EXPECT_EQ(queue.counters().late, 1U);
}

TEST(InputBuffer, IgnoresActionsLaterThanTheWindow) {
  InputBuffer queue;
  queue.accept(pushing(5), {5 + input_window_ticks + 1});
  EXPECT_TRUE(queue.take({19}).actions.empty());
}

TEST(InputBuffer, DoesNotAcknowledgeAnInputThatIsTooEarly) {
  InputBuffer queue;
  const std::uint32_t far = 1 + early_window_ticks + 1;
  queue.accept(walking(far, 1), {0});
  EXPECT_EQ(queue.newest(), Tick{0});
  EXPECT_EQ(queue.counters().early, 1U);
  queue.accept(walking(far, 1), {1});
  EXPECT_EQ(queue.newest(), Tick{far});
}

TEST(InputBuffer, RepeatsMovementOfMissingInputsForALimitedTime) {
  InputBuffer queue;
  PlayerInput first = pushing(1);
  first.move_x = 0.5f;
  first.actions.push_back({ActionKind::Grab, {7}, {}, {}});
  queue.accept(first, {0});
  EXPECT_EQ(queue.take({1}).actions.size(), 2U);
  for (std::uint32_t i = 0; i < max_repeated_ticks; ++i) {
    SCOPED_TRACE(i);
    const PlayerInput repeated = queue.take({2 + i});
    EXPECT_EQ(repeated.move_x, 0.5f);
    ASSERT_EQ(repeated.actions.size(), 1U) << "the drag is repeated, the push is not";
    EXPECT_EQ(repeated.actions[0].kind, ActionKind::Grab);
  }
  const PlayerInput idle = queue.take({2 + max_repeated_ticks});
  EXPECT_EQ(idle.move_x, 0.0f);
  EXPECT_TRUE(idle.actions.empty());
  EXPECT_EQ(queue.counters().missing, max_repeated_ticks);
}

TEST(InputBuffer, ReportsHowEarlyInputsArrive) {
  InputBuffer queue;
  queue.accept(walking(10, 1), {6});
  EXPECT_EQ(queue.margin_ticks(), 3);
  queue.accept(walking(11, 1), {12});
  EXPECT_EQ(queue.margin_ticks(), -2);
}

TEST(InputBuffer, NeverReturnsMoreActionsThanTheLimitPerTick) {
  InputBuffer queue;
  for (std::uint32_t tick = 1; tick <= 3; ++tick) {
    PlayerInput input = pushing(tick);
    input.actions.resize(state::max_actions_per_input, input.actions[0]);
    queue.accept(input, {5});
  }
  std::size_t seen = 0;
  for (std::uint32_t tick = 6; tick < 12; ++tick) {
    const std::size_t count = queue.take({tick}).actions.size();
    EXPECT_LE(count, state::max_actions_per_input);
    seen += count;
  }
  EXPECT_EQ(seen, max_late_actions) << "this many may wait; the rest is counted as lost";
  EXPECT_EQ(queue.counters().actions_lost, 3 * state::max_actions_per_input - max_late_actions);
}

TEST(InputBuffer, LateActionsTakePrecedenceOverDrags) {
  InputBuffer queue;
  PlayerInput dragging;
  dragging.tick = {1};
  dragging.actions.resize(state::max_actions_per_input, {ActionKind::Grab, {7}, {}, {}});
  queue.accept(dragging, {0});
  (void)queue.take({1});
  queue.accept(pushing(2), {2});  // late
  const PlayerInput next = queue.take({3});
  ASSERT_EQ(next.actions.size(), state::max_actions_per_input);
  EXPECT_EQ(next.actions[0].kind, ActionKind::Push);
  EXPECT_EQ(next.actions[1].kind, ActionKind::Grab);
}

}  // namespace
}  // namespace jostle::server
