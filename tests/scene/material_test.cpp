#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace jostle::scene {
namespace {

const std::string three = R"("materials": [
  {"name": "wood", "friction": 0.5, "static_friction": 0.75, "friction_rule": "multiply"},
  {"name": "ice", "friction": 0.125, "restitution_rule": "minimum"},
  {"name": "steel"}])";

TEST(SceneMaterials, ReadBothFrictionsAndTheirRules) {
  const SceneDef scene = parsed(scene_with(three + R"(, "bodies": [
      {)" + ball_shape + R"(, "material": "wood"},
      {)" + ball_shape + R"(, "material": "wood", "friction": 0.25},
      {)" + ball_shape + R"(, "material": "ice", "friction": 1, "static_friction": 1.5,
       "restitution_rule": "average"},
      {"material": "wood", "shape": {"sphere": {"radius": 1}, "friction_rule": "maximum"}},
      {"material": "wood", "shape": {"sphere": {"radius": 1}, "material": "ice"}},
      {)" + ball_shape + "}]"));
  const auto material = [&](std::size_t i) { return scene.bodies[i].shapes[0].material; };
  EXPECT_EQ(material(0).friction, 0.5f);
  EXPECT_EQ(material(0).static_friction, 0.75f);
  EXPECT_EQ(material(0).friction_rule, CombineRule::Multiply);
  // If a body states only `friction`, the static friction of its material does not apply.
  EXPECT_EQ(material(1).friction, 0.25f);
  EXPECT_EQ(material(1).static_friction, 0.0f);
  EXPECT_EQ(material(1).friction_rule, CombineRule::Multiply);
  EXPECT_EQ(material(2).static_friction, 1.5f);
  EXPECT_EQ(material(2).restitution_rule, CombineRule::Average);
  EXPECT_EQ(material(3).static_friction, 0.75f);
  EXPECT_EQ(material(3).friction_rule, CombineRule::Maximum);
  EXPECT_EQ(material(4).friction, 0.125f);
  EXPECT_EQ(material(4).static_friction, 0.0f);
  EXPECT_EQ(material(4).restitution_rule, CombineRule::Minimum);
  EXPECT_EQ(material(5), SceneMaterial{});
  for (const SceneBody& body : scene.bodies)
    EXPECT_EQ(body.shapes[0].material.id, 0U);  // the materials are in no pair
}

TEST(SceneMaterials, PairsAssignMaterialIds) {
  const SceneDef scene = parsed(scene_with(three + R"(, "material_pairs": [
      {"materials": ["steel", "ice"], "friction": 0.03125, "static_friction": 0.0625},
      {"materials": ["ice", "ice"], "restitution": 0.5, "rolling_resistance": 0.25,
       "spinning_resistance": 0.125}],
    "particles": [{"material": "ice", "emitters": [{"position": [0, 1, 0], "rate": 1}]},
                  {"material": "ice", "friction": 0.75,
                   "emitters": [{"position": [0, 1, 0], "rate": 1}]}],
    "templates": [{"name": "t", "material": "ice", "shape": {"sphere": {"radius": 1}}}],
    "bodies": [{"template": "t"}, {"template": "t", "material": "wood"}, {"template": "t", "friction": 1},
      {"material": "steel", "shapes": [{"sphere": {"radius": 1}},
        {"sphere": {"radius": 1}, "material": "wood"}]}],
    "player": {"shape": {"sphere": {"radius": 1}, "material": "steel"}})"));
  ASSERT_EQ(scene.material_pairs.size(), 2U);
  SceneMaterialPair first, second;
  first.a = 1;
  first.b = 2;
  first.friction = 0.03125f;
  first.static_friction = 0.0625f;
  second.a = second.b = 2;
  second.restitution = 0.5f;
  second.rolling_resistance = 0.25f;
  second.spinning_resistance = 0.125f;
  EXPECT_EQ(scene.material_pairs[0], first);
  EXPECT_EQ(scene.material_pairs[1], second);
  EXPECT_EQ(scene.bodies[0].shapes[0].material.id, 2U);
  EXPECT_EQ(scene.bodies[1].shapes[0].material.id, 0U);
  EXPECT_EQ(scene.bodies[2].shapes[0].material.id, 2U);
  EXPECT_EQ(scene.bodies[3].shapes[0].material.id, 1U);
  EXPECT_EQ(scene.bodies[3].shapes[1].material.id, 0U);
  EXPECT_EQ(scene.player.shape.material.id, 1U);
  EXPECT_EQ(scene.particles[0].material, 2U);
  EXPECT_EQ(scene.particles[0].friction, 0.125f);
  EXPECT_EQ(scene.particles[0].restitution, 0.3f);  // the default of particle sets
  EXPECT_EQ(scene.particles[1].friction, 0.75f);
}

struct Refusal {
  const char* name;
  std::string text;
  const char* error;
};
std::ostream& operator<<(std::ostream& out, const Refusal& row) {
  return out << row.name;
}

std::string pair(const std::string& fields) {
  return scene_with(three + R"(, "material_pairs": [{)" + fields + "}]");
}

const Refusal refusals[] = {
    {"StaticAlone", scene_with_body("\"static_friction\": 1"),
     "bodies[0].static_friction: requires friction, which is missing"},
    {"StaticBelowSliding", scene_with_body("\"friction\": 0.5, \"static_friction\": 0.25"),
     "bodies[0].static_friction: must be from 0.5 to 100, is 0.25"},
    {"StaticTooLarge", scene_with_body("\"friction\": 0.5, \"static_friction\": 101"),
     "bodies[0].static_friction: must be from 0.5 to 100, is 101"},
    {"StaticOfAMaterial", scene_with(R"("materials": [{"name": "a", "static_friction": 1}])"),
     "materials[0].static_friction: requires friction, which is missing"},
    {"StaticOfAShape",
     scene_with(R"("bodies": [{"shape": {"sphere": {"radius": 1}, "static_friction": 1}}])"),
     "bodies[0].shape.static_friction: requires friction, which is missing"},
    {"NoNames", pair("\"friction\": 1"),
     "material_pairs[0].materials: must be a list of two material names"},
    {"OneName", pair(R"("materials": ["ice"], "friction": 1)"),
     "material_pairs[0].materials: must be a list of two material names"},
    {"ThreeNames", pair(R"("materials": ["ice", "ice", "ice"], "friction": 1)"),
     "material_pairs[0].materials: must be a list of two material names"},
    {"Misspelt", pair(R"("materials": ["ice", "steal"], "friction": 1)"),
     "material_pairs[0].materials[1]: no material is named \"steal\"; accepted are \"ice\", "
     "\"steel\" and \"wood\"; did you mean \"steel\"?"},
    {"SaysNothing", pair(R"("materials": ["ice", "wood"])"),
     "material_pairs[0]: must state at least one value"},
    {"Friction", pair(R"("materials": ["ice", "wood"], "friction": -1)"),
     "material_pairs[0].friction: must be from 0 to 100, is -1"},
    {"Static", pair(R"("materials": ["ice", "wood"], "static_friction": 1)"),
     "material_pairs[0].static_friction: requires friction, which is missing"},
    {"Restitution", pair(R"("materials": ["ice", "wood"], "restitution": 2)"),
     "material_pairs[0].restitution: must be from 0 to 1, is 2"},
    {"Resistance", pair(R"("materials": ["ice", "wood"], "rolling_resistance": -0.5)"),
     "material_pairs[0].rolling_resistance: must be from 0 to 1000, is -0.5"},
    {"Twice", pair(R"("materials": ["ice", "wood"], "friction": 1}, {"materials": ["wood", "ice"],
             "friction": 1)"),
     "material_pairs[1].materials: are already those of an earlier pair"},
    {"OfParticles", scene_with(three + R"(, "particles": [{"material": "snow",
                "emitters": [{"position": [0, 0, 0], "rate": 1}]}])"),
     "particles[0].material: no material is named \"snow\"; accepted are \"ice\", \"steel\" and "
     "\"wood\""},
};

class MaterialRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(MaterialRefusals, StateTheErrorAndItsPath) {
  EXPECT_EQ(refusal(GetParam().text), std::string("test.scene.json: ") + GetParam().error);
}
INSTANTIATE_TEST_SUITE_P(Values, MaterialRefusals, testing::ValuesIn(refusals),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(SceneMaterials, UnknownRuleErrorListsTheKnownRules) {
  EXPECT_EQ(
      refusal(scene_with(R"("materials": [{"name": "a", "friction_rule": "mean"}])")),
      "test.scene.json: materials[0].friction_rule: expected \"geometric_mean\", \"average\", "
      "\"minimum\", \"multiply\" or \"maximum\", found text \"mean\"");
}

TEST(SceneMaterials, PairErrorsNameBothMaterials) {
  EXPECT_EQ(error_of(pair(R"("materials": ["ice", "wood"], "friction": -1)")).subject,
            "the pair of \"ice\" and \"wood\"");
  EXPECT_EQ(error_of(pair("\"friction\": 1")).subject, "");
}

TEST(SceneMaterials, LimitTheNumberOfPairs) {
  std::string text = R"("materials": [{"name": "a"}], "material_pairs": [)";
  for (std::size_t i = 0; i <= max_scene_material_pairs; ++i)
    text += R"({"materials": ["a", "a"], "friction": 1},)";
  EXPECT_EQ(refusal(scene_with(text + "]")),
            "test.scene.json: material_pairs: may have at most 4096 entries, has 4097");
}

}  // namespace
}  // namespace jostle::scene
