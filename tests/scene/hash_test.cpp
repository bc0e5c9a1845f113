#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace jostle::scene {
namespace {

struct Change {
  const char* name;
  std::function<void(SceneDef&)> apply;
};

/// Returns one change for each field, except `source_text` and the fields that have separate tests.
const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      {"name", [](SceneDef& s) { s.name += "x"; }},
      {"description", [](SceneDef& s) { s.description += "x"; }},
      {"gravity", [](SceneDef& s) { s.world.gravity.x = 1; }},
      {"substeps", [](SceneDef& s) { s.world.substeps += 1; }},
      {"sleeping", [](SceneDef& s) { s.world.is_sleeping_enabled ^= true; }},
      {"sleep_linear_speed", [](SceneDef& s) { s.world.sleep_linear_speed += 1; }},
      {"sleep_angular_speed", [](SceneDef& s) { s.world.sleep_angular_speed += 1; }},
      {"sleep_seconds", [](SceneDef& s) { s.world.sleep_seconds += 1; }},
      {"restitution_threshold", [](SceneDef& s) { s.world.restitution_threshold += 1; }},
      {"max_linear_speed", [](SceneDef& s) { s.world.max_linear_speed += 1; }},
      {"max_angular_speed", [](SceneDef& s) { s.world.max_angular_speed += 1; }},
      {"player.shape",
       [](SceneDef& s) {
         s.player.shape.shape = state::box({1, 1, 1});
       }},
      {"player.mass", [](SceneDef& s) { s.player.mass += 1; }},
      {"player.linear_damping", [](SceneDef& s) { s.player.linear_damping += 1; }},
      {"player.angular_damping", [](SceneDef& s) { s.player.angular_damping += 1; }},
      {"player.lock_rotation", [](SceneDef& s) { s.player.is_rotation_locked ^= true; }},
      {"player.move_force", [](SceneDef& s) { s.player.move_force += 1; }},
      {"player.max_speed", [](SceneDef& s) { s.player.max_speed += 1; }},
      {"player.reverse_force_factor", [](SceneDef& s) { s.player.turn_factor += 1; }},
      {"player.jump_speed", [](SceneDef& s) { s.player.jump_speed += 1; }},
      {"player.may_push", [](SceneDef& s) { s.player.may_push ^= true; }},
      {"player.may_shoot", [](SceneDef& s) { s.player.may_shoot ^= true; }},
      {"player.may_grab", [](SceneDef& s) { s.player.may_grab ^= true; }},
      {"player.max_push_impulse", [](SceneDef& s) { s.player.max_push_impulse += 1; }},
      {"player.shot_radius", [](SceneDef& s) { s.player.shot_radius += 1; }},
      {"player.shot_mass", [](SceneDef& s) { s.player.shot_mass += 1; }},
      {"player.max_shot_speed", [](SceneDef& s) { s.player.max_shot_speed += 1; }},
      {"player.max_shots_alive", [](SceneDef& s) { s.player.max_shots_alive += 1; }},
      {"player.shoot_on_click", [](SceneDef& s) { s.player.shoot_on_click = true; }},
      {"player.grab_hertz", [](SceneDef& s) { s.player.grab_hertz += 1; }},
      {"player.max_grab_force", [](SceneDef& s) { s.player.max_grab_force += 1; }},
      {"player.kind", [](SceneDef& s) { s.player.kind = PlayerKind::Character; }},
      {"push_field.inner", [](SceneDef& s) { s.player.push_field.inner += 1; }},
      {"push_field.outer", [](SceneDef& s) { s.player.push_field.outer += 1; }},
      {"push_field.strength", [](SceneDef& s) { s.player.push_field.strength += 1; }},
      {"push_field.limit", [](SceneDef& s) { s.player.push_field.limit += 1; }},
      {"pull_field.outer", [](SceneDef& s) { s.player.pull_field.outer += 1; }},
      {"spawn added", [](SceneDef& s) { s.spawns.push_back(s.spawns[0]); }},
      {"spawn.position", [](SceneDef& s) { s.spawns[0].position.z += 1; }},
      {"spawn.rotation",
       [](SceneDef& s) {
         s.spawns[0].rotation = {0, 1, 0, 0};
       }},
      {"camera.eye", [](SceneDef& s) { s.camera.eye.x += 1; }},
      {"camera.target", [](SceneDef& s) { s.camera.target.x += 1; }},
      {"body removed", [](SceneDef& s) { s.bodies.pop_back(); }},
      {"bodies swapped", [](SceneDef& s) { std::swap(s.bodies[0], s.bodies[1]); }},
      {"body.name", [](SceneDef& s) { s.bodies[0].name += "x"; }},
      {"body.motion_type", [](SceneDef& s) { s.bodies[0].motion = state::MotionType::Static; }},
      {"body.position", [](SceneDef& s) { s.bodies[0].pose.position.y += 1e-9; }},
      {"body.rotation",
       [](SceneDef& s) {
         s.bodies[0].pose.rotation = {0, 0, 1, 0};
       }},
      {"body.linear_velocity", [](SceneDef& s) { s.bodies[0].linear_velocity.x += 1; }},
      {"body.angular_velocity", [](SceneDef& s) { s.bodies[0].angular_velocity.x += 1; }},
      {"body.mass", [](SceneDef& s) { s.bodies[0].mass += 1; }},
      {"body.linear_damping", [](SceneDef& s) { s.bodies[0].linear_damping += 1; }},
      {"body.angular_damping", [](SceneDef& s) { s.bodies[0].angular_damping += 1; }},
      {"body.gravity_scale", [](SceneDef& s) { s.bodies[0].gravity_scale += 1; }},
      {"body.allow_sleep", [](SceneDef& s) { s.bodies[0].is_sleep_allowed ^= true; }},
      {"body.enabled", [](SceneDef& s) { s.bodies[0].is_enabled ^= true; }},
      {"body.awake", [](SceneDef& s) { s.bodies[0].is_awake ^= true; }},
      {"body.lock_rotation", [](SceneDef& s) { s.bodies[0].locks ^= state::lock_rotation; }},
      {"body.locks", [](SceneDef& s) { s.bodies[0].locks |= state::lock_linear_x; }},
      {"body.inertia", [](SceneDef& s) { s.bodies[0].inertia = math::Mat3{}; }},
      {"body.centre_of_mass", [](SceneDef& s) { s.bodies[0].centre_of_mass = math::Vec3{}; }},
      {"body.on_enter", [](SceneDef& s) { s.bodies[0].on_enter = SceneEntry{}; }},
      {"entry.teleport_to",
       [](SceneDef& s) {
         s.bodies[0].on_enter = SceneEntry{math::Position{1, 0, 0}};
       }},
      {"entry.teleport_to.x",
       [](SceneDef& s) {
         s.bodies[0].on_enter = SceneEntry{math::Position{2, 0, 0}};
       }},
      {"shape.sensor", [](SceneDef& s) { s.bodies[0].shapes[0].is_sensor = true; }},
      {"shape.surface_velocity", [](SceneDef& s) { s.bodies[0].shapes[0].surface_velocity.y = 1; }},
      {"world.time_scale", [](SceneDef& s) { s.world.time_percent = 50; }},
      {"world.planar", [](SceneDef& s) { s.world.is_planar = true; }},
      {"body.grabbable", [](SceneDef& s) { s.bodies[0].is_grabbable ^= true; }},
      {"body.colour.red", [](SceneDef& s) { s.bodies[0].colour.red ^= 1; }},
      {"body.colour.green", [](SceneDef& s) { s.bodies[0].colour.green ^= 1; }},
      {"body.colour.blue", [](SceneDef& s) { s.bodies[0].colour.blue ^= 1; }},
      {"body.kinematic_motion",
       [](SceneDef& s) { s.bodies[0].kinematic_motion = state::KinematicMotion{}; }},
      {"kinematic_motion.amplitude",
       [](SceneDef& s) { s.bodies[1].kinematic_motion->amplitude.z += 1; }},
      {"kinematic_motion.period", [](SceneDef& s) { s.bodies[1].kinematic_motion->period += 1; }},
      {"kinematic_motion.phase", [](SceneDef& s) { s.bodies[1].kinematic_motion->phase += 1; }},
      {"kinematic_motion.angular_velocity",
       [](SceneDef& s) { s.bodies[1].kinematic_motion->spin.y += 1; }},
      {"shape added", [](SceneDef& s) { s.bodies[0].shapes.push_back({}); }},
      {"shape.kind", [](SceneDef& s) { s.bodies[0].shapes[0].shape.kind = state::ShapeKind::Box; }},
      {"shape.radius", [](SceneDef& s) { s.bodies[0].shapes[0].shape.radius += 1; }},
      {"shape.half_segment", [](SceneDef& s) { s.bodies[0].shapes[0].shape.half_segment += 1; }},
      {"shape.half_extents", [](SceneDef& s) { s.bodies[0].shapes[0].shape.half_extents.x += 1; }},
      {"shape.offset", [](SceneDef& s) { s.bodies[0].shapes[0].local.offset.x += 1; }},
      {"shape.rotation",
       [](SceneDef& s) {
         s.bodies[0].shapes[0].local.rotation = {1, 0, 0, 0};
       }},
      {"shape.density", [](SceneDef& s) { s.bodies[0].shapes[0].density += 1; }},
      {"shape.friction", [](SceneDef& s) { s.bodies[0].shapes[0].material.friction += 1; }},
      {"shape.restitution", [](SceneDef& s) { s.bodies[0].shapes[0].material.restitution += 1; }},
      {"shape.rolling_resistance",
       [](SceneDef& s) { s.bodies[0].shapes[0].material.rolling_resistance += 1; }},
      {"shape.spinning_resistance",
       [](SceneDef& s) { s.bodies[0].shapes[0].material.spinning_resistance += 1; }},
      {"shape.static_friction",
       [](SceneDef& s) { s.bodies[0].shapes[0].material.static_friction = 1; }},
      {"shape.friction_rule",
       [](SceneDef& s) { s.bodies[0].shapes[0].material.friction_rule = CombineRule::Maximum; }},
      {"shape.restitution_rule",
       [](SceneDef& s) { s.bodies[0].shapes[0].material.restitution_rule = CombineRule::Minimum; }},
      {"shape.material", [](SceneDef& s) { s.bodies[0].shapes[0].material.id = 1; }},
      {"filter.category", [](SceneDef& s) { s.bodies[0].shapes[0].filter.category += 1; }},
      {"filter.mask", [](SceneDef& s) { s.bodies[0].shapes[0].filter.mask -= 1; }},
      {"filter.group", [](SceneDef& s) { s.bodies[0].shapes[0].filter.group -= 1; }},
  };
  return all;
}

state::ImpulsePush& impulse_of(SceneDef& scene) {
  return std::get<state::ImpulsePush>(scene.pushes[0].kind);
}
state::VelocityPush& velocity_of(SceneDef& scene) {
  return std::get<state::VelocityPush>(scene.pushes[1].kind);
}
state::FollowPush& follow_of(SceneDef& scene) {
  return std::get<state::FollowPush>(scene.pushes[2].kind);
}

const std::vector<Change>& changes_of_pushes() {
  static const std::vector<Change> all = {
      {"push removed", [](SceneDef& s) { s.pushes.pop_back(); }},
      {"pushes swapped", [](SceneDef& s) { std::swap(s.pushes[0], s.pushes[1]); }},
      {"body", [](SceneDef& s) { s.pushes[0].bodies[0] = 1; }},
      {"body added", [](SceneDef& s) { s.pushes[0].bodies.push_back(1); }},
      {"start", [](SceneDef& s) { s.pushes[0].start += 1; }},
      {"end", [](SceneDef& s) { s.pushes[0].end = 9; }},
      {"kind", [](SceneDef& s) { s.pushes[0].kind = state::VelocityPush{}; }},
      {"impulse", [](SceneDef& s) { impulse_of(s).impulse.y += 1; }},
      {"point", [](SceneDef& s) { impulse_of(s).point.z += 1; }},
      {"every", [](SceneDef& s) { impulse_of(s).every += 1; }},
      {"count", [](SceneDef& s) { impulse_of(s).count += 1; }},
      {"velocity.amplitude", [](SceneDef& s) { velocity_of(s).swing.amplitude.x += 1; }},
      {"velocity.period", [](SceneDef& s) { velocity_of(s).swing.period.y += 1; }},
      {"velocity.phase", [](SceneDef& s) { velocity_of(s).swing.phase.z += 1; }},
      {"follow.centre", [](SceneDef& s) { follow_of(s).centre.x += 1e-9; }},
      {"follow.amplitude", [](SceneDef& s) { follow_of(s).swing.amplitude.x += 1; }},
      {"follow.period", [](SceneDef& s) { follow_of(s).swing.period.y += 1; }},
      {"follow.phase", [](SceneDef& s) { follow_of(s).swing.phase.z += 1; }},
      {"stiffness", [](SceneDef& s) { follow_of(s).stiffness += 1; }},
      {"damping", [](SceneDef& s) { follow_of(s).damping += 1; }},
      {"max_acceleration", [](SceneDef& s) { follow_of(s).max_acceleration += 1; }},
      {"axes", [](SceneDef& s) { follow_of(s).axes[1] = false; }},
  };
  return all;
}

const char* const pushed = R"({"name": "a", "spawns": [{"position": [0, 1, 0]}], "bodies": [
  {"name": "b", "shape": {"sphere": {"radius": 1}}},
  {"name": "c", "shape": {"sphere": {"radius": 1}}}], "actuators": [
  {"body": "b", "impulse": [1, 2, 3], "interval": 1, "count": 2},
  {"body": "c", "velocity": {"amplitude": [1, 2, 3]}},
  {"body": "b", "follow": {"stiffness": 1, "max_acceleration": 1}}]})";

const char* const plain = R"({"name": "a", "spawns": [{"position": [0, 1, 0]}], "bodies": [
  {"name": "b", "shape": {"sphere": {"radius": 1}}},
  {"motion_type": "kinematic", "shape": {"sphere": {"radius": 1}}, "kinematic_motion": {"period": 2}}]})";

void expect_that_each_changes_the_hash(const SceneDef& scene, const std::vector<Change>& changes) {
  std::vector<std::uint64_t> hashes = {hash(scene)};
  for (const Change& change : changes) {
    SCOPED_TRACE(change.name);
    SceneDef changed = scene;
    change.apply(changed);
    ASSERT_FALSE(changed == scene);
    const std::uint64_t own = hash(changed);
    EXPECT_EQ(std::count(hashes.begin(), hashes.end(), own), 0);
    hashes.push_back(own);
  }
}

TEST(SceneHash, ChangesWithEveryField) {
  expect_that_each_changes_the_hash(parsed(plain), changes());
}

TEST(SceneHash, ChangesWithEveryFieldOfACharacter) {
  SceneDef scene = parsed(plain);
  scene.player.kind = PlayerKind::Character;
  expect_that_each_changes_the_hash(
      scene, {
                 {"kind", [](SceneDef& s) { s.player.kind = PlayerKind::Body; }},
                 {"max_slope", [](SceneDef& s) { s.player.walk.max_slope += 1; }},
                 {"step_height", [](SceneDef& s) { s.player.walk.step_height += 1; }},
                 {"step_down", [](SceneDef& s) { s.player.walk.step_down += 1; }},
                 {"skin", [](SceneDef& s) { s.player.walk.skin += 1; }},
                 {"air_acceleration", [](SceneDef& s) { s.player.walk.air_acceleration += 1; }},
                 {"push_force", [](SceneDef& s) { s.player.walk.push_force += 1; }},
             });
}

TEST(SceneHash, ChangesWithEveryFieldOfACar) {
  SceneDef scene = parsed(plain);
  scene.player.kind = PlayerKind::Car;
  expect_that_each_changes_the_hash(
      scene, {
                 {"size", [](SceneDef& s) { s.player.car.size.y += 1; }},
                 {"mass", [](SceneDef& s) { s.player.car.mass += 1; }},
                 {"wheelbase", [](SceneDef& s) { s.player.car.wheelbase += 1; }},
                 {"track", [](SceneDef& s) { s.player.car.track += 1; }},
                 {"wheel_radius", [](SceneDef& s) { s.player.car.wheel_radius += 1; }},
                 {"wheel_width", [](SceneDef& s) { s.player.car.wheel_width += 1; }},
                 {"wheel_mass", [](SceneDef& s) { s.player.car.wheel_mass += 1; }},
                 {"wheel_friction", [](SceneDef& s) { s.player.car.wheel_friction += 1; }},
                 {"hertz", [](SceneDef& s) { s.player.car.suspension_hertz += 1; }},
                 {"damping", [](SceneDef& s) { s.player.car.suspension_damping_ratio += 1; }},
                 {"travel", [](SceneDef& s) { s.player.car.suspension_travel += 1; }},
                 {"drive", [](SceneDef& s) { s.player.car.drive = Drive::All; }},
                 {"drive_torque", [](SceneDef& s) { s.player.car.drive_torque += 1; }},
                 {"brake_torque", [](SceneDef& s) { s.player.car.brake_torque += 1; }},
                 {"max_speed", [](SceneDef& s) { s.player.car.max_speed += 1; }},
                 {"max_steer", [](SceneDef& s) { s.player.car.max_steer += 1; }},
             });
}

TEST(SceneHash, ChangesWithEveryFieldOfAMaterialPair) {
  SceneDef scene = parsed(plain);
  scene.material_pairs.resize(1);
  scene.particles.resize(1);
  const auto first = [](SceneDef& s) -> SceneMaterialPair& { return s.material_pairs[0]; };
  expect_that_each_changes_the_hash(
      scene, {
                 {"removed", [](SceneDef& s) { s.material_pairs.clear(); }},
                 {"a", [=](SceneDef& s) { first(s).a = 1; }},
                 {"b", [=](SceneDef& s) { first(s).b = 1; }},
                 {"friction", [=](SceneDef& s) { first(s).friction = 0.0f; }},
                 {"static_friction", [=](SceneDef& s) { first(s).static_friction = 0.0f; }},
                 {"restitution", [=](SceneDef& s) { first(s).restitution = 0.0f; }},
                 {"rolling", [=](SceneDef& s) { first(s).rolling_resistance = 0.0f; }},
                 {"spinning", [=](SceneDef& s) { first(s).spinning_resistance = 0.0f; }},
                 {"of particles", [](SceneDef& s) { s.particles[0].material = 1; }},
             });
}

TEST(SceneHash, ChangesWithEveryFieldOfAPush) {
  expect_that_each_changes_the_hash(parsed(pushed), changes_of_pushes());
}

TEST(SceneHash, DependsOnTheContentNotTheText) {
  const std::string other_words = R"(/* the same */ {
    "name": "\u0061", "spawns": [{"position": [-0.0, 1.0, 0e3]}], // order and layout do not matter
    "templates": [{"name": "ball", "shape": {"sphere": {"radius": 10e-1}}}],
    "bodies": [{"template": "ball", "name": "b"}, {"kinematic_motion": {"period": 2}, "template": "ball",
                "motion_type": "kinematic"},],})";
  const SceneDef a = parsed(plain), b = parsed(other_words);
  EXPECT_NE(a.source_text, b.source_text);
  EXPECT_EQ(hash(a), hash(b));
}

// Golden value. A recording identifies its scene by this number, so all builds must compute the
// same one.
TEST(SceneHash, IsIdenticalInEveryBuild) {
  EXPECT_EQ(hash(parsed(plain)), 15915426866578411887ULL);
}

}  // namespace
}  // namespace jostle::scene
