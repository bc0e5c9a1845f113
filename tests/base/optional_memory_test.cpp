#include "shared/base/optional_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>

namespace jostle::base {
namespace {

std::atomic<std::size_t> available{0};
std::atomic<int> questions{0};
std::size_t source() {
  ++questions;
  return available;
}

class OptionalMemory : public testing::Test {
 protected:
  OptionalMemory() { set_memory_source(source); }
  ~OptionalMemory() override { set_memory_source(nullptr); }
};

TEST_F(OptionalMemory, OptionalWorkLeavesAReserve) {
  available = memory_reserve_bytes + 1'000;
  EXPECT_TRUE(may_allocate(std::size_t{1} << 40)) << "other work may try everything";
  const OptionalWork work;
  EXPECT_TRUE(may_allocate(1'000));
  EXPECT_FALSE(may_allocate(std::size_t{2} << 20));
  available = memory_reserve_bytes - 1;
  EXPECT_FALSE(may_allocate(std::size_t{2} << 20));
}

TEST_F(OptionalMemory, TheSourceIsAskedOncePerMebibyte) {
  available = memory_reserve_bytes * 4;
  const OptionalWork work;
  questions = 0;
  for (int i = 0; i < 10 * 1'024; ++i)
    EXPECT_TRUE(may_allocate(1'024));
  EXPECT_GE(questions, 10);
  EXPECT_LE(questions, 12);
}

TEST_F(OptionalMemory, AThreadWithoutMemoryWaitsUntilOptionalWorkHasGivenUp) {
  available = memory_reserve_bytes * 4;
  std::atomic<bool> has_begun{false}, has_freed{false};
  std::thread worker([&] {
    const OptionalWork work;
    // The limit ends the thread if nothing makes it give up.
    for (int i = 0; i < 1'000'000'000 && may_allocate(1); ++i)
      has_begun = true;
    has_freed = true;  // as the destructors do after std::bad_alloc
  });
  while (!has_begun)
    std::this_thread::yield();
  EXPECT_TRUE(wait_for_memory());
  EXPECT_TRUE(has_freed);
  worker.join();
}

TEST_F(OptionalMemory, NothingWaitsIfThereIsNoOptionalWork) {
  EXPECT_FALSE(wait_for_memory());
  const OptionalWork work;
  EXPECT_FALSE(wait_for_memory()) << "the work cannot wait for itself";
}

}  // namespace
}  // namespace jostle::base
