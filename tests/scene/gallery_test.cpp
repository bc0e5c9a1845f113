#include "shared/scene/scene.h"
#include "tests/scene/scene_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

namespace jostle::scene {
namespace {

class Gallery : public testing::TestWithParam<std::filesystem::path> {
 protected:
  Gallery() : result_(parse_scene(read_text(GetParam()), GetParam().filename().string())) {}
  void SetUp() override { ASSERT_TRUE(result_) << result_.error().text(); }

  base::Result<SceneDef, SceneError> result_;
};

std::string scene_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().stem().string();
  for (char& c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

TEST_P(Gallery, ParsesAndSaysWhatItShows) {
  EXPECT_EQ(result_->name + ".scene.json", GetParam().filename().string());
  EXPECT_GE(result_->description.size(), 20U);
  EXPECT_EQ(result_->description.back(), '.');
  EXPECT_FALSE(result_->bodies.empty());
  EXPECT_EQ(result_->source_text, read_text(GetParam()));
}

TEST_P(Gallery, HasRoomForFourPlayers) {
  EXPECT_GE(result_->spawns.size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(, Gallery, testing::ValuesIn(gallery()), scene_name);

}  // namespace
}  // namespace jostle::scene
