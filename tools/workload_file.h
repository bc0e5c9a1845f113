#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"
#include "tools/workload/scene.h"

#include <optional>
#include <string>

namespace jostle::tools {

struct LoadedScene {
  workload::Scene workload;
  std::optional<scene::SceneDef> file;  // the scene file, if the workload was made from one
};

/// Loads a benchmark scene by its name, or a scene file by its path. The error is a sentence.
base::Result<LoadedScene, std::string> load_workload(const std::string& name);

}  // namespace jostle::tools
