#include "tools/snapshots/katamari_frames.h"

#include "shared/base/random.h"
#include "shared/sim/simulation.h"
#include "shared/sim/stock_rules.h"

#include <algorithm>

namespace jostle::snapshots {
namespace {

constexpr state::PlayerId player{1};

/// What a player of an activity does, by chance.
struct Habit {
  float walks = 0, pulls = 0, pushes = 0;  // chances, whenever he changes his mind
  float strength = 0;                      // of a direction, at most 1
  float reach = 0;                         // m from the middle, where he turns back
};
constexpr std::array<Habit, 3> habits{{{0.9f, 0.5f, 0.05f, 0.7f, 11.0f},
                                       {1.0f, 1.0f, 0.0f, 1.0f, 11.0f},
                                       {1.0f, 1.0f, 0.0f, 0.5f, 10.0f}}};

class ScriptedPlayer {
 public:
  ScriptedPlayer(std::uint64_t seed, Activity activity)
      : random_(seed), habit_(habits[static_cast<std::size_t>(activity)]) {}

  state::PlayerInput next(math::Position place) {
    const float back_x = back(place.x), back_z = back(place.z);
    const bool is_leaving = back_x * held_.move_x < 0.0f || back_z * held_.move_z < 0.0f;
    if (ticks_left_ == 0 || is_leaving) change_mind(place);
    --ticks_left_;
    return held_;
  }

 private:
  void change_mind(math::Position place) {
    ticks_left_ = 15 + random_.below(60);
    held_ = {};
    if (random_.chance(habit_.walks)) {
      held_.move_x = direction();
      held_.move_z = direction();
    }
    const float back_x = back(place.x), back_z = back(place.z);
    if (back_x != 0.0f) held_.move_x = back_x;
    if (back_z != 0.0f) held_.move_z = back_z;
    const bool is_diagonal = held_.move_x != 0.0f && held_.move_z != 0.0f;
    const float strength = habit_.strength * (is_diagonal ? 0.70710678f : 1.0f);
    held_.move_x *= strength;
    held_.move_z *= strength;
    if (random_.chance(habit_.pulls)) held_.buttons |= state::button_pull;
    if (random_.chance(habit_.pushes)) held_.buttons |= state::button_push;
  }
  float direction() { return static_cast<float>(random_.below(3)) - 1.0f; }
  /// Towards the cubes, from beyond them.
  float back(double x) const {
    return std::abs(x) > static_cast<double>(habit_.reach) ? (x > 0 ? -1.0f : 1.0f) : 0.0f;
  }

  base::Random random_;
  Habit habit_;
  state::PlayerInput held_;
  std::uint32_t ticks_left_ = 0;
};

/// The player's body first, then the others by id.
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

}  // namespace

base::Result<FrameSet, std::string> play(const scene::SceneDef& scene, std::uint64_t seed,
                                         Activity activity, std::size_t frames) {
  sim::Simulation simulation(scene, sim::SimulationOptions{60, seed}, sim::stock_rules());
  ScriptedPlayer script(seed, activity);
  FrameSet set;
  while (set.frames.size() < frames) {
    state::TickCommands commands;
    commands.tick = simulation.tick() + 1;
    if (commands.tick.number == 1) {
      commands.commands.emplace_back(state::JoinCommand{player, "script"});
    } else {
      const auto body = simulation.find_body(simulation.player_body(player));
      const math::Position place =
          body ? simulation.world().pose(*body).position : math::Position{};
      state::PlayerInput input = script.next(place);
      input.tick = commands.tick;
      commands.commands.emplace_back(state::InputCommand{player, std::move(input)});
    }
    simulation.step(commands);
    set.frames.push_back(frame_of(simulation, simulation.player_body(player)));
    if (set.frames.back().size() != bodies_per_frame) {
      return "scene '" + scene.name + "' has " + std::to_string(set.frames.back().size()) +
             " bodies that move with one player, frames have 901";
    }
  }
  return set;
}

}  // namespace jostle::snapshots
