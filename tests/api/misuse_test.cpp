// Tests that libjostle.so refuses wrong arguments with a message and without a change of the world.
// contract_test.py calls every function with null arguments.
#include "tests/api/api_test.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace jostle::api_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

/// Expects that the creation of a body fails after `change`, with `part` in the message.
void expect_refused(const char* part, const std::function<void(jostle_body_def&)>& change) {
  const World world;
  jostle_body_def def;
  jostle_body_def_default(&def);
  change(def);
  jostle_body body{};
  const std::uint64_t before = world.hash();
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, part, jostle_body_create(world, &def, &body));
  EXPECT_EQ(0U, body.index);
  EXPECT_EQ(before, world.hash());
}

TEST(ApiMisuse, BodyDefinitionsNameTheWrongField) {
  expect_refused("def->size is 8 bytes", [](auto& def) { def.size = 8; });
  expect_refused("def->size is 10000", [](auto& def) { def.size = 10'000; });
  expect_refused("def->motion is 3; accepted: 0 to 2", [](auto& def) { def.motion = 3; });
  expect_refused("def->motion is -1", [](auto& def) { def.motion = -1; });
  expect_refused("def->pose.position.y is nan",
                 [](auto& def) { def.pose.position.y = static_cast<double>(nan); });
  expect_refused("def->pose.rotation has the length 0", [](auto& def) { def.pose.rotation = {}; });
  expect_refused("def->linear_velocity.z is inf",
                 [](auto& def) { def.linear_velocity.z = infinite; });
  expect_refused("def->linear_damping is -1", [](auto& def) { def.linear_damping = -1; });
  expect_refused("def->mass is -2; accepted: 1e-06 to 1e+12 kg, or 0",
                 [](auto& def) { def.mass = -2; });
  expect_refused("def->locks is 64", [](auto& def) { def.locks = 64; });
  expect_refused("def->integrator is 7; accepted: -1 to 6", [](auto& def) { def.integrator = 7; });
  expect_refused("def->is_awake is 2; accepted: 0 to 1", [](auto& def) { def.is_awake = 2; });
  expect_refused("def->charge is 1e+13", [](auto& def) { def.charge = 1e13f; });
  expect_refused("needs a mass", [](auto& def) { def.has_centre_of_mass = 1; });
  expect_refused("not an inertia tensor", [](auto& def) {
    def.has_inertia = 1;
    def.mass = 1;
    def.inertia.cx.x = -1;
  });
}

TEST(ApiMisuse, WorldDefinitionsNameTheWrongField) {
  const auto refused = [](const char* part, const std::function<void(jostle_world_def&)>& change) {
    jostle_world_def def = World::defaults();
    change(def);
    jostle_world world{};
    JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, part, jostle_world_create(&def, &world));
    EXPECT_EQ(0U, world.index);
  };
  refused("def->gravity.x is nan", [](auto& def) { def.gravity.x = nan; });
  refused("def->step_seconds is 0", [](auto& def) { def.step_seconds = 0; });
  refused("def->step_seconds is 2", [](auto& def) { def.step_seconds = 2; });
  refused("def->substeps is 65; accepted: 1 to 64", [](auto& def) { def.substeps = 65; });
  refused("def->contact_hertz is -1; accepted: 0 to 1e+06 Hz",
          [](auto& def) { def.contact_hertz = -1; });
  refused("def->max_linear_speed is 0", [](auto& def) { def.max_linear_speed = 0; });
}

TEST(ApiMisuse, HandlesOfOtherWorldsAndGenerationsAreRefused) {
  const World world, empty;
  const jostle_body ball = world.add_ball({0, 1, 0});
  jostle_pose pose{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_STALE_HANDLE, "body {1, 0} does not exist in this world",
                      jostle_body_get_pose(empty, ball, &pose));
  JOSTLE_ASSERT_OK(jostle_body_destroy(world, ball));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_STALE_HANDLE, "body {1, 0}",
                      jostle_body_get_pose(world, ball, &pose));
  const jostle_body next = world.add_ball({0, 1, 0});
  EXPECT_EQ(ball.index, next.index);
  EXPECT_EQ(0, jostle_body_is_alive(world, ball));
  for (const jostle_body wrong :
       {jostle_body{0, 0}, {2, 0}, {1, 1}, {UINT32_MAX, 0}, {0, UINT32_MAX}})
    EXPECT_EQ(JOSTLE_ERROR_STALE_HANDLE, jostle_body_destroy(world, wrong));
  for (const jostle_world wrong : {jostle_world{0, 0}, {UINT32_MAX, 1}, {1, UINT32_MAX}, {4097, 1}})
    EXPECT_EQ(JOSTLE_ERROR_STALE_HANDLE, jostle_world_step(wrong));
  EXPECT_EQ(1, jostle_body_is_alive(world, next));
}

TEST(ApiMisuse, ArraysNeedAPlausibleStrideAndLength) {
  const World world;
  world.add_ball({0, 1, 0});
  world.step(1);
  std::size_t count = 0;
  std::array<jostle_contact, 2> contacts{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "the stride of the array is 3 bytes",
                      jostle_world_get_contacts(world, contacts.data(), 3, 2, &count));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "the array is null",
                      jostle_world_get_contacts(world, nullptr, 0, 2, &count));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "count is null",
                      jostle_world_get_contacts(world, contacts.data(), 0, 2, nullptr));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "more than memory can hold",
                      jostle_world_get_contacts(world, contacts.data(), 0, SIZE_MAX, &count));
  std::array<float, 3> forces{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "the world has 1 bodies",
                      jostle_bodies_apply_forces(world, nullptr, 7, forces.data(), 0, nullptr, 0));
  const jostle_ray ray{{0, 0, 0}, {0, nan, 0}};
  jostle_cast_hit hit{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "ray->translation.y is nan",
                      jostle_world_cast_ray(world, &ray, nullptr, &hit));
}

TEST(ApiMisuse, ExecutionMustBeSupported) {
  const World world;
  jostle_execution execution;
  jostle_execution_default(&execution);
  execution.threads = 65;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "execution->threads is 65; accepted: 1 to 64",
                      jostle_world_set_execution(world, &execution));
  execution.threads = 1;
  execution.simd =
      jostle_simd_is_supported(JOSTLE_SIMD_NEON) != 0 ? JOSTLE_SIMD_AVX2 : JOSTLE_SIMD_NEON;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "does not support",
                      jostle_world_set_execution(world, &execution));
  execution.simd = 4;
  EXPECT_EQ(JOSTLE_ERROR_INVALID_ARGUMENT, jostle_world_set_execution(world, &execution));
  EXPECT_EQ(0, jostle_simd_is_supported(-1));
}

TEST(ApiMisuse, ASuccessfulCallLeavesTheLastErrorInPlace) {
  jostle_world_destroy({7, 8});
  const std::string error = jostle_last_error();
  EXPECT_EQ("jostle_world_destroy: the world {7, 8} does not exist (any more)", error);
  const World world;
  EXPECT_EQ(error, jostle_last_error());
}

TEST(ApiMisuse, PosesFarFromTheOriginAreRefused) {
  const World world;
  const jostle_body ball = world.add_ball({0, 1, 0});
  const jostle_pose far{{0, 2e9, 0}, {0, 0, 0, 1}};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT,
                      "pose.position.y is 2e+09; accepted: -1e+09 to 1e+09 m",
                      jostle_body_set_pose(world, ball, &far));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "target.position.y is 2e+09",
                      jostle_body_move(world, ball, &far));
  expect_refused("def->pose.position.y is 2e+09", [&](auto& def) { def.pose = far; });
}

TEST(ApiMisuse, ABodyThatBecomesInfiniteIsQuarantinedAndStaysUsable) {
  const World world;
  const jostle_body ball = world.add_ball({0, 1, 0});
  const jostle_pose far{{1e9, 0, 0}, {0, 0, 0, 1}};
  JOSTLE_ASSERT_OK(jostle_body_set_pose(world, ball, &far));
  world.step(2);
  jostle_body_info info;
  info.size = sizeof info;
  JOSTLE_ASSERT_OK(jostle_body_get_info(world, ball, &info));
  EXPECT_EQ(1, info.is_quarantined);
  JOSTLE_EXPECT_OK(jostle_body_set_velocity(world, ball, {1, 0, 0}, {0, 0, 0}));
  JOSTLE_EXPECT_OK(jostle_body_destroy(world, ball));
}

}  // namespace
}  // namespace jostle::api_test
