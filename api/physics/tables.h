#pragma once

#include "api/base/handle_table.h"
#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/state/solid.h"

#include <jostle/physics/scenes.h>
#include <jostle/physics/solids.h>
#include <jostle/physics/world.h>

#include <memory>
#include <utility>

namespace jostle::api {

using SolidPointer = std::shared_ptr<const state::Solid>;

using WorldTable = HandleTable<jostle_world, physics::World, JOSTLE_MAX_WORLDS>;
using SolidTable = HandleTable<jostle_solid, SolidPointer, JOSTLE_MAX_SOLIDS>;
using SceneTable = HandleTable<jostle_scene, scene::SceneDef, JOSTLE_MAX_SCENES>;

/// The worlds, solids and scenes of this process.
WorldTable& worlds();
SolidTable& solids();
SceneTable& scenes();

/// Returns the solid of a handle.
SolidPointer find_solid(jostle_solid handle);
/// Creates a handle of a solid.
jostle_solid create_solid(SolidPointer solid);

/// Implements a function that reads a world: runs `body(const physics::World&)`.
template <typename Body>
jostle_result read_world(const char* function, jostle_world handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = worlds().read(handle);
    body(std::as_const(*access));
  });
}

/// Implements a function that changes nothing, but uses all threads of the world.
template <typename Body>
jostle_result read_world_alone(const char* function, jostle_world handle,
                               const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = worlds().read_alone(handle);
    body(*access);
  });
}

/// Implements a function that changes a world.
template <typename Body>
jostle_result change_world(const char* function, jostle_world handle, const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = worlds().change(handle);
    body(*access);
  });
}

/// Like change_world, for functions that must not be called for the world of a server or a
/// recording.
template <typename Body>
jostle_result change_own_world(const char* function, jostle_world handle,
                               const Body& body) noexcept {
  return guard(function, [&] {
    const auto access = worlds().change_own(handle);
    body(*access);
  });
}

/// Implements a function that tells whether an object of a world exists.
template <typename Handle>
jostle_bool is_alive_in(jostle_world world, Handle handle) noexcept {
  bool is_alive = false;
  const jostle_result result = read_world(
      "", world, [&](const physics::World& found) { is_alive = found.is_alive(handle); });
  return result == JOSTLE_OK && is_alive ? 1 : 0;
}

}  // namespace jostle::api
