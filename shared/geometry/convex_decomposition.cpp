#include "shared/geometry/convex_decomposition.h"

#include "shared/geometry/detail/cut_planes.h"
#include "shared/geometry/detail/hull_cover.h"
#include "shared/geometry/detail/hull_excess.h"
#include "shared/geometry/detail/join_pieces.h"
#include "shared/geometry/hull.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace jostle::geometry {

using detail::Piece;
using detail::SolidMesh;
using detail::SolidPart;
using math::Vec3;
using math::Vec3d;

namespace {

/// A part of the solid on its way to be a piece.
struct Draft {
  SolidPart part;
  Piece piece;
  double volume = 0;         // of the hull, m³
  bool is_finished = false;  // keeps to the error, or cannot be cut
};

std::optional<Draft> draft_of(const SolidMesh& solid, SolidPart part, double error) {
  Draft draft;
  for (const Vec3d p : part.corners)
    draft.piece.points.push_back(narrowed(p));
  auto hull = detail::cover(draft.piece.points);
  if (!hull) return std::nullopt;
  draft.piece.hull = *std::move(hull);
  draft.volume = detail::measure_hull(part.corners).volume;
  draft.is_finished = detail::is_within(draft.piece.hull, solid, error);
  draft.part = std::move(part);
  return draft;
}

/// Cuts a draft by the best plane both of whose sides make hulls; false if there is none.
bool cut_in_two(std::vector<Draft>& drafts, std::size_t index, const SolidMesh& solid,
                const detail::PlaneSearch& search, double error) {
  constexpr std::size_t max_attempts = 8;
  for (const detail::Plane& plane : search.best_planes(drafts[index].part, max_attempts)) {
    detail::TwoParts sides = detail::cut(solid, drafts[index].part, plane);
    auto below = draft_of(solid, std::move(sides.below), error);
    if (!below) continue;
    auto above = draft_of(solid, std::move(sides.above), error);
    if (!above) continue;
    drafts[index] = *std::move(below);
    drafts.push_back(*std::move(above));
    return true;
  }
  return false;
}

/// The draft with the largest hull among those that are not finished.
std::optional<std::size_t> next_draft(const std::vector<Draft>& drafts) {
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (drafts[i].is_finished) continue;
    if (!next || drafts[i].volume > drafts[*next].volume) next = i;
  }
  return next;
}

std::vector<Piece> cut_to_pieces(const state::TriangleMesh& mesh, const SolidMesh& solid,
                                 Draft first, std::size_t max_hulls, double error) {
  // Cuts go right through a part, so that there are more pieces than hulls in the end.
  constexpr std::size_t pieces_a_hull = 8, least_pieces = 64;
  const std::size_t max_pieces = std::max(pieces_a_hull * max_hulls, least_pieces);
  const detail::PlaneSearch search(solid, detail::find_reflex_edges(mesh));
  std::vector<Draft> drafts;
  drafts.push_back(std::move(first));
  while (drafts.size() < max_pieces) {
    const auto next = next_draft(drafts);
    if (!next) break;
    if (!cut_in_two(drafts, *next, solid, search, error)) drafts[*next].is_finished = true;
  }
  std::vector<Piece> pieces;
  for (Draft& draft : drafts)
    pieces.push_back(std::move(draft.piece));
  return pieces;
}

/// The smallest error that pieces keep to, from `error` on in the steps in which it grows.
double error_of(const std::vector<Piece>& pieces, const SolidMesh& solid, double error) {
  for (const Piece& piece : pieces) {
    while (error < 4.0 * solid.extent() && !detail::is_within(piece.hull, solid, error))
      error *= detail::error_growth;
  }
  return error;
}

}  // namespace

base::Result<Decomposition, DecompositionFault> decompose(const state::TriangleMesh& mesh,
                                                          const DecompositionOptions& options) {
  const auto fail = [](auto fault) { return DecompositionFault{fault}; };
  if (mesh.triangles.size() > max_decomposed_triangles)
    return fail(DecompositionError::TooManyTriangles);
  if (const auto fault = find_fault(mesh)) return fail(*fault);
  if (options.max_hulls < 1 || options.max_hulls > max_decomposition_hulls)
    return fail(DecompositionError::WrongHullCount);
  const SolidMesh solid(mesh);
  auto error = static_cast<double>(options.max_error);
  if (!std::isfinite(error) || error < static_cast<double>(min_error_share) * solid.extent())
    return fail(DecompositionError::ErrorTooSmall);

  auto first = draft_of(solid, whole(solid), error);
  if (!first) return fail(DecompositionError::TooThin);
  std::vector<Piece> pieces =
      cut_to_pieces(mesh, solid, *std::move(first), options.max_hulls, error);
  error = error_of(pieces, solid, error);
  detail::join_pieces(pieces, solid, options.max_hulls, error);
  if (pieces.size() > options.max_hulls) return fail(DecompositionError::TooFewHulls);

  Decomposition decomposition;
  decomposition.error = static_cast<float>(error);
  decomposition.volume = static_cast<float>(enclosed_volume(mesh));
  for (Piece& piece : pieces)
    decomposition.hulls.push_back(std::move(piece.hull));
  return decomposition;
}

std::string describe(DecompositionError error) {
  switch (error) {
    case DecompositionError::TooManyTriangles:
      return "has more than 65536 triangles";
    case DecompositionError::WrongHullCount:
      return "takes 1 to 256 hulls";
    case DecompositionError::ErrorTooSmall:
      return "is larger than 1024 times its max_error";
    case DecompositionError::TooFewHulls:
      return "cannot be covered by so few hulls";
    case DecompositionError::TooThin:
      return "is smaller than 0.001 m or thinner than 0.0002 m";
  }
  return "is wrong";
}

std::string describe(const DecompositionFault& fault) {
  return std::visit([](const auto& which) { return describe(which); }, fault);
}

}  // namespace jostle::geometry
