#include "tools/check/penetration.h"

#include "tools/workload/detail/makers.h"
#include "tools/workload/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace jostle::check {
namespace {

using workload::BodyState;
using workload::Motion;
using workload::Scene;

std::vector<BodyState> at_start(const Scene& scene) {
  std::vector<BodyState> states;
  for (const workload::Body& body : scene.bodies)
    states.push_back({body.position, body.rotation, body.linear_velocity, body.angular_velocity});
  return states;
}

/// Adds a square of two triangles in the plane y = 0, from −1 to 1 in x and z.
std::uint32_t add_square(Scene& scene) {
  workload::Shape mesh;
  mesh.kind = workload::ShapeKind::Mesh;
  mesh.points = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, -1}, {1, 0, 1}};
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}};
  scene.shapes.push_back(mesh);
  return static_cast<std::uint32_t>(scene.shapes.size() - 1);
}

TEST(Penetrations, CountEachOverlappingPairOnce) {
  Scene scene;
  workload::add_ground(scene, 10);
  const std::uint32_t box = workload::add_box(scene, {0.5f, 0.5f, 0.5f});
  workload::add_dynamic(scene, box, {0, 0.4375f, 0});    // 0.0625 deep in the ground
  workload::add_dynamic(scene, box, {0.75f, 0.75f, 0});  // 0.25 deep in the first box
  workload::add_dynamic(scene, box, {5, 0.46875f, 0});   // 0.03125 deep in the ground
  workload::add_dynamic(scene, box, {-5, 3, 0});         // touches nothing

  const Penetrations found = measure_penetrations(scene, at_start(scene));
  EXPECT_EQ(found.pairs, 3U);
  EXPECT_NEAR(found.deepest, 0.25, 1e-9);
  EXPECT_NEAR(found.median, 0.0625, 1e-9);
  EXPECT_EQ(found.body_a, 1U);
  EXPECT_EQ(found.body_b, 2U);
}

TEST(Penetrations, SkipPairsThatTheSceneExcludesFromCollision) {
  Scene scene;
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  for (int i = 0; i < 6; ++i)
    workload::add_dynamic(scene, sphere, {static_cast<float>(3 * (i / 2)), 0, 0});
  scene.bodies[0].group = scene.bodies[1].group = -1;  // one negative group: no collision
  scene.joints.push_back({.body_a = 2, .body_b = 3});  // connected by a joint
  scene.bodies[4].motion = scene.bodies[5].motion = Motion::Static;
  EXPECT_EQ(measure_penetrations(scene, at_start(scene)).pairs, 0U);

  scene.bodies[1].group = -2;
  scene.joints[0].do_bodies_collide = true;
  EXPECT_EQ(measure_penetrations(scene, at_start(scene)).pairs, 2U);
}

TEST(Penetrations, SkipPartsWhoseFiltersExcludeEachOther) {
  Scene scene;
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  workload::add_dynamic(scene, sphere, {0, 0, 0});
  workload::add_dynamic(scene, sphere, {0.5f, 0, 0});
  const auto pairs = [&](workload::Filter a, workload::Filter b) {
    scene.bodies[0].parts[0].filter = a;
    scene.bodies[1].parts[0].filter = b;
    return measure_penetrations(scene, at_start(scene)).pairs;
  };
  EXPECT_EQ(pairs({}, {}), 1U);
  EXPECT_EQ(pairs({2, 4, 0}, {4, 2, 0}), 1U);
  EXPECT_EQ(pairs({2, 4, 0}, {4, 4, 0}), 0U);
  EXPECT_EQ(pairs({2, 4, 7}, {4, 4, 7}), 1U);
  EXPECT_EQ(pairs({1, 1, -7}, {1, 1, -7}), 0U);
}

TEST(Penetrations, CountKinematicBodiesOnlyAgainstDynamicOnes) {
  Scene scene;
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  for (const Motion motion : {Motion::Kinematic, Motion::Static, Motion::Dynamic})
    workload::add_body(scene, motion, sphere, {}, {});
  EXPECT_EQ(measure_penetrations(scene, at_start(scene)).pairs, 2U);
}

TEST(Penetrations, OfAMeshEqualThatOfItsDeepestTriangle) {
  Scene scene;
  workload::add_body(scene, Motion::Static, add_square(scene), {}, {});
  workload::add_dynamic(scene, workload::add_sphere(scene, 0.5f), {0.25f, 0.375f, 0.5f});
  const std::uint32_t box = workload::add_box(scene, {0.25f, 0.5f, 0.25f});
  workload::add_dynamic(scene, box, {-0.5f, 0.4375f, -0.5f});
  workload::add_dynamic(scene, box, {8, 0, 0});  // outside of the mesh

  const Penetrations found = measure_penetrations(scene, at_start(scene));
  EXPECT_EQ(found.pairs, 2U);
  EXPECT_NEAR(found.deepest, 0.125, 1e-9);
  EXPECT_NEAR(found.median, 0.0625, 1e-9);
}

TEST(Penetrations, OfAPlaneEqualTheHeightBelowIt) {
  Scene scene;
  workload::Shape plane;
  plane.kind = workload::ShapeKind::Plane;
  scene.shapes.push_back(plane);
  workload::add_body(scene, Motion::Static, 0, {0, 1, 0}, {});
  workload::add_dynamic(scene, workload::add_capsule(scene, 0.25f, 0.5f), {100, 1.5f, 0});
  EXPECT_NEAR(measure_penetrations(scene, at_start(scene)).deepest, 0.25, 1e-9);
}

TEST(Penetrations, SkipBodiesWithNonFiniteState) {
  Scene scene;
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  for (int i = 0; i < 3; ++i)
    workload::add_dynamic(scene, sphere, {});
  std::vector<BodyState> states = at_start(scene);
  states[1].position.x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(measure_penetrations(scene, states).pairs, 1U);
}

TEST(Penetrations, UseTheOffsetsOfParts) {
  Scene scene;
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  workload::add_dynamic(scene, sphere, {});
  workload::add_dynamic(scene, sphere, {0, 0, 3});
  scene.bodies[1].parts[0].local.offset = {0, 0, -2.25f};
  EXPECT_NEAR(measure_penetrations(scene, at_start(scene)).deepest, 0.25, 1e-9);
}

// The sweep must find the same pairs as a brute-force search.
TEST(Penetrations, OfAPileEqualABruteForceSearch) {
  Scene scene = *workload::make_scene("mixed_pile");
  std::vector<BodyState> states = at_start(scene);
  states.resize(300);
  scene.bodies.resize(300);
  for (BodyState& state : states)
    state.position *= 0.5f;

  std::size_t pairs = 0;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    for (std::uint32_t j = i + 1; j < states.size(); ++j) {
      Scene two;
      two.bodies = {scene.bodies[i], scene.bodies[j]};
      two.shapes = {scene.shapes[two.bodies[0].parts[0].shape],
                    scene.shapes[two.bodies[1].parts[0].shape]};
      two.bodies[0].parts[0].shape = 0;
      two.bodies[1].parts[0].shape = 1;
      pairs += measure_penetrations(two, std::array{states[i], states[j]}).pairs;
    }
  }
  EXPECT_EQ(measure_penetrations(scene, states).pairs, pairs);
  EXPECT_GT(pairs, 300U);
}

}  // namespace
}  // namespace jostle::check
