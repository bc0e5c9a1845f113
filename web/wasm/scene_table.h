#pragma once

#include "server/scene_catalogue.h"
#include "shared/base/result.h"
#include "shared/scene/scene.h"

#include <string>

namespace jostle::web {

/// Returns a scene that the page has added or offers. The error is one line.
base::Result<scene::SceneDef, std::string> load_page_scene(const std::string& name);

/// Returns the scenes that the page has added or offers.
server::SceneCatalogue page_catalogue();

}  // namespace jostle::web
