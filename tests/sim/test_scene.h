#pragma once

#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <memory>
#include <utility>
#include <vector>

namespace jostle::sim {

/// Returns a scene with a ground plane, a crate of 1 m and 100 kg on it at x = z = 0, and two
/// spawns.
inline scene::SceneDef small_scene() {
  scene::SceneDef scene;
  scene.name = "small";
  scene::SceneBody ground;
  ground.name = "ground";
  ground.motion = state::MotionType::Static;
  scene::SceneShape plane;
  plane.shape = state::plane();
  ground.shapes = {plane};
  scene::SceneBody crate;
  crate.name = "crate";
  crate.pose.position = {0, 0.5, 0};
  crate.mass = 100;
  scene::SceneShape box;
  box.shape = state::box({0.5f, 0.5f, 0.5f});
  crate.shapes = {box};
  scene.bodies = {ground, crate};
  scene.spawns = {{{5, 0.5, 0}, {}}, {{-5, 0.5, 0}, {}}};
  scene.player.shape.shape = state::sphere(0.5f);
  return scene;
}

inline constexpr state::BodyId crate_id{2};
inline constexpr state::PlayerId ann{1};
inline constexpr state::PlayerId bob{2};

inline std::unique_ptr<Simulation> simulate(scene::SceneDef scene) {
  return std::make_unique<Simulation>(std::move(scene), SimulationOptions{}, default_rules());
}

/// Advances the simulation by one tick with these commands.
inline void step(Simulation& simulation, std::vector<state::Command> commands = {}) {
  simulation.step({simulation.tick() + 1, std::move(commands)});
}

inline void step_many(Simulation& simulation, int ticks) {
  for (int i = 0; i < ticks; ++i)
    step(simulation);
}

inline state::Command input_of(state::PlayerId player, std::vector<state::Action> actions,
                               float move_x = 0, float move_z = 0, std::uint16_t buttons = 0) {
  state::PlayerInput input;
  input.move_x = move_x;
  input.move_z = move_z;
  input.buttons = buttons;
  input.actions = std::move(actions);
  return state::InputCommand{player, std::move(input)};
}

inline math::Position position_of(const Simulation& simulation, state::BodyId id) {
  return simulation.world().pose(*simulation.find_body(id)).position;
}

inline math::Vec3 velocity_of(const Simulation& simulation, state::BodyId id) {
  return simulation.world().linear_velocity(*simulation.find_body(id));
}

}  // namespace jostle::sim
