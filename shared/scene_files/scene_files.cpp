#include "shared/scene_files/scene_files.h"

#include "shared/base/program_names.h"
#include "shared/base/suggestion.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <span>
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
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error)
    folders.push_back((program.parent_path() / JOSTLE_INSTALLED_SCENES).lexically_normal());
  Dl_info code{};  // the file that contains this code: libjostle.so, or the program
  if (dladdr(&suffix, &code) != 0 && code.dli_fname != nullptr) {
    const std::filesystem::path file = code.dli_fname;
    if (file.is_absolute())
      folders.push_back((file.parent_path() / JOSTLE_SCENES_FROM_LIBRARY).lexically_normal());
  }
  folders.emplace_back(JOSTLE_SCENES_DIR);
  return folders;
}

bool is_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
}

/// Returns the name of the scene that a file name stands for: "crates" for "crates.scene.json".
std::string scene_name_in(const std::string& file_name) {
  const std::size_t dot = file_name.find('.');
  return file_name.ends_with(".json") ? file_name.substr(0, dot) : file_name;
}

/// Returns the file in the folder of `path` whose name is most similar to that of `path`.
std::optional<std::string> similar_neighbour(const std::string& path) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.parent_path();
  std::vector<std::string> names, scenes;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    scenes.push_back(scene_name_in(name));
  const std::string* const found =
      base::most_similar(scene_name_in(wanted.filename().string()), scenes);
  if (found == nullptr) return std::nullopt;
  return (folder / names[static_cast<std::size_t>(found - scenes.data())]).string();
}

/// Returns the error for a recording in place of a scene, or an empty string.
std::string recording_fault(const std::string& name_or_path) {
  return name_or_path.ends_with(".jrec")
             ? "scene '" + name_or_path + "': this is a recording, not a scene; to play it: " +
                   base::program_names().view + " " + name_or_path
             : std::string();
}

std::string did_you_mean(const std::string& what) {
  return "; did you mean '" + what + "'?";
}

std::string unreadable(const std::string& name_or_path, net::IoError error) {
  return "scene '" + name_or_path + "': " + std::string(describe(error));
}

/// Returns the end of the error message for a scene that cannot be read: a suggestion, and for a
/// bare name also the list of all scenes.
std::string advice(const std::string& name_or_path, net::IoError error) {
  if (is_path(name_or_path) && error != net::IoError::NotFound) return {};
  const std::vector<std::string> names = scene_names();
  std::string suggestion;
  // Prefer a file whose name begins with the given one to a scene with a similar name.
  const auto file = similar_scene_file(name_or_path);
  const bool is_file_named = file && file->starts_with(name_or_path);
  if (is_file_named) suggestion = did_you_mean(*file);
  const bool is_in_a_folder = name_or_path.find('/') != std::string::npos;
  if (suggestion.empty() && !is_in_a_folder)
    suggestion = base::suggestion(scene_name_in(name_or_path), names);
  if (suggestion.empty() && file) suggestion = did_you_mean(*file);
  if (is_path(name_or_path)) return suggestion;
  std::string listed =
      suggestion.empty() ? "; available scenes:" : suggestion + " Available scenes:";
  for (const std::string& name : names)
    listed += " " + name;
  return listed;
}

base::Result<SceneDef, std::string> parse(std::span<const std::byte> bytes,
                                          const std::string& path) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto scene = parse_scene(text, path);
  if (!scene) return scene.error().text();
  return *std::move(scene);
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

std::optional<std::string> similar_scene_file(const std::string& name_or_path) {
  std::error_code ignored;
  for (const std::string_view ending : {suffix, std::string_view(".json")}) {
    std::string path = name_or_path + std::string(ending);
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  if (name_or_path.find('/') != std::string::npos) return similar_neighbour(name_or_path);
  std::string path = scene_path(scene_name_in(name_or_path));
  if (is_path(path)) return path;
  return is_path(name_or_path) ? similar_neighbour(name_or_path) : std::nullopt;
}

base::Result<SceneDef, std::string> load_scene_file(net::Io& io, const std::string& path) {
  if (std::string fault = recording_fault(path); !fault.empty()) return fault;
  const auto bytes = io.read_file(path, max_scene_file_bytes);
  if (bytes) return parse(*bytes, path);
  const auto similar = bytes.error() == net::IoError::NotFound ? similar_scene_file(path)
                                                               : std::optional<std::string>();
  return unreadable(path, bytes.error()) + (similar ? did_you_mean(*similar) : "");
}

base::Result<SceneDef, std::string> load_scene(net::Io& io, const std::string& name_or_path) {
  if (std::string fault = recording_fault(name_or_path); !fault.empty()) return fault;
  const std::string path = scene_path(name_or_path);
  const auto bytes = io.read_file(path, max_scene_file_bytes);
  if (!bytes) return unreadable(name_or_path, bytes.error()) + advice(name_or_path, bytes.error());
  auto scene = parse(*bytes, path);
  if (scene && !is_path(name_or_path)) scene->name = name_or_path;
  return scene;
}

}  // namespace jostle::scene
