#pragma once

#include "shared/scene/scene.h"

#include <string>
#include <vector>

namespace jostle::scene {

// Builders create the bodies and joints of an assembly from a few numbers. sim::instantiate adds
// the assembly to a world.

/// Bodies and joints of an assembly. Joints refer to bodies by their index in `bodies`. Body names
/// start with the name of the assembly; the bodies of an assembly without a name have no names.
struct Assembly {
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
};

/// A humanoid of 13 capsules that stands with its arms out to the sides. Its feet are on the
/// xz-plane of its frame, and it faces along z.
struct RagdollDef {
  std::string name;
  math::Pose pose;
  float height = 1.8f;  // m
  float mass = 75;      // kg
  state::Colour colour;
};
Assembly build_ragdoll(const RagdollDef& def);

/// A car to build. In the assembly, the first body is the chassis. The wheels follow in the order
/// front left, front right, rear left, rear right. The joints are the wheel joints in the same
/// order.
struct CarBuild {
  std::string name;
  math::Pose pose;  // pose of the chassis
  CarDef car;
  float throttle = 0;  // −1..1, share of the drive torque; negative values drive backwards
  float steer = 0;     // rad, positive to the left
  state::Colour colour;
};
Assembly build_car(const CarBuild& def);
/// Returns the height of the origin of the chassis' frame above the ground when the car is on flat
/// ground.
float standing_height(const CarDef& car);

/// A chain of capsules along a polyline, connected by ball joints. The joints divide the polyline
/// into pieces of equal length. A fixed end is attached to a static body.
struct ChainDef {
  std::string name;
  std::vector<math::Position> points;  // at least two points
  std::uint32_t count = 10;
  float radius = 0.05f;  // m
  float density = 2000;  // kg/m³
  bool is_start_fixed = true, is_end_fixed = false;
  state::Colour colour;
};
Assembly build_chain(const ChainDef& def);

/// A bridge of planks between two static posts. Each plank is connected to the next by a hinge, or
/// by two ball joints at its sides.
struct BridgeDef {
  std::string name;
  math::Position from, to;
  std::uint32_t count = 12;
  float width = 1.5f, thickness = 0.08f;  // m
  float density = 600;                    // kg/m³
  bool ball_joints = false;
  state::Colour colour;
};
Assembly build_bridge(const BridgeDef& def);

}  // namespace jostle::scene
