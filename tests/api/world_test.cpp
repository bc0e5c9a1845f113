// Tests of jostle/physics/world.h and state.h against libjostle.so.
#include "tests/api/api_test.h"

#include <cmath>
#include <cstring>
#include <vector>

namespace jostle::api_test {
namespace {

TEST(ApiBase, VersionIsThatOfTheHeaders) {
  const std::string version = std::to_string(JOSTLE_VERSION_MAJOR) + "." +
                              std::to_string(JOSTLE_VERSION_MINOR) + "." +
                              std::to_string(JOSTLE_VERSION_PATCH);
  EXPECT_EQ(version, jostle_version());
}

TEST(ApiBase, EveryResultHasAName) {
  EXPECT_STREQ("JOSTLE_OK", jostle_result_name(JOSTLE_OK));
  for (jostle_result result = 1; result <= JOSTLE_ERROR_INTERRUPTED; ++result)
    EXPECT_EQ(0, std::strncmp(jostle_result_name(result), "JOSTLE_ERROR_", 13)) << result;
  EXPECT_STREQ("unknown result", jostle_result_name(JOSTLE_ERROR_INTERRUPTED + 1));
}

TEST(ApiWorld, HasTheSettingsItWasCreatedWith) {
  jostle_world_def def = World::defaults();
  def.gravity = {1, 2, 3};
  def.substeps = 7;
  def.is_sleeping_enabled = 0;
  def.contact_hertz = 40;
  const World world(def);
  jostle_world_def read;
  read.size = sizeof read;
  JOSTLE_ASSERT_OK(jostle_world_get_def(world, &read));
  EXPECT_EQ(0, std::memcmp(&def, &read, sizeof def));
}

TEST(ApiWorld, FallsByGravityAndFollowsAChangeOfIt) {
  const World world;
  const jostle_body ball = world.add_ball({0, 10, 0});
  world.step(60);
  EXPECT_NEAR(10 - 0.5 * 9.81, world.pose(ball).position.y, 0.1);
  JOSTLE_ASSERT_OK(jostle_world_set_gravity(world, {0, 0, 0}));
  const float speed = world.velocity(ball).y;
  JOSTLE_ASSERT_OK(jostle_world_step(world));
  EXPECT_EQ(speed, world.velocity(ball).y);
}

TEST(ApiWorld, IsStaleAfterItWasDestroyedAlsoWhenItsSlotIsReused) {
  jostle_world_def def = World::defaults();
  jostle_world old{};
  JOSTLE_ASSERT_OK(jostle_world_create(&def, &old));
  EXPECT_EQ(1, jostle_world_is_alive(old));
  JOSTLE_ASSERT_OK(jostle_world_destroy(old));
  EXPECT_EQ(0, jostle_world_is_alive(old));
  std::vector<jostle_world> created(JOSTLE_MAX_WORLDS);
  for (jostle_world& world : created)
    JOSTLE_ASSERT_OK(jostle_world_create(&def, &world));
  jostle_world extra{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_LIMIT, "4096 worlds", jostle_world_create(&def, &extra));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_STALE_HANDLE, "does not exist", jostle_world_step(old));
  for (const jostle_world& world : created)
    JOSTLE_EXPECT_OK(jostle_world_destroy(world));
}

TEST(ApiWorld, GivesTheSameBitsWithEveryExecution) {
  const World one, many;
  for (const World* world : {&one, &many}) {
    world->add_ground();
    for (int i = 0; i < 200; ++i)
      world->add_cube({static_cast<double>(i % 10) * 0.9, 1.0 + i / 10 * 1.1, 0.01 * i});
  }
  jostle_execution execution;
  jostle_execution_default(&execution);
  EXPECT_EQ(1, execution.threads);
  EXPECT_EQ(1, jostle_simd_is_supported(execution.simd));
  execution.threads = 3;
  execution.simd = JOSTLE_SIMD_PLAIN;
  JOSTLE_ASSERT_OK(jostle_world_set_execution(many, &execution));
  jostle_execution read;
  read.size = sizeof read;
  JOSTLE_ASSERT_OK(jostle_world_get_execution(many, &read));
  EXPECT_EQ(0, std::memcmp(&execution, &read, sizeof read));
  one.step(30);
  many.step(30);
  EXPECT_EQ(one.hash(), many.hash());
}

double clock_value = 0;
double fake_clock() {
  return clock_value += 0.001;
}

TEST(ApiWorld, ReportsStatisticsCountsAndStageTimes) {
  const World world;
  world.add_ground();
  world.add_cube({0, 0.5, 0});
  JOSTLE_ASSERT_OK(jostle_world_set_clock(world, fake_clock));
  world.step(2);
  jostle_statistics statistics;
  statistics.size = sizeof statistics;
  JOSTLE_ASSERT_OK(jostle_world_get_statistics(world, &statistics));
  EXPECT_EQ(2U, statistics.bodies);
  EXPECT_EQ(1U, statistics.awake_bodies);
  EXPECT_EQ(1U, statistics.touching_pairs);
  EXPECT_EQ(4U, statistics.contact_points);
  EXPECT_GT(statistics.stage_seconds[JOSTLE_STAGE_COLLIDE], 0);
  JOSTLE_ASSERT_OK(jostle_world_set_clock(world, nullptr));
  jostle_counts counts;
  counts.size = sizeof counts;
  JOSTLE_ASSERT_OK(jostle_world_get_counts(world, &counts));
  EXPECT_EQ(2U, counts.bodies);
  EXPECT_EQ(2U, counts.shapes);
  EXPECT_EQ(0U, counts.joints);
  EXPECT_STREQ("collide", jostle_stage_name(JOSTLE_STAGE_COLLIDE));
  EXPECT_STREQ("unknown", jostle_stage_name(JOSTLE_STAGE_COUNT));
  EXPECT_STREQ("unknown", jostle_stage_name(-1));
}

std::vector<std::byte> saved(jostle_world world) {
  std::size_t size = 0;
  EXPECT_EQ(JOSTLE_OK, jostle_world_save(world, nullptr, 0, &size));
  std::vector<std::byte> bytes(size);
  EXPECT_EQ(JOSTLE_OK, jostle_world_save(world, bytes.data(), bytes.size(), &size));
  return bytes;
}

TEST(ApiState, RestoreAndCopyContinueWithTheSameBits) {
  const World world, restored, copied;
  world.add_ground();
  for (int i = 0; i < 5; ++i)
    world.add_cube({0.1 * i, 0.6 + 1.1 * i, 0});
  world.step(20);
  const std::vector<std::byte> bytes = saved(world);
  JOSTLE_ASSERT_OK(jostle_world_restore(restored, bytes.data(), bytes.size()));
  JOSTLE_ASSERT_OK(jostle_world_copy(world, copied));
  JOSTLE_ASSERT_OK(jostle_world_copy(world, world));
  for (const World* each : {&world, &restored, &copied})
    each->step(60);
  EXPECT_EQ(world.hash(), restored.hash());
  EXPECT_EQ(world.hash(), copied.hash());
  char text[200] = "x";
  JOSTLE_ASSERT_OK(jostle_world_compare(world, copied, text, sizeof text));
  EXPECT_STREQ("", text);
}

TEST(ApiState, RefusesADamagedSaveAndKeepsTheWorld) {
  const World world;
  world.add_ball({0, 3, 0});
  world.step(3);
  std::vector<std::byte> bytes = saved(world);
  const std::uint64_t before = world.hash();
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "ends too early",
                      jostle_world_restore(world, bytes.data(), bytes.size() / 2));
  bytes[0] ^= std::byte{0xFF};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "not a save",
                      jostle_world_restore(world, bytes.data(), bytes.size()));
  EXPECT_EQ(before, world.hash());
}

TEST(ApiState, SaveReportsTheSizeOfABufferThatIsTooSmall) {
  const World world;
  world.add_ball({0, 3, 0});
  char small[8] = "abcdefg";
  std::size_t size = 0;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_BUFFER_TOO_SMALL, "holds 8 bytes",
                      jostle_world_save(world, small, sizeof small, &size));
  EXPECT_GT(size, 8U);
  EXPECT_STREQ("abcdefg", small);
}

TEST(ApiState, CompareNamesTheNumberThatDiffers) {
  const World a, b;
  jostle_body body{};
  for (const World* world : {&a, &b})
    body = world->add_ball({0, 3, 0});
  JOSTLE_ASSERT_OK(jostle_body_set_velocity(b, body, {0, 1, 0}, {0, 0, 0}));
  char text[200];
  JOSTLE_ASSERT_OK(jostle_world_compare(a, b, text, sizeof text));
  EXPECT_NE(std::string::npos, std::string(text).find("linear_velocity.y")) << text;
  std::uint64_t hash_a = 0, hash_b = 0;
  JOSTLE_ASSERT_OK(jostle_body_get_hash(a, body, &hash_a));
  JOSTLE_ASSERT_OK(jostle_body_get_hash(b, body, &hash_b));
  EXPECT_NE(hash_a, hash_b);
}

TEST(ApiState, ListsEveryNumberAndFlipsOne) {
  const World world;
  const jostle_body body = world.add_ball({0, 3, 0});
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_world_get_state(world, nullptr, 0, 0, &count));
  std::vector<jostle_state_number> numbers(count);
  JOSTLE_ASSERT_OK(jostle_world_get_state(world, numbers.data(), 0, count, &count));
  const auto height = [](const jostle_state_number& number) {
    return std::string(number.name) == "position" && number.component != nullptr &&
           *number.component == 'y';
  };
  const auto found = std::find_if(numbers.begin(), numbers.end(), height);
  ASSERT_NE(numbers.end(), found);
  EXPECT_STREQ("bodies", found->part);
  EXPECT_EQ(JOSTLE_NUMBER_F64, found->kind);
  const std::uint64_t before = world.hash();
  JOSTLE_ASSERT_OK(jostle_body_flip_lowest_bit(world, body, "position.y"));
  EXPECT_NE(before, world.hash());
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "no number 'size'",
                      jostle_body_flip_lowest_bit(world, body, "size"));
}

struct HookLog {
  std::vector<jostle_stage> stages;
  std::uint64_t last = 0;
};
void log_stage(void* user, jostle_stage stage, const jostle_state_hash* hash) {
  auto* const log = static_cast<HookLog*>(user);
  log->stages.push_back(stage);
  log->last = hash->total;
}

TEST(ApiState, StageHookReceivesTheHashAfterEachStage) {
  const World world;
  world.add_ball({0, 3, 0});
  HookLog log;
  JOSTLE_ASSERT_OK(jostle_world_set_stage_hook(world, log_stage, &log));
  world.step(1);
  EXPECT_EQ(log.stages, (std::vector<jostle_stage>{0, 1, 2, 8, 15, 16, 17}));
  EXPECT_EQ(log.last, world.hash());
  JOSTLE_ASSERT_OK(jostle_world_set_stage_hook(world, nullptr, nullptr));
  world.step(1);
  EXPECT_EQ(7U, log.stages.size());
}

struct Reentry {
  jostle_world world{};
  jostle_result result = JOSTLE_OK;
};
void step_again(void* user, jostle_stage, const jostle_state_hash*) {
  auto* const reentry = static_cast<Reentry*>(user);
  reentry->result = jostle_world_destroy(reentry->world);
}

TEST(ApiWorld, RefusesCallsFromWithinAStep) {
  const World world;
  Reentry reentry{world, JOSTLE_OK};
  JOSTLE_ASSERT_OK(jostle_world_set_stage_hook(world, step_again, &reentry));
  world.step(1);
  EXPECT_EQ(JOSTLE_ERROR_BUSY, reentry.result);
  EXPECT_EQ(1, jostle_world_is_alive(world));
}

}  // namespace
}  // namespace jostle::api_test
