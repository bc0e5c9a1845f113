#pragma once

#include "shared/scene/scene.h"

#include <string_view>

namespace jostle::scene::wire {
struct Scene;
}

namespace jostle::scene::detail {

/// Checks and expands the content of a file. Leaves source_text empty.
base::Result<SceneDef, SceneError> read_scene(const wire::Scene& table, std::string_view file_name);

}  // namespace jostle::scene::detail
