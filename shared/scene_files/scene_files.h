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
/// $JOSTLE_SCENES, then ./scenes, then the folder of the installed scenes, which is found from the
/// files of the program and of libjostle.so, then the source tree's scenes folder. If no folder has
/// the scene, returns the name.
std::string scene_path(const std::string& name_or_path);

/// Returns the bare names of all scenes in the folders that scene_path() searches: sorted, and each
/// once.
std::vector<std::string> scene_names();

/// Returns the path where the preview picture of a scene would be: in the folder `pictures` beside
/// its file. Returns nothing if the name is not a bare name or no scene has it.
std::optional<std::string> scene_picture_path(const std::string& name);

/// Suggests a scene file for a name or path that does not exist: the same path with the ending
/// .scene.json or .json, or the scene of that name in the folders that scene_path() searches.
/// Returns nothing if neither exists.
std::optional<std::string> similar_scene_file(const std::string& name_or_path);

/// Reads and checks a scene. A scene found by a bare name gets that name, whatever its file says.
/// The error is one line that says what is wrong and where. If there is no such scene, the error
/// suggests a name or path that this function accepts.
base::Result<SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path);
/// Like load_scene(), but takes and suggests only paths.
base::Result<SceneDef, std::string> load_scene_file(net::Io& io, const std::string& path);

}  // namespace jostle::scene
