#pragma once

#include "shared/journal/journal.h"
#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "tests/journal/memory_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace jostle::journal {

inline scene::SceneDef scene_of(const std::string& name) {
  std::ifstream file(std::string(JOSTLE_SOURCE_DIR) + "/scenes/" + name + ".scene.json");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return scene::parse_scene(text, name + ".scene.json").value();
}

/// A simulation with one player that moves, and its journal.
class JournalRun {
 public:
  JournalRun(Files& files, Executor& executor, const SegmentOptions& options,
             const std::string& scene = "chain")
      : simulation(std::make_unique<sim::Simulation>(scene_of(scene), sim::SimulationOptions{60, 7},
                                                     sim::default_rules())),
        journal(files, executor, options, record::rule_names(sim::default_rules())) {}

  std::string begin() { return journal.begin(*simulation, "chain.scene.json"); }
  void tick(std::uint32_t count = 1) {
    for (; count > 0; --count) {
      state::TickCommands commands;
      commands.tick = simulation->tick() + 1;
      if (commands.tick == state::Tick{1})
        commands.commands.emplace_back(state::JoinCommand{{1}, "player"});
      state::PlayerInput input;
      input.tick = commands.tick;
      input.move_x = commands.tick.number % 40 < 20 ? 1.0f : -1.0f;
      if (commands.tick.number > 1) commands.commands.emplace_back(state::InputCommand{{1}, input});
      simulation->step(commands);
      journal.add_tick(commands, *simulation, {}, record::tick_hash_of(simulation->hash()));
    }
  }
  std::uint64_t hash() const { return simulation->hash().total; }

  std::unique_ptr<sim::Simulation> simulation;
  Journal journal;
};

inline SegmentOptions journal_options() {
  return {.folder = "state", .stem = {}, .durability = Durability::Group};
}

/// Reads a recording of the disk and replays it.
inline record::Recording verified(MemoryFiles& files, const std::string& path) {
  const auto bytes = files.read(path);
  EXPECT_TRUE(bytes) << path;
  auto recording = record::read_recording(*bytes);
  EXPECT_TRUE(recording) << (recording ? "" : recording.error().text());
  if (!recording->blocks.empty()) {
    auto simulation = record::start_replay(*recording);
    EXPECT_TRUE(simulation);
    EXPECT_TRUE(record::verify(*recording, **simulation).is_same()) << path;
  }
  return *std::move(recording);
}

}  // namespace jostle::journal
