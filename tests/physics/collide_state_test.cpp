#include "shared/base/bytes.h"
#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

/// Returns a world in which all convex kinds fall onto hills, some of them fast.
World rain_on_hills() {
  World world{WorldOptions{}};
  state::TriangleMesh mesh;
  constexpr std::uint32_t cells = 16;
  base::Random random(21);
  for (std::uint32_t i = 0; i <= cells; ++i) {
    for (std::uint32_t k = 0; k <= cells; ++k) {
      mesh.vertices.push_back({-6 + 0.75f * static_cast<float>(i), random.between(-0.2f, 0.2f),
                               -6 + 0.75f * static_cast<float>(k)});
      if (i == cells || k == cells) continue;
      const std::uint32_t a = i * (cells + 1) + k, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  add_body(world, MotionType::Static, {},
           shape_def(state::solid(geometry::share(std::move(mesh)))));
  constexpr std::array<ShapeKind, 6> kinds{ShapeKind::Sphere,   ShapeKind::Box,  ShapeKind::Capsule,
                                           ShapeKind::Cylinder, ShapeKind::Cone, ShapeKind::Hull};
  for (int i = 0; i < 36; ++i) {
    const state::Shape shape = random_convex(random, kinds[static_cast<std::size_t>(i % 6)]);
    const Position at{(i % 6 - 2.5) * 1.2, 1.2 + 0.4 * (i % 5), (i / 6 - 2.5) * 1.2};
    const math::Quat turn = random_rotation(random);
    const BodyHandle body = add_body(world, MotionType::Dynamic, {at, turn}, shape_def(shape));
    if (i % 9 == 0) world.set_velocity(body, {60, -60, 30}, {10, 20, 5});
  }
  return world;
}

// Worlds with several manifolds per pair, cached separating axes and impacts must continue
// bit-exactly from a save.
TEST(CollisionState, ContinuesBitExactlyFromASaveAtAnyStep) {
  World world = rain_on_hills();
  for (int step = 0; step < 60; ++step) {
    world.step();
    if (step % 6 != 0) continue;
    SCOPED_TRACE(step);
    const std::vector<std::byte> bytes = saved(world);
    World twin{WorldOptions{}}, original{WorldOptions{}};
    for (World* copy : {&twin, &original}) {
      for (const BodyHandle body : world.bodies()) {
        const state::Shape shape = world.shape_def(world.shapes(body)[0]).shape;
        if (shape.solid) copy->add_solid(shape.solid);
      }
      base::ByteReader reader(bytes);
      ASSERT_TRUE(copy->restore(reader).has_value());
    }
    ASSERT_EQ(twin.hash(), world.hash());
    run(twin, 40);
    run(original, 20);
    // Save and restore once more in the middle of the run.
    const std::vector<std::byte> later = saved(original);
    base::ByteReader reader(later);
    ASSERT_TRUE(original.restore(reader).has_value());
    run(original, 20);
    ASSERT_EQ(twin.hash(), original.hash());
  }
}

}  // namespace
}  // namespace jostle::physics
