#include "client/frame_loss_meter.h"

#include <gtest/gtest.h>

namespace jostle::client {
namespace {

TEST(FrameLossMeter, ReportsNoLossIfAllArrived) {
  FrameLossMeter arrivals;
  EXPECT_EQ(arrivals.loss(), 0);
  for (std::uint32_t tick = 100; tick < 400; ++tick) {
    arrivals.add({tick});
    EXPECT_EQ(arrivals.loss(), 0);
  }
}

TEST(FrameLossMeter, ReportsOneFifthIfEveryFifthIsLost) {
  FrameLossMeter arrivals;
  for (std::uint32_t tick = 100; tick < 600; ++tick)
    if (tick % 5 != 0) arrivals.add({tick});
  EXPECT_NEAR(arrivals.loss(), 0.2, 0.01);
}

TEST(FrameLossMeter, DoesNotCountLateOrDuplicateMessagesAsLost) {
  FrameLossMeter arrivals;
  for (std::uint32_t tick = 100; tick < 600; tick += 10) {
    for (const std::uint32_t late : {7U, 3U, 9U, 0U, 1U, 2U, 4U, 4U, 5U, 6U, 8U})
      arrivals.add({tick + late});
  }
  EXPECT_EQ(arrivals.loss(), 0);
}

TEST(FrameLossMeter, ForgetsOldLosses) {
  FrameLossMeter arrivals;
  arrivals.add({1});
  arrivals.add({4'000'000'000});
  EXPECT_EQ(arrivals.loss(), 1);
  arrivals.add({1});
  EXPECT_EQ(arrivals.loss(), 1);
}

}  // namespace
}  // namespace jostle::client
