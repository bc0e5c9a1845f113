#pragma once

#include "client/app/options.h"
#include "client/app/viewer.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

/// Reads the scenes that `options.gallery_scenes` names, or all scenes if it is empty. The error is
/// one line: which scene cannot be read and why, or that there are no scenes.
base::Result<std::vector<scene::SceneDef>, std::string> read_gallery(net::Io& io,
                                                                     const Options& options);

/// Creates the gallery folder of `options` if it is missing, and draws each scene to the file
/// NAME.png in the folder. The picture shows the view of the scene's camera at a time chosen for
/// that scene. Prints a line for each picture. Returns an error message, or null on success.
std::optional<std::string> draw_gallery(net::Io& io, const Options& options,
                                        const std::vector<scene::SceneDef>& scenes,
                                        const StopQuestion& should_stop);

}  // namespace jostle::client_app
