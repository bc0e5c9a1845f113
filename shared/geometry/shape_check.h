#pragma once

#include "shared/state/shape.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle::geometry {

// Limits of sizes that can be simulated in single precision. The square of the smallest size is far
// above the subnormals, and the inertia of the largest is far below overflow.
inline constexpr float min_shape_size = 1e-3f;  // m
inline constexpr float max_shape_size = 1e5f;   // m
/// Minimum radius of the largest ball that fits into a hull.
inline constexpr float min_inner_radius = 1e-4f;  // m

enum class ShapeError : std::uint8_t {
  UnknownKind,
  NotFinite,
  TooSmall,     // a size below `min_shape_size`, including zero and negative sizes
  TooLarge,     // a size above `max_shape_size`
  UnusedField,  // a size that the kind does not have is not zero
  TooThin,      // a hull with an inner radius below `min_inner_radius`
  MissingSolid,
  WrongSolid,  // the solid is of another kind, or the shape's kind has none
};

/// Returns the first error in a shape that came from a file or the network, or nothing. A capsule's
/// half segment may be zero. Shapes that pass can be given to every function of shared/geometry.
std::optional<ShapeError> check_shape(const state::Shape& shape);

/// Returns the part of an error message that follows the name of the shape, e.g. "has a size that
/// is not finite".
std::string_view describe(ShapeError error);

}  // namespace jostle::geometry
