#include "shared/sim/instantiate.h"

#include "shared/scene/builders.h"
#include "shared/sim/character_controllers.h"

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

namespace {

physics::Material material_of(const scene::SceneMaterial& material) {
  static_assert(static_cast<int>(scene::CombineRule::Maximum) ==
                static_cast<int>(physics::CombineRule::Maximum));
  physics::Material made;
  made.friction = material.friction;
  made.restitution = material.restitution;
  made.rolling_resistance = material.rolling_resistance;
  made.spinning_resistance = material.spinning_resistance;
  made.static_friction = material.static_friction;
  made.friction_rule = static_cast<physics::CombineRule>(material.friction_rule);
  made.restitution_rule = static_cast<physics::CombineRule>(material.restitution_rule);
  made.id = {material.id};
  return made;
}

}  // namespace

void instantiate(physics::World& world, const scene::SceneMaterialPair& pair) {
  static_assert(scene::max_scene_material_pairs <= physics::max_material_pairs);
  world.set_pair_material({pair.a}, {pair.b},
                          {pair.friction, pair.static_friction, pair.restitution,
                           pair.rolling_resistance, pair.spinning_resistance});
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
  def.is_enabled = body.is_enabled;
  def.charge = body.charge;
  def.ignores_force_fields = body.ignores_force_fields;
  def.integrator = body.integrator;
  def.locks = body.locks;
  def.inertia = body.inertia;
  def.centre_of_mass = body.centre_of_mass;
  def.user_data = id.value;
  const physics::BodyHandle handle = world.create_body(def);
  for (const scene::SceneShape& shape : body.shapes) {
    physics::ShapeDef shape_def;
    shape_def.shape = shape.shape;
    shape_def.local = shape.local;
    shape_def.material = material_of(shape.material);
    shape_def.density = shape.density;
    shape_def.filter = {shape.filter.category, shape.filter.mask, shape.filter.group};
    shape_def.is_sensor = shape.is_sensor;
    shape_def.surface_velocity = shape.surface_velocity;
    world.add_shape(handle, shape_def);
  }
  // Sets the velocity again: it is the velocity of the centre of mass, which add_shape() has moved.
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

namespace {

physics::JointAxisDef axis_of(const scene::SceneJointAxis& axis) {
  using physics::JointFreedom;
  physics::JointAxisDef def;
  def.freedom = axis.is_locked    ? JointFreedom::Locked
                : axis.has_limits ? JointFreedom::Limited
                                  : JointFreedom::Free;
  def.lower = axis.lower;
  def.upper = axis.upper;
  def.rest = axis.rest;
  def.spring = {axis.spring_hertz > 0.0f, axis.spring_hertz, axis.spring_damping_ratio};
  def.motor = {axis.max_motor_force > 0.0f, axis.motor_speed, axis.max_motor_force};
  def.friction = axis.friction;
  return def;
}

physics::JointDef place_joint(const physics::World& world, const scene::SceneJoint& joint,
                              physics::BodyHandle a, physics::BodyHandle b) {
  using scene::JointKind;
  const scene::SceneJointDetails& details = joint.details.get();
  switch (joint.kind) {
    case JointKind::Distance:
      return physics::make_distance_joint_def(world, a, b, joint.anchor, joint.anchor_b);
    case JointKind::Wheel: {
      physics::JointDef def =
          physics::make_wheel_joint_def(world, a, b, joint.anchor, joint.axis, details.axle);
      physics::JointDetails& wheel = def.details.edit();
      wheel.steer_angle = details.steer_angle;
      wheel.brake_torque = details.brake_torque;
      wheel.sprung_mass = details.sprung_mass;
      return def;
    }
    case JointKind::SixDof: {
      physics::JointDef def =
          physics::make_six_dof_joint_def(world, a, b, joint.anchor, details.rotation);
      for (std::size_t i = 0; i < details.axes.size(); ++i)
        def.details.edit().axes[i] = axis_of(details.axes[i]);
      return def;
    }
    case JointKind::Servo: {
      physics::JointDef def = physics::make_servo_joint_def(world, a, b, joint.anchor, {},
                                                            details.max_force, details.max_torque);
      def.details.edit().target.offset = inverse_transform_point(world.pose(a), details.target);
      return def;
    }
    case JointKind::Gear:
      return physics::make_gear_joint_def(world, a, b, joint.axis, details.axis_b, details.ratio);
    case JointKind::RackAndPinion:
      return physics::make_rack_and_pinion_joint_def(world, a, b, joint.axis, details.axis_b,
                                                     details.ratio);
    case JointKind::Pulley:
      return physics::make_pulley_joint_def(world, a, b, joint.anchor, joint.anchor_b,
                                            details.ground_anchor_a, details.ground_anchor_b,
                                            details.ratio);
    default:
      return physics::make_joint_def(world, static_cast<physics::JointKind>(joint.kind), a, b,
                                     joint.anchor, joint.axis);
  }
}

}  // namespace

state::MotionLocks locks_of(const scene::SceneDef& scene) {
  return scene.world.is_planar ? state::lock_planar : state::MotionLocks{0};
}

physics::JointHandle instantiate(physics::World& world, const scene::SceneJoint& joint,
                                 std::span<const physics::BodyHandle> bodies) {
  const physics::BodyHandle a = bodies[joint.body_a], b = bodies[joint.body_b];
  physics::JointDef def = place_joint(world, joint, a, b);
  def.rest = joint.rest;
  def.limits = {joint.has_limits, joint.lower, joint.upper};
  def.cone = {joint.has_cone, joint.cone};
  def.spring = {joint.spring_hertz > 0.0f, joint.spring_hertz, joint.spring_damping_ratio,
                joint.tension_only && joint.spring_hertz > 0.0f};
  def.motor = {joint.max_motor_force > 0.0f, joint.motor_speed, joint.max_motor_force};
  def.collide_connected = joint.collide_connected;
  def.break_force = joint.break_force;
  def.break_torque = joint.break_torque;
  return world.create_joint(def);
}

BuiltAssembly instantiate(physics::World& world, const scene::Assembly& assembly) {
  BuiltAssembly built;
  for (const scene::SceneBody& body : assembly.bodies)
    built.bodies.push_back(instantiate(world, body, {}));
  for (const scene::SceneJoint& joint : assembly.joints)
    built.joints.push_back(instantiate(world, joint, built.bodies));
  return built;
}

physics::ForceFieldHandle instantiate(physics::World& world, const scene::SceneForce& force,
                                      std::span<const physics::BodyHandle> bodies) {
  return world.create_force_field(
      {force.field, force.body ? bodies[*force.body] : physics::BodyHandle{}});
}

state::BodyInfo describe(const scene::SceneBody& body, state::BodyId id, state::PlayerId owner) {
  state::BodyInfo info;
  info.id = id;
  info.motion = body.motion;
  info.pose = body.pose;
  // Sensors are invisible.
  for (const scene::SceneShape& shape : body.shapes) {
    if (!shape.is_sensor) info.shapes.push_back({shape.shape, shape.local});
  }
  info.colour = body.colour;
  info.owner = owner;
  info.grabbable = body.is_grabbable && body.motion == state::MotionType::Dynamic;
  info.name = body.name;
  return info;
}

scene::SceneBody body_of_player(const scene::SceneDef& scene, state::PlayerId player,
                                const std::string& name, const math::Pose& spawn) {
  if (scene.player.kind == scene::PlayerKind::Car) {
    scene::CarBuild build;
    build.name = name;
    build.pose = spawn;
    build.car = scene.player.car;
    build.colour = player_colour(player);
    scene::SceneBody chassis = scene::build_car(build).bodies.front();
    chassis.is_grabbable = false;
    return chassis;
  }
  scene::SceneBody body;
  body.name = name;
  body.pose = spawn;
  body.shapes = {scene.player.shape};
  body.mass = scene.player.mass;
  body.linear_damping = scene.player.linear_damping;
  body.angular_damping = scene.player.angular_damping;
  body.locks = locks_of(scene);
  if (scene.player.is_rotation_locked) body.locks |= state::lock_rotation;
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

SpawnShapes spawn_shapes(const scene::SceneDef& scene, const math::Pose& spawn) {
  std::vector<scene::SceneBody> bodies;
  if (scene.player.kind == scene::PlayerKind::Car) {
    scene::CarBuild build;
    build.pose = spawn;
    build.car = scene.player.car;
    bodies = scene::build_car(build).bodies;
  } else {
    bodies = {body_of_player(scene, {}, {}, spawn)};
  }
  SpawnShapes spawned{spawn.position, {}, 0};
  for (const scene::SceneBody& body : bodies) {
    for (const scene::SceneShape& shape : body.shapes) {
      spawned.shapes.push_back({shape.shape, body.pose * shape.local});
      spawned.mask |= shape.filter.mask;
    }
  }
  return spawned;
}

state::Colour player_colour(state::PlayerId player) {
  // The palette of Okabe and Ito (2008), which colour-blind people can distinguish too.
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
