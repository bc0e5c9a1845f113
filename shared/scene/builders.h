#pragma once

#include "shared/scene/scene.h"

#include <string>
#include <vector>

namespace jostle::scene {

// What is made of several bodies and joints: described by a few numbers, built as bodies and joints
// of a scene. sim::instantiate puts them into a world.

/// Joints name bodies by their places in `bodies`. Names begin with that of the whole; without one
/// the bodies have none.
struct Assembly {
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
};

/// A human figure of 13 capsules that stands with its arms out to the sides, feet on its frame's
/// xz-plane, looking along z.
struct RagdollDef {
  std::string name;
  math::Pose pose;
  float height = 1.8f;  // m
  float mass = 75;      // kg
  state::Colour colour;
};
Assembly build_ragdoll(const RagdollDef& def);

/// The first body is the chassis, then come the wheels: left and right in front, left and right
/// behind; the joints are those of the wheels, in the same order.
struct CarBuild {
  std::string name;
  math::Pose pose;  // of the chassis
  CarDef car;
  float throttle = 0;  // −1..1: of the torque, backwards below 0
  float steer = 0;     // rad, to the left
  state::Colour colour;
};
Assembly build_car(const CarBuild& def);
/// How high the chassis' frame is above the ground that the car stands on.
float standing_height(const CarDef& car);

/// Links of one length along a line of points, joined by balls. Where an end is fixed there is a
/// static body.
struct ChainDef {
  std::string name;
  std::vector<math::Position> points;  // two or more
  std::uint32_t count = 10;
  float radius = 0.05f;  // m
  float density = 2000;  // kg/m³
  bool is_start_fixed = true, is_end_fixed = false;
  state::Colour colour;
};
Assembly build_chain(const ChainDef& def);

/// Planks from one static post to another, each on the next by a hinge, or by two balls at its
/// sides.
struct BridgeDef {
  std::string name;
  math::Position from, to;
  std::uint32_t count = 12;
  float width = 1.5f, thickness = 0.08f;  // m
  float density = 600;                    // kg/m³
  bool by_balls = false;
  state::Colour colour;
};
Assembly build_bridge(const BridgeDef& def);

}  // namespace jostle::scene
