#include "shared/geometry/surface.h"
#include "tests/physics/collide_oracle.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

/// Adds static ground of every kind side by side: a mesh of hills, a height field, and a plane
/// below.
void add_grounds(World& world) {
  base::Random random(3);
  constexpr std::uint32_t cells = 12;
  state::TriangleMesh mesh;
  state::HeightField field;
  field.count_x = field.count_z = cells + 1;
  for (std::uint32_t i = 0; i <= cells; ++i) {
    for (std::uint32_t k = 0; k <= cells; ++k) {
      mesh.vertices.push_back(
          {static_cast<float>(i) - 6, random.between(-0.2f, 0.2f), static_cast<float>(k) - 6});
      field.heights.push_back(random.between(-0.2f, 0.2f));
      if (i == cells || k == cells) continue;
      const std::uint32_t a = i * (cells + 1) + k, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  add_body(world, MotionType::Static, {{-6, 0, 0}, {}},
           shape_def(state::solid(geometry::share(std::move(mesh)))));
  add_body(world, MotionType::Static, {{6, 0, 0}, {}},
           shape_def(state::solid(geometry::share(std::move(field)))));
  add_body(world, MotionType::Static, {{0, -1.5, 0}, {}}, shape_def(state::plane()));
}

/// Adds the grounds and 150 bodies of all convex kinds that fall onto them. Some bodies are fast.
void add_rain_of_all_kinds(World& world) {
  add_grounds(world);
  base::Random random(17);
  for (int i = 0; i < 150; ++i) {
    const state::Shape shape =
        random_convex(random, convex_kinds[static_cast<std::size_t>(i) % convex_kinds.size()]);
    const Position at{(i % 10 - 4.5) * 1.6, 1.0 + 0.9 * (i / 50), (i / 10 % 5 - 2.0) * 1.1};
    const math::Quat turn = random_rotation(random);
    const BodyHandle body = add_body(world, MotionType::Dynamic, {at, turn}, shape_def(shape));
    if (i % 13 == 0) world.set_velocity(body, {40, -80, 10}, {10, 20, 5});
  }
}

TEST(Pipeline, AllShapeKindsAreBitIdenticalForAllThreadCounts) {
  constexpr int steps = 80;
  World serial{WorldOptions{}};
  add_rain_of_all_kinds(serial);
  std::vector<StateHash> expected;
  std::vector<std::vector<ContactBegin>> begins;
  for (int i = 0; i < steps; ++i) {
    serial.step();
    expected.push_back(serial.hash());
    begins.emplace_back(serial.contact_begins().begin(), serial.contact_begins().end());
  }
  EXPECT_GT(serial.stats().touching_pairs, 100U);
  for (const int threads : {2, 3, 4, 8}) {
    SCOPED_TRACE(threads);
    World world{WorldOptions{}};
    world.set_execution({threads, simd::best_instruction_set()});
    add_rain_of_all_kinds(world);
    for (std::size_t i = 0; i < steps; ++i) {
      world.step();
      ASSERT_EQ(world.hash(), expected[i]) << "step " << i;
      ASSERT_TRUE(std::ranges::equal(world.contact_begins(), begins[i])) << "step " << i;
    }
  }
}

/// Adds a pile of mixed bodies on a moving platform.
void add_busy_heap(World& world) {
  add_ground(world);
  add_mixed_rain(world, 70, 4);
  const BodyHandle platform = add_body(world, MotionType::Kinematic, {{0, 0.2, 0}, {}},
                                       shape_def(state::box({1.5f, 0.2f, 1.5f})));
  world.set_velocity(platform, {0.05f, 0, 0}, {0, 0.3f, 0});
}

/// Pushes one of the bodies every forty steps.
void push(World& world, int step) {
  if (step % 40 != 39) return;
  const std::vector<BodyHandle> bodies = world.bodies();
  const BodyHandle body = bodies[1 + static_cast<std::size_t>(step * 7) % (bodies.size() - 2)];
  world.apply_impulse(body, {20, 60, -10}, world.centre_of_mass(body) + Vec3{0.1f, 0, 0});
}

TEST(Pipeline, ChangingTheExecutionAtEveryStepChangesNothing) {
  World straight{WorldOptions{}};
  add_busy_heap(straight);
  World moving{WorldOptions{}};
  add_busy_heap(moving);
  std::vector<simd::InstructionSet> levels;
  for (const simd::InstructionSet level : simd::all_instruction_sets) {
    if (simd::is_supported(level)) levels.push_back(level);
  }
  constexpr std::array threads{1, 2, 3};
  for (std::size_t step = 0; step < 600; ++step) {
    World next{WorldOptions{}};
    next.set_execution({threads[step % threads.size()], levels[step % levels.size()]});
    const std::vector<std::byte> bytes = saved(moving);
    base::ByteReader reader(bytes);
    ASSERT_TRUE(next.restore(reader).has_value());
    moving = std::move(next);
    for (World* world : {&straight, &moving}) {
      push(*world, static_cast<int>(step));
      world->step();
    }
    ASSERT_EQ(moving.hash(), straight.hash()) << "step " << step;
  }
}

struct MotionBits {
  math::Pose pose;
  Vec3 linear, angular;
  bool operator==(const MotionBits&) const = default;
};

std::vector<MotionBits> bits_of(const World& world, const std::vector<BodyHandle>& bodies) {
  std::vector<MotionBits> bits;
  for (const BodyHandle body : bodies) {
    bits.push_back({world.pose(body), world.linear_velocity(body), world.angular_velocity(body)});
  }
  return bits;
}

/// Adds boxes that fall far from the pile. The test calls this function before the ground, before
/// the pile and after the pile, so the handles of the pile differ from those without the boxes.
void add_far_boxes(World& world, int count, double x) {
  for (int i = 0; i < count; ++i) {
    add_dynamic(world, {x + 0.7 * (i % 3), 0.6 + 1.1 * (i / 3), 300},
                state::box({0.5f, 0.5f, 0.5f}));
  }
}

TEST(Pipeline, FarBodiesDoNotChangeOtherBodies) {
  for (const bool is_sleeping_enabled : {false, true}) {
    WorldOptions options;
    options.is_sleeping_enabled = is_sleeping_enabled;
    World alone(options), crowded(options);
    add_ground(alone);
    add_far_boxes(crowded, 5, -300);
    add_ground(crowded);
    add_far_boxes(crowded, 40, 300);
    const std::vector<BodyHandle> here = add_mixed_rain(alone, 60, 8);
    const std::vector<BodyHandle> there = add_mixed_rain(crowded, 60, 8);
    add_far_boxes(crowded, 30, 600);
    for (int step = 0; step < 300; ++step) {
      alone.step();
      crowded.step();
      ASSERT_EQ(bits_of(crowded, there), bits_of(alone, here)) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace jostle::physics
