#pragma once

#include "shared/scene/scene.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::prediction_baseline {

/// Description of a moving body for the predicting engine.
struct Role {
  /// The body as the scene defines it; null: not defined there, so constant velocity is assumed.
  std::optional<scene::SceneBody> body;
  std::optional<std::uint32_t> scene_index;  // index in SceneDef::bodies
  bool is_steered = false;                   // true: the body is steered by a player

  bool operator==(const Role&) const = default;
};

/// Returns the roles of the moving bodies of `world`, in the order of ids, as in snapshots. Bodies
/// without an owner are those of the scene, in its order. The first body of each owner is the
/// player's own; the scene does not define bodies that players shoot, so they have no definition.
std::vector<Role> roles_of(const scene::SceneDef& scene, const state::WorldDef& world);

}  // namespace jostle::prediction_baseline
