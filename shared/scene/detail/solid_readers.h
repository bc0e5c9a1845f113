#pragma once

#include "shared/scene/detail/value_reader.h"
#include "shared/scene/scene_generated.h"
#include "shared/state/shape.h"

#include <vector>

namespace jostle::scene::detail {

// Shapes whose geometry is lists of numbers. Where such a list is wrong, a shape of the same family
// that is right comes back, and the reader has failed.

state::Shape read_hull(ValueReader& reader, const wire::Hull& table, const Path& path);
/// Triangles without area are left out.
state::Shape read_mesh(ValueReader& reader, const wire::Mesh& table, const Path& path);
/// The hulls of a decomposed mesh.
struct DecomposedShapes {
  std::vector<state::Shape> hulls;  // at least one
  float density_share = 1;          // what the solid has of the volume of all hulls
};
DecomposedShapes read_decomposed_mesh(ValueReader& reader, const wire::DecomposedMesh& table,
                                      const Path& path);
state::Shape read_height_field(ValueReader& reader, const wire::HeightField& table,
                               const Path& path);

}  // namespace jostle::scene::detail
