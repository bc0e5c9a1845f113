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

/// Where a scene of the command line lies: a path is taken as it is, a bare name ("crates") is
/// looked for in $JOSTLE_SCENES, then ./scenes, then the folder that the program was built from.
std::string scene_path(const std::string& name_or_path);

/// The names that a bare name may be, sorted.
std::vector<std::string> scene_names();

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

/// Reads and checks a scene. One that is found by a bare name bears it, whatever its file says. The
/// error is one line that says what and where.
base::Result<scene::SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path);

/// Why a scene cannot be served to `max_players`: a snapshot holds only so many bodies that move,
/// and every player's body and shots must find room among them. Nothing when it can.
std::optional<std::string> why_not_servable(const scene::SceneDef& scene, std::size_t max_players);

}  // namespace jostle::server
