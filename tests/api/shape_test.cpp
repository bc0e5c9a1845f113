// Tests of jostle/physics/shapes.h and solids.h against libjostle.so.
#include "tests/api/api_test.h"

#include <array>
#include <cstring>
#include <vector>

namespace jostle::api_test {
namespace {

constexpr std::array<float, 24> cube_corners{-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                             -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
constexpr std::array<std::uint32_t, 36> cube_triangles{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6,
                                                       0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7,
                                                       0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

jostle_solid_info info_of(jostle_solid solid) {
  jostle_solid_info info;
  info.size = sizeof info;
  EXPECT_EQ(JOSTLE_OK, jostle_solid_get_info(solid, &info)) << jostle_last_error();
  return info;
}

float mass_of(jostle_world world, jostle_body body) {
  jostle_body_info info;
  info.size = sizeof info;
  EXPECT_EQ(JOSTLE_OK, jostle_body_get_info(world, body, &info));
  return info.mass;
}

TEST(ApiSolid, HullOfACubeIsACube) {
  jostle_solid hull{};
  JOSTLE_ASSERT_OK(jostle_solid_create_hull(cube_corners.data(), 0, 8, &hull));
  const jostle_solid_info info = info_of(hull);
  EXPECT_EQ(JOSTLE_SHAPE_HULL, info.kind);
  EXPECT_EQ(8U, info.vertex_count);
  EXPECT_EQ(12U, info.triangle_count);
  std::array<jostle_vec3, 8> vertices{};
  std::array<std::uint32_t, 36> triangles{};
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_solid_get_vertices(hull, vertices.data(), 8, &count));
  EXPECT_EQ(8U, count);
  JOSTLE_ASSERT_OK(jostle_solid_get_triangles(hull, triangles.data(), 12, &count));
  EXPECT_EQ(12U, count);
  for (const std::uint32_t index : triangles)
    EXPECT_LT(index, 8U);
  const World world;
  const jostle_body body = world.add_body(JOSTLE_MOTION_DYNAMIC, {0, 0, 0});
  jostle_shape_def shape = World::shape_of(JOSTLE_SHAPE_HULL);
  shape.solid = hull;
  const jostle_shape created = world.add_shape(body, shape);
  JOSTLE_ASSERT_OK(jostle_solid_destroy(hull));
  EXPECT_EQ(0, jostle_solid_is_alive(hull));
  EXPECT_NEAR(8'000, mass_of(world, body), 1);
  jostle_solid again{}, found{};
  JOSTLE_ASSERT_OK(jostle_shape_get_solid(world, created, &again));
  JOSTLE_ASSERT_OK(jostle_world_find_solid(world, info.content_hash, &found));
  EXPECT_EQ(info.content_hash, info_of(again).content_hash);
  EXPECT_EQ(info.content_hash, info_of(found).content_hash);
  JOSTLE_EXPECT_OK(jostle_solid_destroy(again));
  JOSTLE_EXPECT_OK(jostle_solid_destroy(found));
}

TEST(ApiSolid, MeshAndHeightFieldCarryABall) {
  jostle_solid mesh{}, field{};
  JOSTLE_ASSERT_OK(
      jostle_solid_create_mesh(cube_corners.data(), 12, 8, cube_triangles.data(), 12, &mesh));
  const std::vector<float> heights(9, 1.0f);
  JOSTLE_ASSERT_OK(jostle_solid_create_height_field(heights.data(), 3, 3, 1, 1, &field));
  EXPECT_EQ(8U, info_of(field).triangle_count);
  std::array<jostle_vec3, 9> vertices{};
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_solid_get_vertices(field, vertices.data(), 9, &count));
  EXPECT_EQ(2.0f, vertices[8].x);
  EXPECT_EQ(2.0f, vertices[8].z);
  const World world;
  for (const auto& [kind, solid, x] :
       {std::tuple{JOSTLE_SHAPE_MESH, mesh, 0.0}, {JOSTLE_SHAPE_HEIGHT_FIELD, field, 10.0}}) {
    const jostle_body body = world.add_body(JOSTLE_MOTION_STATIC, {x, 0, 0});
    jostle_shape_def shape = World::shape_of(kind);
    shape.solid = solid;
    world.add_shape(body, shape);
  }
  const jostle_body on_mesh = world.add_ball({0.3, 2, 0.2}), on_field = world.add_ball({11, 2, 1});
  world.step(120);
  EXPECT_NEAR(1.5, world.pose(on_mesh).position.y, 0.01);
  EXPECT_NEAR(1.5, world.pose(on_field).position.y, 0.01);
  jostle_shape_def wrong = World::shape_of(JOSTLE_SHAPE_HULL);
  wrong.solid = mesh;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "both must be equal",
                      jostle_shape_create(world, on_mesh, &wrong, nullptr));
  wrong.kind = JOSTLE_SHAPE_MESH;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_WRONG_STATE, "static bodies",
                      jostle_shape_create(world, on_mesh, &wrong, nullptr));
  JOSTLE_EXPECT_OK(jostle_solid_destroy(mesh));
  JOSTLE_EXPECT_OK(jostle_solid_destroy(field));
}

TEST(ApiSolid, DecompositionOfAConvexMeshIsOneHull) {
  std::array<jostle_solid, 4> hulls{};
  std::size_t count = 0;
  float error = -1;
  JOSTLE_ASSERT_OK(jostle_solid_decompose_mesh(cube_corners.data(), 0, 8, cube_triangles.data(), 12,
                                               0.05f, hulls.data(), hulls.size(), &count, &error));
  EXPECT_EQ(1U, count);
  EXPECT_LE(error, 0.05f);
  JOSTLE_EXPECT_OK(jostle_solid_destroy(hulls[0]));
  JOSTLE_EXPECT_ERROR(
      JOSTLE_ERROR_INVALID_ARGUMENT, "is open",
      jostle_solid_decompose_mesh(cube_corners.data(), 0, 8, cube_triangles.data(), 11, 0.05f,
                                  hulls.data(), hulls.size(), &count, nullptr));
}

TEST(ApiSolid, MessagesSayWhatIsWrongWithAGeometry) {
  jostle_solid solid{};
  const std::array<float, 12> flat{0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "the hull lies in one plane",
                      jostle_solid_create_hull(flat.data(), 0, 4, &solid));
  const std::array<std::uint32_t, 3> far{0, 1, 9};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "the mesh",
                      jostle_solid_create_mesh(flat.data(), 0, 4, far.data(), 1, &solid));
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "stride of points is 4",
                      jostle_solid_create_hull(flat.data(), 4, 4, &solid));
  EXPECT_EQ(0U, solid.index);
}

TEST(ApiShape, HasTheDefinitionItWasCreatedWith) {
  const World world;
  const jostle_body body = world.add_body(JOSTLE_MOTION_DYNAMIC, {0, 0, 0});
  jostle_shape_def def = World::shape_of(JOSTLE_SHAPE_CAPSULE);
  def.half_extents = {0, 0, 0};
  def.radius = 0.25f;
  def.half_height = 0.75f;
  def.local.offset = {1, 2, 3};
  def.material = {0.3f, 0.4f, 0.5f, 0.06f, 0.07f, JOSTLE_COMBINE_MINIMUM, JOSTLE_COMBINE_AVERAGE,
                  8};
  def.density = 500;
  def.category = 2;
  def.mask = 5;
  def.group = -6;
  def.surface_velocity = {1, 0, 0};
  const jostle_shape shape = world.add_shape(body, def);
  jostle_shape_def read;
  read.size = sizeof read;
  JOSTLE_ASSERT_OK(jostle_shape_get_def(world, shape, &read));
  EXPECT_EQ(0, std::memcmp(&def, &read, sizeof def));
  JOSTLE_ASSERT_OK(jostle_shape_set_surface_velocity(world, shape, {0, 0, 2}));
  JOSTLE_ASSERT_OK(jostle_shape_get_def(world, shape, &read));
  EXPECT_EQ(2.0f, read.surface_velocity.z);
  jostle_body owner{};
  JOSTLE_ASSERT_OK(jostle_shape_get_body(world, shape, &owner));
  EXPECT_EQ(body.index, owner.index);
}

TEST(ApiShape, EveryKindCanBeSimulated) {
  const World world;
  world.add_ground();
  const std::array kinds{JOSTLE_SHAPE_SPHERE, JOSTLE_SHAPE_BOX, JOSTLE_SHAPE_CAPSULE,
                         JOSTLE_SHAPE_CYLINDER, JOSTLE_SHAPE_CONE};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const jostle_body body = world.add_body(JOSTLE_MOTION_DYNAMIC, {3.0 * i, 2, 0});
    world.add_shape(body, World::shape_of(kinds[i]));
    // A second shape makes it a compound.
    jostle_shape_def second = World::shape_of(JOSTLE_SHAPE_SPHERE);
    second.radius = 0.2f;
    second.local.offset = {0, 0.3f, 0};
    world.add_shape(body, second);
  }
  world.step(240);
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    const double height = world.pose({i + 2, 0}).position.y;
    EXPECT_GT(height, 0.2) << i;
    EXPECT_LT(height, 1.2) << i;
  }
}

TEST(ApiMaterialPair, ReplacesTheValuesOfTheMaterials) {
  const World world;
  jostle_material_pair pair;
  jostle_material_pair_default(&pair);
  pair.a = 1;
  pair.b = 2;
  pair.present = JOSTLE_PAIR_FRICTION | JOSTLE_PAIR_RESTITUTION;
  pair.friction = 0.25f;
  pair.restitution = 0.75f;
  JOSTLE_ASSERT_OK(jostle_world_set_material_pair(world, &pair));
  jostle_material_pair read;
  read.size = sizeof read;
  JOSTLE_ASSERT_OK(jostle_world_get_material_pair(world, 2, 1, &read));
  EXPECT_EQ(pair.present, read.present);
  EXPECT_EQ(0.25f, read.friction);
  std::size_t count = 0;
  std::array<jostle_material_pair, 2> list{};
  JOSTLE_ASSERT_OK(jostle_world_get_material_pairs(world, list.data(), 0, 2, &count));
  EXPECT_EQ(1U, count);
  EXPECT_EQ(0.75f, list[0].restitution);
  pair.present = JOSTLE_PAIR_STATIC_FRICTION;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "needs JOSTLE_PAIR_FRICTION",
                      jostle_world_set_material_pair(world, &pair));
  pair.present = 0;
  JOSTLE_ASSERT_OK(jostle_world_set_material_pair(world, &pair));
  JOSTLE_ASSERT_OK(jostle_world_get_material_pairs(world, nullptr, 0, 0, &count));
  EXPECT_EQ(0U, count);
}

}  // namespace
}  // namespace jostle::api_test
