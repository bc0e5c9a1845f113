#include "shared/sim/cars.h"

#include "shared/math/trig.h"
#include "shared/scene/builders.h"
#include "shared/sim/character_controllers.h"
#include "shared/sim/instantiate.h"

#include <vector>

namespace jostle::sim {

using math::Vec3;

namespace {

/// Calls visit(joint, def) for each wheel of a body.
template <typename Visit>
void for_each_wheel(const physics::World& world, physics::BodyHandle chassis, const Visit& visit) {
  for (const physics::JointHandle joint : world.joints()) {
    const physics::JointDef& def = world.joint_def(joint);
    if (def.kind == physics::JointKind::Wheel && def.body_a == chassis) visit(joint, def);
  }
}

scene::Assembly assembly_of(const RuleContext& context, const Player& player) {
  scene::CarBuild build;
  build.name = player.name;
  build.pose = context.scene.spawns[player.spawn];
  build.pose.position = context.bodies.info(player.body)->pose.position;
  build.car = context.scene.player.car;
  build.colour = player_colour(player.id);
  return scene::build_car(build);
}

void put_back(RuleContext& context, const Player& player, physics::BodyHandle chassis) {
  const math::Pose& spawn = context.scene.spawns[player.spawn];
  if (context.world.pose(chassis).position.y > spawn.position.y - fall_depth) return;
  for_each_wheel(context.world, chassis, [&](physics::JointHandle, const physics::JointDef& def) {
    const math::Pose at = spawn * def.frame_a * inverse(def.frame_b);
    context.bodies.teleport(context.world, def.body_b, {at.position, normalized(at.rotation)});
    context.world.set_velocity(def.body_b, {}, {});
  });
  context.bodies.teleport(context.world, chassis, spawn);
  context.world.set_velocity(chassis, {}, {});
}

}  // namespace

void control_car(physics::World& world, physics::BodyHandle chassis, const scene::CarDef& car,
                 const CarControls& controls) {
  const float wheels = car.drive == scene::Drive::All ? 4.0f : 2.0f;
  const scene::SteerAngles steer = scene::steer_angles(car, controls.steer * car.max_steer);
  for_each_wheel(world, chassis, [&](physics::JointHandle joint, const physics::JointDef& def) {
    const bool is_front = def.frame_a.offset.x > 0.0f, is_left = def.frame_a.offset.z < 0.0f;
    const bool is_driven =
        car.drive == scene::Drive::All || (car.drive == scene::Drive::Front) == is_front;
    physics::JointMotor motor;
    motor.is_enabled = is_driven && controls.throttle != 0.0f;
    if (motor.is_enabled) {
      motor.speed = (controls.throttle < 0.0f ? -1.0f : 1.0f) * car.max_speed / car.wheel_radius;
      motor.max_force = math::abs_of(controls.throttle) * car.drive_torque / wheels;
    }
    if (motor != def.motor) world.set_joint_motor(joint, motor);
    world.set_wheel_brake(joint, 0.25f * controls.brake * car.brake_torque);
    if (is_front) world.set_wheel_steering(joint, is_left ? steer.left : steer.right);
  });
}

CarControls controls_towards(const physics::World& world, physics::BodyHandle chassis,
                             const scene::CarDef& car, Vec3 wanted, bool is_braking) {
  CarControls controls;
  const math::Quat rotation = world.pose(chassis).rotation;
  const Vec3 forward = rotate(rotation, {1, 0, 0}), left = rotate(rotation, {0, 0, -1});
  const float speed = dot(world.linear_velocity(chassis), forward);
  const float amount = math::min_of(math::length(wanted), 1.0f);
  controls.brake = is_braking ? 1.0f : 0.0f;
  if (!(amount > 0.0f)) return controls;
  constexpr float slow = 0.5f;  // m/s; a car may shift into reverse below this speed
  const float bearing = math::atan2(dot(wanted, left), dot(wanted, forward));
  const bool is_back = math::abs_of(bearing) > 0.7f * math::pi;
  if (is_back && speed > slow) {
    controls.brake = amount;
    return controls;
  }
  // In reverse, the wheels must point away from the direction in which the nose should turn.
  const float aim = is_back ? (bearing < 0.0f ? bearing + math::pi : bearing - math::pi) : bearing;
  controls.steer = math::max_of(math::min_of(aim / car.max_steer, 1.0f), -1.0f);
  controls.throttle = is_back ? -0.5f * amount : amount;
  return controls;
}

void add_car(RuleContext& context, const Player& player) {
  if (context.scene.player.kind != scene::PlayerKind::Car) return;
  const auto chassis = context.bodies.find(player.body);
  if (!chassis) return;
  const scene::Assembly built = assembly_of(context, player);
  std::vector<physics::BodyHandle> handles{*chassis};
  for (std::size_t i = 1; i < built.bodies.size(); ++i) {
    scene::SceneBody wheel = built.bodies[i];
    wheel.is_grabbable = false;
    handles.push_back(context.bodies.handle(context.bodies.spawn(context.world, wheel, player.id)));
  }
  for (const scene::SceneJoint& joint : built.joints)
    instantiate(context.world, joint, handles);
}

void add_cars(RuleContext& context) {
  for (const Player& player : context.players.all())
    add_car(context, player);
}

void remove_car(RuleContext& context, const Player& player) {
  if (context.scene.player.kind != scene::PlayerKind::Car) return;
  const auto chassis = context.bodies.find(player.body);
  if (!chassis) return;
  std::vector<physics::BodyHandle> wheels;
  for_each_wheel(context.world, *chassis, [&](physics::JointHandle, const physics::JointDef& def) {
    wheels.push_back(def.body_b);
  });
  for (const physics::BodyHandle wheel : wheels)
    context.bodies.despawn(context.world, BodyRegistry::id_of(context.world, wheel));
}

void drive_car(RuleContext& context, const Player& player, physics::BodyHandle chassis) {
  put_back(context, player, chassis);
  const Vec3 wanted{player.input.move_x, 0.0f, player.input.move_z};
  const bool is_braking = (player.input.buttons & state::button_jump) != 0;
  const scene::CarDef& car = context.scene.player.car;
  control_car(context.world, chassis, car,
              controls_towards(context.world, chassis, car, wanted, is_braking));
}

}  // namespace jostle::sim
