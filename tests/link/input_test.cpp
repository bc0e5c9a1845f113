#include "protocol/input_codec.h"
#include "tests/link/latency.h"
#include "tools/link/input_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>

namespace jostle::link {
namespace {

InputLink make_input_link(float loss, std::int64_t jitter_us) {
  InputLink link;
  link.pace = {.interval_us = 4'000, .wakes_on_arrival = true};
  link.faults.loss = loss;
  link.faults.latency_us = latency_us;
  link.faults.jitter_us = jitter_us;
  return link;
}

TEST(InputRuns, InputsReachTheirTickInTimeAndAreShownSoon) {
  InputRun run;
  run.links = {make_input_link(0, 0), make_input_link(0, 20'000), make_input_link(0.05f, 10'000),
               make_input_link(0, 0)};
  run.links[3].pace = {.interval_us = 16'667, .wakes_on_arrival = false};
  run.seeds = 2;
  run.minutes = 1;
  auto figures = run_inputs(run);
  ASSERT_TRUE(figures.has_value()) << figures.error();
  InputFigures &clean = (*figures)[0], &jitter = (*figures)[1], &loss = (*figures)[2];
  InputFigures& seldom = (*figures)[3];
  for (InputFigures* row : {&clean, &jitter, &loss, &seldom}) {
    ASSERT_GT(row->presses, 50U);
    EXPECT_EQ(row->to_tick_ticks.count(), row->presses);
    EXPECT_EQ(row->to_pose_ms.count(), row->presses);
    EXPECT_GT(row->accepted, 7'000U);
  }
  EXPECT_LE(clean.to_tick_ticks.mean(), 1.5);
  EXPECT_GE(clean.to_tick_ticks.quantile(0), 0.0) << "no input is applied before it arrives";
  EXPECT_LE(clean.to_pose_ms.quantile(0.95), 2e-3 * latency_us + 60);
  EXPECT_EQ(clean.late + clean.missing, 0U);

  const auto late_share = [](const InputFigures& row) {
    return static_cast<double>(row.late) / static_cast<double>(row.accepted + row.late);
  };
  EXPECT_LE(late_share(jitter), 0.002);
  EXPECT_LE(late_share(loss), 0.01);
  EXPECT_LE(late_share(seldom), 0.002);
}

// The acknowledged snapshot must be as recent as the round trip allows. A spectator must not send
// more packets than a player.
TEST(Acknowledgement, OfASpectatorIsSentWhenTheSnapshotArrives) {
  match::MatchOptions options;
  options.faults.latency_us = latency_us;
  match::Match match(options);
  match.add_client("Eve", protocol::Role::Spectator,
                   {.interval_us = 4'000, .wakes_on_arrival = true});
  ASSERT_TRUE(match.run_until_playing(5));
  // The client sends less until it knows that its uplink is wide.
  match.run_seconds(3);
  double oldest_ms = 0;
  int packets = 0;
  match.server_transport().set_receive_listener(
      [&](net::PeerId, net::Channel channel, std::span<const std::byte> bytes) {
        if (channel != net::Channel::State) return;
        const auto packet = protocol::decode_input(bytes);
        ASSERT_TRUE(packet.has_value());
        ++packets;
        const auto made_us = static_cast<double>(match.due_us(packet->ack.newest));
        oldest_ms =
            std::max(oldest_ms, (static_cast<double>(match.network().now_us()) - made_us) * 1e-3);
      });
  match.run_seconds(5);
  EXPECT_NEAR(packets, 300, 3);
  EXPECT_LE(oldest_ms, 2e-3 * latency_us + 0.1);
}

}  // namespace
}  // namespace jostle::link
