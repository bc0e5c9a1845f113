#include "shared/scene_files/scene_files.h"

#include "shared/command_line/suggestion.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace jostle::scene {
namespace {

constexpr std::string_view suffix = ".scene.json";

std::vector<std::filesystem::path> scene_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* folder = std::getenv("JOSTLE_SCENES"); folder != nullptr && *folder != '\0') {
    folders.emplace_back(folder);
  }
  folders.emplace_back("scenes");
  folders.emplace_back(JOSTLE_SCENES_DIR);
  return folders;
}

bool is_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
}

}  // namespace

std::string scene_path(const std::string& name_or_path) {
  if (is_path(name_or_path)) return name_or_path;
  for (const std::filesystem::path& folder : scene_folders()) {
    const std::filesystem::path candidate = folder / (name_or_path + std::string(suffix));
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored)) return candidate.string();
  }
  return name_or_path;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : scene_folders()) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(suffix)) names.push_back(name.substr(0, name.size() - suffix.size()));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::string> scene_picture_path(const std::string& name) {
  if (name.empty() || is_path(name)) return std::nullopt;
  const std::filesystem::path file = scene_path(name);
  if (file == name) return std::nullopt;
  return (file.parent_path() / "pictures" / (name + ".png")).string();
}

base::Result<SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path) {
  const std::string path = scene_path(name_or_path);
  const auto bytes = io.read_file(path, max_scene_file_bytes);
  if (!bytes) {
    std::string message = "scene '" + name_or_path + "': " + std::string(describe(bytes.error()));
    if (!is_path(name_or_path)) {
      const std::vector<std::string> names = scene_names();
      const std::string suggestion = command_line::suggestion(name_or_path, names);
      message += suggestion.empty() ? "; available scenes:" : suggestion + " Available scenes:";
      for (const std::string& name : names)
        message += " " + name;
    }
    return message;
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  auto scene = parse_scene(text, path);
  if (!scene) return scene.error().text();
  if (!is_path(name_or_path)) scene->name = name_or_path;
  return *std::move(scene);
}

}  // namespace jostle::scene
