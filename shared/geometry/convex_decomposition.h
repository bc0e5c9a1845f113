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
  /// m: no point of a hull is farther outside of the solid than this.
  float max_error = 0.01f;
  std::size_t max_hulls = 32;
};

inline constexpr std::size_t max_decomposed_triangles = 1U << 16;
inline constexpr std::size_t max_decomposition_hulls = 256;
/// max_error is at least this share of the longest edge of the mesh's box: what is asked for below
/// it would take pieces without end.
inline constexpr float min_error_share = 1.0f / 1024;

struct Decomposition {
  std::vector<state::ConvexHull> hulls;  // at least one, at most max_hulls
  /// m: what the hulls keep to. Above max_error where max_hulls of them cannot do better.
  float error = 0;
  float volume = 0;  // m³, of the solid
};

enum class DecompositionError : std::uint8_t {
  TooManyTriangles,  // more than max_decomposed_triangles
  WrongHullCount,    // max_hulls is 0, or above max_decomposition_hulls
  ErrorTooSmall,     // max_error is below min_error_share of the extent, or not finite
  TooFewHulls,       // no hull could be made around some of them together, whatever the error
  TooIntricate,      // it would take more work than is allowed
  TooThin,           // the whole is smaller or thinner than a hull may be
};

/// For a message after the name of the mesh.
std::string describe(DecompositionError error);

using DecompositionFault = std::variant<ClosedMeshFault, DecompositionError>;
std::string describe(const DecompositionFault& fault);

/// Convex hulls whose union is about the solid that a closed mesh encloses:
///
/// - every point of the solid lies in a hull, to hull_tolerance of the solid's extent;
/// - every point of every hull lies in the solid or within `error` of it (but for what a sharp
///   corner of a hull differs from the solid by within a layer of error / 16);
/// - hulls may overlap, and pass every check of a hull shape.
///
/// The solid are the points with a winding number above zero: shells that overlap are one solid,
/// an inner shell turned inwards is the wall of a hollow, and a mesh that crosses itself is
/// treated as the solid that this makes of it, its whole surface included. The same mesh gives the
/// same bits on every machine.
///
/// The solid is cut by planes until the hull of each piece keeps to max_error: after Mamou,
/// "Volumetric Hierarchical Approximate Convex Decomposition" (2016) and Wei, Liu, Ling, Su,
/// "Approximate Convex Decomposition for 3D Meshes with Collision-Aware Concavity and Tree Search"
/// (2022), but on the exact surface, without samples or voxels, and with a bound that is checked
/// rather than estimated. Then hulls are joined in pairs for as long as the joint hull keeps to it.
base::Result<Decomposition, DecompositionFault> decompose(const state::TriangleMesh& mesh,
                                                          const DecompositionOptions& options);

}  // namespace jostle::geometry
