#include "client/panels/scene_chooser.h"

#include "client/panels/scene_panel.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace jostle::panels {
namespace {

const std::vector<protocol::SceneInfo> three{
    {0, 3, "balls", "Balls."}, {1, 3, "crates", "Crates."}, {2, 3, "tower", "A tower."}};
const std::vector<protocol::SceneInfo> none;
const std::vector<std::size_t> all{0, 1, 2};

TEST(SceneChooser, RequestsTheListOnceAndOnlyIfNeeded) {
  SceneChooser chooser;
  EXPECT_FALSE(chooser.update(none, "crates").is_list);
  chooser.toggle_panel();
  EXPECT_TRUE(chooser.update(none, "crates").is_list);
  EXPECT_FALSE(chooser.update(none, "crates").is_list);
  chooser.toggle_panel();
  chooser.toggle_panel();
  EXPECT_TRUE(chooser.update(none, "crates").is_list)
      << "requested again after reopening, in case it was lost";
  EXPECT_FALSE(chooser.update(three, "crates").is_list);
}

TEST(SceneChooser, RequestsTheListAgainFromAnotherServer) {
  SceneChooser chooser;
  chooser.toggle_panel();
  (void)chooser.update(none, "crates");
  (void)chooser.update(three, "crates");
  EXPECT_TRUE(chooser.update(none, "crates").is_list);
  EXPECT_FALSE(chooser.update(none, "crates").is_list);
}

TEST(SceneChooser, OpensAtTheCurrentSceneAndStopsAtTheEnds) {
  SceneChooser chooser;
  chooser.toggle_panel();
  chooser.move(1, {});
  EXPECT_EQ(chooser.selected(), std::nullopt);
  (void)chooser.update(three, "crates");
  EXPECT_EQ(chooser.selected(), 1U);
  chooser.move(1, all);
  chooser.move(1, all);
  EXPECT_EQ(chooser.selected(), 2U);
  chooser.move(-9, all);
  EXPECT_EQ(chooser.selected(), 0U);
  EXPECT_EQ(chooser.update(three, "crates").scene, std::nullopt) << "nothing was chosen";
}

TEST(SceneChooser, RequestsTheChosenSceneOnce) {
  SceneChooser chooser;
  chooser.toggle_panel();
  (void)chooser.update(three, "crates");
  chooser.move(1, all);
  chooser.choose_selected(all);
  EXPECT_EQ(chooser.update(three, "crates").scene, "tower");
  EXPECT_EQ(chooser.update(three, "crates").scene, std::nullopt);
  chooser.choose(0);
  EXPECT_EQ(chooser.selected(), 0U);
  EXPECT_EQ(chooser.update(three, "tower").scene, "balls");
  chooser.choose(3);
  EXPECT_EQ(chooser.update(three, "tower").scene, std::nullopt) << "there is no such line";
}

TEST(SceneChooser, MovesAndChoosesAmongSearchResults) {
  SceneChooser chooser;
  chooser.toggle_panel();
  (void)chooser.update(three, "crates");
  const std::array<std::size_t, 2> first_and_last{0, 2};
  EXPECT_EQ(chooser.selected_of(first_and_last), 0U) << "the selected one is not among them";
  chooser.move(1, first_and_last);
  EXPECT_EQ(chooser.selected(), 2U);
  chooser.move(1, first_and_last);
  EXPECT_EQ(chooser.selected_of(first_and_last), 2U);
  chooser.choose_selected(std::span(first_and_last).first(1));
  EXPECT_EQ(chooser.update(three, "crates").scene, "balls");
  chooser.choose_selected({});
  EXPECT_EQ(chooser.update(three, "balls").scene, std::nullopt) << "nothing is left";
}

TEST(SceneChooser, WantsKeysIfItWasOpenedByKey) {
  SceneChooser chooser;
  chooser.show_panel();
  EXPECT_TRUE(chooser.is_panel_shown() && !chooser.wants_keys());
  chooser.toggle_panel();
  EXPECT_FALSE(chooser.is_panel_shown());
  chooser.toggle_panel();
  EXPECT_TRUE(chooser.is_panel_shown() && chooser.wants_keys());
}

TEST(SceneChooser, StepsCyclicallyFromTheCurrentScene) {
  const auto after = [](int steps, const char* current) {
    SceneChooser chooser;
    chooser.step(steps);
    return *chooser.update(three, current).scene;
  };
  EXPECT_EQ(after(1, "balls"), "crates");
  EXPECT_EQ(after(1, "tower"), "balls");
  EXPECT_EQ(after(-1, "balls"), "tower");
  EXPECT_EQ(after(2, "crates"), "balls");
  EXPECT_EQ(after(-7, "crates"), "balls");
  EXPECT_EQ(after(1, "mine"), "balls") << "a scene that is not in the list";
  EXPECT_EQ(after(-1, "mine"), "tower");
}

TEST(SceneChooser, DelaysAStepUntilTheListArrives) {
  SceneChooser chooser;
  chooser.step(1);
  EXPECT_TRUE(chooser.update(none, "balls").is_list);
  EXPECT_FALSE(chooser.update(none, "balls").is_list);
  EXPECT_EQ(chooser.update(three, "balls").scene, "crates");
  EXPECT_EQ(chooser.update(three, "crates").scene, std::nullopt);
}

TEST(SceneChooser, ClampsTheSelectionWhenTheListShrinks) {
  SceneChooser chooser;
  chooser.toggle_panel();
  (void)chooser.update(three, "tower");
  (void)chooser.update({three.data(), 1}, "tower");
  EXPECT_EQ(chooser.selected(), 0U);
  (void)chooser.update(none, "tower");
  EXPECT_EQ(chooser.selected(), std::nullopt);
}

TEST(ScenePanel, FindsScenesByPartsOfNamesAndDescriptions) {
  const std::vector<protocol::SceneInfo> scenes{{0, 3, "crates", "A pile of crates."},
                                                {1, 3, "pool", "A table with fifteen balls."},
                                                {2, 3, "tower", "A round tower of crates."}};
  using Lines = std::vector<std::size_t>;
  EXPECT_EQ(scenes_that_match(scenes, ""), (Lines{0, 1, 2}));
  EXPECT_EQ(scenes_that_match(scenes, "CRATE"), (Lines{0, 2}));
  EXPECT_EQ(scenes_that_match(scenes, "tower"), (Lines{2}));
  EXPECT_EQ(scenes_that_match(scenes, "t"), (Lines{2, 0, 1})) << "names that begin so come first";
  EXPECT_EQ(scenes_that_match(scenes, "fifteen"), (Lines{1}));
  EXPECT_TRUE(scenes_that_match(scenes, "boat").empty());
}

}  // namespace
}  // namespace jostle::panels
