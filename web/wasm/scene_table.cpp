// Scenes by name: the page adds their files, or offers them and fetches a file when it is needed.
#include "web/wasm/scene_table.h"

#include "shared/scene_files/scene_files.h"

#include "web/wasm/exports.h"
#include "web/wasm/imports.h"
#include <map>
#include <optional>

namespace jostle::web {
namespace {

struct PageScene {
  std::string description;
  std::optional<scene::SceneDef> scene;  // null until the file was read
};

std::map<std::string, PageScene>& table() {
  static std::map<std::string, PageScene> scenes;
  return scenes;
}

base::Result<scene::SceneDef, std::string> parse(const std::string& name, std::string_view text) {
  auto scene = scene::parse_scene(text, name + ".scene.json");
  if (!scene) return scene.error().text();
  scene->name = name;
  return *std::move(scene);
}

}  // namespace

base::Result<scene::SceneDef, std::string> load_page_scene(const std::string& name) {
  const auto found = table().find(name);
  if (found == table().end()) return "there is no scene '" + name + "' on this page";
  if (found->second.scene) return *found->second.scene;
  const std::int32_t size = page_scene_text(name.data(), name.size(), nullptr, 0);
  if (size < 0) return "scene '" + name + "': the page cannot fetch its file";
  std::string text(static_cast<std::size_t>(size), '\0');
  page_scene_text(name.data(), name.size(), text.data(), text.size());
  auto scene = parse(name, text);
  if (scene) found->second.scene = *scene;
  return scene;
}

server::SceneCatalogue page_catalogue() {
  server::SceneCatalogue catalogue;
  for (const auto& [name, scene] : table())
    catalogue.entries.push_back({name, scene.description});
  catalogue.load = load_page_scene;
  return catalogue;
}

/// Offers a scene whose file the page fetches when it is needed (page_scene_text).
JOSTLE_EXPORT(scene_offer)
void scene_offer(const char* name, std::uint32_t name_size, const char* description,
                 std::uint32_t description_size) {
  table()[text_of(name, name_size)].description = text_of(description, description_size);
}

/// Adds a scene file under a name, in place of an earlier one. Stores an error message, or nothing
/// if the scene is valid.
JOSTLE_EXPORT(scene_add)
void scene_add(const char* name, std::uint32_t name_size, const char* text,
               std::uint32_t text_size) {
  const std::string key = text_of(name, name_size);
  auto scene = parse(key, {text, text_size});
  if (!scene) return set_result(scene.error());
  table()[key] = {scene->description, *std::move(scene)};
  set_result("");
}

}  // namespace jostle::web

namespace jostle::scene {

std::string scene_path(const std::string& name_or_path) {
  return name_or_path;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& [name, scene] : web::table())
    names.push_back(name);
  return names;
}

base::Result<SceneDef, std::string> load_scene(net::Io&, const std::string& name_or_path) {
  return web::load_page_scene(name_or_path);
}

}  // namespace jostle::scene
