#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::scene {

/// Where a scene of the command line lies: a path is taken as it is, a bare name ("crates") is
/// looked for in $JOSTLE_SCENES, then ./scenes, then the folder that the program was built from.
std::string scene_path(const std::string& name_or_path);

/// The names that a bare name may be, sorted.
std::vector<std::string> scene_names();

/// Where the small picture of a scene of that name would lie, beside its file: in the folder
/// `pictures`. Nothing where it has no file here, or where it is no bare name.
std::optional<std::string> scene_picture_path(const std::string& name);

/// Reads and checks a scene. One that is found by a bare name bears it, whatever its file says. The
/// error is one line that says what and where.
base::Result<SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path);

}  // namespace jostle::scene
