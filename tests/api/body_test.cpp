// Tests of jostle/physics/bodies.h against libjostle.so.
#include "tests/api/api_test.h"

#include <array>
#include <cmath>
#include <vector>

namespace jostle::api_test {
namespace {

jostle_body_info info_of(jostle_world world, jostle_body body) {
  jostle_body_info info;
  info.size = sizeof info;
  EXPECT_EQ(JOSTLE_OK, jostle_body_get_info(world, body, &info)) << jostle_last_error();
  return info;
}

TEST(ApiBody, HasThePropertiesItWasCreatedWith) {
  const World world;
  jostle_body_def def;
  jostle_body_def_default(&def);
  def.pose = {{1, 2, 3}, {1, 0, 0, 0}};
  def.linear_velocity = {4, 5, 6};
  def.angular_velocity = {0, 0, 1};
  def.mass = 2;
  def.gravity_scale = 0.5f;
  def.charge = -3;
  def.ignores_fields = 1;
  def.user_data = 0x123456789ABCDEF0U;
  def.integrator = JOSTLE_INTEGRATOR_VELOCITY_VERLET;
  def.has_centre_of_mass = 1;
  def.centre_of_mass = {0, 0.25f, 0};
  def.has_inertia = 1;
  def.inertia = {{2, 0, 0}, {0, 3, 0}, {0, 0, 4}};
  jostle_body body{};
  JOSTLE_ASSERT_OK(jostle_body_create(world, &def, &body));
  world.add_shape(body, World::shape_of(JOSTLE_SHAPE_SPHERE));
  const jostle_body_info info = info_of(world, body);
  EXPECT_EQ(JOSTLE_MOTION_DYNAMIC, info.motion);
  EXPECT_EQ(2.0f, info.mass);
  EXPECT_EQ(0.5f, info.gravity_scale);
  EXPECT_EQ(-3.0f, info.charge);
  EXPECT_EQ(1, info.ignores_fields);
  EXPECT_EQ(def.user_data, info.user_data);
  EXPECT_EQ(JOSTLE_INTEGRATOR_VELOCITY_VERLET, info.integrator);
  EXPECT_EQ(1U, info.shape_count);
  EXPECT_EQ(3.0f, info.inertia.cy.y);
  EXPECT_NEAR(1.75, info.centre_of_mass.y, 1e-6);  // the body is upside down
  EXPECT_EQ(1.5, info.bounds.lower.y);
  EXPECT_EQ(2.0, world.pose(body).position.y);
  EXPECT_EQ(1.0f, world.pose(body).rotation.x);
}

TEST(ApiBody, MovesByImpulsesAndForces) {
  jostle_world_def settings = World::defaults();
  settings.gravity = {0, 0, 0};
  const World world(settings);
  jostle_body_def def;
  jostle_body_def_default(&def);
  def.mass = 2;
  jostle_body body{};
  JOSTLE_ASSERT_OK(jostle_body_create(world, &def, &body));
  JOSTLE_ASSERT_OK(jostle_body_apply_central_impulse(world, body, {4, 0, 0}));
  EXPECT_EQ(2.0f, world.velocity(body).x);
  JOSTLE_ASSERT_OK(jostle_body_apply_central_force(world, body, {0, 120, 0}));
  JOSTLE_ASSERT_OK(jostle_world_step(world));
  EXPECT_NEAR(1.0f, world.velocity(body).y, 1e-5f);
  jostle_vec3 angular{};
  JOSTLE_ASSERT_OK(jostle_body_apply_angular_impulse(world, body, {0, 0, 3}));
  JOSTLE_ASSERT_OK(jostle_body_apply_torque(world, body, {0, 0, 60}));
  JOSTLE_ASSERT_OK(jostle_body_apply_impulse(world, body, {0, 0, 1}, {0, 0, 0}));
  JOSTLE_ASSERT_OK(jostle_body_apply_force(world, body, {0, 0, 1}, {0, 0, 0}));
  JOSTLE_ASSERT_OK(jostle_world_step(world));
  JOSTLE_ASSERT_OK(jostle_body_get_velocity(world, body, nullptr, &angular));
  EXPECT_NEAR(2, angular.z, 1e-4f);  // (3 + 60/60) N·m·s, 2 kg·m²
  jostle_vec3 at{};
  JOSTLE_ASSERT_OK(jostle_body_get_velocity_at(world, body, world.pose(body).position, &at));
  EXPECT_NEAR(world.velocity(body).x, at.x, 1e-4f);
}

TEST(ApiBody, KinematicBodyReachesItsTarget) {
  const World world;
  const jostle_body body = world.add_body(JOSTLE_MOTION_KINEMATIC, {0, 1, 0});
  const jostle_pose target{{0.5, 1, 0}, {0, 0, 0, 1}};
  JOSTLE_ASSERT_OK(jostle_body_move(world, body, &target));
  JOSTLE_ASSERT_OK(jostle_world_step(world));
  EXPECT_NEAR(0.5, world.pose(body).position.x, 1e-6);
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "not kinematic",
                      jostle_body_move(world, world.add_ball({5, 5, 5}), &target));
}

TEST(ApiBody, SleepsWakesAndCanBeDisabled) {
  const World world;
  world.add_ground();
  const jostle_body cube = world.add_cube({0, 0.5, 0});
  JOSTLE_ASSERT_OK(jostle_body_set_awake(world, cube, 0));
  EXPECT_EQ(0, info_of(world, cube).is_awake);
  JOSTLE_ASSERT_OK(jostle_body_set_gravity_scale(world, cube, 2));
  EXPECT_EQ(1, info_of(world, cube).is_awake);
  JOSTLE_ASSERT_OK(jostle_body_set_enabled(world, cube, 0));
  EXPECT_EQ(0, info_of(world, cube).is_enabled);
  world.step(10);
  EXPECT_EQ(0.5, world.pose(cube).position.y);
  JOSTLE_ASSERT_OK(jostle_body_set_charge(world, cube, 2));
  EXPECT_EQ(2.0f, info_of(world, cube).charge);
}

TEST(ApiBody, ListsBodiesShapesAndIslands) {
  const World world;
  const jostle_body ground = world.add_ground();
  std::array<jostle_body, 3> cubes{};
  for (int i = 0; i < 3; ++i)
    cubes[i] = world.add_cube({i * 0.99, 0.5, 0});
  world.step(2);
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_world_get_bodies(world, nullptr, 0, &count));
  EXPECT_EQ(4U, count);
  std::array<jostle_body, 4> bodies{};
  JOSTLE_ASSERT_OK(jostle_world_get_bodies(world, bodies.data(), bodies.size(), &count));
  EXPECT_EQ(ground.index, bodies[0].index);
  EXPECT_EQ(cubes[2].index, bodies[3].index);
  std::array<jostle_body, 2> few{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_BUFFER_TOO_SMALL, "needed: 4",
                      jostle_world_get_bodies(world, few.data(), few.size(), &count));
  EXPECT_EQ(4U, count);
  EXPECT_EQ(cubes[0].index, few[1].index);
  JOSTLE_ASSERT_OK(jostle_body_get_island(world, cubes[1], bodies.data(), bodies.size(), &count));
  EXPECT_EQ(3U, count);
  jostle_shape shape{};
  JOSTLE_ASSERT_OK(jostle_body_get_shapes(world, cubes[1], &shape, 1, &count));
  EXPECT_EQ(1U, count);
  EXPECT_EQ(1, jostle_shape_is_alive(world, shape));
  JOSTLE_ASSERT_OK(jostle_body_destroy(world, cubes[1]));
  EXPECT_EQ(0, jostle_shape_is_alive(world, shape));
  EXPECT_EQ(0, jostle_body_is_alive(world, cubes[1]));
}

/// Elements of a caller's own array, with other values between those that the library writes.
struct Entity {
  std::uint32_t tag;
  double position[3];
  float rotation[4];
  float linear[3], angular[3];
  std::uint8_t awake;
  std::uint8_t guard;
};

jostle_body_arrays arrays_of(std::vector<Entity>& entities) {
  jostle_body_arrays arrays;
  jostle_body_arrays_default(&arrays);
  arrays.positions = entities[0].position;
  arrays.rotations = entities[0].rotation;
  arrays.linear_velocities = entities[0].linear;
  arrays.angular_velocities = entities[0].angular;
  arrays.positions_stride = arrays.rotations_stride = sizeof(Entity);
  arrays.linear_velocities_stride = arrays.angular_velocities_stride = sizeof(Entity);
  return arrays;
}

TEST(ApiBodies, BatchesReadAndWriteWithStrides) {
  const World world, mirror;
  for (const World* each : {&world, &mirror})
    for (int i = 0; i < 4; ++i)
      each->add_ball({i * 2.0, 5, 0});
  world.step(20);
  std::vector<Entity> entities(4, Entity{7, {}, {}, {}, {}, 9, 9});
  jostle_body_arrays arrays = arrays_of(entities);
  arrays.awake = &entities[0].awake;
  arrays.awake_stride = sizeof(Entity);
  JOSTLE_ASSERT_OK(jostle_bodies_read(world, nullptr, entities.size(), &arrays));
  EXPECT_EQ(6.0, entities[3].position[0]);
  EXPECT_EQ(1.0f, entities[2].rotation[3]);
  EXPECT_LT(entities[1].linear[1], -3);
  EXPECT_EQ(1, entities[0].awake);
  for (const Entity& entity : entities) {
    EXPECT_EQ(7U, entity.tag);
    EXPECT_EQ(9, entity.guard);
  }
  arrays = arrays_of(entities);
  JOSTLE_ASSERT_OK(jostle_bodies_write(mirror, nullptr, entities.size(), &arrays));
  std::vector<double> positions(12);
  jostle_body_arrays packed;
  jostle_body_arrays_default(&packed);
  packed.positions = positions.data();
  JOSTLE_ASSERT_OK(jostle_bodies_read(mirror, nullptr, 4, &packed));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(entities[i].position[1], positions[3 * i + 1]);
}

TEST(ApiBodies, BatchOfForcesEqualsSingleForces) {
  const World one, many;
  std::vector<jostle_body> bodies;
  for (const World* world : {&one, &many}) {
    bodies.clear();
    for (int i = 0; i < 3; ++i)
      bodies.push_back(world->add_ball({i * 3.0, 5, 0}));
  }
  const std::array<float, 9> forces{1, 2, 3, 400, 500, 600, -7, -8, -9};
  const std::array<float, 9> torques{3, 2, 1, 0, 0, 1, 5, 5, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    jostle_body_apply_central_force(one, bodies[i],
                                    {forces[3 * i], forces[3 * i + 1], forces[3 * i + 2]});
    jostle_body_apply_torque(one, bodies[i],
                             {torques[3 * i], torques[3 * i + 1], torques[3 * i + 2]});
  }
  JOSTLE_ASSERT_OK(
      jostle_bodies_apply_forces(many, bodies.data(), 3, forces.data(), 0, torques.data(), 0));
  one.step(1);
  many.step(1);
  EXPECT_EQ(one.hash(), many.hash());
}

TEST(ApiBodies, AFailingBatchChangesNothing) {
  const World world;
  std::array<jostle_body, 2> bodies{world.add_ball({0, 5, 0}), world.add_ball({3, 5, 0})};
  std::vector<Entity> entities(2, Entity{0, {1, 1, 1}, {0, 0, 0, 1}, {}, {}, 0, 0});
  entities[1].rotation[3] = 2;
  const jostle_body_arrays arrays = arrays_of(entities);
  const std::uint64_t before = world.hash();
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "length 2",
                      jostle_bodies_write(world, bodies.data(), 2, &arrays));
  bodies[1].generation += 2;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_STALE_HANDLE, "bodies[1]",
                      jostle_bodies_write(world, bodies.data(), 2, &arrays));
  EXPECT_EQ(before, world.hash());
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "the world has 2 bodies",
                      jostle_bodies_read(world, nullptr, 3, &arrays));
}

}  // namespace
}  // namespace jostle::api_test
