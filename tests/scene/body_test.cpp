#include "shared/math/trig.h"
#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace jostle::scene {
namespace {

SceneBody body_of(const std::string& text) {
  const SceneDef scene = parsed(text);
  EXPECT_EQ(scene.bodies.size(), 1U);
  return scene.bodies.empty() ? SceneBody{} : scene.bodies[0];
}

TEST(SceneBody, HasTheDocumentedDefaults) {
  SceneBody expected;
  expected.shapes.resize(1);
  expected.shapes[0].shape = state::sphere(1.0f);
  EXPECT_EQ(body_of(scene_with_body("")), expected);
}

TEST(SceneBody, ReadsEveryField) {
  const SceneBody body = body_of(scene_with_body(R"(
      "name": "b", "motion_type": "dynamic", "position": [1, 2, 3], "rotation": [0, 0, 2, 0],
      "linear_velocity": [4, 5, 6], "angular_velocity": [7, 8, 9], "mass": 2.5,
      "linear_damping": 0.25, "angular_damping": 0.5, "gravity_scale": -1, "allow_sleep": false,
      "awake": false, "enabled": false, "lock_rotation": true, "grabbable": false, "colour": "#01aBFf",
      "density": 500, "friction": 0.125, "restitution": 1,
      "rolling_resistance": 0.25, "spinning_resistance": 0.5,
      "filter": {"category": 2, "mask": 4294967295, "group": -3})"));
  EXPECT_EQ(body.name, "b");
  EXPECT_EQ(body.motion, state::MotionType::Dynamic);
  EXPECT_EQ(body.pose, (math::Pose{{1, 2, 3}, {0, 0, 1, 0}}));
  EXPECT_EQ(body.linear_velocity, (math::Vec3{4, 5, 6}));
  EXPECT_EQ(body.angular_velocity, (math::Vec3{7, 8, 9}));
  EXPECT_EQ(body.mass, 2.5f);
  EXPECT_EQ(body.linear_damping, 0.25f);
  EXPECT_EQ(body.angular_damping, 0.5f);
  EXPECT_EQ(body.gravity_scale, -1.0f);
  EXPECT_FALSE(body.is_sleep_allowed);
  EXPECT_FALSE(body.is_awake);
  EXPECT_FALSE(body.is_enabled);
  EXPECT_EQ(body.locks, state::lock_rotation);
  EXPECT_FALSE(body.is_grabbable);
  EXPECT_EQ(body.colour, (state::Colour{0x01, 0xAB, 0xFF}));
  ASSERT_EQ(body.shapes.size(), 1U);
  EXPECT_EQ(body.shapes[0].density, 500.0f);
  EXPECT_EQ(body.shapes[0].material, (SceneMaterial{0.125f, 1.0f, 0.25f, 0.5f}));
  EXPECT_EQ(body.shapes[0].filter, (SceneFilter{2, 0xFFFFFFFFU, -3}));
}

TEST(SceneBody, ReadsInertiaAndCentreOfMass) {
  const SceneBody three = body_of(
      scene_with_body(R"("mass": 2, "inertia": [1, 2, 1.5], "centre_of_mass": [0.1, -0.2, 0])"));
  EXPECT_EQ(three.inertia, math::diagonal({1, 2, 1.5f}));
  EXPECT_EQ(three.centre_of_mass, (math::Vec3{0.1f, -0.2f, 0}));
  const SceneBody six =
      body_of(scene_with_body(R"("mass": 2, "inertia": [2, 3, 4, 0.1, 0.2, 0.3])"));
  EXPECT_EQ(six.inertia, (math::Mat3{{2, 0.1f, 0.2f}, {0.1f, 3, 0.3f}, {0.2f, 0.3f, 4}}));
}

TEST(SceneBody, ReadsSensorsAndSurfaceVelocities) {
  const SceneBody body = body_of(scene_with(R"("bodies": [{"motion_type": "static", "density": 500,
      "shapes": [{"sphere": {"radius": 1}, "sensor": true},
                 {"sphere": {"radius": 1}, "sensor": true, "density": 3},
                 {"sphere": {"radius": 1}, "surface_velocity": [1, 2, 3]}],
      "on_enter": {"teleport_to": [4, 5, 6]}}])"));
  EXPECT_TRUE(body.shapes[0].is_sensor);
  EXPECT_EQ(body.shapes[0].density, 0);
  EXPECT_EQ(body.shapes[1].density, 3);
  EXPECT_FALSE(body.shapes[2].is_sensor);
  EXPECT_EQ(body.shapes[2].surface_velocity, (math::Vec3{1, 2, 3}));
  EXPECT_EQ(body.on_enter->move_to, (math::Position{4, 5, 6}));
}

TEST(SceneBody, ReadsLocks) {
  const auto locks = [](const std::string& fields) {
    return body_of(scene_with_body(fields)).locks;
  };
  EXPECT_EQ(locks(R"("motion_locks": ["linear_y", "angular_x"])"),
            state::lock_linear_y | state::lock_angular_x);
  EXPECT_EQ(locks(R"("planar": true)"), state::lock_planar);
  EXPECT_EQ(locks(R"("planar": true, "lock_rotation": true)"),
            state::lock_planar | state::lock_rotation);
  EXPECT_EQ(locks(R"("motion_locks": ["linear_z", "linear_x"], "planar": false)"),
            state::lock_linear_x);
}

TEST(SceneBody, IsLockedToThePlaneInAPlanarWorldIfDynamic) {
  const SceneDef scene = parsed(scene_with(R"("world": {"planar": true}, "bodies": [
      {"shape": {"sphere": {"radius": 1}}, "motion_locks": ["linear_x"]},
      {"shape": {"sphere": {"radius": 1}}, "motion_type": "static"}])"));
  EXPECT_EQ(scene.bodies[0].locks, state::lock_planar | state::lock_linear_x);
  EXPECT_EQ(scene.bodies[1].locks, 0);
}

TEST(SceneBody, ReadsSeveralShapesWithTheirPoses) {
  const SceneBody body = body_of(scene_with(R"("bodies": [{"shapes": [
      {"box": {"size": [1, 2, 3]}, "position": [0, 1, 0]},
      {"capsule": {"radius": 0.5, "height": 3}, "rotation_degrees": [0, 0, 90], "friction": 0.25},
      {"capsule": {"radius": 0.5, "half_segment": 2}},
      {"box": {"half_extents": [1, 2, 3]}, "filter": {"mask": 7}}]}])"));
  ASSERT_EQ(body.shapes.size(), 4U);
  EXPECT_EQ(body.shapes[0].shape, state::box({0.5f, 1.0f, 1.5f}));
  EXPECT_EQ(body.shapes[0].local.offset, (math::Vec3{0, 1, 0}));
  EXPECT_EQ(body.shapes[1].shape, state::capsule(0.5f, 1.0f));
  EXPECT_EQ(body.shapes[1].material.friction, 0.25f);
  const math::Vec3 axis = rotate(body.shapes[1].local.rotation, {0, 1, 0});
  EXPECT_NEAR(axis.x, -1.0f, 1e-6f);
  EXPECT_NEAR(axis.y, 0.0f, 1e-6f);
  EXPECT_EQ(body.shapes[2].shape, state::capsule(0.5f, 2.0f));
  EXPECT_EQ(body.shapes[3].shape, state::box({1, 2, 3}));
  EXPECT_EQ(body.shapes[3].filter.mask, 7U);
}

TEST(SceneBody, RotationDegreesApplyAboutXThenYThenZ) {
  const SceneBody body = body_of(scene_with_body("\"rotation_degrees\": [90, 90, 0]"));
  // The rotation about x moves the y axis to z. The rotation about y then moves it to x.
  const math::Vec3 turned = rotate(body.pose.rotation, {0, 1, 0});
  EXPECT_NEAR(turned.x, 1.0f, 1e-6f);
  EXPECT_NEAR(turned.y, 0.0f, 1e-6f);
  EXPECT_NEAR(turned.z, 0.0f, 1e-6f);
}

TEST(SceneBody, NormalisesItsRotation) {
  const math::Quat q = body_of(scene_with_body("\"rotation\": [0, 3, 0, -4]")).pose.rotation;
  EXPECT_FLOAT_EQ(q.y, 0.6f);
  EXPECT_FLOAT_EQ(q.w, -0.8f);
}

TEST(SceneBody, ReadsTheKinematicMotionOfAKinematicBody) {
  const SceneBody body = body_of(scene_with_body(
      R"("motion_type": "kinematic", "kinematic_motion": {"amplitude": [0, 2, 0], "period": 8, "phase": 0.25,
         "angular_velocity": [0, 1, 0]})"));
  ASSERT_TRUE(body.kinematic_motion.has_value());
  EXPECT_EQ(*body.kinematic_motion, (state::KinematicMotion{{0, 2, 0}, 8.0f, 0.25f, {0, 1, 0}}));
}

TEST(SceneBody, InheritsMissingFieldsFromItsTemplate) {
  const SceneDef scene = parsed(scene_with(R"(
      "templates": [
        {"name": "a", "shape": {"sphere": {"radius": 2}}, "mass": 5, "colour": "red", "friction": 0.1},
        {"name": "b", "template": "a", "mass": 7}],
      "bodies": [{"template": "b", "position": [1, 0, 0]},
                 {"template": "b", "shape": {"sphere": {"radius": 3}}, "friction": 0.2}])"));
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies[0].shapes[0].shape, state::sphere(2.0f));
  EXPECT_EQ(scene.bodies[0].mass, 7.0f);
  EXPECT_EQ(scene.bodies[0].name, "");
  EXPECT_EQ(scene.bodies[0].shapes[0].material.friction, 0.1f);
  EXPECT_EQ(scene.bodies[1].shapes.size(), 1U);
  EXPECT_EQ(scene.bodies[1].shapes[0].shape, state::sphere(3.0f));
  EXPECT_EQ(scene.bodies[1].shapes[0].material.friction, 0.2f);
  EXPECT_EQ(scene.bodies[1].colour, scene.bodies[0].colour);
}

TEST(SceneBody, SurfaceValuesComeFromShapeThenBodyThenTemplate) {
  const SceneDef scene = parsed(scene_with(R"(
      "materials": [{"name": "ice", "friction": 0.01}, {"name": "tin", "friction": 0.3, "density": 9}],
      "templates": [{"name": "t", "shape": {"sphere": {"radius": 1}}, "friction": 0.9, "density": 5}],
      "bodies": [
        {"template": "t", "material": "ice"},
        {"template": "t", "material": "ice", "friction": 0.5},
        {"template": "t", "shape": {"sphere": {"radius": 1}, "material": "tin"}, "material": "ice"},
        {"template": "t", "shape": {"sphere": {"radius": 1}, "material": "tin", "friction": 0.4}}])"));
  ASSERT_EQ(scene.bodies.size(), 4U);
  const auto friction = [&](int i) { return scene.bodies[i].shapes[0].material.friction; };
  const auto density = [&](int i) { return scene.bodies[i].shapes[0].density; };
  // A named material replaces all surface values of the template.
  EXPECT_EQ(friction(0), 0.01f);
  EXPECT_EQ(density(0), 1000.0f);
  EXPECT_EQ(friction(1), 0.5f);
  EXPECT_EQ(friction(2), 0.3f);
  EXPECT_EQ(density(2), 9.0f);
  EXPECT_EQ(friction(3), 0.4f);
}

TEST(SceneDef, ReadsTheWorld) {
  const SceneWorld world = parsed(scene_with(R"("world": {"gravity": [1, 2, 3], "substeps": 8,
      "sleep_enabled": false, "sleep_linear_speed": 0.1, "sleep_angular_speed": 0.2, "time_before_sleep": 0.3,
      "restitution_threshold": 0.4, "max_linear_speed": 50, "max_angular_speed": 60})"))
                               .world;
  SceneWorld expected;
  expected.gravity = {1, 2, 3};
  expected.substeps = 8;
  expected.is_sleeping_enabled = false;
  expected.sleep_linear_speed = 0.1f;
  expected.sleep_angular_speed = 0.2f;
  expected.sleep_seconds = 0.3f;
  expected.restitution_threshold = 0.4f;
  expected.max_linear_speed = 50.0f;
  expected.max_angular_speed = 60.0f;
  EXPECT_EQ(world, expected);
}

TEST(SceneDef, ReadsThePlayer) {
  const ScenePlayer player = parsed(scene_with(R"("player": {
      "shape": {"capsule": {"radius": 0.4, "half_segment": 0.5}, "friction": 0.7}, "mass": 70,
      "linear_damping": 0.1, "angular_damping": 0.2, "lock_rotation": true, "move_force": 1000,
      "max_speed": 6, "reverse_force_factor": 3, "jump_speed": 4, "may_push": false, "may_shoot": false,
      "may_grab": false, "max_push_impulse": 100, "shot_radius": 0.3, "shot_mass": 4,
      "max_shot_speed": 55, "max_shots_alive": 7, "shoot_on_click": true, "grab_hertz": 2, "max_grab_force": 300,
      "push_field": {"inner": 0.5, "outer": 2, "strength": 200, "limit": 500},
      "pull_field": {"outer": 3, "strength": -1, "limit": 2}})"))
                                 .player;
  ScenePlayer expected;
  expected.shape.shape = state::capsule(0.4f, 0.5f);
  expected.shape.material.friction = 0.7f;
  expected.mass = 70;
  expected.linear_damping = 0.1f;
  expected.angular_damping = 0.2f;
  expected.is_rotation_locked = true;
  expected.move_force = 1000;
  expected.max_speed = 6;
  expected.turn_factor = 3;
  expected.jump_speed = 4;
  expected.may_push = expected.may_shoot = expected.may_grab = false;
  expected.max_push_impulse = 100;
  expected.shot_radius = 0.3f;
  expected.shot_mass = 4;
  expected.max_shot_speed = 55;
  expected.max_shots_alive = 7;
  expected.shoot_on_click = true;
  expected.grab_hertz = 2;
  expected.max_grab_force = 300;
  expected.push_field = {0.5f, 2, 200, 500};
  expected.pull_field = {0, 3, -1, 2};
  EXPECT_EQ(player, expected);
}

TEST(SceneDef, ReadsACharacter) {
  const ScenePlayer player = parsed(scene_with(R"("player": {
      "kind": "character", "shape": {"capsule": {"radius": 0.4, "height": 2}}, "mass": 70,
      "max_speed": 6, "jump_speed": 4, "max_slope_angle": 45, "step_height": 0.3, "floor_snap_length": 0.2,
      "skin_width": 0.02, "air_acceleration": 3, "max_push_force": 250})"))
                                 .player;
  ScenePlayer expected;
  expected.kind = PlayerKind::Character;
  expected.shape.shape = state::capsule(0.4f, 0.6f);
  expected.mass = 70;
  expected.max_speed = 6;
  expected.jump_speed = 4;
  expected.walk = {45.0f * (math::pi / 180.0f), 0.3f, 0.2f, 0.02f, 3, 250};
  EXPECT_EQ(player, expected);
}

TEST(SceneDef, CharacterIsACapsuleByDefault) {
  ScenePlayer expected;
  expected.kind = PlayerKind::Character;
  expected.shape.shape = state::capsule(0.3f, 0.6f);
  EXPECT_EQ(parsed(scene_with(R"("player": {"kind": "character"})")).player, expected);
  expected.shape.shape = state::capsule(0.1f, 0.1f);  // too low for the default step height
  expected.walk.step_height = expected.walk.step_down = 0.2f;
  const ScenePlayer small = parsed(scene_with(R"("player": {"kind": "character",
      "shape": {"capsule": {"radius": 0.1, "half_segment": 0.1}}})"))
                                .player;
  EXPECT_EQ(small, expected);
}

TEST(SceneDef, PlayerIsASphereByDefault) {
  ScenePlayer expected;
  expected.shape.shape = state::sphere(0.5f);
  EXPECT_EQ(parsed(scene_with("")).player, expected);
  EXPECT_EQ(parsed(scene_with("\"player\": {}")).player, expected);
}

}  // namespace
}  // namespace jostle::scene
