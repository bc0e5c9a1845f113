#pragma once

#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::scene {

/// The driven wheels.
enum class Drive : std::uint8_t { Rear, Front, All };

/// A car with a chassis and four wheels. The origin of its frame is the middle of the chassis' box,
/// with x forward and y up. The wheels' centres are at x = ±wheelbase/2, y = −size.y/2 and z =
/// ±track/2.
struct CarDef {
  math::Vec3 size{4, 0.6f, 1.7f};  // extents of the chassis' box, m
  // kg, of the chassis; its centre of mass is near the middle of the box's lower half
  float mass = 1200;
  float wheelbase = 2.6f;                           // distance between the axles, m
  float track = 1.6f;                               // distance between the wheels of an axle, m
  float wheel_radius = 0.32f, wheel_width = 0.22f;  // m
  float wheel_mass = 18;                            // kg
  float wheel_friction = 1;
  float suspension_hertz = 1.6f, suspension_damping_ratio = 0.5f;
  // travel of a wheel, up and down from its position when the car is at rest, m
  float suspension_travel = 0.2f;
  Drive drive = Drive::Rear;
  float drive_torque = 900;   // N·m, total of all driven wheels
  float brake_torque = 4000;  // N·m, total of all wheels
  float max_speed = 40;       // m/s; no drive torque above this speed
  // maximum steering angle of the equivalent bicycle in the middle of the car, rad
  float max_steer = 0.6f;

  bool operator==(const CarDef&) const = default;
};

/// Steering angles of the left and the right front wheel in rad, positive to the left.
struct SteerAngles {
  float left = 0, right = 0;
};
/// Returns the front wheel angles for the steering angle δ = `steer` of a bicycle in the middle of
/// the car. With them all four wheels roll about one point on the line of the rear axle:
///
///   cot δ_left = cot δ − track/(2·wheelbase),   cot δ_right = cot δ + track/(2·wheelbase)
///
/// (Ackermann steering; Rudolph Ackermann's patent of 1818, after Lankensperger.)
SteerAngles steer_angles(const CarDef& car, float steer);

}  // namespace jostle::scene
