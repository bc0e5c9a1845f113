#pragma once

#include "shared/base/result.h"
#include "tools/workload/scene.h"

#include <string>

namespace jostle::tools {

/// A benchmark scene by its name, or a scene file by its path. The error is in words.
base::Result<workload::Scene, std::string> load_workload(const std::string& name);

}  // namespace jostle::tools
