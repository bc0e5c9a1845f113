// Builds the same worlds through the C API and through the engine's C++ classes, and compares the
// hashes. This program links the API statically, so that both use the same engine.
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tests/api/api_test.h"

#include <array>
#include <fstream>
#include <iterator>
#include <vector>

namespace jostle::api_test {
namespace {

constexpr int steps = 600;
constexpr std::array<float, 12> tetrahedron{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr std::array<float, 9> ground_heights{0, 0.2f, 0, 0.1f, 0, 0.3f, 0, 0.2f, 0.1f};

jostle_solid c_hull() {
  jostle_solid solid{};
  EXPECT_EQ(JOSTLE_OK, jostle_solid_create_hull(tetrahedron.data(), 0, 4, &solid));
  return solid;
}

/// Creates falling bodies, a chain with a motor, a field, particles and a material pair.
void build_by_c(jostle_world world) {
  jostle_solid hull = c_hull(), field{};
  ASSERT_EQ(JOSTLE_OK, jostle_solid_create_height_field(ground_heights.data(), 3, 3, 5, 5, &field));
  jostle_body_def body;
  jostle_body_def_default(&body);
  body.motion = JOSTLE_MOTION_STATIC;
  body.pose.position = {-5, 0, -5};
  jostle_body floor{};
  ASSERT_EQ(JOSTLE_OK, jostle_body_create(world, &body, &floor));
  jostle_shape_def shape = World::shape_of(JOSTLE_SHAPE_HEIGHT_FIELD);
  shape.solid = field;
  shape.material.id = 1;
  ASSERT_EQ(JOSTLE_OK, jostle_shape_create(world, floor, &shape, nullptr));
  body.motion = JOSTLE_MOTION_DYNAMIC;
  std::array<jostle_body, 12> bodies{};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    body.pose.position = {0.3 * static_cast<double>(i), 2 + 0.7 * static_cast<double>(i), 0};
    body.user_data = i;
    ASSERT_EQ(JOSTLE_OK, jostle_body_create(world, &body, &bodies[i]));
    shape = World::shape_of(i % 3 == 0   ? JOSTLE_SHAPE_BOX
                            : i % 3 == 1 ? JOSTLE_SHAPE_CAPSULE
                                         : JOSTLE_SHAPE_HULL);
    shape.half_extents = {0.3f, 0.2f, 0.4f};
    shape.radius = 0.25f;
    shape.half_height = 0.3f;
    shape.solid = hull;
    shape.material.restitution = 0.2f;
    shape.material.id = 2;
    ASSERT_EQ(JOSTLE_OK, jostle_shape_create(world, bodies[i], &shape, nullptr));
  }
  jostle_joint_def joint;
  joint.size = sizeof joint;
  ASSERT_EQ(JOSTLE_OK, jostle_joint_def_at(world, JOSTLE_JOINT_HINGE, bodies[0], bodies[1],
                                           {0.15, 2.3, 0}, {0, 0, 1}, &joint));
  joint.motor = {1, 1.5f, 20};
  ASSERT_EQ(JOSTLE_OK, jostle_joint_create(world, &joint, nullptr));
  jostle_field_def wind;
  jostle_field_def_default(JOSTLE_FIELD_WIND, &wind);
  wind.vector = {2, 0, 1};
  ASSERT_EQ(JOSTLE_OK, jostle_field_create(world, &wind, nullptr));
  jostle_emitter emitter;
  jostle_emitter_default(&emitter);
  emitter.rate = 50;
  emitter.region.centre = {0, 4, 0};
  emitter.spread = 1;
  emitter.lifetime = 2;
  jostle_particle_set_def set;
  jostle_particle_set_def_default(&set);
  set.collides = 1;
  set.emitters = &emitter;
  set.emitter_count = 1;
  jostle_particle_set created{};
  ASSERT_EQ(JOSTLE_OK, jostle_particle_set_create(world, &set, &created));
  jostle_material_pair pair;
  jostle_material_pair_default(&pair);
  pair.a = 1;
  pair.b = 2;
  pair.present = JOSTLE_PAIR_FRICTION;
  pair.friction = 0.35f;
  ASSERT_EQ(JOSTLE_OK, jostle_world_set_material_pair(world, &pair));
  ASSERT_EQ(JOSTLE_OK, jostle_body_apply_central_impulse(world, bodies[5], {50, 0, 20}));
  jostle_solid_destroy(hull);
  jostle_solid_destroy(field);
}

state::Shape cpp_shape(std::size_t i, const std::shared_ptr<const state::Solid>& hull) {
  if (i % 3 == 0) return state::box({0.3f, 0.2f, 0.4f});
  if (i % 3 == 1) return state::capsule(0.25f, 0.3f);
  return state::solid(hull);
}

void build_by_cpp(physics::World& world) {
  std::vector<math::Vec3> points;
  for (std::size_t i = 0; i < 4; ++i)
    points.push_back({tetrahedron[3 * i], tetrahedron[3 * i + 1], tetrahedron[3 * i + 2]});
  const auto hull = geometry::share(geometry::build_hull(points).value());
  const auto field = geometry::share(
      state::HeightField{3, 3, 5, 5, {ground_heights.begin(), ground_heights.end()}});
  physics::BodyDef def;
  def.motion = state::MotionType::Static;
  def.pose.position = {-5, 0, -5};
  physics::ShapeDef shape;
  shape.shape = state::solid(field);
  shape.material.id = {1};
  world.add_shape(world.create_body(def), shape);
  def.motion = state::MotionType::Dynamic;
  std::array<physics::BodyHandle, 12> bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    def.pose.position = {0.3 * static_cast<double>(i), 2 + 0.7 * static_cast<double>(i), 0};
    def.user_data = i;
    bodies[i] = world.create_body(def);
    shape.shape = cpp_shape(i, hull);
    shape.material.restitution = 0.2f;
    shape.material.id = {2};
    world.add_shape(bodies[i], shape);
  }
  physics::JointDef joint = physics::make_joint_def(world, physics::JointKind::Hinge, bodies[0],
                                                    bodies[1], {0.15, 2.3, 0}, {0, 0, 1});
  joint.motor = {true, 1.5f, 20};
  world.create_joint(joint);
  forces::Wind wind;
  wind.velocity = {2, 0, 1};
  world.create_force_field({wind, {}});
  physics::Emitter emitter;
  emitter.rate = 50;
  emitter.centre = {0, 4, 0};
  emitter.spread = 1;
  emitter.lifetime = 2;
  physics::ParticleSetDef set;
  set.collides = true;
  set.emitters = {emitter};
  world.create_particle_set(set);
  physics::PairMaterial pair;
  pair.friction = 0.35f;
  world.set_pair_material({1}, {2}, pair);
  world.apply_central_impulse(bodies[5], {50, 0, 20});
}

TEST(ApiParity, AWorldBuiltThroughCHasTheBitsOfOneBuiltThroughCpp) {
  const World by_c;
  build_by_c(by_c);
  physics::World by_cpp((physics::WorldOptions()));
  build_by_cpp(by_cpp);
  EXPECT_EQ(by_cpp.hash().total, by_c.hash());
  for (int i = 0; i < steps; ++i)
    by_cpp.step();
  by_c.step(steps);
  jostle_state_hash hash;
  hash.size = sizeof hash;
  ASSERT_EQ(JOSTLE_OK, jostle_world_get_hash(by_c, &hash));
  const physics::StateHash expected = by_cpp.hash();
  EXPECT_EQ(expected.bodies, hash.bodies);
  EXPECT_EQ(expected.shapes, hash.shapes);
  EXPECT_EQ(expected.contacts, hash.contacts);
  EXPECT_EQ(expected.islands, hash.islands);
  EXPECT_EQ(expected.joints, hash.joints);
  EXPECT_EQ(expected.fields, hash.fields);
  EXPECT_EQ(expected.particles, hash.particles);
  EXPECT_EQ(expected.total, hash.total);
}

/// Scenes whose worlds change only by their own content, without rules that act in them.
class ApiParityScene : public testing::TestWithParam<const char*> {};

TEST_P(ApiParityScene, InstantiatedThroughCHasTheBitsOfASimulation) {
  const std::string path = std::string(JOSTLE_SOURCE_DIR "/scenes/") + GetParam() + ".scene.json";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  jostle_scene scene{};
  ASSERT_EQ(JOSTLE_OK, jostle_scene_create(text.data(), text.size(), path.c_str(), &scene))
      << jostle_last_error();
  jostle_world_def def;
  def.size = sizeof def;
  ASSERT_EQ(JOSTLE_OK, jostle_scene_get_world_def(scene, 60, &def));
  const World by_c(def);
  ASSERT_EQ(JOSTLE_OK, jostle_scene_instantiate(scene, by_c)) << jostle_last_error();
  jostle_scene_destroy(scene);
  auto parsed = scene::parse_scene(text, path);
  ASSERT_TRUE(parsed.has_value());
  sim::Simulation simulation(*std::move(parsed), {}, sim::default_rules());
  for (std::uint32_t tick = 1; tick <= steps; ++tick)
    simulation.step({.tick = state::Tick{tick}, .commands = {}});
  by_c.step(steps);
  EXPECT_EQ(simulation.hash().world.total, by_c.hash());
}

INSTANTIATE_TEST_SUITE_P(, ApiParityScene, testing::Values("joints", "ragdolls", "orbit"));

}  // namespace
}  // namespace jostle::api_test
