#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/sim/random_inputs.h"
#include "tests/sim/damaged_save.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

scene::SceneDef leaning_crates() {
  scene::SceneDef scene = small_scene();
  for (int i = 0; i < 8; ++i) {
    scene::SceneBody crate = scene.bodies[1];
    crate.name = "crate " + std::to_string(i);
    crate.pose.position = {0.3 * i, 1.6 + 1.1 * i, 0.1 * i};
    scene.bodies.push_back(crate);
  }
  return scene;
}

TEST(SaveRestore, RestoredSimulationContinuesLikeTheOriginal) {
  const auto original = simulate(leaning_crates());
  RandomInputs players(7, 2);
  for (int i = 0; i < 150; ++i)
    original->step(players.next(*original));

  base::ByteWriter saved;
  original->save(saved);
  const auto copy = simulate(leaning_crates());
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(copy->restore(reader));
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(copy->hash(), original->hash());
  EXPECT_EQ(copy->world_def(), original->world_def());
  for (int i = 0; i < 300; ++i) {
    const state::TickCommands commands = players.next(*original);
    original->step(commands);
    copy->step(commands);
    ASSERT_EQ(copy->hash(), original->hash()) << "tick " << original->tick().number;
  }
}

TEST(SaveRestore, RejectsTruncatedSavesWithoutSideEffects) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  step(*simulation, {input_of(ann, {{state::ActionKind::Shoot, {}, {5, 5, 0}, {0, 0, 9}}})});
  base::ByteWriter saved;
  simulation->save(saved);
  step_many(*simulation, 3);
  const SimulationHash before = simulation->hash();
  for (std::size_t size = 0; size < saved.size(); ++size) {
    base::ByteReader reader(std::span(saved.bytes()).first(size));
    ASSERT_FALSE(simulation->restore(reader)) << size;
    ASSERT_EQ(simulation->hash(), before) << size;
  }
}

TEST(SaveRestore, RestoresASaveWithAFlippedBitExactlyOrRefusesItWithoutSideEffects) {
  const auto simulation = simulate(small_scene());
  step(*simulation, {state::JoinCommand{ann, "Ann"}});
  const std::vector<std::byte> good = saved(*simulation);
  const auto copy = simulate(small_scene());
  std::size_t accepted = 0, refused = 0;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    SCOPED_TRACE(testing::Message()
                 << "byte " << bit / 8 << " of " << good.size() << ", bit " << bit % 8);
    std::vector<std::byte> damaged = good;
    damaged[bit / 8] ^= std::byte{1} << (bit % 8);
    if (!restores_wholly_or_not_at_all(*copy, damaged)) {
      ++refused;
    } else {
      ++accepted;
      step_many(*copy, 2);
      expect_finite(*copy);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(accepted, 2'000U) << "the state of time, players and rules";
  EXPECT_GT(refused, 10'000U) << "the hash of the scene and the state of the world";
}

TEST(SaveRestore, RejectsASaveOfAnotherScene) {
  const auto simulation = simulate(small_scene());
  base::ByteWriter saved;
  simulation->save(saved);
  const auto other = simulate(leaning_crates());
  base::ByteReader reader(saved.bytes());
  EXPECT_FALSE(other->restore(reader));
}

}  // namespace
}  // namespace jostle::sim
