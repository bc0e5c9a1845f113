#pragma once

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/stabilizers/stacks/support_graph.h"

#include <iterator>

namespace jostle::physics {

/// Calls `visit(bundle)` with the contact's bundle. The type of the bundle depends on the point
/// count.
template <typename Visit>
decltype(auto) with_bundle(SolverArrays& solver, const StandingContact& contact, Visit&& visit) {
  switch (contact.point_count) {
    case 1:
      return visit(solver.bundles.ones[contact.bundle]);
    case 2:
      return visit(solver.bundles.twos[contact.bundle]);
    case 3:
      return visit(solver.bundles.threes[contact.bundle]);
    default:
      return visit(solver.bundles.fours[contact.bundle]);
  }
}

/// Returns the coefficient of static friction of a contact; it applies because supported bodies do
/// not slide. If static and kinetic friction are equal in the whole cluster, no grip bundles exist,
/// and the contact's bundle holds the coefficient.
template <int N>
float grip_of(const SolverArrays& solver, const ContactBundle<N>& bundle,
              const StandingContact& contact) {
  return solver.has_grips ? solver.grips[N - 1][contact.bundle].friction[contact.lane]
                          : bundle.friction[contact.lane];
}

/// Returns the solver index of the body that touches `body` at the contact.
inline std::uint32_t other_of(const StandingContact& contact, std::uint32_t body) {
  return contact.a == body ? contact.b : contact.a;
}

/// Returns the number of rows of a contact: its points, two tangents, and twist if it has more than
/// one point.
constexpr std::uint32_t row_count(std::uint32_t point_count) {
  return point_count > 1 ? point_count + 3 : 3;
}

/// Axes of a contact. The normal points towards the supported body: from a to b, or from b to a if
/// a is the supported body (`is_seen_by_a`).
struct StandingFrame {
  math::Vec3 normal, tangent_1, tangent_2;
};
template <typename Bundle>
StandingFrame frame_of(const Bundle& bundle, std::uint32_t lane, bool is_seen_by_a) {
  const math::Vec3 normal = vector_of(bundle.normal, lane);
  const math::Vec3 tangent = vector_of(bundle.tangent, lane);
  const math::Vec3 across = cross(normal, tangent);
  if (is_seen_by_a) return {-normal, -tangent, -across};
  return {normal, tangent, across};
}

/// The two tangents of a contact in world axes, not turned towards the supported body.
struct ContactTangents {
  math::Vec3 along, across;

  template <typename Bundle>
  ContactTangents(const Bundle& bundle, std::uint32_t lane)
      : along(vector_of(bundle.tangent, lane)),
        across(cross(vector_of(bundle.normal, lane), along)) {}
  /// Returns the vector from the origin of the contact frame to a point of the contact.
  template <typename Point>
  math::Vec3 place_of(const Point& point, std::uint32_t lane) const {
    return along * point.along_1[lane] + across * point.along_2[lane];
  }
};

/// Copies the impulses of a contact to its rows.
template <typename Bundle>
void read_impulses(const Bundle& bundle, std::uint32_t lane, SupportRows& rows) {
  std::size_t row = 0;
  for (const auto& point : bundle.points)
    rows.impulse[row++] = point.impulse[lane];
  rows.impulse[row++] = bundle.tangent_impulse[0][lane];
  rows.impulse[row++] = bundle.tangent_impulse[1][lane];
  if (std::size(bundle.points) > 1) rows.impulse[row] = bundle.twist_impulse[lane];
}

/// Returns true if the body is a root: an immovable or kinematic body, which has no supports.
inline bool is_root(const StandingBody& standing) {
  return standing.first == standing.last;
}

/// Fills the rows of a body's supports and factors their matrix A. Returns false if A is singular:
/// the rows do not constrain the body in all directions.
bool prepare_rows(Cluster& cluster, StandingBody& standing, StandingDetail& detail);

}  // namespace jostle::physics
