#pragma once

#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/sim/body_registry.h"
#include "shared/sim/instantiate.h"
#include "shared/sim/labels.h"
#include "shared/state/ids.h"

#include <utility>

namespace jostle::sim {

/// A scene whose world is built (prepare_scene() in simulation.h).
struct PreparedScene {
  PreparedScene(scene::SceneDef scene_in, int tick_rate_hz)
      : scene(std::move(scene_in)),
        scene_hash(scene::hash(scene)),
        world(world_options(scene, tick_rate_hz)) {}

  scene::SceneDef scene;
  std::uint64_t scene_hash;
  physics::World world;
  BodyRegistry bodies;
  Labels labels;
  state::BodyId first_body;
};

/// Builds everything in a scene except the players.
void populate(const scene::SceneDef& scene, physics::World& world, BodyRegistry& bodies,
              Labels& labels);

}  // namespace jostle::sim
