#include "shared/sim/body_registry.h"

#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

namespace jostle::sim {
namespace {

class Registry : public testing::Test {
 protected:
  scene::SceneBody crate_ = small_scene().bodies[1];
  physics::World world_{physics::WorldOptions{}};
  BodyRegistry registry_;
};

TEST_F(Registry, MapsIdsToBodiesAndBack) {
  registry_.begin_tick();
  const state::BodyId id = registry_.spawn(world_, crate_, {});
  ASSERT_TRUE(registry_.find(id).has_value());
  EXPECT_EQ(BodyRegistry::id_of(world_, *registry_.find(id)), id);
  EXPECT_EQ(registry_.info(id)->name, "crate");
  EXPECT_EQ(registry_.info({99}), nullptr);
}

TEST_F(Registry, OmitsBodiesCreatedAndRemovedWithinATick) {
  registry_.begin_tick();
  const state::BodyId id = registry_.spawn(world_, crate_, {});
  registry_.despawn(world_, id);
  const auto change = registry_.end_tick();
  ASSERT_TRUE(change.has_value()) << "an id was consumed, which changes the state";
  EXPECT_TRUE(change->spawns.empty());
  EXPECT_TRUE(change->despawns.empty());
}

TEST_F(Registry, ChangeListsAreSorted) {
  registry_.begin_tick();
  std::vector<state::BodyId> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(registry_.spawn(world_, crate_, {}));
  (void)registry_.end_tick();
  registry_.begin_tick();
  registry_.despawn(world_, ids[2]);
  registry_.despawn(world_, ids[0]);
  const auto change = registry_.end_tick();
  EXPECT_EQ(change->despawns, (std::vector<state::BodyId>{ids[0], ids[2]}));
  EXPECT_EQ(world_.body_count(), 2U);
}

TEST_F(Registry, HashChangesWithEveryChange) {
  registry_.begin_tick();
  const state::BodyId id = registry_.spawn(world_, crate_, {});
  (void)registry_.end_tick();
  const std::uint64_t with_one = registry_.hash();
  registry_.begin_tick();
  registry_.despawn(world_, id);
  (void)registry_.end_tick();
  EXPECT_NE(registry_.hash(), with_one);
}

}  // namespace
}  // namespace jostle::sim
