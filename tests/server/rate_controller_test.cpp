#include "server/rate_controller.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::server {
namespace {

/// A link whose bottleneck has a queue of limited size, followed by a constant round-trip time.
/// Packets that do not fit in the queue are lost. A random share `loss` of the other packets is
/// lost too.
struct Link {
  double bytes_per_second = 125'000;
  double queue_bytes = 60'000;
  std::int64_t round_trip_us = 40'000;
  std::int64_t jitter_us = 0;
  float loss = 0;
};

constexpr std::int64_t tick_us = 16'667;
constexpr std::uint32_t part_bytes = 1'100;

/// Sends at the controller's rate, but at most at `wanted_bytes_per_second`, and reports
/// acknowledgements to the controller. `most` is the limit of the controller in bytes/s.
class Sender {
 public:
  Sender(const Link& link, double wanted_bytes_per_second, double most = 4e6)
      : link_(link), wanted_(wanted_bytes_per_second), controller_(most) {}

  void run(double seconds) {
    const std::int64_t end_us = now_us_ + static_cast<std::int64_t>(seconds * 1e6);
    for (; now_us_ < end_us; now_us_ += tick_us)
      tick();
  }
  Link& link() { return link_; }
  const RateController& controller() const { return controller_; }
  /// The throughput, and the 95th percentile of the queueing delay, during a call of measure().
  struct Measured {
    double arrived_bytes_per_second = 0, queue_us_p95 = 0;
  };
  Measured measure(double seconds) {
    arrived_ = 0;
    waits_us_.clear();
    run(seconds);
    std::sort(waits_us_.begin(), waits_us_.end());
    return {arrived_ / seconds, waits_us_.empty() ? 0 : waits_us_[waits_us_.size() * 95 / 100]};
  }

 private:
  struct Ack {
    state::Tick tick;
    std::int64_t at_us = 0;
  };

  void tick() {
    ++tick_.number;
    std::erase_if(acks_, [&](const Ack& ack) {
      if (ack.at_us > now_us_) return false;
      controller_.note_acknowledged(ack.tick, 1, now_us_);
      return true;
    });
    controller_.advance(now_us_);
    const double allowed = std::min(controller_.bytes_per_second(), wanted_) * tick_us * 1e-6;
    token_bucket_ = std::min(token_bucket_ + allowed, 10.0 * part_bytes + allowed);
    std::uint32_t parts = 0;
    for (; token_bucket_ >= part_bytes; token_bucket_ -= part_bytes, ++parts)
      send_part();
    controller_.note_sent(tick_, parts, parts * part_bytes,
                          controller_.bytes_per_second() < wanted_, now_us_);
  }

  void send_part() {
    const double behind_us = std::max(free_at_us_ - static_cast<double>(now_us_), 0.0);
    if (behind_us * 1e-6 * link_.bytes_per_second > link_.queue_bytes) return;
    free_at_us_ =
        static_cast<double>(now_us_) + behind_us + part_bytes / link_.bytes_per_second * 1e6;
    if (random_.chance(link_.loss)) return;
    waits_us_.push_back(behind_us);
    arrived_ += part_bytes;
    const std::int64_t jitter =
        link_.jitter_us == 0 ? 0 : random_.below(static_cast<std::uint32_t>(link_.jitter_us));
    acks_.push_back({tick_, static_cast<std::int64_t>(free_at_us_) + link_.round_trip_us + jitter});
  }

  Link link_;
  double wanted_ = 0;
  RateController controller_;
  base::Random random_{7};
  std::int64_t now_us_ = 1'000'000;
  state::Tick tick_;
  double free_at_us_ = 0, token_bucket_ = 0, arrived_ = 0;
  std::vector<Ack> acks_;
  std::vector<double> waits_us_;
};

TEST(RateController, FillsALinkWithoutFillingItsQueue) {
  for (const double capacity : {30'000.0, 125'000.0, 1'000'000.0}) {
    for (const std::int64_t round_trip_us : {2'000, 40'000, 300'000}) {
      SCOPED_TRACE(testing::Message() << capacity << " B/s, " << round_trip_us << " us");
      Sender sender(
          {.bytes_per_second = capacity, .queue_bytes = capacity, .round_trip_us = round_trip_us},
          1e9);
      sender.run(20);
      const auto measured = sender.measure(20);
      EXPECT_GT(measured.arrived_bytes_per_second, 0.75 * capacity);
      // At 30 kB/s, the transmission of a single part takes 37 ms.
      EXPECT_LT(measured.queue_us_p95,
                90'000 + 0.5 * static_cast<double>(round_trip_us) + 2e6 * part_bytes / capacity);
    }
  }
}

// Data of other kinds, such as blobs, arrives as well as snapshots do.
TEST(RateController, GrowsWhileReliableMessagesUseMostOfTheRate) {
  const auto rate_after = [](double reliable_bytes) {
    RateController controller(1e9);
    std::int64_t now_us = 1'000'000;
    for (std::uint32_t tick = 1; tick < 600; ++tick, now_us += tick_us) {
      controller.note_sent({tick}, 1, 30, true, now_us);
      if (tick > 3) controller.note_acknowledged({tick - 3}, 1, now_us);
      controller.note_reliable(reliable_bytes, {}, now_us);
      controller.advance(now_us);
    }
    return controller.bytes_per_second();
  };
  EXPECT_EQ(rate_after(0), RateController::first_bytes_per_second);
  EXPECT_GT(rate_after(3'000), RateController::first_bytes_per_second);
}

TEST(RateController, RandomLossDoesNotReduceTheRate) {
  for (const float loss : {0.01f, 0.1f, 0.3f}) {
    SCOPED_TRACE(loss);
    Sender sender({.bytes_per_second = 1e9, .loss = loss}, 600'000);
    sender.run(15);
    EXPECT_GT(sender.measure(20).arrived_bytes_per_second, 0.9 * 600'000 * (1 - double{loss}));
  }
}

TEST(RateController, JitterDoesNotReduceTheRate) {
  Sender sender({.bytes_per_second = 1e9, .jitter_us = 60'000}, 600'000);
  sender.run(10);
  EXPECT_GT(sender.measure(20).arrived_bytes_per_second, 0.95 * 600'000);
}

TEST(RateController, DoesNotFloodALinkWithAPolicer) {
  Sender sender({.bytes_per_second = 125'000, .queue_bytes = 1'200}, 1e9);
  sender.run(20);
  const auto measured = sender.measure(30);
  EXPECT_GT(measured.arrived_bytes_per_second, 0.6 * 125'000);
  EXPECT_LT(sender.controller().bytes_per_second(), 1.5 * 125'000);
}

TEST(RateController, AdaptsToALinkWhoseCapacityChanges) {
  Sender sender({.bytes_per_second = 1e6, .queue_bytes = 1e5}, 1e9);
  sender.run(15);
  sender.link().bytes_per_second = 100'000;
  sender.run(3);
  EXPECT_LT(sender.controller().bytes_per_second(), 140'000);
  sender.link().bytes_per_second = 1e6;
  sender.run(15);
  EXPECT_GT(sender.measure(5).arrived_bytes_per_second, 0.7e6);
}

TEST(RateController, DoesNotGrowWhileTheRateIsUnusedOrBeyondItsLimit) {
  Sender quiet({.bytes_per_second = 1e9}, 20'000);
  quiet.run(30);
  EXPECT_EQ(quiet.controller().bytes_per_second(), RateController::first_bytes_per_second);
  Sender loud({.bytes_per_second = 1e9}, 1e9, 500'000);
  loud.run(30);
  EXPECT_EQ(loud.controller().bytes_per_second(), 500'000);
}

// The loss of a world change causes an outage like this one: later snapshots cannot be decoded
// until the change is sent again.
TEST(RateController, ABriefOutageDoesNotReduceTheRateOfAClientThatIsSentLittle) {
  Sender sender({.bytes_per_second = 1e9, .loss = 0.1f}, 60'000);
  sender.run(5);
  sender.link().loss = 1;
  sender.run(0.7);
  sender.link().loss = 0.1f;
  for (int i = 0; i < 60; ++i) {
    sender.run(0.1);
    ASSERT_EQ(sender.controller().bytes_per_second(), RateController::first_bytes_per_second);
  }
}

TEST(RateController, SilenceReducesTheRateToTheMinimum) {
  Sender sender({.bytes_per_second = 1e6}, 1e9);
  sender.run(10);
  sender.link().loss = 1;
  sender.run(20);
  EXPECT_EQ(sender.controller().bytes_per_second(), RateController::min_bytes_per_second);
}

TEST(RateController, IgnoresAcknowledgementsOfTicksThatWereNotSent) {
  RateController controller(1e6);
  controller.note_acknowledged({7}, 3, 1'000);
  controller.note_sent({5}, 1, 100, false, 2'000);
  controller.note_acknowledged({7}, 3, 3'000);
  EXPECT_FALSE(controller.round_trip_us());
  controller.note_acknowledged({5}, 200, 4'000);
  EXPECT_EQ(controller.round_trip_us(), 2'000);
}

}  // namespace
}  // namespace jostle::server
