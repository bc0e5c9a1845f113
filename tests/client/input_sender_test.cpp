#include "client/input_sender.h"

#include "shared/base/random.h"
#include "tests/client/tick_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <vector>

namespace jostle::client {
namespace {

using state::Action;
using state::ActionKind;
using state::PlayerInput;
using state::Tick;

PlayerInput with_actions(std::vector<Action> actions) {
  PlayerInput input;
  input.actions = std::move(actions);
  return input;
}

/// Advances by one client tick on a link without delay.
void step(InputSender& sender, double& server_tick) {
  server_tick += 1;
  sender.advance({server_tick, 0, 0}, 1);
}

TEST(InputSender, CreatesOneConsecutivelyNumberedInputPerTick) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  sender.advance({server_tick, 0, 0}, 0);
  int made = 0;
  for (int i = 0; i < 2'400; ++i) {
    server_tick += 0.25;
    made += sender.advance({server_tick, 0, 0}, 0.25);
    const auto& kept = sender.unacknowledged();
    for (std::size_t k = 1; k < kept.size(); ++k) {
      ASSERT_EQ(kept[k].tick, kept[k - 1].tick + 1);
    }
  }
  EXPECT_NEAR(made, 600, 2);
  EXPECT_GT(sender.tick(), server_tick);
}

TEST(InputSender, RepeatsEveryInputUntilItIsAcknowledged) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  sender.advance({server_tick, 0, 0}, 0);
  for (int i = 0; i < 10; ++i)
    step(sender, server_tick);
  ASSERT_EQ(sender.unacknowledged().size(), 11U);
  const Tick fifth = sender.unacknowledged()[4].tick;
  sender.report({1'000}, fifth, 1);
  EXPECT_EQ(sender.unacknowledged().size(), 6U);
  EXPECT_EQ(sender.unacknowledged().front().tick, fifth + 1);
  sender.report({999}, previous(fifth, 2), 1);
  EXPECT_EQ(sender.unacknowledged().size(), 6U) << "an old report has no effect";
  sender.report({1'001}, {4'000'000'000U}, 1);
  EXPECT_EQ(sender.unacknowledged().size(), 6U)
      << "an input that was never sent cannot be acknowledged";
}

TEST(InputSender, KeepsAtMostOnePacketOfInputs) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  for (int i = 0; i < 200; ++i)
    step(sender, server_tick);
  EXPECT_EQ(sender.unacknowledged().size(), protocol::max_inputs_per_packet);
  EXPECT_GT(sender.tick(), server_tick);
}

TEST(InputSender, HoldsMovementAndDragsAndSendsOtherActionsOnce) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  step(sender, server_tick);
  PlayerInput input = with_actions(
      {{ActionKind::Grab, {7}, {}, {1, 2, 3}}, {ActionKind::Push, {8}, {}, {0, 5, 0}}});
  input.move_x = 0.5f;
  input.buttons = state::button_jump;
  sender.set_input(input);
  for (int i = 0; i < 5; ++i)
    step(sender, server_tick);
  const auto& kept = sender.unacknowledged();
  ASSERT_EQ(kept.size(), 6U);
  EXPECT_TRUE(kept[0].actions.empty());
  for (std::size_t i = 1; i < kept.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "input " << i);
    EXPECT_EQ(kept[i].move_x, 0.5f);
    EXPECT_EQ(kept[i].buttons, state::button_jump);
    ASSERT_EQ(kept[i].actions.size(), i == 1 ? 2U : 1U);
    EXPECT_EQ(kept[i].actions[0].kind, ActionKind::Grab);
  }
  EXPECT_EQ(kept[1].actions[1].kind, ActionKind::Push);
}

TEST(InputSender, LosesNoActionWhenInputIsSetMoreOftenThanTicksBegin) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  step(sender, server_tick);
  for (std::uint32_t i = 1; i <= 6; ++i) {
    sender.set_input(with_actions({{ActionKind::Push, {i}, {}, {}}}));
  }
  for (int i = 0; i < 3; ++i)
    step(sender, server_tick);
  std::vector<std::uint32_t> pushed;
  for (const PlayerInput& input : sender.unacknowledged()) {
    EXPECT_LE(input.actions.size(), state::max_actions_per_input);
    for (const Action& action : input.actions)
      pushed.push_back(action.body.value);
  }
  EXPECT_EQ(pushed, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
}

TEST(InputSender, RefusesAndCountsActionsAboveItsQueueLimit) {
  InputSender sender(test_tick_rate_hz);
  for (std::size_t i = 0; i < InputSender::max_queued_actions + 5; ++i) {
    sender.set_input(with_actions({{ActionKind::Push, {1}, {}, {}}}));
  }
  EXPECT_EQ(sender.actions_refused(), 5U);
}

TEST(InputSender, ClampsAMoveVectorToLengthOne) {
  InputSender sender(test_tick_rate_hz);
  PlayerInput input;
  input.move_x = 1;
  input.move_z = -1;
  sender.set_input(input);
  double server_tick = 10;
  step(sender, server_tick);
  const PlayerInput& sent = sender.unacknowledged().back();
  EXPECT_LE(sent.move_x * sent.move_x + sent.move_z * sent.move_z, 1.0f);
  EXPECT_NEAR(sent.move_x, 0.7071, 1e-4);
  EXPECT_NEAR(sent.move_z, -0.7071, 1e-4);
}

/// An InputSender and a server that uses one input per tick, connected by a link with delay, jitter
/// and loss. The client's clock is ahead of the server's by `clock_error_ticks`.
struct Wire {
  double delay_ticks = 3, jitter_ticks = 0, loss = 0, clock_error_ticks = 0;
  base::Random random{1};
  InputSender sender{test_tick_rate_hz};

  struct Packet {
    double arrives = 0;
    std::vector<Tick> inputs;
  };
  struct Report {
    double arrives = 0;
    Tick snapshot, ack;
    int margin = 0;
  };
  std::vector<Packet> up;
  std::vector<Report> down;
  double now = 1'000;
  std::set<std::uint32_t> waiting;
  Tick newest;
  int margin = 0;
  std::uint64_t on_time = 0, missed = 0;
  // sum over all inputs: ticks from the input's arrival to the tick that it is for
  double lead_sum = 0;
  std::uint64_t margins = 0;

  double draw() { return delay_ticks + jitter_ticks * static_cast<double>(random.unit()); }

  void play(double ticks, bool is_counted) {
    constexpr double step_ticks = 0.0625;
    for (const double end = now + ticks; now < end;) {
      now += step_ticks;
      std::erase_if(up, [&](const Packet& packet) {
        if (packet.arrives > now) return false;
        for (const Tick tick : packet.inputs) {
          if (tick <= newest) continue;
          newest = tick;
          margin = static_cast<int>(tick.number) - (static_cast<int>(std::floor(now)) + 1);
          lead_sum += static_cast<double>(tick.number) - now;
          ++margins;
          if (margin >= 0) waiting.insert(tick.number);
        }
        return true;
      });
      if (now == std::floor(now)) {
        if (is_counted) ++(waiting.contains(static_cast<std::uint32_t>(now)) ? on_time : missed);
        if (!random.chance(static_cast<float>(loss))) {
          down.push_back({now + draw(), {static_cast<std::uint32_t>(now)}, newest, margin});
        }
      }
      std::erase_if(down, [&](const Report& report) {
        if (report.arrives > now) return false;
        sender.report(report.snapshot, report.ack, report.margin);
        return true;
      });
      // Uniformly distributed jitter has a standard deviation of its width / √12.
      const InputSender::Link link{now + clock_error_ticks, delay_ticks + jitter_ticks / 2,
                                   jitter_ticks / std::sqrt(12.0), loss};
      if (sender.advance(link, step_ticks) == 0) continue;
      Packet packet{now + draw(), {}};
      for (const PlayerInput& input : sender.unacknowledged())
        packet.inputs.push_back(input.tick);
      if (!random.chance(static_cast<float>(loss))) up.push_back(std::move(packet));
    }
  }
  double mean_lead() {
    const double mean = lead_sum / static_cast<double>(margins);
    lead_sum = 0;
    margins = 0;
    return mean;
  }
};

TEST(InputLead, IsAboutOneTickOnACleanLink) {
  Wire wire;
  wire.play(600, false);
  wire.mean_lead();
  wire.play(1'200, true);
  EXPECT_EQ(wire.missed, 0U);
  EXPECT_GE(wire.mean_lead(), 0.7);
  wire.play(600, true);
  EXPECT_LE(wire.mean_lead(), 1.0) << "input to tick in 1.5 ticks + half the round trip";
}

TEST(InputLead, CompensatesAWrongClockEstimate) {
  for (const double error : {-2.5, 2.5}) {
    SCOPED_TRACE(testing::Message() << "clock error " << error << " ticks");
    Wire wire;
    wire.clock_error_ticks = error;
    wire.play(1'500, false);
    wire.mean_lead();
    wire.play(600, true);
    EXPECT_EQ(wire.missed, 0U);
    EXPECT_NEAR(wire.mean_lead(), 0.9, 0.5);
  }
}

TEST(InputLead, KeepsLateInputsBelowOnePercentWithJitterAndLoss) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Wire wire;
    wire.random = base::Random(seed);
    wire.jitter_ticks = 1.2;  // 20 ms
    wire.loss = 0.05;
    wire.play(600, false);
    wire.play(6'000, true);
    EXPECT_LT(static_cast<double>(wire.missed) / 6'000, 0.01);
  }
}

// The server reports margins in whole ticks. This rounding must not make the lead longer.
TEST(InputLead, IsNearlyOneTickPlusTwoDeviationsWithJitter) {
  Wire wire;
  wire.jitter_ticks = 1.2;
  wire.play(1'200, false);
  wire.mean_lead();
  wire.play(6'000, true);
  EXPECT_NEAR(wire.mean_lead(), 0.9 + 2 * 1.2 / std::sqrt(12.0), 0.15);
  EXPECT_EQ(wire.missed, 0U);
}

TEST(InputLead, SlewsByAtMostThreePercentBelowTheJumpLimit) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  sender.advance({server_tick, 0, 0}, 0);
  double before = sender.tick();
  for (int i = 0; i < 1'000; ++i) {
    // The delay alternates between 0 and 5 ticks.
    const double delay = (i / 100) % 2 == 0 ? 0 : 5;
    server_tick += 0.5;
    sender.advance({server_tick, delay, 0}, 0.5);
    ASSERT_GE(sender.tick() - before, 0.5 * 0.97 - 1e-9);
    ASSERT_LE(sender.tick() - before, 0.5 * 1.03 + 1e-9);
    before = sender.tick();
  }
  server_tick += 30;  // the client process was suspended for half a second
  sender.advance({server_tick, 0, 0}, 0.5);
  EXPECT_NEAR(sender.tick(), server_tick + 1, 0.5);
}

TEST(InputLead, UsesNumbersAgainWhenTheServerHasSkippedTicks) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  for (int i = 0; i < 100; ++i)
    sender.advance({server_tick += 1, 0, 0}, 1);
  const std::uint32_t before = sender.newest()->number;
  sender.report({1'050}, {1'072}, 12);
  const double lead = sender.tick() - server_tick;
  server_tick -= 40;
  sender.shift(-40);
  for (std::uint32_t i = 0; i < 30; ++i) {
    EXPECT_EQ(sender.advance({server_tick += 1, 0, 0}, 1), i == 0 ? 0 : 1);
    EXPECT_LT(sender.newest()->number, before);
    EXPECT_NEAR(sender.tick() - server_tick, lead, 0.1);
  }
}

TEST(InputLead, MeasuresNoDelayByANumberThatWasUsedTwice) {
  InputSender sender(test_tick_rate_hz);
  double server_tick = 1'000;
  sender.advance({server_tick, 0, 0}, 0);
  for (int i = 0; i < 100; ++i)
    step(sender, server_tick);
  const Tick last = sender.unacknowledged().back().tick;
  sender.report({1'100}, last, 1);
  ASSERT_TRUE(sender.take_delay().has_value());
  for (int i = 0; i < 100; ++i)
    step(sender, server_tick);
  const Tick used_twice = sender.unacknowledged().back().tick;
  server_tick -= 50;  // the estimate was too high
  for (int i = 0; i < 50; ++i)
    step(sender, server_tick);
  ASSERT_GE(sender.unacknowledged().back().tick, used_twice);
  sender.report({1'201}, used_twice, 1);
  EXPECT_FALSE(sender.take_delay().has_value());
  for (int i = 0; i < 10; ++i)
    step(sender, server_tick);
  sender.report({1'211}, sender.unacknowledged().back().tick, 1);
  EXPECT_TRUE(sender.take_delay().has_value());
}

TEST(InputLead, SendsActionsOfReturnedNumbersAgain) {
  InputSender sender(test_tick_rate_hz);
  state::PlayerInput push;
  push.actions = {{.kind = state::ActionKind::Push}};
  double server_tick = 1'000;
  for (int i = 0; i < 30; ++i) {
    if (i == 25) sender.set_input(push);
    sender.advance({server_tick += 1, 0, 0}, 1);
  }
  server_tick -= 20;
  sender.shift(-20);
  sender.advance({server_tick += 1, 0, 0}, 1);
  sender.advance({server_tick += 1, 0, 0}, 1);
  ASSERT_EQ(sender.unacknowledged().back().actions.size(), 1U);
  EXPECT_EQ(sender.unacknowledged().back().actions[0].kind, state::ActionKind::Push);
}

TEST(InputLead, KeepsTheNumbersOfSentActions) {
  InputSender sender(test_tick_rate_hz);
  state::PlayerInput push;
  push.actions = {{.kind = state::ActionKind::Push}};
  double server_tick = 1'000;
  for (int i = 0; i < 30; ++i) {
    if (i == 25) sender.set_input(push);
    sender.advance({server_tick += 1, 0, 0}, 1);
    (void)sender.take_useful(false);
  }
  const auto ticks_of_pushes = [&] {
    std::vector<std::uint32_t> ticks;
    for (const state::PlayerInput& input : sender.unacknowledged())
      if (!input.actions.empty()) ticks.push_back(input.tick.number);
    return ticks;
  };
  const std::vector<std::uint32_t> sent = ticks_of_pushes();
  ASSERT_EQ(sent.size(), 1U);
  server_tick -= 20;
  sender.shift(-20);
  for (int i = 0; i < 10; ++i) {
    sender.advance({server_tick += 1, 0, 0}, 1);
    EXPECT_TRUE(ticks_of_pushes().empty());
  }
  for (int i = 0; i < 10; ++i)
    sender.advance({server_tick += 1, 0, 0}, 1);
  EXPECT_EQ(ticks_of_pushes(), sent);
}

TEST(InputLead, SendsASentActionOnceMoreIfItsNumberIsSkipped) {
  InputSender sender(test_tick_rate_hz);
  state::PlayerInput push;
  push.actions = {{.kind = state::ActionKind::Push}};
  double server_tick = 1'000;
  for (int i = 0; i < 30; ++i) {
    if (i == 29) sender.set_input(push);
    sender.advance({server_tick += 1, 0, 0}, 1);
    (void)sender.take_useful(false);
  }
  const state::Tick sent = sender.unacknowledged().back().tick;
  server_tick -= 20;
  sender.shift(-20);
  sender.advance({server_tick += 1, 0, 0}, 1);
  sender.advance({server_tick += 40, 0, 0}, 40);
  std::vector<state::Tick> pushes;
  for (const state::PlayerInput& input : sender.unacknowledged())
    if (!input.actions.empty()) pushes.push_back(input.tick);
  EXPECT_EQ(pushes, std::vector{sent});
}

/// Plays `ticks` ticks in which packets reach the server only every `interval` ticks. Returns the
/// number of ticks without an input in the last 200.
int starved_ticks(InputSender& sender, int ticks, int interval) {
  std::uint32_t tick = 1'000, arrived = 0;
  int starved = 0, margin = 0;
  for (int i = 0; i < ticks; ++i) {
    ++tick;
    if (i % interval == 0) {
      arrived = sender.newest().value_or(state::Tick{}).number;
      margin = static_cast<int>(arrived) - static_cast<int>(tick);
    }
    if (i >= ticks - 200 && arrived < tick) ++starved;
    sender.report({tick}, {arrived}, margin);
    sender.advance({static_cast<double>(tick), 0, 0}, 1);
  }
  return starved;
}

TEST(InputLead, CoversBurstsOfPackets) {
  InputSender sender(test_tick_rate_hz);
  EXPECT_LE(starved_ticks(sender, 1'500, 12), 10);
  EXPECT_GE(sender.burst_margin_ticks(), 8);
  EXPECT_LE(sender.burst_margin_ticks(), 15);
}

TEST(InputLead, DoesNotCoverOutages) {
  InputSender sender(test_tick_rate_hz);
  starved_ticks(sender, 1'500, 60);
  EXPECT_EQ(sender.burst_margin_ticks(), 0);
}

TEST(InputLead, SendsOnlyInputsThatCanStillBeUsed) {
  InputSender sender(test_tick_rate_hz);
  state::PlayerInput push;
  push.actions = {{.kind = state::ActionKind::Push}};
  for (int i = 0; i < 100; ++i) {
    if (i == 90) sender.set_input(push);
    sender.advance({1'000.0 + i, 30, 0}, 1);
  }
  const auto useful = sender.take_useful(false);
  ASSERT_FALSE(useful.empty());
  EXPECT_EQ(useful.front().actions.size(), 1U) << "the push may still be applied";
  EXPECT_LE(useful.size(), 5U);
  EXPECT_EQ(useful.back().tick, *sender.newest());
}

/// Makes `count` inputs, one per tick, over a link with much jitter. `at(i)` returns the i-th.
template <typename At>
void make_inputs(InputSender& sender, int count, At at) {
  for (int i = 0; i < count; ++i) {
    sender.set_input(at(i));
    const double server_tick = sender.newest() ? sender.tick() - 30 - 10.9 : 1'000;
    ASSERT_EQ(sender.advance({server_tick, 30, 5}, sender.newest() ? 1 : 0), 1);
  }
}
state::PlayerInput moving(float x) {
  state::PlayerInput input;
  input.move_x = x;
  return input;
}

TEST(NarrowUplink, LeavesOutInputsThatTheServerRepeatsByItself) {
  InputSender sender(test_tick_rate_hz);
  make_inputs(sender, 1, [](int) { return moving(0.25f); });
  (void)sender.take_useful(true);
  make_inputs(sender, 4, [](int) { return moving(0.5f); });
  const auto useful = sender.take_useful(true);
  ASSERT_EQ(useful.size(), 3U) << "the one before, the change and the newest one";
  EXPECT_EQ(useful[1].tick.number, sender.newest()->number - 3);
  EXPECT_EQ(useful[2].tick, *sender.newest());
}

TEST(NarrowUplink, RepeatsTwoChangesAndEveryAction) {
  InputSender sender(test_tick_rate_hz);
  make_inputs(sender, 5, [](int i) {
    state::PlayerInput input = moving(0.1f * static_cast<float>(i));
    if (i == 0) input.actions = {{.kind = state::ActionKind::Push}};
    return input;
  });
  EXPECT_EQ(sender.take_useful(true).size(), 5U) << "all are new";
  make_inputs(sender, 1, [](int) { return moving(0.9f); });
  const auto useful = sender.take_useful(true);
  ASSERT_EQ(useful.size(), 4U) << "a new one, two repeated ones and the one with an action";
  EXPECT_EQ(useful.front().actions.size(), 1U);
  EXPECT_EQ(sender.take_useful(false).size(), 6U) << "a wide link gets all";
}

TEST(InputLead, SkipsTheTicksOfALongSuspension) {
  InputSender sender(test_tick_rate_hz);
  sender.advance({1'000, 0, 0}, 0);
  EXPECT_LE(sender.advance({5'000, 0, 0}, 4'000), 8);
  EXPECT_GE(sender.unacknowledged().back().tick.number, 5'000U);
  EXPECT_GT(sender.tick(), 5'000);
}

}  // namespace
}  // namespace jostle::client
