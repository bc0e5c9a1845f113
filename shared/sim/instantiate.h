#pragma once

#include "shared/physics/world.h"
#include "shared/scene/builders.h"
#include "shared/scene/scene.h"
#include "shared/sim/body_registry.h"
#include "shared/state/world_def.h"

#include <span>
#include <vector>

namespace jostle::sim {

/// The engine's options for a scene stepped at `tick_rate_hz`.
physics::WorldOptions world_options(const scene::SceneDef& scene, int tick_rate_hz);

/// Tells the world what contacts of two materials go by.
void instantiate(physics::World& world, const scene::SceneMaterialPair& pair);

/// Creates a scene body in the world; its user data is the id.
physics::BodyHandle instantiate(physics::World& world, const scene::SceneBody& body,
                                state::BodyId id);

/// Makes the scene's geometry known to a world, so that it can restore saves that refer to it.
void add_solids(physics::World& world, const scene::SceneDef& scene);

/// Creates a joint of the scene; `bodies` are those of the scene in its order.
physics::JointHandle instantiate(physics::World& world, const scene::SceneJoint& joint,
                                 std::span<const physics::BodyHandle> bodies);
/// The same for a force generator; without a body it needs none.
physics::FieldHandle instantiate(physics::World& world, const scene::SceneForce& force,
                                 std::span<const physics::BodyHandle> bodies);

/// The bodies and joints of an assembly, in its order.
struct BuiltAssembly {
  std::vector<physics::BodyHandle> bodies;
  std::vector<physics::JointHandle> joints;
};
/// Creates an assembly in a world that belongs to no simulation; the bodies have no ids.
BuiltAssembly instantiate(physics::World& world, const scene::Assembly& assembly);

/// The same body as clients know it.
state::BodyInfo describe(const scene::SceneBody& body, state::BodyId id, state::PlayerId owner);

/// The body of a player at a spawn: the scene's player shape, in the player's colour.
scene::SceneBody body_of_player(const scene::SceneDef& scene, state::PlayerId player,
                                const std::string& name, const math::Pose& spawn);

/// The locks that the scene's world gives to all that moves by forces.
state::Locks locks_of(const scene::SceneDef& scene);

/// Colours of players, by id, told apart at a glance.
state::Colour player_colour(state::PlayerId player);

}  // namespace jostle::sim
