#include "client/server_clock.h"

#include "shared/base/random.h"
#include "tests/client/tick_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::client {
namespace {

constexpr double period_us = 1e6 / test_tick_rate_hz;

/// A server whose clock differs from the client's by offset + drift · t. The link has a base delay
/// and uniformly distributed jitter in each direction.
struct Link {
  double offset_us = 123'456'789;
  double drift = 0;
  double delay_up_us = 25e3, delay_down_us = 25e3;
  double jitter_us = 0;
  base::Random random;

  explicit Link(std::uint64_t seed) : random(seed) {}

  double server_us(double local_us) const { return local_us + offset_us + drift * local_us; }
  double true_tick(std::int64_t local_us) const {
    return server_us(static_cast<double>(local_us)) / period_us;
  }
  double jitter() { return jitter_us * static_cast<double>(random.unit()); }

  struct Answer {
    TimeExchange exchange;
    state::Tick tick;
    std::int64_t due_us = 0;
  };
  Answer ping(std::int64_t local_us) {
    const double there_us = static_cast<double>(local_us) + delay_up_us + jitter();
    const double left_us = there_us + 200;
    const double back_us = left_us + delay_down_us + jitter();
    const auto tick = static_cast<std::uint32_t>(server_us(left_us) / period_us);
    return {{local_us, static_cast<std::int64_t>(server_us(there_us)),
             static_cast<std::int64_t>(server_us(left_us)), static_cast<std::int64_t>(back_us)},
            {tick},
            static_cast<std::int64_t>(std::llround(tick * period_us))};
  }
};

/// A client that pings every 50 ms at first and every 250 ms later. It receives a snapshot every 16
/// ms if `has_snapshots` is true. After `settle_us`, play() records the errors of its clock in ms.
struct Observed {
  ServerClock clock{test_tick_rate_hz};
  std::int64_t now_us = 0;
  std::int64_t next_ping_us = 0;
  int pings = 0;
  std::vector<Link::Answer> on_the_way;
  std::vector<double> errors_ms;
  bool has_snapshots = true;

  void play(Link& link, std::int64_t duration_us, std::int64_t settle_us) {
    const std::int64_t end_us = now_us + duration_us, settled_us = now_us + settle_us;
    for (; now_us < end_us; now_us += 4'000) {
      if (now_us >= next_ping_us) {
        on_the_way.push_back(link.ping(now_us));
        next_ping_us = now_us + (++pings <= 10 ? 50'000 : 250'000);
      }
      std::erase_if(on_the_way, [&](const Link::Answer& answer) {
        if (answer.exchange.client_receive_us > now_us) return false;
        EXPECT_TRUE(clock.add_exchange(answer.exchange));
        EXPECT_TRUE(clock.set_tick(answer.tick, answer.due_us));
        return true;
      });
      if (has_snapshots && now_us % 16'000 == 0 && clock.is_set()) {
        const double sent_us = static_cast<double>(now_us) - link.delay_down_us - link.jitter();
        clock.add_arrival(static_cast<std::int64_t>(link.server_us(sent_us)), now_us);
      }
      clock.advance(now_us);
      if (now_us < settled_us) continue;
      ASSERT_TRUE(clock.is_set());
      errors_ms.push_back(std::abs(clock.tick() - link.true_tick(now_us)) * period_us * 1e-3);
    }
  }
  double error_ms(double share) {
    std::sort(errors_ms.begin(), errors_ms.end());
    return errors_ms[static_cast<std::size_t>(share * static_cast<double>(errors_ms.size() - 1))];
  }
};

TEST(ServerClock, IsExactOnACleanLink) {
  Link link(1);
  Observed run;
  run.play(link, 5'000'000, 500'000);
  EXPECT_LT(run.error_ms(1), 0.01);
}

TEST(ServerClock, HasAMedianErrorOfAtMostOneMillisecondWithTwentyMillisecondsOfJitter) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Link link(seed);
    link.jitter_us = 20e3;
    Observed run;
    run.play(link, 60'000'000, 2'000'000);
    EXPECT_LT(run.error_ms(0.5), 1.0);
    EXPECT_LT(run.error_ms(0.99), 3.0);
  }
}

TEST(ServerClock, IsWithinThreeMillisecondsAfterOneSecondOfJitter) {
  std::vector<double> errors_ms;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Link link(seed);
    link.jitter_us = 20e3;
    Observed run;
    run.play(link, 1'004'000, 1'000'000);
    errors_ms.push_back(run.errors_ms.front());
  }
  std::sort(errors_ms.begin(), errors_ms.end());
  EXPECT_LT(errors_ms[errors_ms.size() / 2], 3.0);
}

TEST(ServerClock, FollowsADriftingClock) {
  for (const double drift : {-100e-6, -20e-6, 50e-6, 100e-6}) {
    SCOPED_TRACE(testing::Message() << "drift " << drift);
    Link link(7);
    link.drift = drift;
    link.jitter_us = 5e3;
    Observed run;
    run.play(link, 120'000'000, 60'000'000);
    EXPECT_LT(run.error_ms(1), 1.0);
    EXPECT_NEAR(run.clock.drift(), drift, 20e-6);
  }
}

TEST(ServerClock, StaysAccurateForADay) {
  Link link(3);
  link.drift = 40e-6;
  link.jitter_us = 5e3;
  Observed run;
  run.has_snapshots = false;
  run.play(link, 20'000'000, 10'000'000);
  // One exchange every 30 s for a day is enough to show that errors do not accumulate.
  for (int i = 0; i < 2'880; ++i) {
    run.now_us += 30'000'000;
    const Link::Answer answer = link.ping(run.now_us);
    run.clock.add_exchange(answer.exchange);
    run.clock.set_tick(answer.tick, answer.due_us);
    run.clock.advance(answer.exchange.client_receive_us);
  }
  run.now_us += 1'000'000;
  run.next_ping_us = run.now_us;
  run.errors_ms.clear();
  run.play(link, 20'000'000, 10'000'000);
  EXPECT_LT(run.error_ms(1), 3.0);
}

TEST(ServerClock, SlewsByAtMostTwoPercentBelowTheStepLimit) {
  Link link(5);
  link.jitter_us = 20e3;
  Observed run;
  run.play(link, 10'000'000, 1'000'000);
  link.offset_us += 60e3;  // below the step limit of 100 ms
  double before = run.clock.tick();
  for (int i = 0; i < 2'000; ++i) {
    run.play(link, 4'000, 0);
    const double ticks = run.clock.tick() - before;
    ASSERT_GE(ticks * period_us, 4'000 * 0.98 - 1e-3);
    ASSERT_LE(ticks * period_us, 4'000 * 1.02 + 1e-3);
    before = run.clock.tick();
  }
  run.errors_ms.clear();
  run.play(link, 12'000'000, 8'000'000);
  EXPECT_LT(run.error_ms(1), 3.0) << "it converges";
}

TEST(ServerClock, StepsImmediatelyAboveAHundredMilliseconds) {
  for (const double step_us : {5e6, -5e6}) {
    SCOPED_TRACE(testing::Message() << "step " << step_us);
    Link link(9);
    link.jitter_us = 2e3;
    Observed run;
    run.play(link, 10'000'000, 1'000'000);
    link.offset_us += step_us;
    run.on_the_way.clear();  // the answers in flight have timestamps with the old offset
    run.errors_ms.clear();
    run.play(link, 2'000'000, 1'000'000);
    EXPECT_LT(run.error_ms(1), 3.0);
  }
}

TEST(ServerClock, FollowsSkippedServerTicksImmediately) {
  ServerClock clock(test_tick_rate_hz);
  const auto report = [&](std::int64_t now_us, std::uint32_t tick, std::int64_t due_us) {
    ASSERT_TRUE(clock.add_exchange({now_us - 20'000, now_us - 10'000, now_us - 10'000, now_us}));
    ASSERT_TRUE(clock.set_tick({tick}, due_us));
    clock.advance(now_us);
  };
  report(1'000'000, 60, 1'000'000);
  EXPECT_NEAR(clock.tick(), 60, 1e-6);
  report(2'000'000, 116, 2'000'000);  // 56 ticks in a second instead of 60
  EXPECT_NEAR(clock.tick(), 116, 1e-6);
  clock.set_tick({60}, 1'000'000);
  clock.advance(2'100'000);
  EXPECT_NEAR(clock.tick(), 122, 1e-6) << "an old report changes nothing";
}

TEST(ServerClock, RefusesImpossibleTimes) {
  ServerClock clock(test_tick_rate_hz);
  EXPECT_FALSE(clock.add_exchange({1'000, 5'000, 4'000, 2'000})) << "sent before it was received";
  EXPECT_FALSE(clock.add_exchange({1'000, 5'000, 6'500, 2'000}))
      << "processing took longer than the round trip";
  EXPECT_FALSE(clock.add_exchange({0, 0, 0, 60'000'000})) << "a round trip of a minute";
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(clock.add_exchange({0, far, far, 10}));
  EXPECT_FALSE(clock.add_exchange({0, std::numeric_limits<std::int64_t>::min(), 0, 10}));
  EXPECT_FALSE(clock.add_arrival(far, 10));
  EXPECT_FALSE(clock.set_tick({1}, far));
  clock.advance(1'000);
  EXPECT_FALSE(clock.is_set());
}

}  // namespace
}  // namespace jostle::client
