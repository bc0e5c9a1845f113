#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// A driver's input to a car. Throttle and steer are −1..1, brake is 0..1. A negative `throttle`
/// drives backwards.
struct CarControls {
  float throttle = 0, steer = 0, brake = 0;
};

/// Sets motors, brakes and steering of all wheels of a body (its joints of kind Wheel). Wheels
/// ahead of the chassis' middle are front wheels, and wheels on its left are left wheels. Unchanged
/// settings do not wake the car.
void control_car(physics::World& world, physics::BodyHandle chassis, const scene::CarDef& car,
                 const CarControls& controls);

/// Converts the direction in which a player wants to go into controls. Steers towards it. If the
/// direction is backwards, brakes while the car rolls forward, and then reverses.
CarControls controls_towards(const physics::World& world, physics::BodyHandle chassis,
                             const scene::CarDef& car, math::Vec3 wanted, bool is_braking);

/// Functions for the cars of players, used by PlayerControl in scenes with such cars. They have no
/// state: the world knows which wheels a chassis has.
void add_car(RuleContext& context, const Player& player);
void add_cars(RuleContext& context);
/// Removes the wheels. The chassis is removed with the player.
void remove_car(RuleContext& context, const Player& player);
void drive_car(RuleContext& context, const Player& player, physics::BodyHandle chassis);

}  // namespace jostle::sim
