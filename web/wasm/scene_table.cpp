// Scenes by name: the page fetches their files and adds them.
#include "web/wasm/scene_table.h"

#include "shared/scene_files/scene_files.h"
#include "web/wasm/exports.h"

#include <map>

namespace jostle::web {
namespace {

/// Texts of scene files by name.
std::map<std::string, std::string>& table() {
  static std::map<std::string, std::string> scenes;
  return scenes;
}

}  // namespace

base::Result<scene::SceneDef, std::string> load_added_scene(const std::string& name) {
  const auto found = table().find(name);
  if (found == table().end()) return "there is no scene '" + name + "' on this page";
  auto scene = scene::parse_scene(found->second, name + ".scene.json");
  if (!scene) return scene.error().text();
  scene->name = name;
  return *std::move(scene);
}

/// Adds a scene file under a name, in place of an earlier one. Stores an error message, or nothing
/// if the scene is valid.
JOSTLE_EXPORT(scene_add)
void scene_add(const char* name, std::uint32_t name_size, const char* text,
               std::uint32_t text_size) {
  const std::string key = text_of(name, name_size);
  table()[key] = text_of(text, text_size);
  const auto scene = load_added_scene(key);
  if (!scene) table().erase(key);
  set_result(scene ? "" : scene.error());
}

}  // namespace jostle::web

namespace jostle::scene {

std::string scene_path(const std::string& name_or_path) {
  return name_or_path;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : web::table())
    names.push_back(name);
  return names;
}

base::Result<SceneDef, std::string> load_scene(net::Io&, const std::string& name_or_path) {
  return web::load_added_scene(name_or_path);
}

}  // namespace jostle::scene
