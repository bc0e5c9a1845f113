#pragma once

#include "shared/geometry/mass_properties.h"
#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene_generated.h"
#include "shared/state/shape.h"

#include <optional>
#include <vector>

namespace jostle::scene::detail {

// Readers of shapes whose geometry is a list of numbers. If the list is invalid, they fail the
// reader and return a valid placeholder shape.

state::Shape read_hull(ValueReader& reader, const wire::Hull& table, const Path& path);
/// Reads a mesh. Triangles without area are dropped.
state::Shape read_mesh(ValueReader& reader, const wire::Mesh& table, const Path& path);
/// The hulls of a decomposed mesh.
struct DecomposedShapes {
  std::vector<state::Shape> hulls;  // convex hulls, at least one
  float density_share = 1;          // volume of the solid / total volume of the hulls
  /// Mass properties of the solid at a density of 1 kg/m³; none if the mesh intersects itself.
  std::optional<geometry::MassProperties> solid;
};
DecomposedShapes read_decomposed_mesh(ValueReader& reader, const wire::DecomposedMesh& table,
                                      const Path& path);
state::Shape read_height_field(ValueReader& reader, const wire::HeightField& table,
                               const Path& path);

}  // namespace jostle::scene::detail
