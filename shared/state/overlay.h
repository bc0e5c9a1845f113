#pragma once

#include "shared/math/vec3.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jostle::state {

/// What is drawn over a picture at once, as a viewer asks for it.
enum class OverlayLayer : std::uint8_t {
  Boxes,       // around shapes
  Contacts,    // points and normals
  Impulses,    // of contacts and friction
  Joints,      // anchors, arms, limits and impulses
  Centres,     // of mass
  Velocities,  // of centres, and turning
  Islands,     // boxes around what is solved together
};
inline constexpr std::size_t overlay_layer_count = 7;
inline constexpr std::array<std::string_view, overlay_layer_count> overlay_layer_names{
    "boxes", "contacts", "impulses", "joints", "centres", "velocities", "islands"};

/// A set of layers, by bit.
using OverlayLayers = std::uint8_t;
constexpr OverlayLayers bit_of(OverlayLayer layer) {
  return static_cast<OverlayLayers>(1U << static_cast<std::uint8_t>(layer));
}
inline constexpr OverlayLayers all_overlay_layers = (1U << overlay_layer_count) - 1;

/// How a part of a layer is drawn.
enum class OverlayKind : std::uint8_t {
  Box,
  Contact,
  ContactNormal,
  ContactImpulse,
  FrictionImpulse,
  JointX,  // axes of a joint's frames
  JointY,
  JointZ,
  JointArm,  // from a centre of mass to the anchor, or from anchor to anchor
  JointLimit,
  JointImpulse,
  Centre,
  Velocity,
  AngularVelocity,
  Island,
};
inline constexpr std::uint8_t overlay_kind_count = 15;

/// A point where both ends are the same, else a line; of a Box or an Island two opposite corners.
struct OverlayItem {
  math::Position from, to;
  OverlayKind kind = OverlayKind::Contact;

  bool operator==(const OverlayItem&) const = default;
};

/// Of a world at the end of a tick.
struct Overlay {
  Tick tick;
  std::vector<OverlayItem> items;
  std::uint32_t left_out = 0;  // for want of room

  bool operator==(const Overlay&) const = default;
};

}  // namespace jostle::state
