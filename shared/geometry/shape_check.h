#pragma once

#include "shared/state/shape.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle::geometry {

// Sizes outside of these cannot be simulated in float: the square of the smallest is still far from
// the subnormals, and the inertia of the largest far from overflow.
inline constexpr float min_shape_size = 1e-3f;  // m
inline constexpr float max_shape_size = 1e5f;   // m
/// Of the ball that fits into a hull.
inline constexpr float min_inner_radius = 1e-4f;  // m

enum class ShapeError : std::uint8_t {
  UnknownKind,
  NotFinite,
  TooSmall,     // a size below min_shape_size, zero and negative ones included
  TooLarge,     // a size above max_shape_size
  UnusedField,  // a size that the kind does not have is not zero
  TooThin,      // a hull with an inner radius below min_inner_radius
  MissingSolid,
  WrongSolid,  // of another kind, or of a shape that has none
};

/// What is wrong with a shape that came from a file or a wire, if anything. A capsule's half
/// segment may be zero. Shapes that pass can be given to every function of this room.
std::optional<ShapeError> check_shape(const state::Shape& shape);

/// For a message after the name of the shape: "has a size that is not finite".
std::string_view describe(ShapeError error);

}  // namespace jostle::geometry
