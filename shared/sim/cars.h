#pragma once

#include "shared/sim/rule.h"

namespace jostle::sim {

/// What a driver does to a car, each −1..1 but the brake, 0..1. `throttle` below 0 drives back.
struct CarControls {
  float throttle = 0, steer = 0, brake = 0;
};

/// Sets motors, brakes and steering of all wheels of a body: its joints of kind Wheel. Wheels ahead
/// of the chassis' middle are the front ones, those on its left the left ones. What changes nothing
/// wakes nobody.
void control_car(physics::World& world, physics::BodyHandle chassis, const scene::CarDef& car,
                 const CarControls& controls);

/// Turns the direction in which a player wants to go into controls: steers towards it, brakes where
/// it leads back while the car rolls forward, and then drives back.
CarControls controls_towards(const physics::World& world, physics::BodyHandle chassis,
                             const scene::CarDef& car, math::Vec3 wanted, bool is_braking);

/// The cars of players, in scenes that have such. A part of PlayerControl. Remembers nothing: which
/// wheels a chassis has the world knows.
void add_car(Stage& stage, const Player& player);
void add_cars(Stage& stage);
/// Takes the wheels away; the chassis goes with the player.
void remove_car(Stage& stage, const Player& player);
void drive_car(Stage& stage, const Player& player, physics::BodyHandle chassis);

}  // namespace jostle::sim
