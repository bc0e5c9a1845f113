#include "shared/sim/instantiate.h"

#include "shared/sim/walkers.h"

#include <array>

namespace jostle::sim {

physics::WorldOptions world_options(const scene::SceneDef& scene, int tick_rate_hz) {
  physics::WorldOptions options;
  options.gravity = scene.world.gravity;
  options.step_seconds = 1.0f / static_cast<float>(tick_rate_hz);
  options.substeps = scene.world.substeps;
  options.is_sleeping_enabled = scene.world.is_sleeping_enabled;
  options.sleep_linear_speed = scene.world.sleep_linear_speed;
  options.sleep_angular_speed = scene.world.sleep_angular_speed;
  options.sleep_seconds = scene.world.sleep_seconds;
  options.restitution_threshold = scene.world.restitution_threshold;
  options.max_linear_speed = scene.world.max_linear_speed;
  options.max_angular_speed = scene.world.max_angular_speed;
  return options;
}

physics::BodyHandle instantiate(physics::World& world, const scene::SceneBody& body,
                                state::BodyId id) {
  physics::BodyDef def;
  def.motion = body.motion;
  def.pose = body.pose;
  def.linear_velocity = body.linear_velocity;
  def.angular_velocity = body.angular_velocity;
  def.linear_damping = body.linear_damping;
  def.angular_damping = body.angular_damping;
  def.gravity_scale = body.gravity_scale;
  def.mass = body.mass;
  def.is_sleep_allowed = body.is_sleep_allowed;
  def.is_awake = body.is_awake;
  def.is_rotation_locked = body.is_rotation_locked;
  def.user_data = id.value;
  const physics::BodyHandle handle = world.create_body(def);
  for (const scene::SceneShape& shape : body.shapes) {
    physics::ShapeDef shape_def;
    shape_def.shape = shape.shape;
    shape_def.local = shape.local;
    shape_def.material = {shape.material.friction, shape.material.restitution,
                          shape.material.rolling_resistance, shape.material.spinning_resistance};
    shape_def.density = shape.density;
    shape_def.filter = {shape.filter.category, shape.filter.mask, shape.filter.group};
    world.add_shape(handle, shape_def);
  }
  // The shapes have moved the centre of mass, of which the velocity is.
  if (body.motion == state::MotionType::Dynamic && body.is_awake)
    world.set_velocity(handle, body.linear_velocity, body.angular_velocity);
  return handle;
}

void add_solids(physics::World& world, const scene::SceneDef& scene) {
  const auto add = [&](const scene::SceneShape& shape) {
    if (shape.shape.solid) world.add_solid(shape.shape.solid);
  };
  add(scene.player.shape);
  for (const scene::SceneBody& body : scene.bodies) {
    for (const scene::SceneShape& shape : body.shapes)
      add(shape);
  }
}

physics::JointHandle instantiate(physics::World& world, const scene::SceneJoint& joint,
                                 std::span<const physics::BodyHandle> bodies) {
  const physics::BodyHandle a = bodies[joint.body_a], b = bodies[joint.body_b];
  physics::JointDef def =
      joint.kind == scene::JointKind::Distance
          ? physics::distance_between(world, a, b, joint.anchor, joint.anchor_b)
          : physics::joint_at(world, static_cast<physics::JointKind>(joint.kind), a, b,
                              joint.anchor, joint.axis);
  def.rest = joint.rest;
  def.limits = {joint.has_limits, joint.lower, joint.upper};
  def.cone = {joint.has_cone, joint.cone};
  def.spring = {joint.spring_hertz > 0.0f, joint.spring_hertz, joint.spring_damping_ratio};
  def.motor = {joint.max_motor_force > 0.0f, joint.motor_speed, joint.max_motor_force};
  def.collides_connected = joint.collides_connected;
  def.break_force = joint.break_force;
  def.break_torque = joint.break_torque;
  return world.create_joint(def);
}

state::BodyInfo describe(const scene::SceneBody& body, state::BodyId id, state::PlayerId owner) {
  state::BodyInfo info;
  info.id = id;
  info.motion = body.motion;
  info.pose = body.pose;
  for (const scene::SceneShape& shape : body.shapes) {
    info.shapes.push_back({shape.shape, shape.local});
  }
  info.colour = body.colour;
  info.owner = owner;
  info.grabbable = body.is_grabbable && body.motion == state::MotionType::Dynamic;
  info.name = body.name;
  return info;
}

scene::SceneBody body_of_player(const scene::SceneDef& scene, state::PlayerId player,
                                const std::string& name, const math::Pose& spawn) {
  scene::SceneBody body;
  body.name = name;
  body.pose = spawn;
  body.shapes = {scene.player.shape};
  body.mass = scene.player.mass;
  body.linear_damping = scene.player.linear_damping;
  body.angular_damping = scene.player.angular_damping;
  body.is_rotation_locked = scene.player.is_rotation_locked;
  body.is_grabbable = false;
  body.colour = player_colour(player);
  if (scene.player.kind == scene::PlayerKind::Character) {
    body.motion = state::MotionType::Kinematic;
    character::Character upright;
    upright.position = spawn.position;
    upright.up = up_against(scene.world.gravity);
    body.pose = pose_of(upright);
    body.shapes[0].filter.category |= character::character_category;
  }
  return body;
}

state::Colour player_colour(state::PlayerId player) {
  // Okabe and Ito's palette (2008): told apart by colour-blind people too.
  static constexpr std::array<state::Colour, 7> palette{{{230, 159, 0},
                                                         {86, 180, 233},
                                                         {0, 158, 115},
                                                         {240, 228, 66},
                                                         {213, 94, 0},
                                                         {204, 121, 167},
                                                         {0, 114, 178}}};
  return palette[(player.value + palette.size() - 1) % palette.size()];
}

}  // namespace jostle::sim
