// Islands that are solved together, side by side or pass by pass
// (shared/physics/solver/clusters.h).
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

const state::Shape crate = state::box({0.5f, 0.5f, 0.5f});

/// Rows of a pyramid with more bodies and contacts than one cluster holds.
constexpr int rows = 20;

/// Two crates, one of which is thrown at the other.
std::vector<BodyHandle> add_pair(World& world, double x, double z) {
  const std::vector<BodyHandle> bodies{add_dynamic(world, {x, 0.5, z}, crate),
                                       add_dynamic(world, {x + 1.3, 0.7, z + 0.2}, crate)};
  world.set_velocity(bodies[1], {-3, 0, 0.5f}, {1, 2, 3});
  return bodies;
}

/// A plate that turns under crates which nothing else joins.
void add_turntable(World& world, double x) {
  const BodyHandle plate = add_body(world, MotionType::Kinematic, {{x, 0.3, -20}, {}},
                                    shape_def(state::box({6, 0.1f, 6})));
  world.set_velocity(plate, {}, {0, 0.5f, 0});
  for (int i = 0; i < 9; ++i)
    add_dynamic(world, {x + 3 * (i % 3 - 1), 0.9, -20.0 + 3 * (i / 3 - 1)}, crate);
}

void add_islands(World& world) {
  add_ground(world);
  add_turntable(world, 0);
  for (int i = 0; i < 60; ++i)
    add_pair(world, 4.0 * i, 20);
  add_pyramid(world, rows);
  for (int i = 0; i < 8; ++i)
    add_ragdoll(world, {6.0 * i, 1.3, 40}, 0.8f * static_cast<float>(i));
  add_pyramid(world, rows, 60);
  for (int i = 0; i < 60; ++i)
    add_pair(world, 4.0 * i, 60);
  add_turntable(world, 40);
}

TEST(Clusters, LargeAndSmallIslandsGetTheSameBitsOnAnyNumberOfThreads) {
  World one{WorldOptions{}};
  add_islands(one);
  std::vector<World> others;
  for (const int threads : {2, 3, 8}) {
    World& world = others.emplace_back(WorldOptions{});
    world.set_execution({threads, simd::best_level()});
    add_islands(world);
  }
  for (int step = 0; step < 150; ++step) {
    one.step();
    for (World& world : others) {
      world.step();
      ASSERT_EQ(world.hash(), one.hash())
          << "step " << step << ", threads " << world.execution().threads;
    }
  }
}

TEST(Clusters, APairMovesTheSameAloneAndAmongAllOthers) {
  World alone{WorldOptions{}}, among{WorldOptions{}};
  add_ground(alone);
  const std::vector<BodyHandle> here = add_pair(alone, 100, 90);
  add_islands(among);
  const std::vector<BodyHandle> there = add_pair(among, 100, 90);
  for (int step = 0; step < 150; ++step) {
    alone.step();
    among.step();
    for (std::size_t i = 0; i < here.size(); ++i) {
      ASSERT_EQ(among.pose(there[i]), alone.pose(here[i])) << "step " << step;
      ASSERT_EQ(among.angular_velocity(there[i]), alone.angular_velocity(here[i]));
    }
  }
}

}  // namespace
}  // namespace jostle::physics
