#pragma once

#include "shared/scene/scene.h"

#include <string_view>

namespace jostle::scene::wire {
struct Scene;
}

namespace jostle::scene::detail {

/// Checks and expands what a file says. Its text, if it has one, is not known here.
base::Result<SceneDef, SceneError> read_scene(const wire::Scene& table, std::string_view file_name);

}  // namespace jostle::scene::detail
