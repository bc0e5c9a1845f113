#pragma once

#include "shared/state/solid.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::geometry {

enum class ClosedMeshError : std::uint8_t {
  Empty,
  TooMany,     // more vertices or triangles than `max_mesh_vertices` and `max_mesh_triangles`
  NotFinite,   // `vertex` has a coordinate that is not finite
  TooLarge,    // `vertex` has a coordinate above `max_shape_size`
  WrongIndex,  // `triangle` refers to a vertex that does not exist
  Degenerate,  // `triangle` has no area
  Open,        // no other triangle shares the edge
  Crowded,     // more than two triangles share the edge
  Turned,      // two triangles run along the edge in the same direction
  InsideOut,   // the signed volume is negative
  NoVolume,
};

/// A defect of a mesh and its location. `error` determines which of the other fields are set.
struct ClosedMeshFault {
  ClosedMeshError error = ClosedMeshError::Empty;
  std::uint32_t vertex = 0;
  std::uint32_t triangle = 0;
  // vertices of the edge, in the direction in which `triangle` runs along it
  std::uint32_t tail = 0, head = 0;

  bool operator==(const ClosedMeshFault&) const = default;
};

/// Returns the part of an error message that follows the name of the mesh, for example: "is open:
/// no other triangle shares the edge from vertex 3 to vertex 7 of triangle 12".
std::string describe(const ClosedMeshFault& fault);

/// Returns the first defect that keeps a mesh from being the surface of a solid, or nothing. Every
/// edge must be shared by exactly two triangles that run along it in opposite directions, and the
/// volume must be positive. Vertices at the same position count as one. If several edges have
/// defects, the edge of the triangle with the lowest index is reported.
///
/// Shells may be nested (an inner shell turned inwards is the wall of a cavity), and triangles may
/// intersect. For such meshes the winding number determines which points are inside.
std::optional<ClosedMeshFault> find_fault(const state::TriangleMesh& mesh);

/// Returns the volume of a mesh without defects, in m³. The overlap of two shells counts once for
/// each shell.
double enclosed_volume(const state::TriangleMesh& mesh);

}  // namespace jostle::geometry
