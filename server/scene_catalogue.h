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

/// The scenes that a server offers, and a function that loads a scene. Clients select a scene by
/// its name in this list, never by a path.
struct SceneCatalogue {
  struct Entry {
    std::string name, description;
  };
  std::vector<Entry> entries;  // sorted by name
  /// Loads a scene. Contract: `name` is the name of an entry.
  std::function<base::Result<scene::SceneDef, std::string>(const std::string& name)> load;
};

/// Returns all scenes that can currently be loaded by a bare name. Scenes that cannot be read or
/// served to `max_players` players are left out, and so are scenes beyond protocol::max_scenes.
/// `io` must outlive the result.
SceneCatalogue read_catalogue(net::Io& io, std::size_t max_players);

/// Returns the reason why a scene cannot be served to `max_players` players; null if it can. The
/// definition must fit in a blob, and the moving bodies, including every player's body and shots,
/// must fit in a snapshot.
std::optional<std::string> why_not_servable(const scene::SceneDef& scene, std::size_t max_players);

}  // namespace jostle::server
