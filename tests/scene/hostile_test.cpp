#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace jostle::scene {
namespace {

/// Returns the length of a line of `text`, counted from 1; -1 if there is no such line.
int length_of_line(std::string_view text, int line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return -1;
    text.remove_prefix(end + 1);
  }
  return static_cast<int>(std::min(text.find('\n'), text.size()));
}

/// Parses a text and checks what must hold for any text: an error has a message of one line and
/// names a place in the text, and an accepted scene is complete.
base::Result<SceneDef, SceneError> parse_and_check(std::string_view scene_text) {
  auto result = parse_scene(scene_text, "damaged");
  if (!result) {
    const SceneError& error = result.error();
    const std::string text = error.text();
    EXPECT_EQ(text.find_first_of("\n\r"), std::string::npos) << text;
    EXPECT_FALSE(error.message.empty());
    const std::string place =
        "damaged:" + std::to_string(error.line) + ":" + std::to_string(error.column) + ": ";
    EXPECT_EQ(text.rfind(place, 0), 0U) << text;
    EXPECT_GT(error.column, 0) << text;
    // An error at the end of a line is one column behind it.
    EXPECT_LE(error.column, length_of_line(scene_text, error.line) + 1) << text;
    return result;
  }
  EXPECT_FALSE(result.value().spawns.empty());
  for (const SceneBody& body : result.value().bodies) {
    EXPECT_TRUE(is_finite(body.pose.position) && is_finite(body.pose.rotation));
    EXPECT_TRUE(std::isfinite(body.mass));
    EXPECT_FALSE(body.shapes.empty());
  }
  for (const SceneForce& force : result.value().fields)
    EXPECT_TRUE(forces::is_valid(force.field));
  for (const SceneExplosion& blast : result.value().explosions)
    EXPECT_TRUE(forces::is_valid(blast.explosion));
  return result;
}

TEST(HostileScene, RejectsEveryTruncation) {
  const std::string text = gallery_text("crates");
  const std::size_t end = text.find_last_of('}') + 1;
  for (std::size_t length = 0; length < end; ++length) {
    SCOPED_TRACE(length);
    EXPECT_FALSE(parse_and_check(std::string_view(text).substr(0, length)));
  }
}

const char* const small = R"({"name": "a", /*c*/ "spawns": [{"position": [0, 1, 0]}],
  "materials": [{"name": "m", "friction": 0.5, "static_friction": 0.6, "friction_rule": "average"}],
  "material_pairs": [{"materials": ["m", "m"], "friction": 0.5, "restitution": 0.1}],
  "bodies": [{"motion_type": "static", "shape": {"plane": {}}, "colour": "#aabbcc"}],
  "generators": [{"kind": "pour", "count": 3, "area": [2, 2], "seed": 4, "body": {
    "shape": {"box": {"size": [1, 1e0, 1]}}, "material": "m", "rotation": [0, 0, 0, 1]}}],
  "force_fields": [{"kind": "fluid", "level": 1, "region": {"size": [1, 2, 3]}},
    {"kind": "point_charge", "strength": 2, "exponent": 2}],
  "explosions": [{"position": [0, 1, 0], "radius": 2, "impulse": 3, "interval": 4}]} // end)";

TEST(HostileScene, RejectsFlippedBitsWithAPlaceOrReadsAnotherScene) {
  const std::string text = small;
  const auto good = parse_scene(text, "good");
  ASSERT_TRUE(good);
  std::size_t refused = 0, changed = 0, same = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      SCOPED_TRACE(damaged);
      const auto result = parse_and_check(damaged);
      ++(!result ? refused : hash(*result) != hash(*good) ? changed : same);
    }
  }
  EXPECT_GT(refused, 5'000U);
  EXPECT_GT(changed, 80U) << "digits of numbers";
  EXPECT_LT(same, 80U) << "comments and white space";
}

TEST(HostileScene, RejectsMissingAndDuplicatedBytesWithAPlaceOrReadsACompleteScene) {
  const std::string text = small;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    SCOPED_TRACE(i);
    refused += parse_and_check(text.substr(0, i) + text.substr(i + 1)) ? 0 : 1;
    refused += parse_and_check(text.substr(0, i + 1) + text.substr(i)) ? 0 : 1;
  }
  EXPECT_GT(refused, 1'000U);
}

TEST(HostileScene, RejectsFilesAboveTheSizeLimit) {
  const std::string text(max_scene_file_bytes + 1, ' ');
  EXPECT_EQ(refusal(text), "test.scene.json: is larger than 64 MiB, the limit for scene files");
}

TEST(HostileScene, RejectsListsAboveTheLimit) {
  std::string text = "{\"bodies\": [";
  for (std::size_t i = 0; i <= max_scene_bodies; ++i)
    text += "{},";
  EXPECT_EQ(refusal(text), "test.scene.json:1:600013: bodies: more than 200000 entries");
}

// 200,000 bodies of 256 shapes are 51 million shapes. The total is computed before any body is
// created.
TEST(HostileScene, RejectsTooManyShapesFromATemplate) {
  std::string shapes;
  for (std::size_t i = 0; i < max_body_shapes; ++i)
    shapes += "{\"sphere\": {\"radius\": 1}},";
  const std::string text = scene_with("\"templates\": [{\"name\": \"t\", \"shapes\": [" + shapes +
                                      "]}], \"generators\": [{\"kind\": \"row\", \"count\": "
                                      "200000, \"body\": {\"template\": \"t\"}}]");
  EXPECT_EQ(
      refusal(text),
      "test.scene.json: generators[0]: brings the scene to 51200000 shapes; at most 800000 are "
      "allowed");
}

TEST(HostileScene, RejectsTooManyShapesInOneBody) {
  std::string shapes;
  for (std::size_t i = 0; i <= max_body_shapes; ++i)
    shapes += "{\"sphere\": {\"radius\": 1}},";
  EXPECT_EQ(refusal(scene_with("\"bodies\": [{\"shapes\": [" + shapes + "]}]")),
            "test.scene.json: bodies[0].shapes: may have at most 256 shapes, has 257");
}

TEST(HostileScene, RejectsTooManyBodiesFromSeveralGenerators) {
  const std::string half =
      R"({"kind": "row", "count": 100001, "spacing": [1, 0, 0], "body": {"shape": {"sphere": {"radius": 1}}}})";
  EXPECT_EQ(refusal(scene_with("\"generators\": [" + half + "," + half + "]")),
            "test.scene.json: generators[1]: brings the scene to 200002 bodies; at most 200000 are "
            "allowed");
}

TEST(HostileScene, AcceptsTheMaximumNumberOfBodies) {
  const std::string text = scene_with(
      R"("generators": [{"kind": "grid", "counts": [1000, 1, 200], "body": {"shape": {"sphere": {"radius": 1}}}}])");
  EXPECT_EQ(parsed(text).bodies.size(), max_scene_bodies);
}

}  // namespace
}  // namespace jostle::scene
