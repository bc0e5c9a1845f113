#pragma once

#include "shared/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace jostle::scene {

std::string read_text(const std::filesystem::path& path);

/// Every scene that ships, sorted by name.
std::vector<std::filesystem::path> gallery();

/// The text of scenes/<name>.scene.json.
std::string gallery_text(const std::string& name);

}  // namespace jostle::scene
