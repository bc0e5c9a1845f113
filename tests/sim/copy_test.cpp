// Tests that a copied simulation continues exactly like the original.
#include "shared/sim/random_inputs.h"
#include "tests/sim/test_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace jostle::sim {
namespace {

class CopyOfScene : public testing::TestWithParam<std::string> {
 protected:
  Simulation simulation() const {
    const std::string path = JOSTLE_SOURCE_DIR "/scenes/" + GetParam() + ".scene.json";
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    auto scene = scene::parse_scene(text, path);
    EXPECT_TRUE(scene);
    return Simulation(*std::move(scene), SimulationOptions{60, 3}, default_rules());
  }
};

void run(Simulation& simulation, RandomInputs& players, int ticks) {
  for (int i = 0; i < ticks; ++i)
    simulation.step(players.next(simulation));
}

TEST_P(CopyOfScene, ContinuesLikeTheOriginal) {
  Simulation original = simulation(), copy = simulation();
  RandomInputs players(11, 3), others(12, 2);
  run(original, players, 50);
  run(copy, others, 35);  // the two runs have different bodies, contacts and players
  copy.copy_from(original);
  EXPECT_EQ(copy.hash(), original.hash());

  RandomInputs same_players = players;
  run(original, players, 40);
  run(copy, same_players, 40);
  EXPECT_EQ(copy.hash(), original.hash());
}

TEST_P(CopyOfScene, SupportsRollback) {
  Simulation run_through = simulation(), kept = simulation();
  RandomInputs players(5, 2);
  run(run_through, players, 30);
  kept.copy_from(run_through);
  RandomInputs kept_players = players;
  run(run_through, players, 20);
  const SimulationHash first = run_through.hash();
  for (int again = 0; again < 2; ++again) {
    run_through.copy_from(kept);
    RandomInputs from_there = kept_players;
    run(run_through, from_there, 20);
    EXPECT_EQ(run_through.hash(), first);
  }
}

std::vector<std::string> gallery() {
  std::vector<std::string> names;
  const std::string end = ".scene.json";
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenes")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(end)) names.push_back(name.substr(0, name.size() - end.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Gallery, CopyOfScene, testing::ValuesIn(gallery()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace jostle::sim
