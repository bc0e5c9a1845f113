#include "shared/journal/writer_thread.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace jostle::journal {
namespace {

TEST(WriterThread, RunsJobsInOrderAndEndsEachBatch) {
  WriterThread thread;
  std::vector<int> order;
  int batches = 0;
  thread.at_end_of_batch(&order, [&] { ++batches; });
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(thread.post(1, [&order, i] { order.push_back(i); }));
  ASSERT_TRUE(thread.drain(60));
  ASSERT_EQ(order.size(), 100U);
  EXPECT_EQ(order.back(), 99);
  EXPECT_GE(batches, 1);
  thread.forget(&order);
}

TEST(WriterThread, RefusesJobsInsteadOfWaitingForAStalledDisk) {
  WriterThread thread({.most_jobs = 10, .most_bytes = 1'000});
  std::promise<void> go_on;
  std::promise<void> begun;
  ASSERT_TRUE(thread.post(1, [&] {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(thread.post(5'000, [] {}));  // alone in the queue
  EXPECT_FALSE(thread.post(1, [] {}));     // beyond the bytes
  EXPECT_FALSE(thread.drain(0.01));
  go_on.set_value();
  ASSERT_TRUE(thread.drain(60));
  EXPECT_TRUE(thread.post(1, [] {}));
}

TEST(WriterThread, RunsTheQueuedJobsBeforeItEnds) {
  int ran = 0;
  {
    WriterThread thread;
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(thread.post(1, [&] { ++ran; }));
  }
  EXPECT_EQ(ran, 50);
}

}  // namespace
}  // namespace jostle::journal
