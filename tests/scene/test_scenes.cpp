#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace jostle::scene {
namespace {

std::filesystem::path gallery_folder() {
  return std::filesystem::path(JOSTLE_SOURCE_DIR) / "scenes";
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> gallery() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(gallery_folder())) {
    if (entry.path().string().ends_with(".scene.json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string gallery_text(const std::string& name) {
  return read_text(gallery_folder() / (name + ".scene.json"));
}

std::string scene_with(const std::string& fields) {
  return R"({"name": "test", "spawns": [{"position": [0, 1, 0]}])" +
         (fields.empty() ? "" : ", " + fields) + "}";
}

std::string scene_with_body(const std::string& fields) {
  return scene_with(R"("bodies": [{"shape": {"sphere": {"radius": 1}})" +
                    (fields.empty() ? "" : ", " + fields) + "}]");
}

SceneDef parsed(const std::string& text) {
  auto result = parse_scene(text, "test.scene.json");
  if (result) return *std::move(result);
  ADD_FAILURE() << result.error().text();
  return {};
}

SceneError error_of(const std::string& text) {
  const auto result = parse_scene(text, "test.scene.json");
  if (!result) return result.error();
  ADD_FAILURE() << "not refused: " << text;
  return {};
}

std::string refusal(const std::string& text) {
  SceneError error = error_of(text);
  error.subject.clear();
  if (!error.path.empty()) {
    EXPECT_GT(error.line, 0) << error.text();
    error.line = error.column = 0;
  }
  return error.text();
}

}  // namespace jostle::scene
