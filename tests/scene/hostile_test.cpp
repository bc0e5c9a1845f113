#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace jostle::scene {
namespace {

/// Checks what must hold for the result of any text: an error has a message of one line and a
/// position, and an accepted scene is complete.
void expect_sane(const base::Result<SceneDef, SceneError>& result) {
  if (!result) {
    const std::string text = result.error().text();
    EXPECT_EQ(text.find_first_of("\n\r"), std::string::npos) << text;
    EXPECT_FALSE(result.error().message.empty());
    EXPECT_GT(result.error().line, 0) << text;
    EXPECT_GT(result.error().column, 0) << text;
    return;
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
}

TEST(HostileScene, RejectsEveryTruncation) {
  const std::string text = gallery_text("crates");
  const std::size_t end = text.find_last_of('}') + 1;
  for (std::size_t length = 0; length < end; ++length) {
    SCOPED_TRACE(length);
    const auto result = parse_scene(std::string_view(text).substr(0, length), "cut");
    EXPECT_FALSE(result);
    expect_sane(result);
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

TEST(HostileScene, SurvivesEveryFlippedBit) {
  const std::string text = small;
  ASSERT_TRUE(parse_scene(text, "good"));
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      SCOPED_TRACE(changed);
      expect_sane(parse_scene(changed, "flipped"));
    }
  }
}

TEST(HostileScene, SurvivesMissingAndDuplicatedBytes) {
  const std::string text = small;
  for (std::size_t i = 0; i < text.size(); ++i) {
    SCOPED_TRACE(i);
    expect_sane(parse_scene(text.substr(0, i) + text.substr(i + 1), "missing"));
    expect_sane(parse_scene(text.substr(0, i + 1) + text.substr(i), "doubled"));
  }
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
