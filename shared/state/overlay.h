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
enum class OverlayLayer : std::uint8_t {
  Boxes,       // bounding boxes of shapes
  Contacts,    // points and normals
  Impulses,    // contact and friction impulses
  Joints,      // anchors, arms, limits and impulses
  Centres,     // centres of mass
  Velocities,  // linear velocities of the centres of mass, and angular velocities
  Islands,     // bounding boxes of islands
};
inline constexpr std::size_t overlay_layer_count = 7;
inline constexpr std::array<std::string_view, overlay_layer_count> overlay_layer_names{
    "boxes", "contacts", "impulses", "joints", "centres", "velocities", "islands"};

/// A set of layers, one bit each.
using OverlayLayers = std::uint8_t;
constexpr OverlayLayers bit_of(OverlayLayer layer) {
  return static_cast<OverlayLayers>(1U << static_cast<std::uint8_t>(layer));
}
inline constexpr OverlayLayers all_overlay_layers = (1U << overlay_layer_count) - 1;

/// The type of a debug draw item; it determines how the item is drawn.
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

/// A point if both ends are equal, otherwise a line. For a Box or an Island, two opposite corners.
struct OverlayItem {
  math::Position from, to;
  OverlayKind kind = OverlayKind::Contact;

  bool operator==(const OverlayItem&) const = default;
};

/// The debug draw items of a world at the end of a tick.
struct Overlay {
  Tick tick;
  std::vector<OverlayItem> items;
  std::uint32_t left_out = 0;  // number of items beyond the limit, which were dropped

  bool operator==(const Overlay&) const = default;
};

}  // namespace jostle::state
