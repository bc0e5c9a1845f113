#include "tools/workload/body_state.h"
#include "tools/workload/hull.h"
#include "tools/workload/random.h"
#include "tools/workload/scenes.h"
#include "tools/workload/script.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace jostle::workload {
namespace {

struct SceneCase {
  std::string name;
  std::size_t dynamic_bodies = 0, static_bodies = 0, joints = 0;
};

class Scenes : public testing::TestWithParam<SceneCase> {};

TEST_P(Scenes, HaveTheDefinedNumberOfBodies) {
  const SceneCase& expected = GetParam();
  const std::optional<Scene> scene = make_scene(expected.name);
  ASSERT_TRUE(scene);
  std::size_t dynamic = 0;
  for (const Body& body : scene->bodies)
    dynamic += is_dynamic(body) ? 1U : 0U;
  EXPECT_EQ(dynamic, expected.dynamic_bodies);
  EXPECT_EQ(scene->bodies.size() - dynamic, expected.static_bodies);
  EXPECT_EQ(scene->joints.size(), expected.joints);
}

INSTANTIATE_TEST_SUITE_P(
    All, Scenes,
    testing::Values(SceneCase{"pyramid", 465, 1, 0}, SceneCase{"pyramid100", 5050, 1, 0},
                    SceneCase{"stacks", 5000, 1, 0}, SceneCase{"spheres_rain", 8000, 5, 0},
                    SceneCase{"mixed_pile", 4000, 5, 0}, SceneCase{"hull_pile", 2000, 5, 0},
                    SceneCase{"joint_grid", 2450, 50, 4851}, SceneCase{"ragdolls", 2200, 15, 2000},
                    SceneCase{"mesh_terrain", 3000, 1, 0}, SceneCase{"cubes901", 901, 1, 0},
                    SceneCase{"large_world", 50'000, 1, 0}, SceneCase{"boxes1000", 1000, 1, 0}),
    [](const testing::TestParamInfo<SceneCase>& case_info) { return case_info.param.name; });

TEST(Scenes, UnknownNamesGiveNoScene) {
  for (const char* name : {"", "pyramids", "boxes", "boxes0", "boxes1x", "boxes-5", "boxes1000001"})
    EXPECT_FALSE(make_scene(name)) << name;
  EXPECT_EQ(scene_names().size(), 11U);
}

TEST(Scenes, BoxesOfThePyramidTouchExactly) {
  const Scene scene = *make_scene("pyramid");
  const Body& corner = scene.bodies[1];
  EXPECT_EQ(corner.position, (math::Vec3{-14.5f, 0.5f, 0}));
  EXPECT_EQ(scene.bodies[2].position - corner.position, (math::Vec3{1, 0, 0}));
  EXPECT_EQ(scene.bodies[31].position - corner.position, (math::Vec3{0.5f, 1, 0}));
  EXPECT_EQ(scene.bodies.back().position, (math::Vec3{0, 29.5f, 0}));
}

TEST(Scenes, UseTheDocumentedRandomGenerator) {
  // Computed by hand: 1·1664525 + 1013904223 = 1015568748; divide its upper 24 bits by 2^24.
  Random random(1);
  EXPECT_EQ(random.bits(), 1015568748U);
  EXPECT_EQ(Random(1).unit(), static_cast<float>(1015568748U >> 8) / 16777216.0f);
  const Scene scene = *make_scene("spheres_rain");
  const float jitter = -0.1f + 0.2f * Random(1).unit();
  EXPECT_FLOAT_EQ(scene.bodies[5].position.x, 1.5f * -9.5f + jitter);
}

TEST(Scenes, HullsContainAllPointsAndAreCentred) {
  const Scene scene = *make_scene("hull_pile");
  int hulls = 0;
  for (const Shape& shape : scene.shapes) {
    if (shape.kind != ShapeKind::Hull) continue;
    SCOPED_TRACE(hulls++);
    EXPECT_GE(shape.points.size(), 12U);
    EXPECT_LE(shape.points.size(), 20U);
    // By Euler's formula, a closed surface of triangles with n points has 2·n − 4 triangles. All
    // points must be on the hull.
    EXPECT_EQ(shape.triangles.size(), 2 * shape.points.size() - 4);
    const Shape again = make_centred_hull(shape.points);
    EXPECT_LT(length(again.points[0] - shape.points[0]), 1e-6f);
  }
  EXPECT_EQ(hulls, 64);
}

TEST(Scenes, TerrainTrianglesFaceUpward) {
  const Scene scene = *make_scene("mesh_terrain");
  const Shape& mesh = scene.shapes[0];
  EXPECT_EQ(mesh.points.size(), 317U * 317U);
  EXPECT_EQ(mesh.triangles.size(), 199'712U);
  for (const auto& t : mesh.triangles) {
    const math::Vec3 a = mesh.points[t[0]], b = mesh.points[t[1]], c = mesh.points[t[2]];
    ASSERT_GT(cross(b - a, c - a).y, 0);
  }
}

TEST(Moments, OfATetrahedronMatchTheFormula) {
  // A tetrahedron at the corner of a cuboid with the edges a, b and c has V = abc/6 and ∫x² =
  // V·a²·3/80 about its centre.
  const Shape tetrahedron = make_centred_hull({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}});
  const SolidMoments moments = moments_of(tetrahedron);
  EXPECT_NEAR(moments.volume, 1, 1e-6);
  EXPECT_NEAR(moments.inertia.x, (4 + 9) * 3.0 / 80, 1e-6);
  EXPECT_NEAR(moments.inertia.y, (1 + 9) * 3.0 / 80, 1e-6);
}

/// Computes volume and moments from those points of a fine grid that are inside the shape. The grid
/// extends from −`half_width` to `half_width` along each axis.
SolidMoments count_points(const Shape& shape, double half_width,
                          bool (*is_inside)(const Shape&, double x, double y, double z)) {
  constexpr int cells = 160;
  const double step = 2 * half_width / cells;
  const double volume = step * step * step;
  SolidMoments sum;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const double x = (i + 0.5) * step - half_width, y = (j + 0.5) * step - half_width;
        const double z = (k + 0.5) * step - half_width;
        if (!is_inside(shape, x, y, z)) continue;
        sum.volume += volume;
        sum.inertia.x += volume * (y * y + z * z);
        sum.inertia.y += volume * (x * x + z * z);
      }
    }
  }
  return sum;
}

TEST(Moments, OfACapsuleMatchPointCounting) {
  Shape capsule;
  capsule.kind = ShapeKind::Capsule;
  capsule.radius = 0.5f;
  capsule.half_segment = 0.4f;
  const SolidMoments counted =
      count_points(capsule, 1, [](const Shape& s, double x, double y, double z) {
        const double h = static_cast<double>(s.half_segment), r = static_cast<double>(s.radius);
        const double beyond = std::max(std::abs(y) - h, 0.0);
        return x * x + z * z + beyond * beyond < r * r;
      });
  const SolidMoments moments = moments_of(capsule);
  EXPECT_NEAR(moments.volume / counted.volume, 1, 2e-3);
  EXPECT_NEAR(moments.inertia.x / counted.inertia.x, 1, 2e-3);
  EXPECT_NEAR(moments.inertia.y / counted.inertia.y, 1, 2e-3);
}

TEST(Script, PullsTheDrivenCubeTowardItsTarget) {
  const Scene scene = *make_scene("cubes901");
  math::Vec3 impulse;
  EngineControls hands;
  hands.look = [](std::uint32_t) { return state::PushedBody{{0, 5, 0}, {}, 3375}; };
  hands.push = [&](std::uint32_t body, math::Vec3 given, math::Vec3 point) {
    EXPECT_EQ(body, 901U);
    EXPECT_EQ(point, math::Vec3{});
    impulse = given;
  };
  act(scene, 0, hands);
  // The target is (0, 10 sin 1) in x and z. The acceleration towards it would be 168 m/s², but is
  // limited to 40.
  EXPECT_NEAR(impulse.z, 3375.0f * 40 / 60, 0.01f);
  EXPECT_EQ(impulse.y, 0);
}

TEST(Script, RotatesTheVelocityOfEveryHundredthBody) {
  const Scene scene = *make_scene("large_world");
  int driven = 0;
  EngineControls hands;
  hands.drive = [&](std::uint32_t body, math::Vec3 velocity) {
    EXPECT_EQ(body % 100, 1U);
    EXPECT_NEAR(velocity.x, 1, 1e-6f);  // velocity after half a second
    ++driven;
  };
  act(scene, 30, hands);
  EXPECT_EQ(driven, 500);
}

TEST(Dump, RoundTripsThroughItsBytes) {
  std::vector<BodyState> states(3);
  states[1] = {{1, 2, 3}, {0.5f, -0.5f, 0.5f, 0.5f}, {4, 5, 6}, {7, 8, 9}};
  states[2].position.x = std::numeric_limits<float>::infinity();
  const std::vector<std::byte> bytes = encode_dump(states);
  EXPECT_EQ(bytes.size(), 4 + 3 * 13 * 4U);
  const auto read = decode_dump(bytes);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ((*read)[1].position, states[1].position);
  EXPECT_EQ((*read)[1].rotation, states[1].rotation);
  EXPECT_EQ((*read)[1].linear_velocity, states[1].linear_velocity);
  EXPECT_EQ((*read)[1].angular_velocity, states[1].angular_velocity);
  EXPECT_FALSE(is_finite((*read)[2]));
}

TEST(Dump, WithTheWrongSizeIsRejected) {
  const std::vector<std::byte> bytes = encode_dump(std::vector<BodyState>(2));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_dump(std::span(bytes).first(size))) << size;
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{});
  EXPECT_FALSE(decode_dump(longer));
  std::vector<std::byte> claims_much(4, std::byte{0x7F});
  EXPECT_FALSE(decode_dump(claims_much));
}

}  // namespace
}  // namespace jostle::workload
