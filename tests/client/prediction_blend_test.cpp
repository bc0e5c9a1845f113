// Tests that bodies do not jump when prediction replaces interpolation, or interpolation replaces
// prediction.
#include "client/prediction_blend.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::client {
namespace {

class PredictionBlendTest : public testing::Test {
 protected:
  PredictionBlendTest() {
    for (std::uint32_t i = 0; i < 3; ++i)
      infos_[i].id = {i + 1};
  }
  /// Shows a frame in which the bodies 1 to 3 are interpolated at x = 10, and those in `predicted`
  /// are predicted at x = 12. Returns the shown x of body `id`. `seconds` is the time of the frame
  /// and must not decrease between calls.
  double x_of(std::uint32_t id, const std::vector<std::uint32_t>& predicted, double seconds) {
    std::vector<ShownBody> stage;
    for (const state::BodyInfo& info : infos_)
      stage.push_back({&info, {{10, 0, 0}, {}}, false});
    std::vector<PredictedBody> ahead;
    for (const std::uint32_t body : predicted)
      ahead.push_back({{body}, {{12, 0, 0}, {}}, true});
    blend_.show(stage, ahead, seconds);
    EXPECT_EQ(blend_.bodies().size(), 3U);
    return blend_.bodies()[id - 1].pose.position.x;
  }

  state::BodyInfo infos_[3];
  PredictionBlend blend_;
};

TEST_F(PredictionBlendTest, DoesNotChangeUnpredictedBodies) {
  EXPECT_EQ(x_of(1, {2}, 0), 10);
  EXPECT_EQ(x_of(3, {2}, 1), 10);
  EXPECT_FALSE(blend_.bodies()[2].is_awake);
}

TEST_F(PredictionBlendTest, FadesFromTheShownPoseToThePredictedOne) {
  EXPECT_NEAR(x_of(2, {}, 0), 10, 1e-6);
  EXPECT_NEAR(x_of(2, {2}, 1), 10, 1e-6);
  EXPECT_TRUE(blend_.bodies()[1].is_awake);
  EXPECT_NEAR(x_of(2, {2}, 1 + PredictionBlend::fade_seconds / 2), 11, 1e-5);
  EXPECT_EQ(x_of(2, {2}, 1 + PredictionBlend::fade_seconds), 12);
}

TEST_F(PredictionBlendTest, FadesBackToTheInterpolatedPose) {
  x_of(2, {2}, 0);
  EXPECT_EQ(x_of(2, {2}, 1), 12);
  EXPECT_NEAR(x_of(2, {}, 2), 12, 1e-6);
  EXPECT_NEAR(x_of(2, {}, 2 + PredictionBlend::fade_seconds / 2), 11, 1e-5);
  EXPECT_EQ(x_of(2, {}, 3), 10);
}

TEST_F(PredictionBlendTest, DoesNotJumpIfPredictionEndsDuringAFade) {
  x_of(2, {}, 0);
  x_of(2, {2}, 1);
  const double half = x_of(2, {2}, 1 + PredictionBlend::fade_seconds / 2);
  EXPECT_NEAR(x_of(2, {}, 1 + PredictionBlend::fade_seconds / 2), half, 1e-5);
}

TEST_F(PredictionBlendTest, JumpsAboveTheMaximumFadeDistance) {
  std::vector<ShownBody> stage{{&infos_[0], {{0, 0, 0}, {}}, false}};
  blend_.show(stage, {}, 0);
  const std::vector<PredictedBody> ahead{{{1}, {{100, 0, 0}, {}}, true}};
  blend_.show(stage, ahead, 0.01);
  EXPECT_EQ(blend_.bodies()[0].pose.position.x, 100);
}

}  // namespace
}  // namespace jostle::client
