#include "shared/scene/scene.h"
#include "tests/scene/separation.h"
#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace jostle::scene {
namespace {

class Gallery : public testing::TestWithParam<std::filesystem::path> {
 protected:
  Gallery() : result_(parse_scene(read_text(GetParam()), GetParam().filename().string())) {}
  void SetUp() override { ASSERT_TRUE(result_) << result_.error().text(); }

  base::Result<SceneDef, SceneError> result_;
};

TEST_P(Gallery, ParsesAndHasADescription) {
  EXPECT_EQ(result_->name + ".scene.json", GetParam().filename().string());
  EXPECT_GE(result_->description.size(), 20U);
  EXPECT_EQ(result_->description.back(), '.');
  EXPECT_EQ(result_->source_text, read_text(GetParam()));
}

TEST_P(Gallery, HasDynamicBodiesAboveTheGround) {
  const auto is_dynamic = [](const SceneBody& body) {
    return body.motion == state::MotionType::Dynamic;
  };
  EXPECT_TRUE(std::any_of(result_->bodies.begin(), result_->bodies.end(), is_dynamic));
  for (const SceneBody& body : result_->bodies) {
    SCOPED_TRACE(body.name);
    EXPECT_LT(std::abs(body.pose.position.x), 100.0);
    EXPECT_LT(std::abs(body.pose.position.z), 100.0);
    if (!is_dynamic(body)) continue;
    // All grounds of the gallery are at height 0.
    EXPECT_GT(lowest_point(body), -0.001);
    EXPECT_LT(body.pose.position.y, 100.0);
  }
}

TEST_P(Gallery, StartsWithoutOverlap) {
  EXPECT_GT(smallest_separation(*result_), -0.001f);
}

TEST_P(Gallery, HasRoomForFourPlayers) {
  ASSERT_GE(result_->spawns.size(), 4U);
  SceneDef with_players = *result_;
  for (const math::Pose& spawn : result_->spawns) {
    SceneBody body;
    body.pose = spawn;
    body.shapes = {result_->player.shape};
    with_players.bodies.push_back(body);
  }
  EXPECT_GT(smallest_separation(with_players), -0.001f);
}

TEST_P(Gallery, CameraLooksAtTheDynamicBodies) {
  // The middle of the dynamic bodies must lie within 30 degrees of the line of sight.
  const state::Camera& camera = result_->camera;
  math::Vec3 sum;
  float count = 0;
  for (const SceneBody& body : result_->bodies) {
    if (body.motion != state::MotionType::Dynamic) continue;
    sum += math::to_vec3(body.pose.position);
    count += 1;
  }
  const math::Vec3 sight = normalized_or(camera.target - camera.eye, {});
  const math::Vec3 middle = normalized_or(math::to_position(sum * (1.0f / count)) - camera.eye, {});
  EXPECT_GT(dot(sight, middle), 0.866f);
}

// `./run gallery` creates the picture and the description.
TEST_P(Gallery, DocsHaveItsPictureAndDescription) {
  const std::filesystem::path docs = GetParam().parent_path().parent_path() / "docs/gallery";
  EXPECT_TRUE(std::filesystem::exists(docs / (result_->name + ".png")));
  const std::string section = "\n## " + result_->name + "\n\n" + result_->description + "\n";
  EXPECT_NE(read_text(docs / "README.md").find(section), std::string::npos) << section;
}

INSTANTIATE_TEST_SUITE_P(, Gallery, testing::ValuesIn(gallery()),
                         [](const auto& row) { return row.param.stem().stem().string(); });

TEST(GalleryScenes, AllExist) {
  for (const char* name :
       {"integrators", "particles", "balls",       "boats",    "bridge",       "bullets",
        "card_house",  "cars",      "chain",       "cradle",   "crates",       "dominoes",
        "gears",       "hooks",     "joints",      "katamari", "magnets",      "marble_run",
        "mass_ratios", "orbit",     "pendulums",   "planar",   "pool",         "pyramid",
        "ragdolls",    "rolling",   "slow_motion", "sorter",   "spinning_top", "tower",
        "walk",        "wall"}) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(gallery_text(name).empty());
  }
}

TEST(GalleryScenes, CratesHasEveryMotionTypeAndTheSimpleShapes) {
  const SceneDef scene = parsed(gallery_text("crates"));
  EXPECT_GE(scene.bodies.size(), 200U);
  // The scene has spheres, boxes, capsules and planes. The scene "shapes" has the other shapes.
  for (int kind = 0; kind <= static_cast<int>(state::ShapeKind::Plane); ++kind) {
    SCOPED_TRACE(kind);
    EXPECT_TRUE(
        std::any_of(scene.bodies.begin(), scene.bodies.end(), [kind](const SceneBody& body) {
          return static_cast<int>(body.shapes[0].shape.kind) == kind;
        }));
  }
  for (int motion = 0; motion < state::motion_type_count; ++motion) {
    SCOPED_TRACE(motion);
    EXPECT_TRUE(std::any_of(scene.bodies.begin(), scene.bodies.end(), [motion](const SceneBody& b) {
      return static_cast<int>(b.motion) == motion;
    }));
  }
}

TEST(GalleryScenes, KatamariIsThePublic901CubeScene) {
  const SceneDef scene = parsed(gallery_text("katamari"));
  std::size_t cubes = 0;
  for (const SceneBody& body : scene.bodies) {
    if (body.motion != state::MotionType::Dynamic) continue;
    ++cubes;
    ASSERT_EQ(body.shapes.size(), 1U);
    EXPECT_EQ(body.shapes[0].shape, state::box({0.2f, 0.2f, 0.2f}));
    EXPECT_EQ(body.mass, 0.064f);
    EXPECT_EQ(body.shapes[0].material.restitution, 0.0f);
    EXPECT_NEAR(body.pose.position.y, 0.2, 1e-7);
  }
  EXPECT_EQ(cubes, 900U);
  EXPECT_EQ(scene.bodies[2].pose.position.x - scene.bodies[1].pose.position.x, 1.0);
  EXPECT_EQ(scene.world.gravity, (math::Vec3{0, -20, 0}));
  EXPECT_EQ(scene.world.max_linear_speed, 32.0f);
  EXPECT_EQ(scene.world.max_angular_speed, 16.0f);
  EXPECT_EQ(scene.player.shape.shape, state::box({0.75f, 0.75f, 0.75f}));
  EXPECT_EQ(scene.player.mass, 3.375f);
  EXPECT_EQ(scene.player.move_force, 120.0f);
  EXPECT_EQ(scene.player.push_field, (SceneField{0, 2, 200, 500}));
  EXPECT_EQ(scene.player.pull_field, (SceneField{0.2f, 1.8f, -200, 2000}));
  EXPECT_EQ(scene.spawns[0].position, (math::Position{0, 10, 0}));
}

}  // namespace
}  // namespace jostle::scene
