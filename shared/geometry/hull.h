#pragma once

#include "shared/base/result.h"
#include "shared/state/solid.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace jostle::geometry {

inline constexpr std::size_t max_hull_vertices = 256;

enum class HullError : std::uint8_t { TooFewPoints, NotFinite, TooLarge, Flat, TooManyVertices };

/// For a message after the name of the hull: "lies in one plane".
std::string_view describe(HullError error);

/// The convex hull of a cloud of points in any order, with duplicates, with many of them in one
/// plane. Points nearer to the hull of the others than a tolerance in proportion to its size are
/// left out, and faces in almost one plane merged, so that every face is flat to that tolerance.
/// The result does not depend on the points' order but for the numbering.
base::Result<state::ConvexHull, HullError> build_hull(std::span<const math::Vec3> points);

/// A solid with its content's hash.
std::shared_ptr<const state::Solid> share(state::ConvexHull hull);

}  // namespace jostle::geometry
