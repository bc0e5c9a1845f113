#include "shared/base/bytes.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

/// Returns `small_scene` with tilted gravity instead of a slope. The slope descends towards +x, and
/// its tangent is 0.4.
scene::SceneDef sloping_scene() {
  scene::SceneDef scene = small_scene();
  scene.world.gravity = {4, -10, 0};
  return scene;
}

TEST(SceneMaterials, StickWithStaticFrictionAndSlideWithFriction) {
  scene::SceneDef scene = sloping_scene();
  for (scene::SceneBody& body : scene.bodies) {
    body.shapes[0].material.friction = 0.2f;
    body.shapes[0].material.static_friction = 0.5f;
  }
  const auto holds = simulate(scene);
  step_many(*holds, 120);
  EXPECT_NEAR(position_of(*holds, crate_id).x, 0, 1e-3);
  scene.bodies[1].linear_velocity = {1, 0, 0};
  const auto slides = simulate(scene);
  step_many(*slides, 60);
  EXPECT_NEAR(velocity_of(*slides, crate_id).x, 1 + 2, 0.02);
}

TEST(SceneMaterials, CombineByTheStatedRule) {
  scene::SceneDef scene = sloping_scene();
  scene.bodies[1].shapes[0].material.friction = 0.1f;
  scene.bodies[1].shapes[0].material.friction_rule = scene::CombineRule::Minimum;
  const auto simulation = simulate(scene);
  step_many(*simulation, 60);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).x, 3, 0.02);
}

scene::SceneDef scene_with_pair() {
  scene::SceneDef scene = sloping_scene();
  scene.bodies[0].shapes[0].material.id = 1;
  scene.bodies[1].shapes[0].material.id = 2;
  scene::SceneMaterialPair pair;
  pair.a = 1;
  pair.b = 2;
  pair.friction = 0.1f;
  scene.material_pairs = {pair};
  return scene;
}

TEST(SceneMaterials, PairValuesApplyAlsoAfterAReset) {
  const auto simulation = simulate(scene_with_pair());
  step_many(*simulation, 60);
  EXPECT_NEAR(velocity_of(*simulation, crate_id).x, 3, 0.02);
  step(*simulation, {state::ControlCommand{state::ControlKind::Reset, 0}});
  const state::BodyId crate = simulation->world_def().bodies[1].id;
  step_many(*simulation, 59);
  EXPECT_NEAR(velocity_of(*simulation, crate).x, 3, 0.02);
}

// A client with prediction starts from the scene and a saved state. With both, it must apply the
// same material pairs as the server.
TEST(SceneMaterials, PairsArePartOfTheSavedState) {
  const auto known = simulate(scene_with_pair()), other = simulate(scene_with_pair());
  step_many(*known, 30);
  base::ByteWriter writer;
  known->save(writer);
  base::ByteReader reader(writer.bytes());
  ASSERT_TRUE(other->restore(reader).has_value());
  for (int i = 0; i < 60; ++i) {
    step(*known);
    step(*other);
    ASSERT_EQ(known->world().hash(), other->world().hash()) << i;
  }
}

}  // namespace
}  // namespace jostle::sim
