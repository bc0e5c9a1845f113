#pragma once

#include "shared/math/vec3.h"

#include <cstdint>

namespace jostle::scene {

/// Which wheels are driven.
enum class Drive : std::uint8_t { Rear, Front, All };

/// A car of four wheels: a chassis, in the middle of whose box its frame is, x forward and y up.
/// The wheels hang on its corners, at half the height of the box below it by default.
struct CarDef {
  math::Vec3 size{4, 0.6f, 1.7f};  // m: of the chassis' box
  float mass = 1200;               // kg, of the chassis; its centre lies in the box's lower face
  float wheelbase = 2.6f;          // m, from axle to axle
  float track = 1.6f;              // m, from wheel to wheel
  float wheel_radius = 0.32f, wheel_width = 0.22f;  // m
  float wheel_mass = 18;                            // kg
  float wheel_friction = 1;
  float suspension_hertz = 1.6f, suspension_damping_ratio = 0.5f;
  float suspension_travel = 0.2f;  // m, from where a wheel hangs when the car stands, up or down
  Drive drive = Drive::Rear;
  float drive_torque = 900;   // N·m, of all driven wheels together
  float brake_torque = 4000;  // N·m, of all wheels together
  float max_speed = 40;       // m/s, beyond which it is not driven
  float max_steer = 0.6f;     // rad: of the bicycle in the middle of the car

  bool operator==(const CarDef&) const = default;
};

/// Rad, positive to the left: of the left front wheel and of the right one.
struct SteerAngles {
  float left = 0, right = 0;
};
/// All four wheels roll about one point, on the line of the rear axle, when the front wheel of a
/// bicycle in their middle has the angle `steer`: cot δ∓ = cot δ ∓ track/(2·wheelbase).
/// (Rudolph Ackermann's patent of 1818, after Lankensperger.)
SteerAngles steer_angles(const CarDef& car, float steer);

}  // namespace jostle::scene
