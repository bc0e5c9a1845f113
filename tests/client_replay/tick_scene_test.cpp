#include "client/replay/tick_scene.h"

#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace jostle::replay {
namespace {

sim::Simulation simulation_of(const std::string& name) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return {*scene::parse_scene(text, name), {60, 3}, sim::default_rules()};
}

void step(sim::Simulation& simulation, std::uint32_t ticks) {
  for (std::uint32_t i = 0; i < ticks; ++i)
    simulation.step({simulation.tick() + 1, {}});
}

TEST(TickScene, ContainsEveryBodyAtItsPose) {
  sim::Simulation simulation = simulation_of("crates");
  step(simulation, 30);
  const TickScene scene = scene_of(simulation);
  ASSERT_EQ(scene.bodies.size(), simulation.world_def().bodies.size());
  EXPECT_TRUE(std::is_sorted(scene.bodies.begin(), scene.bodies.end(),
                             [](auto& a, auto& b) { return a.info->id < b.info->id; }));
  std::size_t moving = 0;
  for (const state::BodyState& body : simulation.capture().bodies) {
    const auto shown = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                    [&](const auto& each) { return each.info->id == body.id; });
    ASSERT_NE(shown, scene.bodies.end());
    EXPECT_EQ(shown->pose, body.pose);
    EXPECT_EQ(shown->is_awake, body.is_awake);
    moving += shown->pose == shown->info->pose ? 0 : 1;
  }
  EXPECT_GT(moving, 50U);
  for (const client::ShownBody& body : scene.bodies) {
    if (body.info->motion != state::MotionType::Static) continue;
    EXPECT_EQ(body.pose, body.info->pose);
    EXPECT_FALSE(body.is_awake);
  }
}

TEST(TickScene, ContainsRopesParticlesAndLabels) {
  sim::Simulation ropes = simulation_of("bridge"), particles = simulation_of("particles");
  step(ropes, 1);
  step(particles, 60);
  EXPECT_EQ(scene_of(ropes).ropes, ropes.ropes());
  std::size_t count = 0;
  for (const state::ParticleGroup& group : particles.capture_particles().groups)
    count += group.positions.size();
  EXPECT_GT(count, 0U);
  EXPECT_EQ(scene_of(particles).particles.size(), count);
  sim::Simulation figures = simulation_of("integrators");
  step(figures, 1);
  EXPECT_FALSE(scene_of(figures).labels.lines.empty());
}

TEST(SceneDifference, CountsAllDifferencesAndShowsVisibleOnes) {
  state::BodyInfo infos[4];
  for (std::uint32_t i = 0; i < 4; ++i)
    infos[i].id = {i + 1};
  const auto body_at = [&](std::size_t i, double x) {
    client::ShownBody body;
    body.info = &infos[i];
    body.pose.position.x = x;
    return body;
  };
  const std::vector<client::ShownBody> shown{body_at(0, 0), body_at(1, 0), body_at(2, 0)};
  // Body 1 is equal in both, body 2 is slightly apart, body 3 is far apart, and body 4 exists only
  // in the other scene.
  const std::vector<client::ShownBody> other{body_at(0, 0), body_at(1, 1e-6), body_at(2, 2),
                                             body_at(3, 0)};
  const SceneDifference difference = difference_of(shown, other);
  EXPECT_EQ(difference.bodies, 3U);
  EXPECT_EQ(difference.farthest, state::BodyId{3});
  EXPECT_FLOAT_EQ(difference.distance, 2);
  ASSERT_EQ(difference.ghosts.size(), 2U);
  EXPECT_EQ(difference.ghosts[0].info->id, state::BodyId{3});
  EXPECT_EQ(difference.ghosts[1].info->id, state::BodyId{4});
  // A body that only the first scene has counts as a difference, but has no ghost.
  EXPECT_EQ(difference_of(other, shown).bodies, 3U);
  EXPECT_EQ(difference_of(other, shown).ghosts.size(), 1U);
  EXPECT_EQ(difference_of(shown, shown).bodies, 0U);
}

TEST(SceneDifference, DetectsARotationAlone) {
  state::BodyInfo info;
  info.id = {1};
  client::ShownBody body, turned;
  body.info = turned.info = &info;
  turned.pose.rotation = {0, 0.1f, 0, 0.995f};
  const SceneDifference difference = difference_of(std::vector{body}, std::vector{turned});
  EXPECT_EQ(difference.bodies, 1U);
  EXPECT_EQ(difference.ghosts.size(), 1U);
  EXPECT_EQ(difference.distance, 0);
}

}  // namespace
}  // namespace jostle::replay
