#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// A driver's input to a car. Throttle and steer are −1..1, brake is 0..1. A negative `throttle`
/// drives backwards.
struct CarControls {
  float throttle = 0, steer = 0, brake = 0;
};

/// Sets the motors, brakes and steering of a chassis' wheels, which are its joints of kind Wheel.
/// Wheels ahead of the origin of the chassis' frame (+x) are front wheels, and wheels at −z are
/// left wheels. Unchanged settings do not wake the car.
void control_car(physics::World& world, physics::BodyHandle chassis, const scene::CarDef& car,
                 const CarControls& controls);

/// Returns the controls that steer a car towards `wanted`, a world vector whose length, up to 1,
/// scales the throttle. If `wanted` points more than 126° away from the car's forward direction,
/// the car brakes while it rolls forward faster than 0.5 m/s, and then reverses. `is_braking`
/// applies the brakes fully.
CarControls controls_towards(const physics::World& world, physics::BodyHandle chassis,
                             const scene::CarDef& car, math::Vec3 wanted, bool is_braking);

/// Adds the wheels to a player's chassis, if the scene's players drive cars. The wheels are not
/// stored outside the world: they are found by the joints of the chassis.
void add_car(RuleContext& context, const Player& player);
/// Adds the wheels of all players' cars.
void add_cars(RuleContext& context);
/// Removes the wheels of a player's car. The chassis is removed with the player.
void remove_car(RuleContext& context, const Player& player);
/// Applies the player's input to the car. Moves a car that fell out of the world back to its spawn.
void drive_car(RuleContext& context, const Player& player, physics::BodyHandle chassis);

}  // namespace jostle::sim
