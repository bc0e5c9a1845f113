#include "tests/scene/scene_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace jostle::scene {
namespace {

const std::filesystem::path folder = std::filesystem::path(JOSTLE_SOURCE_DIR) / "scenes";

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> gallery() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().string().ends_with(".scene.json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string gallery_text(const std::string& name) {
  return read_text(folder / (name + ".scene.json"));
}

}  // namespace jostle::scene
