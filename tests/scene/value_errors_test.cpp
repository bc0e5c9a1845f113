#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace jostle::scene {
namespace {

struct ValueCase {
  const char* name;
  std::string text;
  std::string error;
};

std::ostream& operator<<(std::ostream& out, const ValueCase& row) {
  return out << row.name;
}

class SceneValues : public testing::TestWithParam<ValueCase> {};

TEST_P(SceneValues, ErrorsStateTheirPath) {
  EXPECT_EQ(refusal(GetParam().text), std::string("test.scene.json: ") + GetParam().error);
}

std::string body(const std::string& fields) {
  return scene_with("\"bodies\": [{" + fields + "}]");
}
std::string box(const std::string& fields) {
  return body(R"("shape": {"box": {)" + fields + "}}");
}
std::string generator_of_cubes(const std::string& fields) {
  return scene_with(R"("generators": [{"body": {"shape": {"box": {"size": [1, 1, 1]}}}, )" +
                    fields + "}]");
}
std::string player(const std::string& fields) {
  return scene_with("\"player\": {" + fields + "}");
}

std::string character(const std::string& fields) {
  return player("\"kind\": \"character\", " + fields);
}

const std::string long_name(65, 'n');
const std::string no_colour =
    " is neither \"#RRGGBB\" nor a colour name; accepted are \"white\", \"silver\", \"grey\", "
    "\"slate\", \"black\", \"red\", \"coral\", \"orange\", "
    "\"amber\", \"yellow\", \"lime\", \"green\", \"teal\", \"cyan\", \"blue\", \"indigo\", "
    "\"purple\", \"pink\", \"brown\" and \"wood\"";

const ValueCase body_cases[] = {
    {"MassZero", scene_with_body("\"mass\": 0"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is 0"},
    {"MassNegative", scene_with_body("\"mass\": -3"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is -3"},
    {"MassInfinite", scene_with_body("\"mass\": 1e999"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is too large"},
    {"MassMinusInfinite", scene_with_body("\"mass\": -1e999"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is too small"},
    {"MassHuge", scene_with_body("\"mass\": 1e30"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is 1e+30"},
    {"MassThatFloatRoundsToZero", scene_with_body("\"mass\": 1e-60"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is 1e-60"},
    {"MassTooSmall", scene_with_body("\"mass\": 1e-9"),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is 1e-09"},
    {"MassOfVolumeTooLarge", box("\"size\": [1000, 1000, 1100]"),
     "bodies[0].density: must give a mass of 1e-06 to 1000000000 kg, gives 1100000000000 kg"},
    {"DensityTooSmallForTheEngine", scene_with_body("\"density\": 1e-8"),
     "bodies[0].density: must be from 1e-06 to 1000000, is 1e-08"},
    {"MassOfAStaticBodyTooSmall", scene_with_body("\"mass\": 1e-9, \"motion_type\": \"static\""),
     "bodies[0].mass: must be from 1e-06 to 1000000000, is 1e-09"},
    {"DensityZero", scene_with_body("\"density\": 0"),
     "bodies[0].density: must be from 1e-06 to 1000000, is 0"},
    {"SecondBody",
     scene_with("\"bodies\": [{" + ball_shape + "}, {" + ball_shape + ", \"mass\": -1}]"),
     "bodies[1].mass: must be from 1e-06 to 1000000000, is -1"},
    {"NoShape", body("\"mass\": 1"), "bodies[0].shape: is missing"},
    {"NoShapes", body("\"shapes\": []"), "bodies[0].shape: is missing"},
    {"ShapeAndShapes", body(ball_shape + ", \"shapes\": []"),
     "bodies[0].shapes: cannot be combined with shape; give one of them"},
    {"EmptyShape", body("\"shape\": {}"),
     "bodies[0].shape: must have exactly one of sphere, box, capsule, cylinder, cone, hull, plane, "
     "mesh, height_field and convex_decomposition"},
    {"TwoGeometries", body(R"("shape": {"sphere": {"radius": 1}, "plane": {}})"),
     "bodies[0].shape: must have exactly one of sphere, box, capsule, cylinder, cone, hull, plane, "
     "mesh, height_field and convex_decomposition"},
    {"RadiusMissing", body(R"("shape": {"sphere": {}})"),
     "bodies[0].shape.sphere.radius: is missing"},
    {"RadiusZero", body(R"("shapes": [{"sphere": {"radius": 1}}, {"sphere": {"radius": 0}}])"),
     "bodies[0].shapes[1].sphere.radius: must be from 0.001 to 100000, is 0"},
    {"BoxWithoutSize", box(""),
     "bodies[0].shape.box: must have either size or half_extents (three numbers)"},
    {"BoxWithTwoSizes", box("\"size\": [1, 1, 1], \"half_extents\": [1, 1, 1]"),
     "bodies[0].shape.box: must have either size or half_extents (three numbers)"},
    {"BoxOfTwoNumbers", box("\"size\": [1, 1]"),
     "bodies[0].shape.box.size: must have 3 numbers, has 2"},
    {"BoxFlat", box("\"half_extents\": [1, 0, 1]"),
     "bodies[0].shape.box.half_extents[1]: must be from 0.001 to 100000, is 0"},
    {"BoxInsideOut", box("\"size\": [1, 1, -1]"),
     "bodies[0].shape.box.size[2]: must be from 0.002 to 200000, is -1"},
    {"MovingBoxTooLong", box("\"size\": [3000, 0.01, 0.01]"),
     "bodies[0].shape: a moving body may be at most 2000 m long, is 3000"},
    {"CapsuleWithoutLength", body(R"("shape": {"capsule": {"radius": 1}})"),
     "bodies[0].shape.capsule: must have either half_segment or height (a number)"},
    {"CapsuleShorterThanItsEnds", body(R"("shape": {"capsule": {"radius": 1, "height": 2}})"),
     "bodies[0].shape.capsule.height: must be from 2.002 to 100000, is 2"},
    {"PlaneMoves", body(R"("shape": {"plane": {}})"),
     "bodies[0].shape: only a static body can be a plane, a mesh or a height field"},
    {"PlaneOnRails", body(R"("motion_type": "kinematic", "shape": {"plane": {}})"),
     "bodies[0].shape: only a static body can be a plane, a mesh or a height field"},
    {"PositionFar", scene_with_body("\"position\": [0, 1e30, 0]"),
     "bodies[0].position[1]: must be from -1000000 to 1000000, is 1e+30"},
    {"PositionShort", scene_with_body("\"position\": []"),
     "bodies[0].position: must have 3 numbers, has 0"},
    {"RotationZero", scene_with_body("\"rotation\": [0, 0, 0, 0]"),
     "bodies[0].rotation: must not be zero; no rotation is [0, 0, 0, 1]"},
    {"RotationOfThree", scene_with_body("\"rotation\": [0, 90, 0]"),
     "bodies[0].rotation: must have 4 numbers, has 3"},
    {"TwoRotations", scene_with_body("\"rotation\": [0, 0, 0, 1], \"rotation_degrees\": [0, 0, 0]"),
     "bodies[0].rotation_degrees: cannot be combined with rotation; give one of them"},
    {"TooFast", scene_with_body("\"linear_velocity\": [300, 0, 300]"),
     "bodies[0].linear_velocity: exceeds the world's limit of 400"},
    {"TooFastSpin", scene_with_body("\"angular_velocity\": [0, 201, 0]"),
     "bodies[0].angular_velocity: exceeds the world's limit of 200"},
    {"StaticMoves", scene_with_body("\"motion_type\": \"static\", \"linear_velocity\": [1, 0, 0]"),
     "bodies[0].linear_velocity: is not allowed for a static body"},
    {"FrictionNegative", scene_with_body("\"friction\": -0.1"),
     "bodies[0].friction: must be from 0 to 100, is -0.1"},
    {"RestitutionAboveOne", scene_with_body("\"restitution\": 1.5"),
     "bodies[0].restitution: must be from 0 to 1, is 1.5"},
    {"DampingNegative", scene_with_body("\"linear_damping\": -1"),
     "bodies[0].linear_damping: must be from 0 to 1000, is -1"},
    {"UnknownMaterial", scene_with_body("\"material\": \"wod\""),
     "bodies[0].material: no material is named \"wod\"; there are none"},
    {"MisspeltMaterial",
     scene_with("\"materials\": [{\"name\": \"wood\"}], \"bodies\": [{" + ball_shape +
                ", \"material\": \"wod\"}]"),
     "bodies[0].material: no material is named \"wod\"; accepted is \"wood\"; did you mean "
     "\"wood\"?"},
    {"CategoryNegative", scene_with_body("\"filter\": {\"category\": -1}"),
     "bodies[0].filter.category: must be from 0 to 4294967295, is -1"},
    {"MaskTooLarge", scene_with_body("\"filter\": {\"mask\": 4294967296}"),
     "bodies[0].filter.mask: must be from 0 to 4294967295, is 4294967296"},
    {"GroupBroken", scene_with_body("\"filter\": {\"group\": -1.5}"),
     "bodies[0].filter.group: must be a whole number from -2147483647 to 2147483647, is -1.5"},
    {"UnknownColour", scene_with_body("\"colour\": \"tael\""),
     "bodies[0].colour: \"tael\"" + no_colour + "; did you mean \"teal\"?"},
    {"ShortColour", scene_with_body("\"colour\": \"#12345\""),
     "bodies[0].colour: \"#12345\"" + no_colour},
    {"ColourOfNoDigits", scene_with_body("\"colour\": \"#12345g\""),
     "bodies[0].colour: \"#12345g\"" + no_colour},
    {"CourseOfDynamic", scene_with_body("\"kinematic_motion\": {}"),
     "bodies[0].kinematic_motion: is only allowed for a kinematic body"},
    {"CoursePeriodZero",
     scene_with_body("\"motion_type\": \"kinematic\", \"kinematic_motion\": {\"period\": 0}"),
     "bodies[0].kinematic_motion.period: must be from 0.001 to 1000000, is 0"},
    {"CourseTooFast",
     scene_with_body(
         "\"motion_type\": \"kinematic\", \"kinematic_motion\": {\"amplitude\": [70, 0, 0]}"),
     "bodies[0].kinematic_motion.period: is too short: the body would exceed the world's limit of "
     "400 m/s"},
    {"LockUnknown", scene_with_body("\"motion_locks\": [\"linear_z\", \"angular_w\"]"),
     "bodies[0].motion_locks[1]: \"angular_w\" is not a degree of freedom; accepted are linear_x, "
     "linear_y, "
     "linear_z, "
     "angular_x, angular_y and angular_z; did you mean "
     "\"angular_x\"?"},
    {"LocksOfAStaticBody", scene_with_body("\"motion_type\": \"static\", \"planar\": true"),
     "bodies[0].motion_locks: motion_locks, lock_rotation and planar are only allowed for a "
     "dynamic "
     "body"},
    {"InertiaWithoutMass", scene_with_body("\"inertia\": [1, 1, 1]"),
     "bodies[0].inertia: requires mass"},
    {"InertiaOfAStaticBody",
     scene_with_body("\"motion_type\": \"static\", \"mass\": 1, \"inertia\": [1, 1, 1]"),
     "bodies[0].inertia: is only allowed for a dynamic body"},
    {"InertiaOfNoBody", scene_with_body("\"mass\": 1, \"inertia\": [1, 1, 2.1]"),
     "bodies[0].inertia: is not a valid inertia tensor: principal moments must be above 0, at most "
     "a million times each other, and none larger than the sum of the other two"},
    {"InertiaOfFour", scene_with_body("\"mass\": 1, \"inertia\": [1, 1, 1, 0]"),
     "bodies[0].inertia: must have 3 moments or 6 numbers (xx, yy, zz, xy, xz, yz), has "
     "4"},
    {"CentreWithoutMass", scene_with_body("\"centre_of_mass\": [0, 1, 0]"),
     "bodies[0].centre_of_mass: requires mass"},
    {"EntryOfBoth",
     scene_with_body("\"on_enter\": {\"teleport_to\": [0, 1, 0], \"destroy\": true}"),
     "bodies[0].on_enter: must have either teleport_to (a position) or \"destroy\": true"},
    {"EntryOfNeither", scene_with_body("\"on_enter\": {}"),
     "bodies[0].on_enter: must have either teleport_to (a position) or \"destroy\": true"},
    {"EntryWithoutSensor", scene_with_body("\"on_enter\": {\"destroy\": true}"),
     "bodies[0].on_enter: requires a shape with \"sensor\": true"},
    {"SensorPlane",
     scene_with(R"("bodies": [{"motion_type": "static", "shape": {"plane": {}, "sensor": true}}])"),
     "bodies[0].shape.sensor: is not allowed for a plane, a mesh or a height field"},
    {"CourseAndVelocity",
     scene_with_body("\"motion_type\": \"kinematic\", \"kinematic_motion\": {}, "
                     "\"linear_velocity\": [1, 0, 0]"),
     "bodies[0].linear_velocity: cannot be combined with kinematic_motion, which determines the "
     "velocity"},
    {"NameTwice",
     scene_with("\"bodies\": [{\"name\": \"a\", " + ball_shape + "}, {\"name\": \"a\", " +
                ball_shape + "}]"),
     "bodies[1].name: \"a\" is already the name of another body"},
    {"NameEmpty", scene_with_body("\"name\": \"\""), "bodies[0].name: must not be empty"},
    {"NameLong", scene_with_body("\"name\": \"" + long_name + "\""),
     "bodies[0].name: must have at most 64 bytes, has 65"},
    {"NameOfTwoLines", scene_with_body("\"name\": \"a\\nb\""),
     "bodies[0].name: must not contain control characters"},
    {"NameBlank", scene_with_body("\"name\": \"  \""),
     "bodies[0].name: must not begin or end with a space"},
    {"NameInvisible", scene_with_body("\"name\": \"\u200b\""),
     "bodies[0].name: must have no invisible characters, such as zero-width spaces"},
    {"NameOfJoinersOnly", scene_with_body("\"name\": \"\u200d\""),
     "bodies[0].name: must have a visible character"},
    {"NameOfTemplateBlank", scene_with("\"templates\": [{\"name\": \"\u3000\"}]"),
     "templates[0].name: must have no other spaces than that of the space bar"},
    {"UnknownTemplate", scene_with_body("\"template\": \"crate\""),
     "bodies[0].template: no earlier template is named \"crate\"; there are none"},
    {"MisspeltTemplate",
     scene_with("\"templates\": [{\"name\": \"crate\"}, {\"name\": \"ball\"}], \"bodies\": [{" +
                ball_shape + ", \"template\": \"crat\"}]"),
     "bodies[0].template: no earlier template is named \"crat\"; accepted are \"ball\" and "
     "\"crate\"; did you mean \"crate\"?"},
    {"TemplateLikeItself", scene_with("\"templates\": [{\"name\": \"a\", \"template\": \"a\"}]"),
     "templates[0].template: no earlier template is named \"a\"; there are none"},
    {"TemplateTwice", scene_with("\"templates\": [{\"name\": \"a\"}, {\"name\": \"a\"}]"),
     "templates[1].name: is already the name of another template"},
    {"TemplateWithoutName", scene_with("\"templates\": [{}]"), "templates[0].name: is missing"},
    {"TemplateWithPosition",
     scene_with("\"templates\": [{\"name\": \"a\", \"position\": [0, 0, 0]}]"),
     "templates[0].position: is not allowed in a template; give it in the bodies"},
    {"TemplateMass", scene_with("\"templates\": [{\"name\": \"a\", \"mass\": -1}]"),
     "templates[0].mass: must be from 1e-06 to 1000000000, is -1"},
};

const ValueCase generator_cases[] = {
    {"KindMissing", generator_of_cubes("\"count\": 3"), "generators[0].kind: is missing"},
    {"CountHuge", generator_of_cubes("\"kind\": \"stack\", \"count\": 4e9"),
     "generators[0].count: must be from 1 to 200000, is 4000000000"},
    {"CountZero", generator_of_cubes("\"kind\": \"stack\", \"count\": 0"),
     "generators[0].count: must be from 1 to 200000, is 0"},
    {"CountBroken", generator_of_cubes("\"kind\": \"stack\", \"count\": 2.5"),
     "generators[0].count: must be a whole number from 1 to 200000, is 2.5"},
    {"CountMissing", generator_of_cubes("\"kind\": \"stack\""),
     "generators[0].count: is missing; a generator of kind \"stack\" requires it"},
    {"CountUnused", generator_of_cubes("\"kind\": \"grid\", \"counts\": [1, 1, 1], \"count\": 3"),
     "generators[0].count: is not used by a generator of kind \"grid\""},
    {"SeedUnused",
     generator_of_cubes("\"kind\": \"wall\", \"rows\": 1, \"columns\": 1, \"seed\": 3"),
     "generators[0].seed: is not used by a generator of kind \"wall\""},
    {"CountsOfTwo", generator_of_cubes("\"kind\": \"grid\", \"counts\": [3, 3]"),
     "generators[0].counts: must have 3 numbers, has 2"},
    {"CountsProductHuge",
     generator_of_cubes("\"kind\": \"grid\", \"counts\": [200000, 200000, 200000]"),
     "generators[0]: brings the scene to 8000000000000000 bodies; at most 200000 are allowed"},
    {"PyramidHuge", generator_of_cubes("\"kind\": \"square_pyramid\", \"rows\": 200000"),
     "generators[0]: brings the scene to 2666686666700000 bodies; at most 200000 are allowed"},
    {"NoBody", scene_with(R"("generators": [{"kind": "stack", "count": 1}])"),
     "generators[0].body: is missing or given twice; give either body or bodies (a list that is "
     "used in turn)"},
    {"EmptyBodies", scene_with(R"("generators": [{"kind": "stack", "count": 1, "bodies": []}])"),
     "generators[0].bodies: must not be empty"},
    {"BodyOfGenerator",
     scene_with(R"("generators": [{"kind": "stack", "count": 1, "bodies": [{)" + ball_shape +
                "}, {" + ball_shape + ", \"mass\": -1}]}]"),
     "generators[0].bodies[1].mass: must be from 1e-06 to 1000000000, is -1"},
    {"BodyWithPosition",
     scene_with(R"("generators": [{"kind": "stack", "count": 1, "body": {"position": [0, 0, 0], )" +
                ball_shape + "}}]"),
     "generators[0].body.position: is not allowed in a generator; give the position of the "
     "generator"},
    {"EmptyColours", generator_of_cubes("\"kind\": \"stack\", \"count\": 1, \"colours\": []"),
     "generators[0].colours: must not be empty"},
    {"UnknownColour",
     generator_of_cubes("\"kind\": \"stack\", \"count\": 1, \"colours\": [\"red\", \"rde\"]"),
     "generators[0].colours[1]: \"rde\"" + no_colour + "; did you mean \"red\"?"},
    {"PourWithoutArea", generator_of_cubes("\"kind\": \"pour\", \"count\": 1"),
     "generators[0].area: is missing; a generator of kind \"pour\" requires it"},
    {"PourIntoALine", generator_of_cubes("\"kind\": \"pour\", \"count\": 1, \"area\": [1, 0]"),
     "generators[0].area[1]: must be above 0 and at most 10000, is 0"},
    {"PourWithoutSpacing",
     generator_of_cubes(
         "\"kind\": \"pour\", \"count\": 1, \"area\": [1, 1], \"spacing\": [1, 0, 1]"),
     "generators[0].spacing: must be above 0 along each axis"},
    {"SeedNegative",
     generator_of_cubes("\"kind\": \"pour\", \"count\": 1, \"area\": [1, 1], \"seed\": -1"),
     "generators[0].seed: must be from 0 to 9007199254740991, is -1"},
    {"RingRadius", generator_of_cubes("\"kind\": \"ring\", \"count\": 3, \"radius\": 0"),
     "generators[0].radius: must be above 0 and at most 10000, is 0"},
    {"FarOut", generator_of_cubes("\"kind\": \"row\", \"count\": 3, \"position\": [999999, 0, 0]"),
     "generators[0]: places a body at a coordinate beyond 1000000 m"},
    {"NameTwice",
     scene_with(
         "\"bodies\": [{\"name\": \"a_1\", " + ball_shape +
         "}], \"generators\": [{\"kind\": \"row\", \"count\": 2, \"name\": \"a\", \"body\": {" +
         ball_shape + "}}]"),
     "generators[0].name: \"a_1\" is already the name of another body"},
    {"NameLongWithNumber",
     generator_of_cubes("\"kind\": \"row\", \"count\": 2, \"name\": \"" + std::string(63, 'n') +
                        "\""),
     "generators[0].name: is too long: with the number appended it exceeds 64 bytes"},
};

const ValueCase other_cases[] = {
    {"NameMissing", "{\"spawns\": [{\"position\": [0, 1, 0]}]}", "name: is missing"},
    {"DescriptionLong", scene_with("\"description\": \"" + std::string(513, 'd') + "\""),
     "description: must have at most 512 bytes, has 513"},
    {"SpawnsMissing", "{\"name\": \"a\"}",
     "spawns: must have at least one entry, a pose where players spawn, such as \"spawns\": [{ "
     "\"position\": [0, 1, 0] }]"},
    {"SpawnsEmpty", "{\"name\": \"a\", \"spawns\": []}",
     "spawns: must have at least one entry, a pose where players spawn, such as \"spawns\": [{ "
     "\"position\": [0, 1, 0] }]"},
    {"SpawnWithoutPosition", "{\"name\": \"a\", \"spawns\": [{}]}",
     "spawns[0].position: is missing"},
    {"SpawnFar", "{\"name\": \"a\", \"spawns\": [{\"position\": [0, -2e6, 0]}]}",
     "spawns[0].position[1]: must be from -1000000 to 1000000, is -2000000"},
    {"CameraBlind", scene_with("\"camera\": {\"eye\": [1, 2, 3], \"target\": [1, 2, 3]}"),
     "camera.target: must differ from eye"},
    {"GravityHuge", scene_with("\"world\": {\"gravity\": [0, -1e9, 0]}"),
     "world.gravity[1]: must be from -1000 to 1000, is -1000000000"},
    {"TimeScaleBroken", scene_with("\"world\": {\"time_scale\": 0.015}"),
     "world.time_scale: must be a multiple of 0.01, is 0.015"},
    {"SubstepsZero", scene_with("\"world\": {\"substeps\": 0}"),
     "world.substeps: must be from 1 to 64, is 0"},
    {"SubstepsBroken", scene_with("\"world\": {\"substeps\": 3.5}"),
     "world.substeps: must be a whole number from 1 to 64, is 3.5"},
    {"MaterialWithoutName", scene_with("\"materials\": [{}]"), "materials[0].name: is missing"},
    {"MaterialTwice", scene_with("\"materials\": [{\"name\": \"a\"}, {\"name\": \"a\"}]"),
     "materials[1].name: is already the name of another material"},
    {"MaterialRestitution", scene_with("\"materials\": [{\"name\": \"a\", \"restitution\": -1}]"),
     "materials[0].restitution: must be from 0 to 1, is -1"},
    {"WalkOfABody", player("\"step_height\": 0.2"),
     "player.step_height: is only used by a player of kind \"character\""},
    {"ForceOfACharacter", character("\"move_force\": 2"),
     "player.move_force: is only used by a player of kind \"body\""},
    {"CharacterOfABox", character(R"("shape": {"box": {"size": [1, 1, 1]}})"),
     "player.shape: must be a capsule at the origin of its frame for a character"},
    {"CharacterBesideItself",
     character(R"("shape": {"capsule": {"radius": 0.3, "height": 2}, "position": [0, 1, 0]})"),
     "player.shape: must be a capsule at the origin of its frame for a character"},
    {"CharacterTooThin", character(R"("shape": {"capsule": {"radius": 0.04, "half_segment": 1}})"),
     "player.shape: must have a radius of 0.05 m to 10 m and a height of at most 100 m for a "
     "character, has 0.04 m and 2.08 m"},
    {"CharacterSlope", character("\"max_slope_angle\": 86"),
     "player.max_slope_angle: must be from 0 to 85, is 86"},
    {"CharacterStep",
     character(R"("shape": {"capsule": {"radius": 0.25, "height": 1}}, "step_height": 1)"),
     "player.step_height: must be at most half the character's height, 0.5, is 1"},
    {"CharacterStepDown", character("\"floor_snap_length\": -1"),
     "player.floor_snap_length: must be from 0 to 100, is -1"},
    {"CharacterSkin", character("\"skin_width\": 0.1"),
     "player.skin_width: must be at most a quarter of the radius, 0.075, is 0.1"},
    {"CharacterSkinThin", character("\"skin_width\": 0.001"),
     "player.skin_width: must be from 0.002 to 10, is 0.001"},
    {"CharacterForce", character("\"max_push_force\": -1"),
     "player.max_push_force: must be from 0 to 1000000000, is -1"},
    {"CharacterSteering", character("\"air_acceleration\": -1"),
     "player.air_acceleration: must be from 0 to 1000000, is -1"},
    {"PlayerMass", player("\"mass\": 0"), "player.mass: must be from 1e-06 to 1000000000, is 0"},
    {"PlayerPlane", player("\"shape\": {\"plane\": {}}"),
     "player.shape: only a static body can be a plane, a mesh or a height field"},
    {"PlayerHuge", player("\"shape\": {\"sphere\": {\"radius\": 1001}}"),
     "player.shape: is too large: a moving body may be at most 2000 m long"},
    {"PlayerShots", player("\"max_shots_alive\": 0"),
     "player.max_shots_alive: must be from 1 to 10000, is 0"},
    {"PlayerField", player("\"pull_field\": {\"inner\": 2, \"outer\": 1}"),
     "player.pull_field.outer: must be above inner (2), is 1"},
};

std::string case_name(const testing::TestParamInfo<ValueCase>& row) {
  return row.param.name;
}
INSTANTIATE_TEST_SUITE_P(OfBodies, SceneValues, testing::ValuesIn(body_cases), case_name);
INSTANTIATE_TEST_SUITE_P(OfGenerators, SceneValues, testing::ValuesIn(generator_cases), case_name);
INSTANTIATE_TEST_SUITE_P(OfTheRest, SceneValues, testing::ValuesIn(other_cases), case_name);

TEST(SceneErrors, NameTheLineAndColumnOfTheValue) {
  const auto place_of = [](const std::string& text) {
    const SceneError error = error_of(text);
    return std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.path;
  };
  const std::string begin =
      "{ // a comment with \"bodies\": [\n  \"name\": \"x\", \"spawns\": [{\"position\": [0, 1, "
      "0]}],\n  \"bodies\": [\n";
  const std::string valid = R"(    {"name": "}]{[,", "shape": {"sphere": {"radius": 1}}},)"
                            "\n";
  EXPECT_EQ(place_of(begin + valid + "    {\"shape\": {\"sphere\":\n      {\"radius\": 0}}}]}"),
            "6:18 bodies[1].shape.sphere.radius");
  EXPECT_EQ(place_of(begin + valid +
                     "    {\"m\\u0061ss\": -1, \"shape\": {\"sphere\": {\"radius\": 1}}}]}"),
            "5:19 bodies[1].mass")
      << "an escaped key";
  EXPECT_EQ(place_of(begin + valid + "    {\"mass\": 1}]}"), "5:5 bodies[1].shape")
      << "a missing key: its object";
  EXPECT_EQ(place_of("\n{\"name\": \"x\"}"), "2:1 spawns") << "a missing key of the scene";
}

TEST(SceneErrors, NameTheBodyOrTheJoint) {
  const std::string bodies = R"("bodies": [
    {"name": "a", "shape": {"sphere": {"radius": 1}}},
    {"name": "b", "position": [0, 3, 0], "shape": {"sphere": {"radius": 1}})";
  const std::string file = "test.scene.json:";
  EXPECT_EQ(error_of(scene_with(bodies + R"(, "mass": 0}])")).text(),
            file + "3:86: bodies[1].mass of body \"b\": must be from 1e-06 to 1000000000, is 0");
  EXPECT_EQ(error_of(scene_with(bodies + R"(}], "joints": [{"kind": "hinge", "body_a": "a",
    "body_b": "b", "anchor": [0, 1.5, 0], "axis": [0, 0, 0]}])"))
                .text(),
            file + "4:51: joints[0].axis of the joint of \"a\" and \"b\": must not be zero");
  EXPECT_EQ(error_of(scene_with(R"("templates": [{"name": "t\u0007", "friction": -1}])")).subject,
            "");
  EXPECT_EQ(error_of(scene_with(R"("templates": [{"name": "t", "friction": -1}])")).subject,
            "template \"t\"");
  EXPECT_EQ(error_of(scene_with(R"("materials": [{"name": "ice", "friction": -1}])")).subject,
            "material \"ice\"");
  EXPECT_EQ(
      error_of(scene_with(R"("generators": [{"name": "heap", "kind": "stack", "count": -1}])"))
          .subject,
      "generator \"heap\"");
  EXPECT_EQ(error_of(scene_with(R"("particles": [{"name": "fog"}])")).subject,
            "particle set \"fog\"");
  EXPECT_EQ(error_of(scene_with(R"("labels": [{"name": "a"}])")).subject, "label \"a\"");
  // Objects without a name, and errors in the name itself, have no subject.
  EXPECT_EQ(error_of(scene_with_body("\"mass\": 0")).subject, "");
  EXPECT_EQ(error_of(scene_with_body("\"name\": \"\"")).subject, "");
}

TEST(SceneNames, ErrorsListEightKnownNamesAtMost) {
  std::string templates;
  for (int i = 0; i < 10; ++i)
    templates +=
        (i > 0 ? ", " : "") + (std::string("{\"name\": \"known ") + std::to_string(i) + "\"}");
  EXPECT_EQ(refusal(scene_with("\"templates\": [" + templates +
                               "], \"bodies\": [{\"template\": \"x\"}]")),
            "test.scene.json: bodies[0].template: no earlier template is named \"x\"; accepted are "
            "\"known 0\", \"known 1\", \"known 2\", \"known 3\", \"known 4\", \"known 5\", "
            "\"known 6\", \"known 7\" and 2 more");
}

TEST(SceneValueOrder, TheFirstErrorInReadingOrderIsTheOneReported) {
  const std::string text =
      scene_with_body("\"friction\": -1, \"mass\": -1, \"position\": [1e9, 0, 0]");
  EXPECT_EQ(refusal(text),
            "test.scene.json: bodies[0].position[0]: must be from -1000000 to 1000000, is "
            "1000000000");
}

}  // namespace
}  // namespace jostle::scene
