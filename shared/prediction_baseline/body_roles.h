#pragma once

#include "shared/scene/scene.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::prediction_baseline {

/// Description of a moving body for PredictionBaseline.
struct Role {
  /// The body as the scene defines it; null: the scene does not define it, so the codec assumes
  /// constant velocity.
  std::optional<scene::SceneBody> body;
  std::optional<std::uint32_t> scene_index;  // index in SceneDef::bodies
  bool is_steered = false;  // true: the body of a player, moved by the player's inputs

  bool operator==(const Role&) const = default;
};

/// Returns the roles of the moving bodies of `world` in the order of their ids, as in snapshots.
/// Bodies without an owner are taken to be those of the scene, in its order. The first body of each
/// owner is the player's own. Cars and the bodies that players shoot have no definition.
std::vector<Role> roles_of(const scene::SceneDef& scene, const state::WorldDef& world);

}  // namespace jostle::prediction_baseline
