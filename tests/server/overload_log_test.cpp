#include "server/overload_log.h"

#include "shared/net/virtual_network.h"
#include "tests/server/fake_transport.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::server {
namespace {

class OverloadLogTest : public testing::Test {
 protected:
  std::string logged(const auto& action) {
    testing::internal::CaptureStderr();
    action();
    return testing::internal::GetCapturedStderr();
  }
  /// A tick of 60 Hz whose step takes `step_us`.
  void tick(std::int64_t step_us) {
    log_.enter(Phase::Receive, now_us_ += 1'000);
    log_.enter(Phase::Simulate, now_us_ += 500);
    log_.enter(Phase::Encode, now_us_ += step_us);
    log_.enter(Phase::Other, now_us_ += 500);
    log_.end_tick(now_us_, clients_);
  }

  net::VirtualNetwork network_{1};
  FakeTransport transport_;
  Metrics metrics_;
  Clients clients_{network_.node(*net::parse_ip("10.0.0.1")), transport_, metrics_};
  OverloadLog log_{60};
  std::int64_t now_us_ = 1'000'000;
};

TEST_F(OverloadLogTest, NamesTheStageOfALongTick) {
  EXPECT_EQ(logged([&] { tick(10'000); }), "");
  EXPECT_EQ(logged([&] { tick(40'000); }),
            "warn tick too long ms=41 limit_ms=16.666 stage=simulate stage_ms=40 long_ticks=1\n");
  EXPECT_EQ(logged([&] {
              for (int i = 0; i < 10; ++i)
                tick(40'000);
            }),
            "")
      << "one line per second";
  now_us_ += 1'000'000;
  EXPECT_NE(logged([&] { tick(40'000); }).find("long_ticks=11"), std::string::npos);
}

TEST_F(OverloadLogTest, NamesTheStageThatSkippedTicks) {
  (void)logged([&] { tick(500'000); });
  metrics_.ticks_skipped = 29;
  EXPECT_EQ(logged([&] { log_.note_skipped(29, clients_); }),
            "warn ticks skipped count=29 total=29 stage=simulate stage_ms=500\n");
  (void)logged([&] { tick(1'000); });
  now_us_ += 3'000'000;
  (void)logged([&] { tick(1'000); });
  EXPECT_NE(logged([&] {
              log_.note_skipped(1, clients_);
            }).find("stage=\"none: the process did not run\" stage_ms=3001"),
            std::string::npos);
}

}  // namespace
}  // namespace jostle::server
