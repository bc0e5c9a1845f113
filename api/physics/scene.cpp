#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/options.h"
#include "api/physics/tables.h"
#include "shared/sim/instantiate.h"
#include "shared/sim/particles.h"
#include "shared/state/tick.h"

#include <string>
#include <string_view>
#include <vector>

namespace jostle::api {
namespace {

/// Maximum size of a scene's text, so that a wrong length is refused.
constexpr std::size_t max_text_bytes = std::size_t{1} << 30;

/// Creates the content of a scene in an empty world, in the order of sim::Simulation.
void instantiate_all(physics::World& world, const scene::SceneDef& scene) {
  for (const scene::SceneMaterialPair& pair : scene.material_pairs)
    sim::instantiate(world, pair);
  for (const scene::SceneForce& force : scene.fields)
    if (!force.body) sim::instantiate(world, force, {});
  std::vector<physics::BodyHandle> bodies;
  bodies.reserve(scene.bodies.size());
  for (const scene::SceneBody& body : scene.bodies) {
    const auto id = static_cast<std::uint32_t>(bodies.size() + 1);
    bodies.push_back(sim::instantiate(world, body, state::BodyId{id}));
  }
  for (const scene::SceneJoint& joint : scene.joints)
    sim::instantiate(world, joint, bodies);
  for (const scene::SceneForce& force : scene.fields)
    if (force.body) sim::instantiate(world, force, bodies);
  for (const scene::SceneParticles& set : scene.particles)
    sim::instantiate(world, set);
}

const scene::SceneBody& body_at(const scene::SceneDef& scene, std::size_t index) {
  if (index >= scene.bodies.size()) {
    refuse(JOSTLE_ERROR_NOT_FOUND, "index is %zu, but the scene has %zu bodies", index,
           scene.bodies.size());
  }
  return scene.bodies[index];
}

}  // namespace
}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_scene_create(const char* text, size_t length, const char* file_name,
                                  jostle_scene* scene) {
  return guard(__func__, [&] {
    require_array(text, length, 1, "text");
    if (length > max_text_bytes)
      refuse(JOSTLE_ERROR_INVALID_ARGUMENT, "length is %zu; accepted: up to %zu", length,
             max_text_bytes);
    require_pointer(scene, "scene");
    const std::string_view content =
        length == 0 ? std::string_view() : std::string_view(text, length);
    auto parsed = jostle::scene::parse_scene(content, file_name == nullptr ? "scene" : file_name);
    if (!parsed) refuse_text(JOSTLE_ERROR_INVALID_DATA, parsed.error().text().c_str());
    *scene = scenes().create(std::make_unique<jostle::scene::SceneDef>(*std::move(parsed)));
  });
}
jostle_result jostle_scene_destroy(jostle_scene scene) {
  return guard(__func__, [&] { scenes().destroy(scene); });
}
jostle_bool jostle_scene_is_alive(jostle_scene scene) {
  return scenes().is_alive(scene) ? 1 : 0;
}
jostle_result jostle_scene_get_world_def(jostle_scene scene, uint32_t steps_per_second,
                                         jostle_world_def* def) {
  return guard(__func__, [&] {
    const auto found = scenes().read(scene);
    require_integer(steps_per_second, 1, 1'000, "steps_per_second");
    require_output(def, "def");
    write_struct(def, api::to_c(sim::world_options(*found, static_cast<int>(steps_per_second))));
  });
}
jostle_result jostle_scene_instantiate(jostle_scene scene, jostle_world world) {
  return change_own_world(__func__, world, [&](physics::World& target) {
    const auto found = scenes().read(scene);
    if (target.body_count() > 0 || target.force_field_count() > 0 ||
        !target.particle_sets().empty() || !target.material_pairs().empty())
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "world is not empty; accepted: empty worlds");
    instantiate_all(target, *found);
  });
}
jostle_result jostle_scene_get_body_count(jostle_scene scene, size_t* count) {
  return guard(__func__, [&] {
    const auto found = scenes().read(scene);
    require_pointer(count, "count");
    *count = found->bodies.size();
  });
}
jostle_result jostle_scene_get_body_name(jostle_scene scene, size_t index, char* name,
                                         size_t capacity) {
  return guard(__func__, [&] {
    const auto found = scenes().read(scene);
    const std::string& text = body_at(*found, index).name;
    write_text(text.data(), text.size(), name, capacity, "name");
  });
}
jostle_result jostle_scene_find_body(jostle_scene scene, const char* name, size_t* index) {
  return guard(__func__, [&] {
    const auto found = scenes().read(scene);
    require_pointer(name, "name");
    require_pointer(index, "index");
    for (std::size_t i = 0; i < found->bodies.size(); ++i) {
      if (found->bodies[i].name != name) continue;
      *index = i;
      return;
    }
    refuse(JOSTLE_ERROR_NOT_FOUND, "name is '%.64s'; no body of the scene has this name", name);
  });
}
