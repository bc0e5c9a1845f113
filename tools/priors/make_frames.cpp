#include "tools/priors/make_frames.h"

#include "shared/base/random.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace jostle::priors {
namespace {

constexpr state::PlayerId player{1};
// Distance from the centre in m. If the player is farther away in x or z, it walks back.
constexpr float home = 13;
constexpr int interacting_ticks = 100, settling_ticks = 30;

/// Random input of a player: repeats a direction and a button for 0.3 to 1.5 s, then changes both.
class Mind {
 public:
  Mind(std::uint64_t seed, int activity)
      : random_(seed * 7'919 + 17), activity_(static_cast<std::size_t>(activity)) {}

  const state::PlayerInput& next(const math::Position& position) {
    if (ticks_left_-- == 0) change(position);
    return held_;
  }

 private:
  void change(const math::Position& position) {
    constexpr std::array<float, 3> moves{0.6f, 0.6f, 0.3f}, pulls{0.5f, 0.9f, 0.97f};
    constexpr float pushes = 0.6f;
    ticks_left_ = 18 + static_cast<int>(random_.below(72));
    float x = 0, z = 0;
    if (random_.chance(moves[activity_])) {
      x = static_cast<float>(random_.below(3)) - 1;
      z = static_cast<float>(random_.below(3)) - 1;
    }
    if (std::abs(position.x) > home) x = position.x > 0 ? -1.0f : 1.0f;
    if (std::abs(position.z) > home) z = position.z > 0 ? -1.0f : 1.0f;
    const float length = std::max(std::sqrt(x * x + z * z), 1.0f);
    held_.move_x = x / length;
    held_.move_z = z / length;
    held_.buttons = random_.chance(pulls[activity_]) ? state::button_pull
                    : random_.chance(pushes)         ? state::button_push
                                                     : std::uint16_t{0};
  }

  base::Random random_;
  std::size_t activity_;
  state::PlayerInput held_;
  int ticks_left_ = 0;
};

}  // namespace

scene::SceneDef with_spacing(scene::SceneDef scene, double spacing) {
  for (scene::SceneBody& body : scene.bodies) {
    body.pose.position.x *= spacing;
    body.pose.position.z *= spacing;
  }
  return scene;
}

snapshots::FrameSet make_frames(const scene::SceneDef& scene, std::uint64_t seed, int activity,
                                int ticks, bool keeps_interacting) {
  sim::Simulation simulation(scene, sim::SimulationOptions{60, 7}, sim::default_rules());
  Mind mind(seed, activity);
  snapshots::FrameSet set;
  std::map<std::uint32_t, int> awake_until;
  math::Position position;
  for (int tick = 1; tick <= ticks; ++tick) {
    state::TickCommands commands;
    commands.tick = simulation.tick() + 1;
    if (tick == 1) commands.commands.emplace_back(state::JoinCommand{player, "trainer"});
    state::PlayerInput input = mind.next(position);
    input.tick = commands.tick;
    set.inputs.push_back(protocol::context::held(input));
    commands.commands.emplace_back(state::InputCommand{player, input});
    simulation.step(commands);
    const state::Snapshot snapshot = simulation.capture();
    const state::BodyId own = simulation.player_body(player);
    auto& frame = set.frames.emplace_back();
    for (const bool is_own : {true, false}) {
      for (const state::BodyState& body : snapshot.bodies) {
        if ((body.id == own) != is_own) continue;
        if (is_own) position = body.pose.position;
        bool is_awake = body.is_awake;
        if (keeps_interacting) {
          int& until = awake_until[body.id.value];
          if (is_awake && tick > settling_ticks) until = tick + interacting_ticks;
          is_awake = is_own || tick < until;
        }
        frame.push_back(protocol::quantize(body.pose, is_awake));
      }
    }
  }
  return set;
}

}  // namespace jostle::priors
