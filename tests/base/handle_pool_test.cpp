#include "shared/base/handle_pool.h"

#include <gtest/gtest.h>

namespace jostle::base {
namespace {

using Pool = HandlePool<struct TestTag>;

TEST(HandlePool, HandleOfADestroyedSlotIsDead) {
  Pool pool;
  const auto first = pool.create();
  pool.destroy(first);
  const auto second = pool.create();
  EXPECT_EQ(second.index, first.index);
  EXPECT_FALSE(pool.is_alive(first));
  EXPECT_TRUE(pool.is_alive(second));
}

TEST(HandlePool, NullHandleIsNeverAlive) {
  Pool pool;
  EXPECT_FALSE(pool.is_alive({}));
  (void)pool.create();
  EXPECT_FALSE(pool.is_alive({}));
}

TEST(HandlePool, RestoredPoolAllocatesTheSameHandles) {
  Pool pool;
  const auto a = pool.create();
  const auto b = pool.create();
  (void)pool.create();
  pool.destroy(b);
  pool.destroy(a);

  Pool copy;
  ASSERT_TRUE(copy.restore({pool.generations().begin(), pool.generations().end()},
                           {pool.free_slots().begin(), pool.free_slots().end()}));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(copy.create(), pool.create()) << i;
}

TEST(HandlePool, RestoreRejectsInconsistentLists) {
  Pool pool;
  EXPECT_FALSE(pool.restore({0, 1}, {}));   // slot 1 is free but not in the list
  EXPECT_FALSE(pool.restore({0, 1}, {0}));  // slot 0 is alive but in the list
  EXPECT_FALSE(pool.restore({1}, {0, 0}));  // slot 0 is in the list twice
  EXPECT_FALSE(pool.restore({1}, {7}));     // slot 7 does not exist
  EXPECT_TRUE(pool.restore({0, 1}, {1}));
}

}  // namespace
}  // namespace jostle::base
