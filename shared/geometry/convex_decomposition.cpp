#include "shared/geometry/convex_decomposition.h"

#include "shared/geometry/detail/cut_planes.h"
#include "shared/geometry/detail/hull_cover.h"
#include "shared/geometry/detail/hull_excess.h"
#include "shared/geometry/detail/join_pieces.h"
#include "shared/geometry/detail/surface_edges.h"
#include "shared/geometry/hull.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace jostle::geometry {

using detail::Effort;
using detail::Piece;
using detail::SolidMesh;
using detail::SolidPart;
using math::Vec3;
using math::Vec3d;

namespace {

/// Work limit of a decomposition. Reaching it takes a few seconds.
constexpr std::uint64_t max_effort = 400'000'000;

/// A part of a shell that is being cut, and the piece that it would become.
struct Draft {
  SolidPart part;
  Piece piece;
  double volume = 0;         // volume of the hull, m³
  bool is_finished = false;  // true if the piece meets the error, or cannot be cut
};

std::optional<Draft> draft_of(const SolidMesh& solid, SolidPart part, double error,
                              Effort& effort) {
  Draft draft;
  for (const Vec3d p : part.corners)
    draft.piece.points.push_back(narrowed(p));
  auto hull = detail::cover(draft.piece.points);
  if (!hull) return std::nullopt;
  draft.piece.hull = *std::move(hull);
  draft.volume = detail::measure_hull(part.corners).volume;
  draft.is_finished = detail::is_within(draft.piece.hull, solid, error, effort);
  draft.part = std::move(part);
  return draft;
}

/// A solid that is being cut into pieces: either a shell that is a solid by itself, or the whole
/// mesh.
class Cutter {
 public:
  /// Each piece of `shell` must lie within `error` of `whole`, which may have other shells too.
  Cutter(const state::TriangleMesh& shell, const SolidMesh& whole, double error, Effort& effort)
      : shell_(shell),
        whole_(whole),
        search_(shell_, detail::find_reflex_edges(shell)),
        error_(error),
        effort_(effort) {}

  /// Cuts the shell into at most `max_pieces` pieces. Returns nothing if the shell is thinner than
  /// a hull may be.
  std::optional<std::vector<Piece>> cut_to_pieces(std::size_t max_pieces);

 private:
  bool cut_in_two(std::size_t index);
  std::optional<std::size_t> next_draft() const;

  SolidMesh shell_;
  const SolidMesh& whole_;
  detail::PlaneSearch search_;
  double error_ = 0;
  Effort& effort_;
  std::vector<Draft> drafts_;
};

/// Cuts a draft at the best plane for which both sides have a hull. Returns false if none of the
/// eight best planes is suitable.
bool Cutter::cut_in_two(std::size_t index) {
  constexpr std::size_t max_attempts = 8, tests_a_corner = 64;
  effort_.spend(tests_a_corner * drafts_[index].part.corners.size());
  for (const detail::Plane& plane : search_.best_planes(drafts_[index].part, max_attempts)) {
    detail::TwoParts sides = detail::cut(shell_, drafts_[index].part, plane);
    auto below = draft_of(whole_, std::move(sides.below), error_, effort_);
    if (!below) continue;
    auto above = draft_of(whole_, std::move(sides.above), error_, effort_);
    if (!above) continue;
    drafts_[index] = *std::move(below);
    drafts_.push_back(*std::move(above));
    return true;
  }
  return false;
}

/// Returns the unfinished draft with the largest hull, or nothing if all are finished.
std::optional<std::size_t> Cutter::next_draft() const {
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    if (drafts_[i].is_finished) continue;
    if (!next || drafts_[i].volume > drafts_[*next].volume) next = i;
  }
  return next;
}

std::optional<std::vector<Piece>> Cutter::cut_to_pieces(std::size_t max_pieces) {
  auto first = draft_of(whole_, detail::whole(shell_), error_, effort_);
  if (!first) return std::nullopt;
  drafts_.push_back(*std::move(first));
  while (drafts_.size() < max_pieces && !effort_.is_spent()) {
    const auto next = next_draft();
    if (!next) break;
    if (!cut_in_two(*next)) drafts_[*next].is_finished = true;
  }
  std::vector<Piece> pieces;
  for (Draft& draft : drafts_)
    pieces.push_back(std::move(draft.piece));
  return pieces;
}

/// Splits a mesh into its shells: sets of triangles connected by vertices.
std::vector<state::TriangleMesh> shells_of(const state::TriangleMesh& mesh) {
  state::TriangleMesh clean = mesh;
  for (Vec3& v : clean.vertices)
    v += Vec3{};  // −0 and 0 are the same position
  const detail::Triangles triangles = detail::triangles_by_place(clean);
  std::vector<std::uint32_t> above(mesh.vertices.size());
  std::iota(above.begin(), above.end(), 0U);
  const auto root = [&](std::uint32_t vertex) {
    while (above[vertex] != vertex)
      vertex = above[vertex] = above[above[vertex]];
    return vertex;
  };
  for (const auto& corners : triangles) {
    for (const std::uint32_t corner : corners) {
      const std::uint32_t x = root(corners[0]), y = root(corner);
      above[std::max(x, y)] = std::min(x, y);
    }
  }
  constexpr std::uint32_t none = 0xFFFFFFFFU;
  std::vector<std::uint32_t> shell_at(mesh.vertices.size(), none), number(shell_at);
  std::vector<state::TriangleMesh> shells;
  for (const auto& corners : triangles) {
    std::uint32_t& at = shell_at[root(corners[0])];
    if (at == none) {
      at = static_cast<std::uint32_t>(shells.size());
      shells.emplace_back();
    }
    state::TriangleMesh& shell = shells[at];
    auto& triangle = shell.triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint32_t& vertex = number[corners[i]];
      if (vertex == none) {
        vertex = static_cast<std::uint32_t>(shell.vertices.size());
        shell.vertices.push_back(mesh.vertices[corners[i]]);
      }
      triangle[i] = vertex;
    }
  }
  return shells;
}

/// Cuts each shell separately. The pieces of different shells may overlap, so this is possible if
/// every shell is a solid by itself. Returns nothing if a shell is too thin for a hull. Also
/// returns nothing if a shell is turned inwards, because it must be cut together with the shell
/// around it.
std::optional<std::vector<Piece>> cut_shells(const std::vector<state::TriangleMesh>& shells,
                                             const SolidMesh& solid, std::size_t max_pieces,
                                             double error, Effort& effort) {
  std::vector<Piece> pieces;
  for (const state::TriangleMesh& shell : shells) {
    if (!(enclosed_volume(shell) > 0.0)) return std::nullopt;
    const auto more = Cutter(shell, solid, error, effort).cut_to_pieces(max_pieces / shells.size());
    if (!more) return std::nullopt;
    pieces.insert(pieces.end(), more->begin(), more->end());
  }
  return pieces;
}

/// Returns `error` multiplied by `error_growth` until all pieces meet it. Stops early if the
/// `effort` budget is used up or the error exceeds four times the extent of the solid.
double error_of(const std::vector<Piece>& pieces, const SolidMesh& solid, double error,
                Effort& effort) {
  for (const Piece& piece : pieces) {
    while (error < 4.0 * solid.extent() && !effort.is_spent() &&
           !detail::is_within(piece.hull, solid, error, effort))
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

  // Cuts go through a whole part, so there are more pieces before merging than hulls after merging.
  constexpr std::size_t pieces_a_hull = 8, least_pieces = 64;
  const std::size_t max_pieces = std::max(pieces_a_hull * options.max_hulls, least_pieces);
  Effort effort(max_effort);
  const std::vector<state::TriangleMesh> shells = shells_of(mesh);
  std::optional<std::vector<Piece>> cut;
  if (shells.size() <= max_pieces) cut = cut_shells(shells, solid, max_pieces, error, effort);
  if (!cut && shells.size() > 1) cut = Cutter(mesh, solid, error, effort).cut_to_pieces(max_pieces);
  if (!cut) return fail(DecompositionError::TooThin);
  std::vector<Piece> pieces = *std::move(cut);
  error = error_of(pieces, solid, error, effort);
  detail::join_pieces(pieces, solid, options.max_hulls, error, effort);
  if (effort.is_spent()) return fail(DecompositionError::TooIntricate);
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
      return "must have a max_hulls of 1 to 256";
    case DecompositionError::ErrorTooSmall:
      return "is larger than 1024 times max_error; use a larger max_error";
    case DecompositionError::TooFewHulls:
      return "cannot be covered by max_hulls hulls; use a larger max_hulls";
    case DecompositionError::TooIntricate:
      return "is too complex to decompose; use a larger max_error or a simpler mesh";
    case DecompositionError::TooThin:
      return "is smaller than 0.001 m or thinner than 0.0002 m";
  }
  return "is invalid";
}

std::string describe(const DecompositionFault& fault) {
  return std::visit([](const auto& which) { return describe(which); }, fault);
}

}  // namespace jostle::geometry
