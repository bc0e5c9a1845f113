#include "shared/geometry/shape_check.h"

#include <array>
#include <cmath>

namespace jostle::geometry {
namespace {

enum class Use : std::uint8_t { Unused, Positive, NotNegative };

std::optional<ShapeError> check_size(float size, Use use) {
  if (!std::isfinite(size)) return ShapeError::NotFinite;
  if (use == Use::Unused) {
    if (size != 0.0f) return ShapeError::UnusedField;
    return std::nullopt;
  }
  if (size > max_shape_size) return ShapeError::TooLarge;
  if (use == Use::NotNegative && size == 0.0f) return std::nullopt;
  if (size < min_shape_size) return ShapeError::TooSmall;
  return std::nullopt;
}

}  // namespace

std::optional<ShapeError> check_shape(const state::Shape& shape) {
  if (static_cast<std::uint8_t>(shape.kind) >= state::shape_kind_count) {
    return ShapeError::UnknownKind;
  }
  const bool is_round =
      shape.kind == state::ShapeKind::Sphere || shape.kind == state::ShapeKind::Capsule;
  const Use radius = is_round ? Use::Positive : Use::Unused;
  const Use segment = shape.kind == state::ShapeKind::Capsule ? Use::NotNegative : Use::Unused;
  const Use extents = shape.kind == state::ShapeKind::Box ? Use::Positive : Use::Unused;

  struct Field {
    float size = 0;
    Use use = Use::Unused;
  };
  const std::array fields{Field{shape.radius, radius}, Field{shape.half_segment, segment},
                          Field{shape.half_extents.x, extents},
                          Field{shape.half_extents.y, extents},
                          Field{shape.half_extents.z, extents}};
  for (const Field& field : fields) {
    if (const auto error = check_size(field.size, field.use)) return error;
  }
  return std::nullopt;
}

std::string_view describe(ShapeError error) {
  switch (error) {
    case ShapeError::UnknownKind:
      return "is of no known kind";
    case ShapeError::NotFinite:
      return "has a size that is not finite";
    case ShapeError::TooSmall:
      return "has a size below 0.001 m";
    case ShapeError::TooLarge:
      return "has a size above 100000 m";
    case ShapeError::UnusedField:
      return "has a size that its kind does not use";
  }
  return "is wrong";
}

}  // namespace jostle::geometry
