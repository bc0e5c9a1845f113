#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace jostle::scene {
namespace {

const std::string field_bodies = R"("bodies": [
    {"name": "ground", "motion_type": "static", "shape": {"plane": {}}},
    {"name": "crate", "shape": {"sphere": {"radius": 1}}, "charge": -3},
    {"name": "ghost", "shape": {"sphere": {"radius": 1}}, "ignores_force_fields": true}])";

/// Returns a scene with the bodies ground (0), crate (1) and ghost (2), and with the given force
/// fields.
std::string with_fields(const std::string& fields) {
  return scene_with(field_bodies + ", \"force_fields\": [" + fields + "]");
}
std::string with_explosions(const std::string& explosions) {
  return scene_with(field_bodies + ", \"explosions\": [" + explosions + "]");
}

forces::ForceField only_field(const std::string& field) {
  const SceneDef scene = parsed(with_fields("{" + field + "}"));
  EXPECT_EQ(scene.fields.size(), 1U);
  return scene.fields.at(0).field;
}

TEST(SceneFields, BodiesHaveChargeAndIgnoresFields) {
  const SceneDef scene = parsed(with_fields(""));
  EXPECT_EQ(scene.bodies[0].charge, 0);
  EXPECT_EQ(scene.bodies[1].charge, -3);
  EXPECT_FALSE(scene.bodies[1].ignores_force_fields);
  EXPECT_TRUE(scene.bodies[2].ignores_force_fields);
}

TEST(SceneFields, AreReadWithTheirDefaults) {
  EXPECT_EQ(only_field(R"("kind": "attraction", "strength": 2)"),
            forces::ForceField(forces::Attraction{{}, {2, 0, 0, 2}}));
  EXPECT_EQ(only_field(R"("kind": "acceleration", "acceleration": [1, 2, 3])"),
            forces::ForceField(forces::Acceleration{{}, {1, 2, 3}}));
  EXPECT_EQ(only_field(R"("kind": "wind")"), forces::ForceField(forces::Wind{}));
  EXPECT_EQ(only_field(R"("kind": "drag")"), forces::ForceField(forces::Drag{}));
  EXPECT_EQ(only_field(R"("kind": "point_charge", "strength": 2)"),
            forces::ForceField(forces::Pole{{}, {2, 0, 0, 2}}));
  EXPECT_EQ(only_field(R"("kind": "charge_interaction", "strength": 2)"),
            forces::ForceField(forces::Charges{{2, 0, 0, 2}}));
  EXPECT_EQ(only_field(R"("kind": "fluid")"), forces::ForceField(forces::Fluid{}));
  EXPECT_EQ(only_field(R"("kind": "thrust", "body": "crate")"),
            forces::ForceField(forces::Thrust{}));
}

TEST(SceneFields, AreReadWithAllTheirValues) {
  EXPECT_EQ(only_field(R"("kind": "attraction", "centre": [1, 2, 3], "strength": -4,
                           "softening": 0.5, "outer": 6, "exponent": -1)"),
            forces::ForceField(forces::Attraction{{1, 2, 3}, {-4, 0.5f, 6, -1}}));
  const forces::Region box{forces::RegionKind::Box, {1, 2, 3}, {2, 3, 4}, 0};
  const std::string box_text = R"(, "region": {"centre": [1, 2, 3], "size": [4, 6, 8]})";
  EXPECT_EQ(only_field(R"("kind": "acceleration", "acceleration": [1, 2, 3])" + box_text),
            forces::ForceField(forces::Acceleration{box, {1, 2, 3}}));
  EXPECT_EQ(only_field(R"("kind": "wind", "velocity": [1, 2, 3], "density": 4,
                           "drag_coefficient": 5, "linear_drag": 6,
                           "region": {"centre": [1, 2, 3], "half_extents": [2, 3, 4]})"),
            forces::ForceField(forces::Wind{box, {1, 2, 3}, 4, 5, 6}));
  const forces::Region ball{forces::RegionKind::Sphere, {1, 2, 3}, {}, 7};
  EXPECT_EQ(only_field(R"("kind": "drag", "velocity": [1, 2, 3], "linear_drag": 4,
                           "quadratic_drag": 5, "angular_drag": 6,
                           "region": {"centre": [1, 2, 3], "radius": 7})"),
            forces::ForceField(forces::Drag{ball, {1, 2, 3}, 4, 5, 6}));
  EXPECT_EQ(only_field(R"("kind": "fluid", "level": 1.5, "density": 2, "velocity": [3, 0, 0],
                           "linear_drag": 4, "quadratic_drag": 5, "angular_drag": 6)" +
                       box_text),
            forces::ForceField(forces::Fluid{box, 1.5, 2, {3, 0, 0}, 4, 5, 6}));
  EXPECT_EQ(only_field(R"("kind": "fluid")" + box_text),
            forces::ForceField(forces::Fluid{box, 5, 1000, {}, 0, 0, 0}));
  const SceneDef scene = parsed(with_fields(R"(
      {"kind": "point_charge", "body": "ground", "point": [1, 2, 3], "strength": 4},
      {"kind": "point_charge", "centre": [1, 2, 3], "strength": 4},
      {"kind": "thrust", "body": "crate", "force": [1, 2, 3], "torque": [4, 5, 6],
       "point": [7, 8, 9], "in_body_frame": true})"));
  EXPECT_EQ(scene.fields[0], (SceneForce{forces::Pole{{1, 2, 3}, {4, 0, 0, 2}}, 0U}));
  EXPECT_EQ(scene.fields[1], (SceneForce{forces::Pole{{1, 2, 3}, {4, 0, 0, 2}}, {}}));
  EXPECT_EQ(scene.fields[2],
            (SceneForce{forces::Thrust{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, true}, 1U}));
}

TEST(SceneFields, LimitsAreWithinThoseOfTheEngine) {
  for (const char* field :
       {R"("kind": "attraction", "strength": 1e20, "softening": 1e6, "outer": 1e6, "exponent": 4)",
        R"("kind": "acceleration", "acceleration": [1e5, -1e5, 1e5])",
        R"("kind": "wind", "velocity": [1e4, 0, 0], "density": 1e6, "drag_coefficient": 1e6,
           "linear_drag": 1e6, "region": {"centre": [1e6, 1e6, 1e6], "radius": 1e6})",
        R"("kind": "fluid", "level": 1e6, "density": 1e6, "velocity": [1e4, 0, 0],
           "linear_drag": 1e6, "quadratic_drag": 1e6, "angular_drag": 1e6,
           "region": {"size": [1e6, 0.001, 1e6]})",
        R"("kind": "thrust", "body": "crate", "force": [1e12, 0, 0], "torque": [1e12, 0, 0],
           "point": [1e4, 0, 0])"}) {
    EXPECT_TRUE(forces::is_valid(only_field(field))) << field;
  }
}

TEST(SceneExplosions, AreRead) {
  const SceneDef scene = parsed(with_explosions(R"(
      {"position": [1, 2, 3], "radius": 4, "impulse": 5},
      {"position": [1, 2, 3], "radius": 4, "impulse": 5, "start": 6, "interval": 7, "count": 8})"));
  ASSERT_EQ(scene.explosions.size(), 2U);
  EXPECT_EQ(scene.explosions[0], (SceneExplosion{{{1, 2, 3}, 4, 5}, {0, 0, 0}}));
  EXPECT_EQ(scene.explosions[1], (SceneExplosion{{{1, 2, 3}, 4, 5}, {6, 7, 8}}));
}

struct FieldCase {
  const char* name;
  std::string field;
  const char* error;  // the text after the file's name
};

std::ostream& operator<<(std::ostream& out, const FieldCase& row) {
  return out << row.name;
}

class SceneFieldErrors : public testing::TestWithParam<FieldCase> {};

// The tested field is the second one, so that its path has the index 1.
TEST_P(SceneFieldErrors, StateTheirPath) {
  const std::string good = R"({"kind": "charge_interaction", "strength": 1}, )";
  EXPECT_EQ(refusal(with_fields(good + "{" + GetParam().field + "}")),
            std::string("test.scene.json: ") + GetParam().error);
}

const FieldCase field_cases[] = {
    {"NoKind", R"("strength": 1)", "force_fields[1].kind: is missing"},
    {"NoStrength", R"("kind": "point_charge")", "force_fields[1].strength: is missing"},
    {"NoAcceleration", R"("kind": "acceleration")", "force_fields[1].acceleration: is missing"},
    {"NoBody", R"("kind": "thrust")", "force_fields[1].body: is missing"},
    {"UnknownBody", R"("kind": "thrust", "body": "crat")",
     "force_fields[1].body: no body is named \"crat\"; accepted are \"crate\", \"ghost\" and "
     "\"ground\"; did you mean \"crate\"?"},
    {"StaticThrust", R"("kind": "thrust", "body": "ground")",
     "force_fields[1].body: \"ground\" is not dynamic; a thrust needs a dynamic body"},
    {"StrengthHuge", R"("kind": "charge_interaction", "strength": 2e20)",
     "force_fields[1].strength: must be from -1e+20 to 1e+20, is 2e+20"},
    {"ExponentBroken", R"("kind": "charge_interaction", "strength": 1, "exponent": 1.5)",
     "force_fields[1].exponent: must be a whole number from -1 to 4, is 1.5"},
    {"ExponentHigh", R"("kind": "charge_interaction", "strength": 1, "exponent": 5)",
     "force_fields[1].exponent: must be from -1 to 4, is 5"},
    {"ExponentLow", R"("kind": "charge_interaction", "strength": 1, "exponent": -2)",
     "force_fields[1].exponent: must be from -1 to 4, is -2"},
    {"SofteningBelowZero", R"("kind": "charge_interaction", "strength": 1, "softening": -1)",
     "force_fields[1].softening: must be from 0 to 1000000, is -1"},
    {"OuterBelowZero", R"("kind": "charge_interaction", "strength": 1, "outer": -1)",
     "force_fields[1].outer: must be from 0 to 1000000, is -1"},
    {"DragBelowZero", R"("kind": "drag", "linear_drag": -1)",
     "force_fields[1].linear_drag: must be from 0 to 1000000, is -1"},
    {"DensityBelowZero", R"("kind": "wind", "density": -1)",
     "force_fields[1].density: must be from 0 to 1000000, is -1"},
    {"LevelFar", R"("kind": "fluid", "level": 2e6)",
     "force_fields[1].level: must be from -1000000 to 1000000, is 2000000"},
    {"RegionEmpty", R"("kind": "drag", "region": {})",
     "force_fields[1].region: must have exactly one of size, half_extents and radius"},
    {"RegionTwice", R"("kind": "drag", "region": {"radius": 1, "size": [1, 1, 1]})",
     "force_fields[1].region: must have exactly one of size, half_extents and radius"},
    {"RegionFlat", R"("kind": "drag", "region": {"size": [1, 0, 1]})",
     "force_fields[1].region.size[1]: must be from 0.001 to 1000000, is 0"},
    {"FluidBall", R"("kind": "fluid", "region": {"radius": 1})",
     "force_fields[1].region.radius: is not allowed for a fluid; its region must be a box or be "
     "left "
     "out"},
    {"PoleTwice", R"("kind": "point_charge", "strength": 1, "body": "crate", "centre": [0, 0, 0])",
     "force_fields[1].centre: cannot be combined with body; a point charge on a body takes point"},
    {"PoleNowhere", R"("kind": "point_charge", "strength": 1, "point": [0, 0, 0])",
     "force_fields[1].point: requires body; a point charge in the world takes centre"},
    {"CentreOfWind", R"("kind": "wind", "centre": [0, 0, 0])",
     "force_fields[1].centre: is not used by a force field of kind \"wind\""},
    {"BodyOfWind", R"("kind": "wind", "body": "crate")",
     "force_fields[1].body: is not used by a force field of kind \"wind\""},
    {"PointOfDrag", R"("kind": "drag", "point": [0, 0, 0])",
     "force_fields[1].point: is not used by a force field of kind \"drag\""},
    {"RegionOfCharges", R"("kind": "charge_interaction", "strength": 1, "region": {"radius": 1})",
     "force_fields[1].region: is not used by a force field of kind \"charge_interaction\""},
    {"StrengthOfFluid", R"("kind": "fluid", "strength": 1)",
     "force_fields[1].strength: is not used by a force field of kind \"fluid\""},
    {"ExponentOfFluid", R"("kind": "fluid", "exponent": 1)",
     "force_fields[1].exponent: is not used by a force field of kind \"fluid\""},
    {"SofteningOfFluid", R"("kind": "fluid", "softening": 1)",
     "force_fields[1].softening: is not used by a force field of kind \"fluid\""},
    {"OuterOfFluid", R"("kind": "fluid", "outer": 1)",
     "force_fields[1].outer: is not used by a force field of kind \"fluid\""},
    {"AccelerationOfFluid", R"("kind": "fluid", "acceleration": [0, 0, 0])",
     "force_fields[1].acceleration: is not used by a force field of kind \"fluid\""},
    {"VelocityOfThrust", R"("kind": "thrust", "body": "crate", "velocity": [0, 0, 0])",
     "force_fields[1].velocity: is not used by a force field of kind \"thrust\""},
    {"DensityOfDrag", R"("kind": "drag", "density": 1)",
     "force_fields[1].density: is not used by a force field of kind \"drag\""},
    {"CoefficientOfDrag", R"("kind": "drag", "drag_coefficient": 1)",
     "force_fields[1].drag_coefficient: is not used by a force field of kind \"drag\""},
    {"LinearOfThrust", R"("kind": "thrust", "body": "crate", "linear_drag": 1)",
     "force_fields[1].linear_drag: is not used by a force field of kind \"thrust\""},
    {"QuadraticOfWind", R"("kind": "wind", "quadratic_drag": 1)",
     "force_fields[1].quadratic_drag: is not used by a force field of kind \"wind\""},
    {"AngularOfWind", R"("kind": "wind", "angular_drag": 1)",
     "force_fields[1].angular_drag: is not used by a force field of kind \"wind\""},
    {"LevelOfWind", R"("kind": "wind", "level": 1)",
     "force_fields[1].level: is not used by a force field of kind \"wind\""},
    {"ForceOfWind", R"("kind": "wind", "force": [0, 0, 0])",
     "force_fields[1].force: is not used by a force field of kind \"wind\""},
    {"TorqueOfWind", R"("kind": "wind", "torque": [0, 0, 0])",
     "force_fields[1].torque: is not used by a force field of kind \"wind\""},
    {"TurnsAlongOfWind", R"("kind": "wind", "in_body_frame": true)",
     "force_fields[1].in_body_frame: is not used by a force field of kind \"wind\""},
};

INSTANTIATE_TEST_SUITE_P(, SceneFieldErrors, testing::ValuesIn(field_cases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(SceneExplosions, ErrorsStateTheirPath) {
  const auto why = [](const std::string& fields) {
    return refusal(with_explosions("{" + fields + "}"));
  };
  const std::string good = R"("position": [0, 0, 0], "radius": 1, "impulse": 1)";
  EXPECT_EQ(why(R"("radius": 1, "impulse": 1)"),
            "test.scene.json: explosions[0].position: is missing");
  EXPECT_EQ(why(R"("position": [0, 0, 0], "impulse": 1)"),
            "test.scene.json: explosions[0].radius: is missing");
  EXPECT_EQ(why(R"("position": [0, 0, 0], "radius": 1)"),
            "test.scene.json: explosions[0].impulse: is missing");
  EXPECT_EQ(why(R"("position": [0, 0, 0], "radius": 0, "impulse": 1)"),
            "test.scene.json: explosions[0].radius: must be from 0.001 to 1000000, is 0");
  EXPECT_EQ(why(R"("position": [0, 0, 0], "radius": -1, "impulse": 1)"),
            "test.scene.json: explosions[0].radius: must be from 0.001 to 1000000, is -1");
  EXPECT_EQ(why(good + R"(, "start": -1)"),
            "test.scene.json: explosions[0].start: must be from 0 to 1000000000, is -1");
  EXPECT_EQ(why(good + R"(, "interval": 0)"),
            "test.scene.json: explosions[0].interval: must be from 0.001 to 1000000000, is 0");
  EXPECT_EQ(why(good + R"(, "count": 2)"),
            "test.scene.json: explosions[0].count: requires interval, the period in seconds");
  EXPECT_EQ(
      refusal(scene_with(R"("bodies": [{"shape": {"sphere": {"radius": 1}}, "charge": 2e9}])")),
      "test.scene.json: bodies[0].charge: must be from -1000000000 to 1000000000, is 2000000000");
}

TEST(SceneFields, LimitTheNumberOfFields) {
  std::string many;
  for (std::size_t i = 0; i <= max_scene_fields; ++i)
    many += R"({"kind": "wind"},)";
  EXPECT_EQ(refusal(with_fields(many)),
            "test.scene.json: force_fields: may have at most 1000 entries, has 1001");
}

TEST(SceneFields, EveryValueChangesTheSceneHash) {
  const SceneDef base = parsed(scene_with(field_bodies + R"(, "force_fields": [
        {"kind": "fluid", "region": {"size": [1, 1, 1]}}, {"kind": "point_charge", "strength": 1},
        {"kind": "thrust", "body": "crate"}],
      "explosions": [{"position": [0, 0, 0], "radius": 1, "impulse": 1}])"));
  const auto fluid = [](SceneDef& scene) -> forces::Fluid& {
    return std::get<forces::Fluid>(scene.fields[0].field);
  };
  const auto pole = [](SceneDef& scene) -> forces::Pole& {
    return std::get<forces::Pole>(scene.fields[1].field);
  };
  const auto thrust = [](SceneDef& scene) -> forces::Thrust& {
    return std::get<forces::Thrust>(scene.fields[2].field);
  };
  const std::vector<std::function<void(SceneDef&)>> changes{
      [](SceneDef& s) { s.fields.pop_back(); },
      [](SceneDef& s) { std::swap(s.fields[0], s.fields[1]); },
      [](SceneDef& s) { s.fields[0].field = forces::Wind{}; },
      [](SceneDef& s) { s.fields[2].body = 2; },
      [](SceneDef& s) { s.fields[1].body = 0; },
      [&](SceneDef& s) { fluid(s).region.kind = forces::RegionKind::Everywhere; },
      [&](SceneDef& s) { fluid(s).region.centre.z += 1; },
      [&](SceneDef& s) { fluid(s).region.half_extents.y += 1; },
      [&](SceneDef& s) { fluid(s).region.radius += 1; },
      [&](SceneDef& s) { fluid(s).level += 1; },
      [&](SceneDef& s) { fluid(s).density += 1; },
      [&](SceneDef& s) { fluid(s).velocity.x += 1; },
      [&](SceneDef& s) { fluid(s).linear += 1; },
      [&](SceneDef& s) { fluid(s).quadratic += 1; },
      [&](SceneDef& s) { fluid(s).angular += 1; },
      [&](SceneDef& s) { pole(s).point.x += 1; },
      [&](SceneDef& s) { pole(s).law.strength += 1; },
      [&](SceneDef& s) { pole(s).law.softening += 1; },
      [&](SceneDef& s) { pole(s).law.outer += 1; },
      [&](SceneDef& s) { pole(s).law.exponent += 1; },
      [&](SceneDef& s) { thrust(s).force.x += 1; },
      [&](SceneDef& s) { thrust(s).torque.x += 1; },
      [&](SceneDef& s) { thrust(s).point.x += 1; },
      [&](SceneDef& s) { thrust(s).in_body_frame ^= true; },
      [](SceneDef& s) { s.explosions.clear(); },
      [](SceneDef& s) { s.explosions[0].explosion.centre.x += 1; },
      [](SceneDef& s) { s.explosions[0].explosion.radius += 1; },
      [](SceneDef& s) { s.explosions[0].explosion.impulse += 1; },
      [](SceneDef& s) { s.explosions[0].moments.start += 1; },
      [](SceneDef& s) { s.explosions[0].moments.every += 1; },
      [](SceneDef& s) { s.explosions[0].moments.count += 1; },
      [](SceneDef& s) { s.bodies[1].charge += 1; },
      [](SceneDef& s) { s.bodies[1].ignores_force_fields ^= true; },
      [](SceneDef& s) { std::swap(s.bodies[1].charge, s.bodies[2].charge); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SceneDef changed = base;
    changes[i](changed);
    EXPECT_NE(hash(changed), hash(base)) << i;
    EXPECT_NE(changed, base) << i;
  }
}

}  // namespace
}  // namespace jostle::scene
