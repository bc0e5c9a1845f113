// Tests of jostle/physics/fields.h, particles.h and scenes.h against libjostle.so.
#include "tests/api/api_test.h"

#include <array>
#include <cstring>
#include <vector>

namespace jostle::api_test {
namespace {

jostle_field_def field_of(jostle_field_kind kind) {
  jostle_field_def def;
  EXPECT_EQ(JOSTLE_OK, jostle_field_def_default(kind, &def)) << jostle_last_error();
  return def;
}

jostle_world_def weightless() {
  jostle_world_def def = World::defaults();
  def.gravity = {0, 0, 0};
  return def;
}

TEST(ApiField, EveryKindKeepsItsDefinition) {
  const World world(weightless());
  const jostle_body ball = world.add_ball({0, 0, 0});
  for (jostle_field_kind kind = 0; kind <= JOSTLE_FIELD_THRUST; ++kind) {
    jostle_field_def def = field_of(kind);
    EXPECT_EQ(kind, def.kind);
    if (kind == JOSTLE_FIELD_THRUST) def.body = ball;
    jostle_field field{};
    JOSTLE_ASSERT_OK(jostle_field_create(world, &def, &field));
    jostle_field_def read;
    read.size = sizeof read;
    JOSTLE_ASSERT_OK(jostle_field_get_def(world, field, &read));
    EXPECT_EQ(0, std::memcmp(&def, &read, sizeof def)) << kind;
  }
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_world_get_fields(world, nullptr, 0, &count));
  EXPECT_EQ(8U, count);
  world.step(1);
}

TEST(ApiField, AccelerationActsInItsRegionUntilItIsDestroyed) {
  const World world(weightless());
  const jostle_body inside = world.add_ball({0, 0, 0}), outside = world.add_ball({10, 0, 0});
  jostle_field_def def = field_of(JOSTLE_FIELD_ACCELERATION);
  def.region.kind = JOSTLE_REGION_SPHERE;
  def.region.radius = 2;
  def.vector = {0, 6, 0};
  jostle_field field{};
  JOSTLE_ASSERT_OK(jostle_field_create(world, &def, &field));
  world.step(10);
  EXPECT_NEAR(1, world.velocity(inside).y, 1e-5f);
  EXPECT_EQ(0, world.velocity(outside).y);
  def.vector = {0, -6, 0};
  JOSTLE_ASSERT_OK(jostle_field_set_def(world, field, &def));
  world.step(10);
  EXPECT_NEAR(0, world.velocity(inside).y, 1e-5f);
  JOSTLE_ASSERT_OK(jostle_field_destroy(world, field));
  EXPECT_EQ(0, jostle_field_is_alive(world, field));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_STALE_HANDLE, "field", jostle_field_destroy(world, field));
}

TEST(ApiField, ExplosionPushesBodiesAway) {
  const World world(weightless());
  const jostle_body ball = world.add_ball({2, 0, 0});
  JOSTLE_ASSERT_OK(jostle_world_explode(world, {0, 0, 0}, 5, 1'000));
  EXPECT_GT(world.velocity(ball).x, 0.1f);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "radius is -1",
                      jostle_world_explode(world, {0, 0, 0}, -1, 1'000));
}

TEST(ApiField, MessagesSayWhatIsWrong) {
  const World world;
  const jostle_body floor = world.add_ground();
  jostle_field field{};
  jostle_field_def def = field_of(JOSTLE_FIELD_THRUST);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "needs a body",
                      jostle_field_create(world, &def, &field));
  def.body = floor;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "dynamic",
                      jostle_field_create(world, &def, &field));
  def = field_of(JOSTLE_FIELD_WIND);
  def.body = floor;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "only poles and thrusts",
                      jostle_field_create(world, &def, &field));
  def = field_of(JOSTLE_FIELD_CHARGES);
  def.exponent = 9;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "def->exponent is 9; accepted: -1 to 4",
                      jostle_field_create(world, &def, &field));
  def = field_of(JOSTLE_FIELD_FLUID);
  def.region = {JOSTLE_REGION_SPHERE, 1, {0, 0, 0}, {0, 0, 0}};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "no spheres of fluid",
                      jostle_field_create(world, &def, &field));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "kind is 8",
                      jostle_field_def_default(8, &def));
}

TEST(ApiParticles, MoveAreReadAndEnd) {
  const World world(weightless());
  jostle_particle_set_def def;
  jostle_particle_set_def_default(&def);
  def.max_count = 3;
  jostle_particle_set set{};
  JOSTLE_ASSERT_OK(jostle_particle_set_create(world, &def, &set));
  std::array<jostle_particle, 4> particles{};
  for (std::size_t i = 0; i < particles.size(); ++i)
    particles[i] = {{1.0 * i, 0, 0}, {6, 0, 0}, 1, 0.1f, 2, i == 0 ? 10U : JOSTLE_ENDLESS};
  std::size_t added = 0;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_LIMIT, "3 of 4 particles",
                      jostle_particle_set_add(world, set, particles.data(), 4, &added));
  EXPECT_EQ(3U, added);
  world.step(5);
  std::array<double, 9> positions{}, velocities{};
  std::array<std::uint32_t, 3> steps{};
  jostle_particle_arrays arrays;
  jostle_particle_arrays_default(&arrays);
  arrays.positions = positions.data();
  arrays.velocities = velocities.data();
  arrays.steps_left = steps.data();
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_particle_set_read(world, set, &arrays, 3, &count));
  EXPECT_EQ(3U, count);
  EXPECT_NEAR(0.5, positions[0], 1e-6);
  EXPECT_EQ(6.0, velocities[3]);
  EXPECT_EQ(5U, steps[0]);
  world.step(5);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_BUFFER_TOO_SMALL, "needed: 2",
                      jostle_particle_set_read(world, set, &arrays, 1, &count));
  JOSTLE_ASSERT_OK(jostle_particle_set_destroy(world, set));
  EXPECT_EQ(0, jostle_particle_set_is_alive(world, set));
}

TEST(ApiParticles, EmittersCreateParticles) {
  const World world;
  std::array<jostle_emitter, 2> emitters{};
  for (jostle_emitter& emitter : emitters) {
    jostle_emitter_default(&emitter);
    emitter.rate = 60;
    emitter.seed = 5;
  }
  emitters[1].region = {JOSTLE_REGION_BOX, 0, {5, 0, 0}, {1, 1, 1}};
  jostle_particle_set_def def;
  jostle_particle_set_def_default(&def);
  def.emitters = emitters.data();
  def.emitter_count = 2;
  jostle_particle_set set{};
  JOSTLE_ASSERT_OK(jostle_particle_set_create(world, &def, &set));
  world.step(30);
  jostle_counts counts;
  counts.size = sizeof counts;
  JOSTLE_ASSERT_OK(jostle_world_get_counts(world, &counts));
  EXPECT_NEAR(60, counts.particles, 2);
  EXPECT_EQ(1U, counts.particle_sets);
  jostle_particle_set_def read;
  read.size = sizeof read;
  JOSTLE_ASSERT_OK(jostle_particle_set_get_def(world, set, &read));
  EXPECT_EQ(2U, read.emitter_count);
  EXPECT_EQ(nullptr, read.emitters);
  std::array<jostle_emitter, 2> again{};
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_particle_set_get_emitters(world, set, again.data(), 2, &count));
  EXPECT_EQ(0, std::memcmp(emitters.data(), again.data(), sizeof again));
  JOSTLE_ASSERT_OK(jostle_world_get_particle_sets(world, &set, 1, &count));
  EXPECT_EQ(1U, count);
  emitters[0].mass = 0;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "masses from 1e-6",
                      jostle_particle_set_create(world, &def, &set));
}

constexpr const char* scene_text = R"({
  "name": "two",
  "spawns": [{"position": [0, 5, 0]}],
  "bodies": [
    {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
    {"name": "ball", "position": [0, 2, 0], "shapes": [{"sphere": {"radius": 0.5}}]}
  ]
})";

TEST(ApiScene, FillsAWorldAndFindsBodiesByName) {
  jostle_scene scene{};
  JOSTLE_ASSERT_OK(
      jostle_scene_create(scene_text, std::strlen(scene_text), "two.scene.json", &scene));
  jostle_world_def def;
  def.size = sizeof def;
  JOSTLE_ASSERT_OK(jostle_scene_get_world_def(scene, 120, &def));
  EXPECT_EQ(1.0f / 120, def.step_seconds);
  const World world(def);
  JOSTLE_ASSERT_OK(jostle_scene_instantiate(scene, world));
  std::size_t count = 0, index = 0;
  JOSTLE_ASSERT_OK(jostle_scene_get_body_count(scene, &count));
  EXPECT_EQ(2U, count);
  JOSTLE_ASSERT_OK(jostle_scene_find_body(scene, "ball", &index));
  std::array<char, 4> name{};
  JOSTLE_ASSERT_OK(jostle_scene_get_body_name(scene, index, name.data(), name.size()));
  EXPECT_STREQ("bal", name.data());
  std::array<jostle_body, 2> bodies{};
  JOSTLE_ASSERT_OK(jostle_world_get_bodies(world, bodies.data(), 2, &count));
  world.step(240);
  EXPECT_NEAR(0.5, world.pose(bodies[index]).position.y, 0.01);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "not empty",
                      jostle_scene_instantiate(scene, world));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_NOT_FOUND, "'cube'",
                      jostle_scene_find_body(scene, "cube", &index));
  JOSTLE_ASSERT_OK(jostle_scene_destroy(scene));
  EXPECT_EQ(0, jostle_scene_is_alive(scene));
}

TEST(ApiScene, ErrorsGiveTheLine) {
  jostle_scene scene{};
  const char* const text = "{\n\"name\": \"x\",\n\"bodys\": []}";
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_DATA, "x.scene.json:3:",
                      jostle_scene_create(text, std::strlen(text), "x.scene.json", &scene));
}

}  // namespace
}  // namespace jostle::api_test
