#pragma once

#include "shared/math/vec3.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jostle::state {

/// A layer of the debug draw. A viewer may request several at once.
enum class DebugDrawLayer : std::uint8_t {
  Boxes,       // bounding boxes of shapes
  Contacts,    // points and normals
  Impulses,    // contact and friction impulses
  Joints,      // anchors, arms, limits and impulses
  Centres,     // centres of mass
  Velocities,  // linear velocities of the centres of mass, and angular velocities
  Islands,     // bounding boxes of islands
};
inline constexpr std::size_t debug_draw_layer_count = 7;
inline constexpr std::array<std::string_view, debug_draw_layer_count> debug_draw_layer_names{
    "aabbs", "contacts", "impulses", "joints", "centres-of-mass", "velocities", "islands"};

/// A set of layers, one bit each.
using DebugDrawLayers = std::uint8_t;
constexpr DebugDrawLayers bit_of(DebugDrawLayer layer) {
  return static_cast<DebugDrawLayers>(1U << static_cast<std::uint8_t>(layer));
}
inline constexpr DebugDrawLayers all_debug_draw_layers = (1U << debug_draw_layer_count) - 1;

/// The type of a debug draw item; it determines how the item is drawn.
enum class DebugDrawKind : std::uint8_t {
  Box,
  Contact,
  ContactNormal,
  ContactImpulse,
  FrictionImpulse,
  JointX,  // axes of a joint's frames
  JointY,
  JointZ,
  JointArm,  // line from a centre of mass to the anchor, or from anchor to anchor
  JointLimit,
  JointImpulse,
  Centre,
  Velocity,
  AngularVelocity,
  Island,
};
inline constexpr std::uint8_t debug_draw_kind_count = 15;

/// A point if both ends are equal, otherwise a line. For a Box or an Island, two opposite corners.
struct DebugDrawItem {
  math::Position from, to;
  DebugDrawKind kind = DebugDrawKind::Contact;

  bool operator==(const DebugDrawItem&) const = default;
};

/// The debug draw items of a world at the end of a tick.
struct DebugDrawFrame {
  Tick tick;
  std::vector<DebugDrawItem> items;
  // number of items that are not in the frame: beyond the limit, or too far from the origin to be
  // sent
  std::uint32_t left_out = 0;

  bool operator==(const DebugDrawFrame&) const = default;
};

}  // namespace jostle::state
