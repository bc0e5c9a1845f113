#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"
#include "tools/workload/scene.h"

#include <optional>
#include <string>

namespace jostle::tools {

struct LoadedScene {
  workload::Scene workload;
  std::optional<scene::SceneDef> file;  // of what the workload was made, if it was a file
};

/// A benchmark scene by its name, or a scene file by its path. The error is in words.
base::Result<LoadedScene, std::string> load_workload(const std::string& name);

}  // namespace jostle::tools
