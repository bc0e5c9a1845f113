#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/scene/scene.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jostle::server {

/// The scenes that a server offers, and a function that loads one. Clients select a scene by its
/// name here, never by a path.
struct SceneCatalogue {
  struct Entry {
    std::string name, description;
  };
  std::vector<Entry> entries;  // sorted by name
  /// Loads a scene. Contract: the name is that of an entry.
  std::function<base::Result<scene::SceneDef, std::string>(const std::string& name)> load;
};

/// Returns all scenes that can be loaded by a bare name, as they are now. Scenes that cannot be
/// read or served to `max_players` are left out, as are those beyond protocol::max_scenes. `io`
/// must outlive the result.
SceneCatalogue read_catalogue(net::Io& io, std::size_t max_players);

/// Returns why a scene cannot be served to `max_players`, or null if it can. A snapshot holds a
/// limited number of moving bodies, which must include every player's body and shots.
std::optional<std::string> why_not_servable(const scene::SceneDef& scene, std::size_t max_players);

}  // namespace jostle::server
