#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

state::Shape hills() {
  base::Random random(5);
  state::HeightField field;
  field.count_x = field.count_z = 24;
  for (int i = 0; i < 24 * 24; ++i)
    field.heights.push_back(random.between(-0.3f, 0.3f));
  return state::solid(geometry::share(std::move(field)));
}

state::Shape rock(std::uint64_t seed) {
  base::Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 24; ++i)
    points.push_back(random_vector(random, 0.4f));
  return state::solid(geometry::share(geometry::build_hull(points).value()));
}

/// Returns a world in which rocks, cylinders and cones fall onto hills.
World landslide() {
  World world{WorldOptions{}};
  add_body(world, MotionType::Static, {{-12, 0, -12}, {}}, shape_def(hills()));
  base::Random random(6);
  for (int i = 0; i < 30; ++i) {
    const state::Shape shape = i % 3 == 0   ? rock(static_cast<std::uint64_t>(1 + i % 4))
                               : i % 3 == 1 ? state::cylinder(0.3f, 0.25f)
                                            : state::cone(0.35f, 0.4f);
    add_body(
        world, MotionType::Dynamic,
        {{random.between(-2, 2), 1.5 + 0.4 * i, random.between(-2, 2)}, random_rotation(random)},
        shape_def(shape));
  }
  return world;
}

TEST(SaveSolids, WorldWithTheSameSolidsContinuesBitExactly) {
  World straight = landslide(), through = landslide();
  for (int step = 0; step < 240; ++step) {
    SCOPED_TRACE(step);
    straight.step();
    through.step();
    ASSERT_EQ(straight.hash(), through.hash());
    if (step % 5 != 0) continue;
    const std::vector<std::byte> bytes = saved(through);
    World next{WorldOptions{}};
    next.add_solid(hills().solid);
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U})
      next.add_solid(rock(seed).solid);
    base::ByteReader reader(bytes);
    ASSERT_TRUE(next.restore(reader).has_value());
    EXPECT_EQ(saved(next), bytes);
    through = std::move(next);
  }
}

TEST(SaveSolids, RestoreFailsWithoutChangesIfASolidIsMissing) {
  const std::vector<std::byte> bytes = saved(landslide());
  World world{WorldOptions{}};
  add_ground(world);
  world.add_solid(hills().solid);
  const StateHash before = world.hash();
  base::ByteReader reader(bytes);
  EXPECT_EQ(world.restore(reader).error(), RestoreError::MissingSolid);
  EXPECT_EQ(world.hash(), before);
}

TEST(SaveSolids, AreStoredByReference) {
  const std::size_t samples_bytes = 24 * 24 * sizeof(float);
  World world{WorldOptions{}};
  add_body(world, MotionType::Static, {}, shape_def(hills()));
  EXPECT_LT(saved(world).size(), samples_bytes);
  EXPECT_EQ(world.find_solid(hills().solid->content_hash)->content_hash,
            hills().solid->content_hash);
  EXPECT_EQ(world.find_solid(1), nullptr);
}

TEST(SaveSolids, WorldHashDependsOnTheirContent) {
  const auto hash_with = [](const state::Shape& shape) {
    World world{WorldOptions{}};
    add_body(world, MotionType::Static, {}, shape_def(shape));
    return world.hash().shapes;
  };
  EXPECT_EQ(hash_with(rock(1)), hash_with(rock(1)));
  EXPECT_NE(hash_with(rock(1)), hash_with(rock(2)));
}

}  // namespace
}  // namespace jostle::physics
