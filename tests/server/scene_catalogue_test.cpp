#include "server/scene_catalogue.h"

#include "protocol/limits.h"
#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace jostle::server {
namespace {

TEST(SceneCatalogue, ListsAllShippedScenesByNameWithADescription) {
  net::SystemIo io;
  const SceneCatalogue catalogue = read_catalogue(io, 8);
  std::set<std::string> sent;
  for (const SceneCatalogue::Entry& entry : catalogue.entries) {
    EXPECT_TRUE(sent.empty() || *sent.rbegin() < entry.name) << "not sorted";
    sent.insert(entry.name);
    EXPECT_GE(entry.description.size(), 20U) << entry.name;
    EXPECT_LE(entry.description.size(), protocol::max_text_bytes) << entry.name;
  }
  for (const auto& file : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenes"))
    if (file.path().filename().string().ends_with(".scene.json")) {
      EXPECT_TRUE(sent.contains(file.path().stem().stem().string())) << file.path();
    }
}

// The thumbnails are drawn by `./run gallery`.
TEST(SceneCatalogue, EveryShippedSceneHasAThumbnail) {
  net::SystemIo io;
  for (const SceneCatalogue::Entry& entry : read_catalogue(io, 8).entries) {
    const auto picture = scene::scene_picture_path(entry.name);
    ASSERT_TRUE(picture) << entry.name;
    EXPECT_TRUE(std::filesystem::is_regular_file(*picture)) << *picture;
  }
  for (const char* none : {"", "..", "../crates", "a.scene.json", "there_is_no_such_scene"})
    EXPECT_FALSE(scene::scene_picture_path(none)) << none;
}

TEST(SceneCatalogue, LoadsEverySceneThatItLists) {
  net::SystemIo io;
  const SceneCatalogue catalogue = read_catalogue(io, 8);
  for (const SceneCatalogue::Entry& entry : catalogue.entries) {
    const auto scene = catalogue.load(entry.name);
    ASSERT_TRUE(scene.has_value()) << scene.error();
    EXPECT_EQ(scene->name, entry.name);
    EXPECT_EQ(scene->description, entry.description);
    EXPECT_EQ(why_not_servable(*scene, 16), std::nullopt);
  }
}

/// A folder of scenes that takes precedence over the shipped ones.
class OwnScenes : public ::testing::Test {
 protected:
  OwnScenes() {
    std::filesystem::create_directories(folder_);
    setenv("JOSTLE_SCENES", folder_.c_str(), 1);
  }
  ~OwnScenes() override {
    unsetenv("JOSTLE_SCENES");
    std::filesystem::remove_all(folder_);
  }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file) << text;
  }
  static bool tells(const SceneCatalogue& catalogue, const std::string& name) {
    return std::any_of(catalogue.entries.begin(), catalogue.entries.end(),
                       [&](const SceneCatalogue::Entry& entry) { return entry.name == name; });
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("jostle_scenes_" + std::to_string(getpid()));
};

constexpr const char* smallest = R"({"name": "inside", "spawns": [{"position": [0, 0, 0]}]})";

TEST_F(OwnScenes, AreNamedAfterTheirFiles) {
  write("outside.scene.json", smallest);
  net::SystemIo io;
  const SceneCatalogue catalogue = read_catalogue(io, 8);
  EXPECT_TRUE(tells(catalogue, "outside"));
  EXPECT_FALSE(tells(catalogue, "inside"));
  EXPECT_EQ(catalogue.load("outside").value().name, "outside");
  EXPECT_EQ(scene::load_scene(io, (folder_ / "outside.scene.json").string()).value().name,
            "inside");
}

TEST_F(OwnScenes, AreLeftOutIfTheyCannotBeRequestedReadOrServed) {
  write(".scene.json", smallest);
  write("broken.scene.json", "{");
  std::string many = R"({"name": "many", "spawns": [{"position": [0, 0, 0]}], "generators": [
      {"kind": "grid", "counts": [10, 10, 100], "spacing": [2, 2, 2],
       "body": {"shape": {"sphere": {"radius": 0.5}}}}]})";
  write("many.scene.json", many);
  net::SystemIo io;
  const auto scene = scene::load_scene(io, "many");
  ASSERT_TRUE(scene.has_value()) << scene.error();
  ASSERT_EQ(scene->bodies.size(), 10'000U);
  EXPECT_TRUE(tells(read_catalogue(io, 0), "many"));
  const SceneCatalogue catalogue = read_catalogue(io, 8);
  EXPECT_FALSE(tells(catalogue, ""));
  EXPECT_FALSE(tells(catalogue, "broken"));
  EXPECT_FALSE(tells(catalogue, "many"));
  EXPECT_TRUE(tells(catalogue, "crates")) << "the other scenes are still listed";
}

}  // namespace
}  // namespace jostle::server
