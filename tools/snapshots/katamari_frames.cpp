#include "tools/snapshots/katamari_frames.h"

#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tools/snapshots/scripted_player.h"

#include <algorithm>

namespace jostle::snapshots {
namespace {

constexpr state::PlayerId player{1};

/// Returns the current frame: the player's body first, then the others by id.
Frame frame_of(const sim::Simulation& simulation, state::BodyId own) {
  const protocol::QuantizedSnapshot snapshot = protocol::quantize(simulation.capture());
  Frame frame;
  const auto found = std::find(snapshot.ids.begin(), snapshot.ids.end(), own);
  const auto at = static_cast<std::size_t>(found - snapshot.ids.begin());
  if (at < snapshot.bodies.size()) frame.push_back(snapshot.bodies[at]);
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i)
    if (i != at) frame.push_back(snapshot.bodies[i]);
  return frame;
}

base::Result<FrameSet, std::string> play_script(const scene::SceneDef& scene, std::uint64_t seed,
                                                Activity activity, std::size_t frames,
                                                bool has_states) {
  sim::Simulation simulation(scene, sim::SimulationOptions{frames_per_second, seed},
                             sim::default_rules());
  ScriptedPlayer script(seed, activity);
  FrameSet set;
  while (set.frames.size() < frames) {
    state::TickCommands commands;
    commands.tick = simulation.tick() + 1;
    protocol::context::QuantizedInput held;
    if (commands.tick.number == 1) {
      commands.commands.emplace_back(state::JoinCommand{player, "script"});
    } else {
      const auto body = simulation.find_body(simulation.player_body(player));
      const math::Position place =
          body ? simulation.world().pose(*body).position : math::Position{};
      state::PlayerInput input = script.next(place);
      input.tick = commands.tick;
      held = protocol::context::held(input);
      commands.commands.emplace_back(state::InputCommand{player, std::move(input)});
    }
    simulation.step(commands);
    set.inputs.push_back(held);
    if (has_states) set.states.push_back(simulation.capture().bodies);
    set.frames.push_back(frame_of(simulation, simulation.player_body(player)));
    if (set.frames.back().size() != bodies_per_frame) {
      return "scene '" + scene.name + "' has " + std::to_string(set.frames.back().size()) +
             " moving bodies with one player, but frames need 901";
    }
  }
  return set;
}

}  // namespace

base::Result<FrameSet, std::string> play(const scene::SceneDef& scene, std::uint64_t seed,
                                         Activity activity, std::size_t frames) {
  return play_script(scene, seed, activity, frames, false);
}

base::Result<FrameSet, std::string> play_with_states(const scene::SceneDef& scene,
                                                     std::uint64_t seed, Activity activity,
                                                     std::size_t frames) {
  return play_script(scene, seed, activity, frames, true);
}

std::vector<prediction_baseline::Role> roles_of_frames(const scene::SceneDef& scene) {
  sim::Simulation simulation(scene, sim::SimulationOptions{frames_per_second, 0},
                             sim::default_rules());
  state::TickCommands commands;
  commands.tick = simulation.tick() + 1;
  commands.commands.emplace_back(state::JoinCommand{player, "script"});
  simulation.step(commands);
  std::vector<prediction_baseline::Role> cast =
      prediction_baseline::roles_of(scene, simulation.world_def());
  const auto own =
      std::find_if(cast.begin(), cast.end(), [](const auto& role) { return role.is_steered; });
  if (own != cast.end()) std::rotate(cast.begin(), own, own + 1);
  return cast;
}

std::vector<protocol::context::BodyFacts> facts_of_frames(std::size_t bodies) {
  std::vector<protocol::context::BodyFacts> facts(bodies, {102, false});
  facts[0] = {384, true};
  return facts;
}

}  // namespace jostle::snapshots
