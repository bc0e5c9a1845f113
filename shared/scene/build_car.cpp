#include "shared/math/trig.h"
#include "shared/scene/builders.h"

namespace jostle::scene {

using math::Vec3;

namespace {

constexpr float pi = math::pi;

SceneBody build_chassis(const CarBuild& def) {
  const CarDef& car = def.car;
  SceneBody body;
  body.name = def.name;
  body.pose = def.pose;
  body.colour = def.colour;
  body.mass = car.mass;
  // The chassis is a heavy floor (with the engine) and a light cabin. The floor determines the
  // centre of mass.
  SceneShape floor;
  const Vec3 half = car.size * 0.5f;
  floor.shape = state::box({half.x, 0.5f * half.y, half.z});
  floor.local.offset = {0, -0.5f * half.y, 0};
  floor.density = 1000;
  SceneShape cabin;
  cabin.shape = state::box({0.5f * half.x, 0.5f * half.y, 0.9f * half.z});
  cabin.local.offset = {-0.1f * half.x, 0.5f * half.y, 0};
  cabin.density = 1;
  for (SceneShape* shape : {&floor, &cabin})
    shape->material.friction = 0.4f;
  body.shapes = {floor, cabin};
  return body;
}

SceneBody build_wheel(const CarBuild& def, const math::Position& at, const char* place) {
  const CarDef& car = def.car;
  SceneBody body;
  if (!def.name.empty()) body.name = def.name + "_" + place;
  body.pose = {at, def.pose.rotation};
  body.colour = {40, 40, 44};
  body.mass = car.wheel_mass;
  SceneShape tyre;
  tyre.shape = state::cylinder(car.wheel_radius, 0.5f * car.wheel_width);
  tyre.local.rotation = math::from_axis_angle({1, 0, 0}, 0.5f * pi);
  tyre.material.friction = car.wheel_friction;
  body.shapes = {tyre};
  return body;
}

bool is_driven(Drive drive, bool is_front) {
  return drive == Drive::All || (drive == Drive::Front) == is_front;
}

}  // namespace

SteerAngles steer_angles(const CarDef& car, float steer) {
  if (steer == 0.0f) return {};
  const math::SinCos angle = math::sin_cos(steer);
  const float inside = 0.5f * car.track / car.wheelbase * angle.sin;
  return {math::atan2(angle.sin, angle.cos - inside), math::atan2(angle.sin, angle.cos + inside)};
}

float standing_height(const CarDef& car) {
  return 0.5f * car.size.y + car.wheel_radius;
}

Assembly build_car(const CarBuild& def) {
  const CarDef& car = def.car;
  Assembly built;
  built.bodies.push_back(build_chassis(def));
  const SteerAngles steer = steer_angles(car, def.steer);
  const float driven = car.drive == Drive::All ? 4.0f : 2.0f;
  constexpr const char* places[] = {"front_left", "front_right", "rear_left", "rear_right"};
  for (int i = 0; i < 4; ++i) {
    const bool is_front = i < 2, is_left = i % 2 == 0;
    const Vec3 offset{(is_front ? 0.5f : -0.5f) * car.wheelbase, -0.5f * car.size.y,
                      (is_left ? -0.5f : 0.5f) * car.track};
    const math::Position at = transform_point(def.pose, offset);
    built.bodies.push_back(build_wheel(def, at, places[i]));
    SceneJoint joint;
    joint.kind = JointKind::Wheel;
    joint.body_b = static_cast<std::uint32_t>(i + 1);
    joint.anchor = joint.anchor_b = at;
    joint.axis = rotate(def.pose.rotation, {0, 1, 0});
    // Compensates the sag of g/ω² under the car's weight, so that the car settles at its built
    // height.
    const float omega = 2.0f * pi * car.suspension_hertz;
    joint.rest = -9.81f / (omega * omega);
    joint.has_limits = true;
    joint.lower = -car.suspension_travel;
    joint.upper = car.suspension_travel;
    joint.spring_hertz = car.suspension_hertz;
    joint.spring_damping_ratio = car.suspension_damping_ratio;
    if (is_driven(car.drive, is_front) && def.throttle != 0.0f) {
      joint.motor_speed = (def.throttle < 0.0f ? -1.0f : 1.0f) * car.max_speed / car.wheel_radius;
      joint.max_motor_force = math::abs_of(def.throttle) * car.drive_torque / driven;
    }
    SceneJointDetails& details = joint.details.edit();
    // direction of the axle about which a positive spin drives forward
    details.axle = rotate(def.pose.rotation, {0, 0, -1});
    details.steer_angle = is_front ? is_left ? steer.left : steer.right : 0.0f;
    details.sprung_mass = 0.25f * car.mass;
    built.joints.push_back(std::move(joint));
  }
  return built;
}

}  // namespace jostle::scene
