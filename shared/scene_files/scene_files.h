#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/scene/scene.h"

#include <string>
#include <vector>

namespace jostle::scene {

/// Where a scene of the command line lies: a path is taken as it is, a bare name ("crates") is
/// looked for in $JOSTLE_SCENES, then ./scenes, then the folder that the program was built from.
std::string scene_path(const std::string& name_or_path);

/// The names that a bare name may be, sorted.
std::vector<std::string> scene_names();

/// Reads and checks a scene. One that is found by a bare name bears it, whatever its file says. The
/// error is one line that says what and where.
base::Result<SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path);

}  // namespace jostle::scene
