#pragma once

#include "shared/state/solid.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::geometry {

enum class ClosedMeshError : std::uint8_t {
  Empty,
  TooMany,     // more vertices or triangles than max_mesh_vertices and max_mesh_triangles
  NotFinite,   // a coordinate of `vertex`
  TooLarge,    // likewise, above max_shape_size
  WrongIndex,  // `triangle` names a vertex that is not there
  Degenerate,  // `triangle` has no area
  Open,        // no other triangle runs along the edge
  Crowded,     // more than two do
  Turned,      // two do, and in the same direction
  InsideOut,   // the volume is below zero
  NoVolume,
};

/// What is wrong with a mesh, and where. Which of the places are set, the error says.
struct ClosedMeshFault {
  ClosedMeshError error = ClosedMeshError::Empty;
  std::uint32_t vertex = 0;
  std::uint32_t triangle = 0;
  std::uint32_t tail = 0, head = 0;  // vertices: the edge as `triangle` runs along it

  bool operator==(const ClosedMeshFault&) const = default;
};

/// For a message after the name of the mesh: "is open: no other triangle runs along the edge from
/// vertex 3 to vertex 7 of triangle 12".
std::string describe(const ClosedMeshFault& fault);

/// What keeps a mesh from being the surface of a solid, if anything: every edge must have two
/// triangles that run along it in opposite directions, and the volume must be above zero. Vertices
/// in one place count as one. Of several faults of edges the one of the first triangle is told.
///
/// Shells may lie in each other, turned inwards as the walls of a hollow, and triangles may cross:
/// what is inside is then told by the winding number.
std::optional<ClosedMeshFault> find_fault(const state::TriangleMesh& mesh);

/// m³, of a mesh without faults; where shells overlap, once for each.
double enclosed_volume(const state::TriangleMesh& mesh);

}  // namespace jostle::geometry
