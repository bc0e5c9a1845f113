#include "shared/sim/prepared_scene.h"

#include "shared/base/assert.h"
#include "shared/sim/particles.h"
#include "shared/sim/simulation.h"

#include <memory>

namespace jostle::sim {

void populate(const scene::SceneDef& scene, physics::World& world, BodyRegistry& bodies,
              Labels& labels) {
  for (const scene::SceneMaterialPair& pair : scene.material_pairs)
    instantiate(world, pair);
  // A field wakes the bodies that it acts on, so fields without a body are created before all
  // bodies.
  for (const scene::SceneForce& force : scene.fields)
    if (!force.body) instantiate(world, force, {});
  for (const scene::SceneBody& body : scene.bodies)
    bodies.spawn(world, body, {});
  for (const scene::SceneJoint& joint : scene.joints)
    instantiate(world, joint, bodies.handles());
  for (const scene::SceneForce& force : scene.fields)
    if (force.body) instantiate(world, force, bodies.handles());
  for (const scene::SceneParticles& set : scene.particles)
    instantiate(world, set);
  if (!scene.labels.empty()) labels.begin(world, scene, bodies.handles());
}

std::shared_ptr<PreparedScene> prepare_scene(scene::SceneDef scene,
                                             const SimulationOptions& options,
                                             state::BodyId first_body) {
  JOSTLE_ASSERT(!scene.spawns.empty());
  auto prepared = std::make_shared<PreparedScene>(std::move(scene), options.tick_rate_hz);
  prepared->first_body = first_body;
  prepared->bodies.set_next_id(first_body);
  populate(prepared->scene, prepared->world, prepared->bodies, prepared->labels);
  return prepared;
}

}  // namespace jostle::sim
