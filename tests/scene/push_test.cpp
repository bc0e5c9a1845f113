#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>

namespace jostle::scene {
namespace {

const std::string push_bodies = R"("bodies": [
    {"name": "ground", "motion_type": "static", "shape": {"plane": {}}},
    {"name": "lift", "motion_type": "kinematic", "shape": {"sphere": {"radius": 1}}}],
    "generators": [{"kind": "row", "name": "crate", "count": 3,
                    "body": {"shape": {"sphere": {"radius": 1}}}}])";

/// Returns a scene with the bodies ground (0), lift (1) and crate_0 (2) to crate_2 (4), and the
/// given pushes.
std::string with_pushes(const std::string& pushes) {
  return scene_with(push_bodies + ", \"actuators\": [" + pushes + "]");
}

TEST(ScenePushes, AreReadWithTheirDefaults) {
  const SceneDef scene = parsed(with_pushes(R"({"body": "crate_1", "impulse": [1, 2, 3]},
      {"bodies": ["crate_2", "crate_0"], "velocity": {"amplitude": [4, 5, 6]}},
      {"body": "crate_0", "follow": {"stiffness": 7, "max_acceleration": 8}})"));
  ASSERT_EQ(scene.pushes.size(), 3U);
  EXPECT_EQ(scene.pushes[0].bodies, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(scene.pushes[0].start, 0);
  EXPECT_EQ(scene.pushes[0].end, std::numeric_limits<double>::infinity());
  EXPECT_EQ(std::get<state::ImpulsePush>(scene.pushes[0].kind),
            (state::ImpulsePush{{1, 2, 3}, {0, 0, 0}, 0, 0}));
  EXPECT_EQ(scene.pushes[1].bodies, (std::vector<std::uint32_t>{4, 2}));
  EXPECT_EQ(std::get<state::VelocityPush>(scene.pushes[1].kind),
            (state::VelocityPush{{{4, 5, 6}, {1, 1, 1}, {0, 0, 0}}}));
  EXPECT_EQ(std::get<state::FollowPush>(scene.pushes[2].kind),
            (state::FollowPush{{}, {}, 7, 0, 8, {true, true, true}}));
}

TEST(ScenePushes, AreReadWithAllTheirValues) {
  const SceneDef scene = parsed(with_pushes(R"(
      {"body": "crate_0", "impulse": [0, 0, 0], "point": [1, 2, 3], "start": 0.5, "end": 9,
       "interval": 0.25, "count": 4},
      {"body": "crate_0", "start": 2, "velocity": {"amplitude": [1, 0, 1], "period": [2, 3, 4],
       "phase": [0, -0.5, 0.25]}},
      {"body": "crate_0", "end": 3, "follow": {"centre": [1, 2, 3], "amplitude": [4, 5, 6],
       "period": [7, 8, 9], "phase": [0.1, 0.2, 0.3], "stiffness": 20, "damping": 6,
       "max_acceleration": 40, "axes": [1, 0, 1]}})"));
  ASSERT_EQ(scene.pushes.size(), 3U);
  EXPECT_EQ(scene.pushes[0].start, 0.5);
  EXPECT_EQ(scene.pushes[0].end, 9);
  EXPECT_EQ(std::get<state::ImpulsePush>(scene.pushes[0].kind),
            (state::ImpulsePush{{0, 0, 0}, {1, 2, 3}, 0.25, 4}));
  EXPECT_EQ(scene.pushes[1].start, 2);
  EXPECT_EQ(std::get<state::VelocityPush>(scene.pushes[1].kind),
            (state::VelocityPush{{{1, 0, 1}, {2, 3, 4}, {0, -0.5f, 0.25f}}}));
  EXPECT_EQ(scene.pushes[2].end, 3);
  const state::Swing swing{{4, 5, 6}, {7, 8, 9}, {0.1f, 0.2f, 0.3f}};
  EXPECT_EQ(std::get<state::FollowPush>(scene.pushes[2].kind),
            (state::FollowPush{{1, 2, 3}, swing, 20, 6, 40, {true, false, true}}));
}

struct PushCase {
  const char* name;
  std::string push;
  const char* error;  // the text after the file's name
};

std::ostream& operator<<(std::ostream& out, const PushCase& row) {
  return out << row.name;
}

class ScenePushErrors : public testing::TestWithParam<PushCase> {};

// The tested push is the second one, so that its path has the index 1.
TEST_P(ScenePushErrors, StateTheirPath) {
  const std::string good = R"({"body": "crate_0", "impulse": [0, 1, 0]}, )";
  EXPECT_EQ(refusal(with_pushes(good + "{" + GetParam().push + "}")),
            std::string("test.scene.json: ") + GetParam().error);
}

std::string crate(const std::string& fields) {
  return R"("body": "crate_0", )" + fields;
}
std::string velocity(const std::string& fields) {
  return crate(R"("velocity": {"amplitude": [1, 0, 0], )" + fields + "}");
}
std::string follow(const std::string& fields) {
  return crate(R"("follow": {"stiffness": 1, "max_acceleration": 1, )" + fields + "}");
}
std::string impulse(const std::string& fields) {
  return crate(R"("impulse": [0, 1, 0], )" + fields);
}

const PushCase push_cases[] = {
    {"UnknownBody", R"("body": "hammer", "impulse": [0, 1, 0])",
     "actuators[1].body: no body is named \"hammer\"; accepted are \"crate_0\", \"crate_1\", "
     "\"crate_2\", \"ground\" and \"lift\""},
    {"MisspeltBody", R"("bodies": ["crate_0", "crat_1"], "impulse": [0, 1, 0])",
     "actuators[1].bodies[1]: no body is named \"crat_1\"; accepted are \"crate_0\", \"crate_1\", "
     "\"crate_2\", \"ground\" and \"lift\"; did you mean \"crate_1\"?"},
    {"StaticBody", R"("body": "ground", "impulse": [0, 1, 0])",
     "actuators[1].body: \"ground\" is static; only a dynamic body can be pushed"},
    {"KinematicBody", R"("bodies": ["lift"], "impulse": [0, 1, 0])",
     "actuators[1].bodies[0]: \"lift\" is kinematic; only a dynamic body can be pushed"},
    {"NoBody", R"("impulse": [0, 1, 0])",
     "actuators[1]: must have either body (a name) or bodies (a list of names)"},
    {"BodyAndBodies", R"("body": "crate_0", "bodies": ["crate_1"], "impulse": [0, 1, 0])",
     "actuators[1]: must have either body (a name) or bodies (a list of names)"},
    {"EmptyBodies", R"("bodies": [], "impulse": [0, 1, 0])",
     "actuators[1].bodies: must not be empty"},
    {"BodyTwice", R"("bodies": ["crate_0", "crate_0"], "impulse": [0, 1, 0])",
     "actuators[1].bodies[1]: is already in the list"},
    {"NoKind", R"("body": "crate_0")",
     "actuators[1]: must have exactly one of impulse, velocity and follow"},
    {"TwoKinds", impulse(R"("velocity": {"amplitude": [1, 0, 0]})"),
     "actuators[1]: must have exactly one of impulse, velocity and follow"},
    {"ImpulseOfTwo", crate(R"("impulse": [0, 1])"),
     "actuators[1].impulse: must have 3 numbers, has 2"},
    {"ImpulseHuge", crate(R"("impulse": [0, 2e9, 0])"),
     "actuators[1].impulse[1]: must be from -1000000000 to 1000000000, is 2000000000"},
    {"PointFar", impulse(R"("point": [0, 0, -1001])"),
     "actuators[1].point[2]: must be from -1000 to 1000, is -1001"},
    {"StartBeforeTheScene", impulse(R"("start": -1)"),
     "actuators[1].start: must be from 0 to 1000000000, is -1"},
    {"EndBeforeStart", impulse(R"("start": 2, "end": 2)"),
     "actuators[1].end: must be above start (2), is 2"},
    {"EveryZero", impulse(R"("interval": 0)"),
     "actuators[1].interval: must be from 0.001 to 1000000000, is 0"},
    {"EveryShort", impulse(R"("interval": 0.0001)"),
     "actuators[1].interval: must be from 0.001 to 1000000000, is 0.0001"},
    {"CountZero", impulse(R"("interval": 1, "count": 0)"),
     "actuators[1].count: must be from 1 to 4294967295, is 0"},
    {"CountBroken", impulse(R"("interval": 1, "count": 1.5)"),
     "actuators[1].count: must be a whole number from 1 to 4294967295, is 1.5"},
    {"CountAlone", impulse(R"("count": 2)"),
     "actuators[1].count: requires interval, the period in seconds"},
    {"VelocityWithPoint", crate(R"("velocity": {"amplitude": [1, 0, 0]}, "point": [0, 0, 0])"),
     "actuators[1].point: is only used by an impulse"},
    {"VelocityWithEvery", crate(R"("velocity": {"amplitude": [1, 0, 0]}, "interval": 1)"),
     "actuators[1].interval: is only used by an impulse"},
    {"VelocityWithCount", crate(R"("velocity": {"amplitude": [1, 0, 0]}, "count": 1)"),
     "actuators[1].count: is only used by an impulse"},
    {"VelocityEmpty", crate(R"("velocity": {})"), "actuators[1].velocity.amplitude: is missing"},
    {"VelocityTooFast", crate(R"("velocity": {"amplitude": [300, 0, 300]})"),
     "actuators[1].velocity.amplitude: exceeds the world's limit of 400"},
    {"VelocityPeriodZero", velocity(R"("period": [1, 0, 1])"),
     "actuators[1].velocity.period[1]: must be from 0.001 to 1000000, is 0"},
    {"VelocityPhaseHuge", velocity(R"("phase": [0, 0, 1001])"),
     "actuators[1].velocity.phase[2]: must be from -1000 to 1000, is 1001"},
    {"FollowPeriodOfOne", follow(R"("period": [1])"),
     "actuators[1].follow.period: must have 3 numbers, has 1"},
    {"FollowWithoutStiffness", crate(R"("follow": {"max_acceleration": 1})"),
     "actuators[1].follow.stiffness: is missing"},
    {"FollowWithoutLimit", crate(R"("follow": {"stiffness": 1})"),
     "actuators[1].follow.max_acceleration: is missing"},
    {"FollowDamping", follow(R"("damping": -1)"),
     "actuators[1].follow.damping: must be from 0 to 1000, is -1"},
    {"FollowAxes", follow(R"("axes": [1, 0.5, 1])"),
     "actuators[1].follow.axes[1]: must be 0 or 1, is 0.5"},
    {"FollowCentreFar", follow(R"("centre": [0, 2e6, 0])"),
     "actuators[1].follow.centre[1]: must be from -1000000 to 1000000, is 2000000"},
};

INSTANTIATE_TEST_SUITE_P(All, ScenePushErrors, testing::ValuesIn(push_cases),
                         [](const testing::TestParamInfo<PushCase>& row) {
                           return row.param.name;
                         });

TEST(ScenePushErrors, LimitTheNumberOfPushes) {
  std::string many = R"({"body": "crate_0", "impulse": [0, 1, 0]})";
  for (std::size_t i = 0; i < max_scene_pushes; ++i)
    many += R"(, {"body": "crate_0", "impulse": [0, 1, 0]})";
  EXPECT_EQ(refusal(with_pushes(many)),
            "test.scene.json: actuators: may have at most 10000 entries, has 10001");
}

}  // namespace
}  // namespace jostle::scene
