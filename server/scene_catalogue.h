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

/// The scenes of a server, and how it gets at one of them. Who asks for one does so by its name
/// here, never by a path.
struct SceneCatalogue {
  struct Entry {
    std::string name, description;
  };
  std::vector<Entry> entries;  // by name
  /// Contract: the name is that of an entry.
  std::function<base::Result<scene::SceneDef, std::string>(const std::string& name)> load;
};

/// All scenes that a bare name may be, as they are now; those that cannot be read or served to so
/// many players are left out, and what is beyond protocol::max_scenes. `io` must outlive it.
SceneCatalogue read_catalogue(net::Io& io, std::size_t max_players);

/// Why a scene cannot be served to `max_players`: a snapshot holds only so many bodies that move,
/// and every player's body and shots must find room among them. Nothing when it can.
std::optional<std::string> why_not_servable(const scene::SceneDef& scene, std::size_t max_players);

}  // namespace jostle::server
