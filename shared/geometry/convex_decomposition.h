#pragma once

#include "shared/base/result.h"
#include "shared/geometry/closed_mesh.h"
#include "shared/state/solid.h"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace jostle::geometry {

struct DecompositionOptions {
  /// Maximum distance of the points of a hull from the solid, in m.
  float max_error = 0.01f;
  std::size_t max_hulls = 32;
};

inline constexpr std::size_t max_decomposed_triangles = 1U << 16;
inline constexpr std::size_t max_decomposition_hulls = 256;
/// Lower limit of max_error, as a share of the longest edge of the mesh's bounding box. A smaller
/// error would need far too many pieces.
inline constexpr float min_error_share = 1.0f / 1024;

struct Decomposition {
  std::vector<state::ConvexHull> hulls;  // 1 to max_hulls hulls
  /// Error bound that all hulls satisfy, in m. It exceeds `max_error` if the method needs more than
  /// `max_hulls` hulls to satisfy `max_error`.
  float error = 0;
  float volume = 0;  // enclosed_volume() of the mesh, m³
};

enum class DecompositionError : std::uint8_t {
  TooManyTriangles,  // more than `max_decomposed_triangles`
  WrongHullCount,    // `max_hulls` is 0, or above `max_decomposition_hulls`
  ErrorTooSmall,     // `max_error` is below `min_error_share` of the extent, or not finite
  // some pieces cannot be merged into one hull at any error, so more than max_hulls remain
  TooFewHulls,
  TooIntricate,  // the work limit was reached
  TooThin,       // the mesh is smaller or thinner than a hull may be
};

/// Returns the part of an error message that follows the name of the mesh.
std::string describe(DecompositionError error);

using DecompositionFault = std::variant<ClosedMeshFault, DecompositionError>;
std::string describe(const DecompositionFault& fault);

/// Approximates the solid enclosed by a closed mesh with convex hulls:
///
/// - Every point of the solid lies in a hull, to within `hull_tolerance` times the solid's extent.
/// - Every point of every hull lies in the solid or within `error` of it. The check skips a layer
///   of thickness error / 16 below each hull's faces, so the tip of a sharp corner may lie farther
///   out.
/// - Hulls may overlap. Each passes every check of a hull shape.
///
/// The solid is the set of points with a positive winding number. Overlapping shells are one solid,
/// and an inner shell turned inwards is the wall of a cavity. A mesh that intersects itself is
/// treated as the solid that this rule defines, including all of its surface. The same mesh gives
/// bit-identical results on every machine.
///
/// The solid is cut by planes until the hull of each piece meets `max_error`. The method follows
/// Mamou, "Volumetric Hierarchical Approximate Convex Decomposition" (2016), and Wei, Liu, Ling,
/// Su, "Approximate Convex Decomposition for 3D Meshes with Collision-Aware Concavity and Tree
/// Search" (2022). Unlike these it works on the exact surface, without samples or voxels, and
/// checks the error bound instead of estimating it. Afterwards pairs of hulls are merged while the
/// merged hull still meets the error.
base::Result<Decomposition, DecompositionFault> decompose(const state::TriangleMesh& mesh,
                                                          const DecompositionOptions& options);

}  // namespace jostle::geometry
