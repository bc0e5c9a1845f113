#pragma once

#include "shared/base/bytes.h"
#include "shared/sim/labels.h"
#include "shared/sim/prepared_scene.h"
#include "shared/sim/simulation.h"
#include "shared/sim/time_control.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::sim {

/// The state of a simulation, and the steps of a tick (simulation.cpp).
struct Simulation::State {
  State(scene::SceneDef scene_in, const SimulationOptions& options_in,
        std::vector<std::unique_ptr<Rule>> rules_in)
      : scene(std::move(scene_in)),
        scene_hash(scene::hash(scene)),
        options(options_in),
        rules(std::move(rules_in)),
        world(world_options(scene, options.tick_rate_hz)),
        time(static_cast<std::uint32_t>(scene.world.time_percent)),
        random(options.seed) {}

  void reset_scene();
  void restart_players_and_rules();
  void begin_scene(scene::SceneDef next);
  void apply(const state::Command& command);
  void join(const state::JoinCommand& command);
  void leave(const state::LeaveCommand& command);
  void control(const state::ControlCommand& command);
  void handle_input(const state::InputCommand& command);
  std::uint32_t spawn_of(state::PlayerId player) const {
    return static_cast<std::uint32_t>((player.value - 1U) % scene.spawns.size());
  }
  void spawn_player_body(Player& player);
  void step_world();
  void forget_inputs(bool is_keeping_actions);
  void save_rules_part(base::ByteWriter& writer) const;

  RuleContext stage() {
    return {scene, tick, world.options().step_seconds, world, bodies, players, random};
  }

  scene::SceneDef scene;
  std::uint64_t scene_hash;
  SimulationOptions options;
  std::vector<std::unique_ptr<Rule>> rules;

  state::Tick tick;
  physics::World world;
  BodyRegistry bodies;
  Players players;
  TimeControl time;
  base::Random random;
  /// The scene that starts with the next step; empty if the current scene continues.
  std::optional<scene::SceneDef> next_scene;
  std::shared_ptr<PreparedScene> prepared;  // the same scene with its world; may be null
  /// The snapshot before the last step, for interpolation in slow motion. Not part of the state:
  /// results do not depend on it.
  std::optional<state::Snapshot> before_step;
  std::optional<state::WorldChange> last_change;
  Labels labels;
  bool was_reset = false;
  std::string refusing_rule;  // see refusing_rule()
};

}  // namespace jostle::sim
