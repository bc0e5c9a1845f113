#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::scene {

/// Returns the path of a scene that is given as a path or as a bare name. A path (with a slash, or
/// ending in ".json") is returned unchanged. A bare name ("crates") is searched for in
/// $JOSTLE_SCENES, then ./scenes, then the source tree's scenes folder. If no folder has the scene,
/// returns the name.
std::string scene_path(const std::string& name_or_path);

/// Returns the bare names of all scenes in the folders that scene_path() searches: sorted, and each
/// once.
std::vector<std::string> scene_names();

/// Returns the path where the preview picture of a scene would be: in the folder `pictures` beside
/// its file. Returns nothing if the name is not a bare name or no scene has it.
std::optional<std::string> scene_picture_path(const std::string& name);

/// Reads and checks a scene. A scene found by a bare name gets that name, whatever its file says.
/// The error is one line that says what is wrong and where.
base::Result<SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path);

}  // namespace jostle::scene
