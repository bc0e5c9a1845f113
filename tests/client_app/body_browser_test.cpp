#include "client/panels/body_browser.h"

#include "tests/client_app/fake_scene.h"

#include <gtest/gtest.h>

#include <numbers>

namespace jostle::panels {
namespace {

TEST(BodyBrowser, FindsBodiesByPartsOfNamesAndNumbers) {
  render::FakeScene scene({0, 0, 0});
  scene.add(state::sphere(1), {0, 1, 0}, {}, state::MotionType::Dynamic, {}).name = "Left_Arm";
  scene.add(state::sphere(1), {0, 3, 0}, {}, state::MotionType::Dynamic, {}).name = "right_arm";
  scene.add(state::sphere(1), {0, 5, 0}, {}, state::MotionType::Dynamic, {}).name = "head";
  const auto bodies = scene.shown();
  const auto count = [&](const char* text) { return bodies_that_match(bodies, text).size(); };
  EXPECT_EQ(count(""), bodies.size());
  EXPECT_EQ(count("arm"), 2U);
  EXPECT_EQ(count("LEFT"), 1U);
  EXPECT_EQ(count("nothing"), 0U);
  const std::string number = std::to_string(bodies.back().info->id.value);
  ASSERT_EQ(bodies_that_match(bodies, number + " h").size(), 1U);
  EXPECT_EQ(bodies_that_match(bodies, number + " h").front(), &bodies.back());
}

TEST(BodyBrowser, DescribesTheSizesOfShapes) {
  EXPECT_EQ(describe(state::sphere(0.5f)), "sphere, radius 0.50 m");
  EXPECT_EQ(describe(state::box({0.5f, 1, 2})), "box, 1.00 × 2.00 × 4.00 m");
}

TEST(BodyBrowser, SelectsTheBodyOfTheSameNameAfterAReset) {
  std::vector<state::BodyInfo> infos(4);
  const auto shown = [&](std::vector<std::pair<std::uint32_t, std::string>> bodies) {
    std::vector<client::ShownBody> made(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      infos[i].id = {bodies[i].first};
      infos[i].name = bodies[i].second;
      made[i].info = &infos[i];
    }
    return made;
  };
  BodyBrowser browser;
  browser.choose({2});
  browser.find_again(shown({{1, "ground"}, {2, "crate"}, {3, "plank"}, {4, "plank"}}));
  browser.find_again({});  // the list is empty while a world is being loaded
  EXPECT_EQ(browser.selected(), state::BodyId{2});
  browser.find_again(shown({{11, "ground"}, {12, "crate"}, {13, "plank"}, {14, "plank"}}));
  EXPECT_EQ(browser.selected(), state::BodyId{12});
  browser.choose({13});
  browser.find_again(shown({{11, "ground"}, {12, "crate"}, {13, "plank"}, {14, "plank"}}));
  browser.find_again(shown({{21, "ground"}, {22, "crate"}, {23, "plank"}, {24, "plank"}}));
  EXPECT_EQ(browser.selected(), state::BodyId{13}) << "two have its name";
}

TEST(ShownMotion, EstimatesVelocityFromShownPoses) {
  state::BodyInfo info;
  info.id = {7};
  client::ShownBody body;
  body.info = &info;
  ShownMotion motion;
  motion.follow(body, 10);
  EXPECT_EQ(motion.motion().speed, 0);
  body.pose.position.x = 1;
  body.pose.rotation = math::normalized({0, 1, 0, 1});  // a quarter turn
  motion.follow(body, 10.5);
  EXPECT_FLOAT_EQ(motion.motion().speed, 2);
  EXPECT_NEAR(motion.motion().turning_speed, std::numbers::pi_v<float>, 1e-5f);
  motion.follow(body, 10.5);  // the same frame again
  EXPECT_FLOAT_EQ(motion.motion().speed, 2);
  motion.follow(body, 9);  // a step back in a recording
  EXPECT_EQ(motion.motion().speed, 0);
}

}  // namespace
}  // namespace jostle::panels
