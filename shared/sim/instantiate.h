#pragma once

#include "shared/physics/world.h"
#include "shared/scene/builders.h"
#include "shared/scene/scene.h"
#include "shared/sim/body_registry.h"
#include "shared/sim/free_place.h"
#include "shared/state/world_def.h"

#include <span>
#include <vector>

namespace jostle::sim {

/// Returns the engine's options for a scene that is stepped at `tick_rate_hz`.
physics::WorldOptions world_options(const scene::SceneDef& scene, int tick_rate_hz);

/// Sets the friction, restitution and resistances of contacts between two materials.
void instantiate(physics::World& world, const scene::SceneMaterialPair& pair);

/// Creates a scene body in the world, with the id as its user data.
physics::BodyHandle instantiate(physics::World& world, const scene::SceneBody& body,
                                state::BodyId id);

/// Registers the scene's geometry with a world, so that the world can restore saves that refer to
/// it.
void add_solids(physics::World& world, const scene::SceneDef& scene);

/// Creates a joint of the scene. `bodies` are the scene's bodies in the scene's order.
physics::JointHandle instantiate(physics::World& world, const scene::SceneJoint& joint,
                                 std::span<const physics::BodyHandle> bodies);
/// Creates a force field. A field without a body does not use `bodies`.
physics::ForceFieldHandle instantiate(physics::World& world, const scene::SceneForce& force,
                                      std::span<const physics::BodyHandle> bodies);

/// Handles of the bodies and joints of an assembly, in its order.
struct BuiltAssembly {
  std::vector<physics::BodyHandle> bodies;
  std::vector<physics::JointHandle> joints;
};
/// Creates an assembly in a world without a simulation. The bodies have no ids.
BuiltAssembly instantiate(physics::World& world, const scene::Assembly& assembly);

/// Returns the description of the body for clients.
state::BodyInfo describe(const scene::SceneBody& body, state::BodyId id, state::PlayerId owner);

/// Returns the body of a player at a spawn: the scene's player shape, or the chassis of the scene's
/// car, in the player's colour.
scene::SceneBody body_of_player(const scene::SceneDef& scene, state::PlayerId player,
                                const std::string& name, const math::Pose& spawn);

/// Returns the shapes of a player's body at a spawn, and of the wheels if it is a car.
SpawnShapes spawn_shapes(const scene::SceneDef& scene, const math::Pose& spawn);

/// Returns the locks that the scene's world applies to players and shots.
state::MotionLocks locks_of(const scene::SceneDef& scene);

/// Returns the colour of a player. Consecutive ids have clearly different colours.
state::Colour player_colour(state::PlayerId player);

}  // namespace jostle::sim
