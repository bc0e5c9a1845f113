#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"

#include <string>

namespace jostle::web {

/// Returns a scene that the page has added with scene_add(). The error is one line.
base::Result<scene::SceneDef, std::string> load_added_scene(const std::string& name);

}  // namespace jostle::web
