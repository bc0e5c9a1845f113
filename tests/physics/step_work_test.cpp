#include "shared/geometry/surface.h"
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

// Tests that the work of a step, counted by StepWork, does not grow faster than the scene. The
// results do not depend on the speed of the machine.
namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Steps the world and returns the sum of a count over the steps.
std::uint64_t work_of(World& world, int steps, std::uint64_t StepWork::*count) {
  std::uint64_t sum = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    sum += world.stats().work.*count;
  }
  return sum;
}

/// Adds five layers of `side` × `side` rods of 6 cm × 1.5 m that fall onto each other.
void add_falling_rods(World& world, int side) {
  base::Random random(5);
  add_ground(world);
  for (int i = 0; i < 5 * side * side; ++i) {
    const int layer = i / (side * side), row = i / side % side;
    const Position at{i % side * 0.8, 1.0 + 0.5 * layer, row * 0.8};
    add_body(world, MotionType::Dynamic, {at, random_rotation(random)},
             shape_def(state::box({0.03f, 0.75f, 0.03f})));
  }
}

double impact_searches_per_rod(int side) {
  World world(without_sleep());
  add_falling_rods(world, side);
  const std::uint64_t sum = work_of(world, 120, &StepWork::impact_searches);
  return static_cast<double>(sum) / (5.0 * side * side);
}

TEST(StepWork, ImpactSearchesPerThinBodyDoNotGrowWithTheirNumber) {
  const double few = impact_searches_per_rod(6), many = impact_searches_per_rod(12);
  EXPECT_GT(few, 0.0);
  EXPECT_LT(many, 1.5 * few);
}

TEST(StepWork, SlowBodiesCauseNoImpactSearches) {
  World world(without_sleep());
  add_ground(world);
  add_stack(world, 10);
  EXPECT_EQ(work_of(world, 60, &StepWork::impact_searches), 0U);
}

/// Returns a flat square of triangles with a side of 24 m.
state::Shape flat_mesh(std::uint32_t cells) {
  state::TriangleMesh mesh;
  const float size = 24.0f / static_cast<float>(cells);
  for (std::uint32_t i = 0; i <= cells; ++i) {
    for (std::uint32_t k = 0; k <= cells; ++k) {
      mesh.vertices.push_back(
          {static_cast<float>(i) * size - 12, 0, static_cast<float>(k) * size - 12});
      if (i == cells || k == cells) continue;
      const std::uint32_t a = i * (cells + 1) + k, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return state::solid(geometry::share(std::move(mesh)));
}

/// Returns the number of triangles that a log examines in a second. The log consists of `parts`
/// boxes in a row of 5.5 m; it falls onto a flat mesh and rolls.
std::uint64_t triangles_of_a_log(int parts) {
  World world(without_sleep());
  add_body(world, MotionType::Static, {}, shape_def(flat_mesh(96)));
  BodyDef def;
  def.pose = {{0, 1, 0}, normalized(math::Quat{0.1f, 0.2f, 0.3f, 0.9f})};
  const BodyHandle log = world.create_body(def);
  const float half = 2.75f / static_cast<float>(parts);
  for (int i = 0; i < parts; ++i) {
    ShapeDef part = shape_def(state::box({0.15f, half, 0.15f}));
    part.local.offset = {0, half * static_cast<float>(2 * i + 1) - 2.75f, 0};
    world.add_shape(log, part);
  }
  world.set_velocity(log, {3, -4, 0}, {2, 1, 3});
  return work_of(world, 60, &StepWork::triangles);
}

TEST(StepWork, PartsOfACompoundExamineTheTrianglesNearThemselvesOnly) {
  const std::uint64_t one = triangles_of_a_log(1), many = triangles_of_a_log(22);
  EXPECT_GT(one, 0U);
  EXPECT_LT(many, one);
}

/// Returns the number of rim comparisons per tile while a plate lies on the tiles for a second.
std::uint64_t comparisons_per_tile(int side) {
  World world(without_sleep());
  for (int i = 0; i < side; ++i) {
    for (int k = 0; k < side; ++k)
      add_body(world, MotionType::Static, {{i + 0.5, -0.5, k + 0.5}, {}},
               shape_def(state::box({0.5f, 0.5f, 0.5f})));
  }
  const float half = 0.5f * static_cast<float>(side);
  add_dynamic(world, {0.5 * side, 0.25, 0.5 * side}, state::box({half, 0.25f, half}));
  const auto tiles = static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side);
  return work_of(world, 60, &StepWork::rim_comparisons) / tiles;
}

TEST(StepWork, ComparisonsOfAContactDoNotGrowWithTheContactsOfTheBody) {
  const std::uint64_t few = comparisons_per_tile(8), many = comparisons_per_tile(24);
  EXPECT_LE(many, few + 60);
}

TEST(StepWork, ContactsOfSingleShapesThatMoveAreNotCompared) {
  constexpr int boxes = 8;
  World world(without_sleep());
  add_body(world, MotionType::Static, {}, shape_def(state::box({5, 1, 5})));
  for (int i = 0; i < boxes; ++i)
    add_dynamic(world, {0, 1.5 + i, 0}, state::box({0.5f, 0.5f, 0.5f}));
  // Only the lowest box has a contact with a static body. It compares that contact with at most
  // its two contacts.
  EXPECT_LE(work_of(world, 60, &StepWork::rim_comparisons), 60U * 2);
}

/// Returns the mean number of tree solutions per joint and step while a chain swings.
double solutions_per_joint(int links) {
  World world(without_sleep());
  BodyHandle last = add_anchor(world, {});
  for (int i = 0; i < links; ++i) {
    const BodyHandle link =
        add_dynamic(world, {0.3 * (i + 0.5), 0, 0}, state::capsule(0.04f, 0.1f));
    world.create_joint(
        make_joint_def(world, JointKind::Ball, last, link, {0.3 * i, 0, 0}, Vec3{1, 0, 0}));
    last = link;
  }
  const std::uint64_t sum = work_of(world, 60, &StepWork::tree_solutions);
  return static_cast<double>(sum) / (60.0 * links);
}

TEST(StepWork, SolutionsPerJointDoNotGrowWithTheLengthOfAChain) {
  const double few = solutions_per_joint(50), many = solutions_per_joint(400);
  EXPECT_GT(few, 0.0);
  EXPECT_LT(many, 1.3 * few);
}

// A step has four substeps. Each takes one solution in the relax phase and, because the first
// solution of the biased solve already contains a prediction, little more than two there.
TEST(StepWork, PredictionOfTheFirstSolutionSavesARepetition) {
  EXPECT_LT(solutions_per_joint(50), 13.0);
}

TEST(StepWork, IsEqualForAnyNumberOfThreads) {
  const auto run_with = [](int threads) {
    World world(without_sleep());
    world.set_execution({.threads = threads});
    add_falling_rods(world, 8);
    add_body(world, MotionType::Static, {}, shape_def(flat_mesh(96)));
    run(world, 60);
    return world.stats().work;
  };
  const StepWork one = run_with(1), three = run_with(3);
  EXPECT_GT(one.contact_updates, 0U);
  EXPECT_EQ(one.contact_updates, three.contact_updates);
  EXPECT_EQ(one.impact_searches, three.impact_searches);
  EXPECT_EQ(one.triangles, three.triangles);
  EXPECT_EQ(one.rim_comparisons, three.rim_comparisons);
  EXPECT_EQ(one.tree_solutions, three.tree_solutions);
}

}  // namespace
}  // namespace jostle::physics
