#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Adds a ground, boxes, spheres and capsules, some with rolling or spinning resistance, a wall,
/// spinning bodies in the air, and a plate with more contacts than there are graph colours.
void add_rich_scene(World& world) {
  add_ground(world);
  add_mixed_rain(world, 120, 11);
  base::Random random(5);
  for (int i = 0; i < 12; ++i) {
    ShapeDef def = shape_def(random_shape(random));
    def.material.rolling_resistance = 0.01f * static_cast<float>(i % 3);
    def.material.spinning_resistance = 0.01f * static_cast<float>(i % 2);
    const BodyHandle body = add_body(world, MotionType::Dynamic, {{i - 6.0, 3, 8}, {}}, def);
    world.set_velocity(body, random_vector(random, 6), random_vector(random, 20));
  }
  for (int i = 0; i < 6; ++i) {
    for (int k = i; k < 6; ++k) {
      add_dynamic(world, {12 + 0.5 * (i + 1) + (k - i), i + 0.5, 0},
                  state::box({0.5f, 0.5f, 0.5f}));
    }
  }
  add_dynamic(world, {-20, 0.25, 0}, state::box({5, 0.25f, 5}));
  for (int i = 0; i < 9; ++i) {
    for (int k = 0; k < 9; ++k) {
      add_dynamic(world, {-24.0 + i, 0.75 + 0.001 * k, -4.0 + k}, state::box({0.3f, 0.25f, 0.3f}));
    }
  }
}

/// Returns the hash after every step of the rich scene with a moving and turning platform.
std::vector<std::uint64_t> rich_hashes(const Execution& execution, int steps,
                                       void (*disturbance)(int, std::uint32_t) = nullptr) {
  World world{WorldOptions{}};
  world.set_execution(execution);
  world.set_schedule_disturbance(disturbance);
  add_rich_scene(world);
  const BodyHandle platform = add_body(world, MotionType::Kinematic, {{0, 0.2, 0}, {}},
                                       shape_def(state::box({1.5f, 0.2f, 1.5f})));
  world.set_velocity(platform, {0.1f, 0, 0}, {0, 0.5f, 0});
  std::vector<std::uint64_t> out;
  for (int i = 0; i < steps; ++i) {
    world.step();
    out.push_back(world.hash().total);
  }
  return out;
}

TEST(Execution, IsBitIdenticalForAllSimdLevels) {
  constexpr int steps = 150;
  const std::vector<std::uint64_t> plain = rich_hashes({1, simd::InstructionSet::Plain}, steps);
  int levels = 0;
  for (const simd::InstructionSet level : simd::all_instruction_sets) {
    if (!simd::is_supported(level) || level == simd::InstructionSet::Plain) continue;
    SCOPED_TRACE(simd::name_of(level));
    EXPECT_EQ(rich_hashes({1, level}, steps), plain);
    ++levels;
  }
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_GT(levels, 0) << "no other SIMD level was compared";
#endif
}

TEST(Execution, IsBitIdenticalForAllThreadCounts) {
  constexpr int steps = 100;
  const Execution one;
  const std::vector<std::uint64_t> serial = rich_hashes(one, steps);
  for (const int threads : {2, 3, 4, 8}) {
    SCOPED_TRACE(threads);
    EXPECT_EQ(rich_hashes({threads, one.simd}, steps), serial);
  }
}

std::atomic<std::uint32_t> disturbed_threads{0};

/// Delays a thread at random, by an amount that depends on all earlier calls of all threads.
void delay_at_random(int thread, std::uint32_t block) {
  static std::atomic<std::uint32_t> seed{1};
  disturbed_threads |= 1U << thread;
  const std::uint32_t draw = seed.fetch_add(0x9E3779B9U) * 747796405U + block;
  if ((draw >> 28) != 0) return;
  for (std::uint32_t turns = draw >> 16 & 0x3FU; turns != 0; --turns)
    std::this_thread::yield();
}

TEST(Execution, ThreadDelaysDoNotChangeResults) {
  constexpr int steps = 60;
  const Execution one;
  const std::vector<std::uint64_t> serial = rich_hashes(one, steps);
  disturbed_threads = 0;
  for (const int threads : {2, 4}) {
    SCOPED_TRACE(threads);
    EXPECT_EQ(rich_hashes({threads, one.simd}, steps, delay_at_random), serial);
  }
  EXPECT_NE(disturbed_threads & ~1U, 0U) << "only the caller's thread took part";
}

TEST(Execution, RestoredWorldContinuesBitExactlyWithAnotherExecution) {
  World world{WorldOptions{}};
  add_rich_scene(world);
  run(world, 50);
  World copy{WorldOptions{}};
  copy.set_execution({3, simd::InstructionSet::Plain});
  const std::vector<std::byte> bytes = saved(world);
  base::ByteReader reader(bytes);
  ASSERT_TRUE(copy.restore(reader).has_value());
  EXPECT_EQ(copy.execution(), (Execution{3, simd::InstructionSet::Plain}))
      << "the execution must not be part of the save";
  for (int i = 0; i < 50; ++i) {
    world.step();
    copy.step();
    ASSERT_EQ(copy.hash(), world.hash()) << "step " << i;
  }
}

double ticks = 0;
double count_ticks() {
  return ticks += 1;
}

TEST(Execution, StageClockMeasuresEveryStageAndChangesNoResult) {
  World world{WorldOptions{}}, timed{WorldOptions{}};
  for (World* w : {&world, &timed}) {
    add_ground(*w);
    add_stack(*w, 3);
  }
  timed.set_stage_clock(count_ticks);
  run(world, 10);
  run(timed, 10);
  EXPECT_EQ(world.hash(), timed.hash());
  EXPECT_TRUE(world.stage_spans().empty());
  for (std::size_t i = 0; i < stage_count; ++i) {
    SCOPED_TRACE(name_of(static_cast<Stage>(i)));
    EXPECT_EQ(world.stats().stage_seconds[i], 0);
    EXPECT_GT(timed.stats().stage_seconds[i], 0);
  }
  double before = 0;
  for (const StageSpan& span : timed.stage_spans()) {
    EXPECT_LE(before, span.begin);
    EXPECT_LT(span.begin, span.end);
    before = span.end;
  }
}

}  // namespace
}  // namespace jostle::physics
