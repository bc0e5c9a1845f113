#include "shared/prediction_baseline/body_roles.h"

#include "shared/sim/instantiate.h"

#include <algorithm>
#include <cstddef>

namespace jostle::prediction_baseline {
namespace {

Role role_of_player(const scene::SceneDef& scene, const state::BodyInfo& info) {
  // The chassis is driven by wheels, which the scene does not define, so its motion is not
  // predicted.
  if (scene.player.kind == scene::PlayerKind::Car) return {};
  Role role;
  role.body = sim::body_of_player(scene, info.owner, {}, info.pose);
  role.is_steered = scene.player.kind == scene::PlayerKind::Body;
  return role;
}

}  // namespace

std::vector<Role> roles_of(const scene::SceneDef& scene, const state::WorldDef& world) {
  std::vector<Role> cast;
  std::vector<state::PlayerId> players;
  std::uint32_t next = 0;  // index of the next scene body
  for (const state::BodyInfo& info : world.bodies) {
    Role role;
    if (info.owner.is_null()) {
      const std::uint32_t index = next++;
      if (index < scene.bodies.size() && scene.bodies[index].motion == info.motion) {
        role.body = scene.bodies[index];
        role.scene_index = index;
      }
    } else if (std::find(players.begin(), players.end(), info.owner) == players.end()) {
      players.push_back(info.owner);
      role = role_of_player(scene, info);
    }
    if (info.motion != state::MotionType::Static) cast.push_back(std::move(role));
  }
  return cast;
}

}  // namespace jostle::prediction_baseline
