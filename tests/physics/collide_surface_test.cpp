#include "shared/math/trig.h"
#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

constexpr float surface_margin = 0.02f;

state::Shape cube_mesh(float h) {
  state::TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return state::solid(geometry::share(std::move(mesh)));
}

CollisionSet collide_with(const Placed& body, const Placed& surface) {
  CollisionSet set;
  SurfaceScratch scratch;
  collide_surface({body.shape, body.axes}, {surface.shape, surface.axes}, surface.at - body.at, {},
                  surface_margin, scratch, set);
  return set;
}

TEST(SurfaceCollision, IsBitIdenticalForAllSimdLevels) {
  base::Random noise(8);
  const state::Shape rough =
      grid_mesh(16, 0.25f, [&](float, float) { return noise.between(-0.08f, 0.08f); });
  base::Random random(9);
  int point_count = 0;
  for (int i = 0; i < 2'000; ++i) {
    Placed body;
    body.shape = state::box({random.between(0.1f, 0.4f), random.between(0.1f, 0.4f), 0.2f});
    body.axes = to_matrix(random_rotation(random));
    const double low = support_height(body, {0, -1, 0});
    body.at = {random.between(-1, 1), static_cast<float>(low) + random.between(-0.1f, 0.1f),
               random.between(-1, 1)};
    const auto collide_at = [&](simd::InstructionSet level) {
      CollisionSet set;
      SurfaceScratch scratch;
      scratch.kernels = &kernels_for(level).surfaces;
      collide_surface({body.shape, body.axes}, {rough, {}}, -body.at, {}, surface_margin, scratch,
                      set);
      return set;
    };
    const CollisionSet plain = collide_at(simd::InstructionSet::Plain);
    for (const simd::InstructionSet level : simd::all_instruction_sets) {
      if (!simd::is_supported(level)) continue;
      const CollisionSet set = collide_at(level);
      ASSERT_EQ(set.count, plain.count) << name_of(level);
      for (std::uint32_t k = 0; k < set.count; ++k) {
        const Collision &found = set.collisions[k], &expected = plain.collisions[k];
        ASSERT_EQ(found.normal, expected.normal);
        ASSERT_EQ(found.point_count, expected.point_count);
        for (std::uint32_t p = 0; p < found.point_count; ++p) {
          ++point_count;
          ASSERT_EQ(found.points[p].position, expected.points[p].position);
          ASSERT_EQ(found.points[p].separation, expected.points[p].separation);
          ASSERT_EQ(found.points[p].feature, expected.points[p].feature);
        }
      }
    }
  }
  EXPECT_GT(point_count, 5'000);
}

float deepest_of(const CollisionSet& set) {
  float least = 1e9f;
  for (std::uint32_t k = 0; k < set.count; ++k)
    least = math::min_of(least, testing::deepest(set.collisions[k]));
  return least;
}

// Any shape on a flat mesh has one manifold, with the normal and depth of a plane.
TEST(SurfaceCollision, FlatMeshCollidesLikeAPlane) {
  const state::Shape flat = grid_mesh(12, 0.3f, [](float, float) { return 0.0f; });
  base::Random random(3);
  for (int i = 0; i < 3'000; ++i) {
    SCOPED_TRACE(i);
    Placed body;
    body.shape = random_convex(random, convex_kinds[random.below(6)]);
    // Half of the shapes lie flat, as bodies at rest do.
    const bool is_flat = random.chance(0.5f);
    const math::Quat turn = math::from_axis_angle({0, 1, 0}, random.between(0, 6));
    body.axes = to_matrix(is_flat ? turn : random_rotation(random));
    const double low = support_height(body, {0, -1, 0});
    const float depth = random.between(-0.01f, 0.02f) * size_of(body.shape);
    body.at = {random.between(-1, 1), static_cast<float>(low) - depth, random.between(-1, 1)};

    const CollisionSet set = collide_with(body, {flat, {}, {}});
    const state::Shape half_space = state::plane();
    const Collision plane = collide(body, {half_space, {}, {}}, surface_margin);
    ASSERT_EQ(set.count, 1U);
    ASSERT_EQ(set.collisions[0].normal, (Vec3{0, -1, 0}));
    ASSERT_NEAR(deepest_of(set), -depth, 1.2e-4f);
    ASSERT_NEAR(deepest_of(set), testing::deepest(plane), 1.2e-4f);
    if (is_flat && body.shape.kind == ShapeKind::Box) {
      ASSERT_EQ(set.collisions[0].point_count, 4U);
    }
  }
}

// From outside, bodies collide with a closed mesh of a cube as with a cube.
TEST(SurfaceCollision, MeshOfACubeCollidesLikeTheCube) {
  const state::Shape mesh = cube_mesh(0.5f), cube = state::box({0.5f, 0.5f, 0.5f});
  base::Random random(4);
  int met = 0;
  for (int i = 0; i < 3'000; ++i) {
    SCOPED_TRACE(i);
    Placed body, box{cube, to_matrix(random_rotation(random)), {}};
    body.shape = random_convex(random, convex_kinds[random.below(6)]);
    body.axes = to_matrix(random_rotation(random));
    const Vec3 direction = normalized_or(random_vector(random, 1), {0, 1, 0});
    const double touching =
        support_height(body, exact(direction) * -1) + support_height(box, exact(direction));
    const float depth = random.between(-0.02f, 0.02f);
    body.at = direction * (static_cast<float>(touching) - depth);
    const double truth = search_separation(body, box);
    if (truth > 0.015 || truth < -0.02) continue;
    const CollisionSet set = collide_with(body, {mesh, box.axes, {}});
    // Two corners that point at each other may be outside of both face regions.
    if (set.count == 0) {
      ASSERT_GT(truth, -1e-4);
      continue;
    }
    ++met;
    ASSERT_GE(static_cast<double>(deepest_of(set)), truth - 0.02);
    ASSERT_LE(static_cast<double>(deepest_of(set)), truth + 0.01);
  }
  EXPECT_GT(met, 80);
}

// A resting box has one manifold with its four corners, on any number of triangles.
TEST(SurfaceCollision, BoxOnManyTrianglesHasOneManifold) {
  const state::Shape flat = grid_mesh(40, 0.1f, [](float, float) { return 0.0f; });
  base::Random random(11);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    Placed box{state::box({0.5f, 0.4f, 0.3f}), {}, {}};
    box.axes = to_matrix(math::from_axis_angle({0, 1, 0}, random.between(0, 6)));
    box.at = {random.between(-1, 1), 0.399f, random.between(-1, 1)};
    const CollisionSet set = collide_with(box, {flat, {}, {}});
    ASSERT_EQ(set.count, 1U);
    ASSERT_EQ(set.collisions[0].point_count, 4U);
    for (std::uint32_t k = 0; k < 4; ++k) {
      const CollisionPoint& point = set.collisions[0].points[k];
      const Vec3 local = transpose_multiply(box.axes, point.position);
      EXPECT_NEAR(point.separation, -0.001f, 1e-6f);
      EXPECT_NEAR(std::abs(local.x), 0.5f, 1e-5f);
      EXPECT_NEAR(std::abs(local.z), 0.3f, 1e-5f);
    }
  }
}

// A peak that touches the face of a box pushes along the normal of that face.
TEST(SurfaceCollision, PeakPushesAlongTheNormalOfTheTouchedFace) {
  const state::Shape peak =
      grid_mesh(2, 1, [](float x, float z) { return x == 0 && z == 0 ? 0.5f : 0.0f; });
  for (const float lean : {0.0f, 0.1f, -0.2f}) {
    SCOPED_TRACE(lean);
    Placed box{state::box({0.3f, 0.1f, 0.2f}), {}, {}};
    box.axes = to_matrix(math::from_axis_angle({0, 0, 1}, lean));
    // The peak is 2 mm inside the middle of the lower face.
    box.at = Vec3{0, 0.5f, 0} + box.axes.cy * (0.1f - 0.002f);
    const CollisionSet set = collide_with(box, {peak, {}, {}});
    ASSERT_EQ(set.count, 1U);
    ASSERT_EQ(set.collisions[0].point_count, 1U);
    EXPECT_GT(dot(set.collisions[0].normal, -box.axes.cy), 1 - 1e-6f);
    EXPECT_NEAR(set.collisions[0].points[0].separation, -0.002f, 1e-6f);
  }
}

// The normal is perpendicular to both edges.
TEST(SurfaceCollision, BoxEdgeAcrossARidgeHasOneContactPoint) {
  const state::Shape ridge = grid_mesh(8, 0.5f, [](float x, float) { return -std::abs(x); });
  Placed box{state::box({0.5f, 0.2f, 0.2f}), {}, {}};
  box.axes = to_matrix(math::from_axis_angle({1, 0, 0}, 0.78539816f));
  box.at = {0.07f, 0.2f * 1.41421356f - 0.002f, 0.13f};
  const CollisionSet set = collide_with(box, {ridge, {}, {}});
  ASSERT_EQ(set.count, 1U);
  ASSERT_EQ(set.collisions[0].point_count, 1U);
  EXPECT_NEAR(set.collisions[0].normal.y, -1, 1e-5f);
  EXPECT_NEAR(set.collisions[0].points[0].separation, -0.002f, 1e-5f);
  const Vec3 at = set.collisions[0].points[0].position + box.at;
  EXPECT_LT(length(at - Vec3{0, -0.001f, 0.13f}), 1e-4f);
}

TEST(SurfaceCollision, DoesNotDependOnTheOrderOfTriangles) {
  const state::Shape hills = grid_mesh(
      12, 0.3f, [](float x, float z) { return 0.1f * x * x - 0.2f * std::abs(z) + 0.05f * x * z; });
  auto mesh = std::get<state::TriangleMesh>(hills.solid->content);
  base::Random random(12);
  for (std::size_t i = mesh.triangles.size() - 1; i > 0; --i)
    std::swap(mesh.triangles[i], mesh.triangles[random.below(static_cast<std::uint32_t>(i + 1))]);
  const state::Shape shuffled = state::solid(geometry::share(std::move(mesh)));
  int met = 0, differing = 0;
  for (int i = 0; i < 10'000; ++i) {
    SCOPED_TRACE(i);
    Placed box{state::box({0.5f, 0.4f, 0.3f}), to_matrix(random_rotation(random)), {}};
    box.at = {random.between(-1, 1), random.between(0.1f, 0.6f), random.between(-1, 1)};
    const CollisionSet one = collide_with(box, {hills, {}, {}});
    const CollisionSet other = collide_with(box, {shuffled, {}, {}});
    if (one.count != other.count) ++differing;
    if (one.count == 0) continue;
    ++met;
    ASSERT_NEAR(deepest_of(one), deepest_of(other), 1e-5f);
  }
  EXPECT_GT(met, 3'000);
  // A box deep in the ground has more contact points than a collision set stores. The selected ones
  // may depend on the order.
  EXPECT_LE(differing, 1);
}

/// Returns the largest depth of a vertex of the mesh inside a box with this pose and these half
/// extents, or 0 if all vertices are outside.
float deepest_vertex(const state::Shape& mesh, const math::Pose& pose, Vec3 half) {
  float deepest = 0;
  for (const Vec3 v : std::get<state::TriangleMesh>(mesh.solid->content).vertices) {
    const Vec3 from{static_cast<float>(static_cast<double>(v.x) - pose.position.x),
                    static_cast<float>(static_cast<double>(v.y) - pose.position.y),
                    static_cast<float>(static_cast<double>(v.z) - pose.position.z)};
    const Vec3 inside = half - abs_of(transpose_multiply(to_matrix(pose.rotation), from));
    deepest = math::max_of(deepest, math::min_of(inside.x, math::min_of(inside.y, inside.z)));
  }
  return deepest;
}

// After boxes have come to rest on rough ground, no vertex of the ground may be more than 2 cm
// inside a box.
TEST(SurfaceCollision, BoxesRestOnRoughGroundWithoutOverlap) {
  base::Random random(13);
  const state::Shape rough =
      grid_mesh(30, 0.5f, [&](float, float) { return random.between(-0.15f, 0.15f); });
  World world(WorldOptions{});
  add_body(world, MotionType::Static, {}, shape_def(rough));
  const Vec3 half{0.5f, 0.4f, 0.3f};
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 16; ++i) {
    const double x = 2.5 * (i % 4) - 3.75, z = 2.5 * (i / 4) - 3.75;
    boxes.push_back(add_body(world, MotionType::Dynamic, {{x, 3, z}, random_rotation(random)},
                             shape_def(state::box(half))));
  }
  run(world, 400);
  for (const BodyHandle box : boxes) {
    const math::Pose pose = world.pose(box);
    EXPECT_GT(pose.position.y, 0.1);
    EXPECT_LT(deepest_vertex(rough, pose, half), 0.02f);
  }
}

// The supporting contacts must be found in every step. If a contact were missed in a step, the box
// would tip there and be pushed out again, and so rock for ever. The ground is so wide that no box
// rolls off its edge.
TEST(SurfaceCollision, BoxesOnRoughGroundDoNotRock) {
  base::Random random(21);
  World world(without_sleep());
  const std::vector<BodyHandle> boxes = boxes_over_rough_ground(world, random, 80);
  run(world, 2400);
  int moving = 0;
  for (const BodyHandle box : boxes)
    moving += length(world.linear_velocity(box)) > 0.003f ? 1 : 0;
  EXPECT_EQ(moving, 0);
}

// In a valley both slopes push, each along its own normal.
TEST(SurfaceCollision, BallInAValleyTouchesBothSlopes) {
  const state::Shape valley = grid_mesh(8, 0.5f, [](float x, float) { return std::abs(x); });
  const Placed ball{state::sphere(0.3f), {}, {0, 0.3f * 1.41421356f - 0.001f, 0.13f}};
  const CollisionSet set = collide_with(ball, {valley, {}, {}});
  ASSERT_EQ(set.count, 2U);
  for (std::uint32_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(set.collisions[k].normal.y, -0.70710678f, 1e-5f);
    EXPECT_NEAR(testing::deepest(set.collisions[k]), -0.001f * 0.70710678f, 1e-5f);
  }
  EXPECT_NEAR(set.collisions[0].normal.x, -set.collisions[1].normal.x, 1e-5f);
}

TEST(SurfaceCollision, RidgePushesABoxStraightUp) {
  const state::Shape ridge = grid_mesh(8, 0.5f, [](float x, float) { return -std::abs(x); });
  const Placed box{state::box({0.3f, 0.1f, 0.3f}), {}, {0.02f, 0.1f - 0.001f, 0.13f}};
  const CollisionSet set = collide_with(box, {ridge, {}, {}});
  ASSERT_GE(set.count, 1U);
  EXPECT_NEAR(set.collisions[0].normal.y, -1, 1e-4f);
  EXPECT_NEAR(testing::deepest(set.collisions[0]), -0.001f, 1e-4f);
}

// Surfaces push only outwards, so bodies behind them have no contacts.
TEST(SurfaceCollision, BodiesBehindASurfaceHaveNoContacts) {
  const state::Shape flat = grid_mesh(4, 0.5f, [](float, float) { return 0.0f; });
  for (const ShapeKind kind : convex_kinds) {
    base::Random random(6);
    Placed body{random_convex(random, kind), {}, {0, -0.02f, 0}};
    body.at.y -= static_cast<float>(support_height(body, {0, 1, 0}));
    EXPECT_EQ(collide_with(body, {flat, {}, {}}).count, 0U);
  }
}

// Contacts on edges and corners do not come and go with rounding errors: a body that sinks into
// rough ground touches it at every depth.
TEST(SurfaceCollision, ABodyThatSinksKeepsItsContacts) {
  base::Random noise(21);
  const state::Shape rough =
      grid_mesh(16, 0.3f, [&](float, float) { return noise.between(-0.05f, 0.05f); });
  base::Random random(22);
  for (int i = 0; i < 1'000; ++i) {
    SCOPED_TRACE(i);
    Placed body;
    body.shape = random_convex(random, convex_kinds[random.below(6)]);
    body.axes = to_matrix(random_rotation(random));
    body.at = {random.between(-1, 1), 0.1f, random.between(-1, 1)};
    body.at.y += 0.1f + static_cast<float>(support_height(body, {0, -1, 0}));
    const auto touches = [&] { return collide_with(body, {rough, {}, {}}).count > 0; };
    constexpr float step = 5e-4f, depth = 0.015f;
    while (body.at.y > -1 && !touches())
      body.at.y -= step;
    const float first = body.at.y;
    for (; body.at.y > first - surface_margin - depth; body.at.y -= step)
      ASSERT_TRUE(touches()) << static_cast<int>(body.shape.kind) << ", " << first - body.at.y
                             << " m lower";
  }
}

// With the shapes exchanged, the normals are negated and the points stay the same.
TEST(SurfaceCollision, IsTheSameInBothOrders) {
  const state::Shape bumpy =
      grid_mesh(12, 0.3f, [](float x, float z) { return 0.2f * x * x - 0.1f * x * z; });
  base::Random random(8);
  for (int i = 0; i < 500; ++i) {
    Placed body;
    body.shape = random_convex(random, convex_kinds[random.below(6)]);
    body.axes = to_matrix(random_rotation(random));
    body.at = {random.between(-1, 1), random.between(0, 0.5f), random.between(-1, 1)};
    const Placed surface{bumpy, to_matrix(random_rotation(random)), random_vector(random, 0.1f)};
    const CollisionSet one = collide_with(body, surface);
    CollisionSet other;
    SurfaceScratch scratch;
    collide_surface({surface.shape, surface.axes}, {body.shape, body.axes}, body.at - surface.at,
                    {}, surface_margin, scratch, other);
    ASSERT_EQ(one.count, other.count);
    for (std::uint32_t k = 0; k < one.count; ++k) {
      const Collision &p = one.collisions[k], &q = other.collisions[k];
      ASSERT_EQ(p.normal, -q.normal);
      ASSERT_TRUE(is_finite(p.normal));
      ASSERT_EQ(p.point_count, q.point_count);
      for (std::uint32_t j = 0; j < p.point_count; ++j) {
        ASSERT_EQ(p.points[j].separation, q.points[j].separation);
        ASSERT_LT(length(p.points[j].position + body.at - q.points[j].position - surface.at),
                  1e-5f);
      }
    }
  }
}

}  // namespace
}  // namespace jostle::physics
