#include "server/scene_files.h"

#include "protocol/limits.h"
#include "shared/net/system_io.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace jostle::server {
namespace {

TEST(SceneCatalogue, TellsEveryShippedSceneWithItsSentenceByName) {
  net::RealIo io;
  const SceneCatalogue catalogue = read_catalogue(io);
  std::set<std::string> told;
  for (const SceneCatalogue::Entry& entry : catalogue.entries) {
    EXPECT_TRUE(told.empty() || *told.rbegin() < entry.name) << "in order";
    told.insert(entry.name);
    EXPECT_GE(entry.description.size(), 20U) << entry.name;
    EXPECT_LE(entry.description.size(), protocol::max_words_bytes) << entry.name;
  }
  for (const auto& file : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenes"))
    EXPECT_TRUE(told.contains(file.path().stem().stem().string())) << file.path();
}

TEST(SceneCatalogue, LoadsWhatItTells) {
  net::RealIo io;
  const SceneCatalogue catalogue = read_catalogue(io);
  for (const SceneCatalogue::Entry& entry : catalogue.entries) {
    const auto scene = catalogue.load(entry.name);
    ASSERT_TRUE(scene.has_value()) << scene.error();
    EXPECT_EQ(scene->name, entry.name);
    EXPECT_EQ(scene->description, entry.description);
    EXPECT_EQ(why_not_servable(*scene, 16), std::nullopt);
  }
}

}  // namespace
}  // namespace jostle::server
