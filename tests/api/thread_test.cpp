// Tests that several threads can use libjostle.so at the same time.
#include "tests/api/api_test.h"

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace jostle::api_test {
namespace {

constexpr int thread_count = 4;

/// Runs `work(thread number)` on several threads.
template <typename Work>
void run_threads(const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i)
    threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads)
    thread.join();
}

TEST(ApiThreads, DifferentWorldsStepAtTheSameTime) {
  std::array<std::uint64_t, thread_count> hashes{};
  run_threads([&](int thread) {
    const World world;
    world.add_ground();
    for (int i = 0; i < 5; ++i)
      world.add_cube({0.1 * i, 0.6 + 1.1 * i, 0});
    world.step(100);
    hashes[static_cast<std::size_t>(thread)] = world.hash();
  });
  for (const std::uint64_t hash : hashes)
    EXPECT_EQ(hashes[0], hash);
}

TEST(ApiThreads, AWorldThatAnotherThreadChangesIsBusyAndStaysIntact) {
  const World shared, alone;
  jostle_body ball{};
  for (const World* world : {&shared, &alone})
    ball = world->add_ball({0, 100, 0});
  std::atomic<int> steps{0};
  run_threads([&](int) {
    for (int i = 0; i < 200; ++i) {
      const jostle_result stepped = jostle_world_step(shared);
      if (stepped == JOSTLE_OK) ++steps;
      jostle_pose pose{};
      const jostle_result read = jostle_body_get_pose(shared, ball, &pose);
      EXPECT_TRUE(stepped == JOSTLE_OK || stepped == JOSTLE_ERROR_BUSY) << stepped;
      EXPECT_TRUE(read == JOSTLE_OK || read == JOSTLE_ERROR_BUSY) << read;
    }
  });
  alone.step(steps);
  EXPECT_EQ(alone.hash(), shared.hash());
}

TEST(ApiThreads, ManyThreadsReadAWorldAtTheSameTime) {
  const World world;
  const jostle_body ball = world.add_ball({0, 5, 0});
  const jostle_ray ray{{0, 10, 0}, {0, -20, 0}};
  run_threads([&](int) {
    for (int i = 0; i < 500; ++i) {
      jostle_cast_hit hit{};
      EXPECT_EQ(JOSTLE_OK, jostle_world_cast_ray(world, &ray, nullptr, &hit));
      EXPECT_EQ(ball.index, hit.body.index);
    }
  });
}

TEST(ApiThreads, EachThreadHasItsOwnMessage) {
  jostle_world_destroy({1, 2});
  const std::string mine = jostle_last_error();
  run_threads([](int thread) {
    const auto index = static_cast<std::uint32_t>(10 + thread);
    for (int i = 0; i < 100; ++i) {
      jostle_world_destroy({index, 2});
      EXPECT_NE(std::string::npos,
                std::string(jostle_last_error()).find("{" + std::to_string(index) + ", 2}"));
    }
  });
  EXPECT_EQ(mine, jostle_last_error());
}

}  // namespace
}  // namespace jostle::api_test
