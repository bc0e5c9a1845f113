#include "shared/geometry/shape_check.h"

#include <array>
#include <cmath>

namespace jostle::geometry {

using state::ShapeKind;

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

struct Uses {
  Use radius = Use::Unused, segment = Use::Unused, extents = Use::Unused;
};

Uses uses_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::Sphere:
      return {Use::Positive, Use::Unused, Use::Unused};
    case ShapeKind::Box:
      return {Use::Unused, Use::Unused, Use::Positive};
    case ShapeKind::Capsule:
      return {Use::Positive, Use::NotNegative, Use::Unused};
    case ShapeKind::Cylinder:
    case ShapeKind::Cone:
      return {Use::Positive, Use::Positive, Use::Unused};
    case ShapeKind::Plane:
    case ShapeKind::Hull:
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      break;
  }
  return {};
}

/// Returns the first error of the shape's solid. A solid was checked when it was created, so only
/// its kind and inner radius are checked here.
std::optional<ShapeError> check_solid(const state::Shape& shape) {
  if (!state::has_solid(shape.kind)) {
    if (shape.solid) return ShapeError::WrongSolid;
    return std::nullopt;
  }
  if (!shape.solid) return ShapeError::MissingSolid;
  if (state::solid(shape.solid).kind != shape.kind) return ShapeError::WrongSolid;
  const auto* hull = std::get_if<state::ConvexHull>(&shape.solid->content);
  if (hull != nullptr && hull->inner_radius < min_inner_radius) return ShapeError::TooThin;
  return std::nullopt;
}

}  // namespace

std::optional<ShapeError> check_shape(const state::Shape& shape) {
  if (static_cast<std::uint8_t>(shape.kind) >= state::shape_kind_count) {
    return ShapeError::UnknownKind;
  }
  if (const auto error = check_solid(shape)) return error;
  const Uses uses = uses_of(shape.kind);

  struct Field {
    float size = 0;
    Use use = Use::Unused;
  };
  const std::array fields{Field{shape.radius, uses.radius}, Field{shape.half_segment, uses.segment},
                          Field{shape.half_extents.x, uses.extents},
                          Field{shape.half_extents.y, uses.extents},
                          Field{shape.half_extents.z, uses.extents}};
  for (const Field& field : fields) {
    if (const auto error = check_size(field.size, field.use)) return error;
  }
  return std::nullopt;
}

std::string_view describe(ShapeError error) {
  switch (error) {
    case ShapeError::UnknownKind:
      return "has an unknown kind";
    case ShapeError::NotFinite:
      return "has a size that is not finite";
    case ShapeError::TooSmall:
      return "has a size below 0.001 m";
    case ShapeError::TooLarge:
      return "has a size above 100000 m";
    case ShapeError::UnusedField:
      return "has a size that its kind does not use";
    case ShapeError::TooThin:
      return "is thinner than 0.0002 m";
    case ShapeError::MissingSolid:
      return "has no geometry";
    case ShapeError::WrongSolid:
      return "has geometry of another kind";
  }
  return "is invalid";
}

}  // namespace jostle::geometry
