#pragma once

#include "shared/scene/scene.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::foresight {

/// What the engine has to know of a body that moves.
struct Role {
  /// As the scene makes it; nothing: the scene does not tell, it goes on as it did.
  std::optional<scene::SceneBody> body;
  std::optional<std::uint32_t> scene_index;  // in SceneDef::bodies
  bool is_steered = false;                   // the body of a player

  bool operator==(const Role&) const = default;
};

/// The roles of the bodies of `world` that are not static, by id, as they stand in snapshots.
/// Bodies without an owner are those of the scene, in its order; the first body of each owner is
/// the player's, of what a player shot the scene tells nothing but its size.
std::vector<Role> cast_of(const scene::SceneDef& scene, const state::WorldDef& world);

}  // namespace jostle::foresight
