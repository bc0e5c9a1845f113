#pragma once

#include "shared/reference/rows.h"

namespace jostle::reference {

/// Current position, normal and separation of a contact in world axes.
struct ContactStand {
  Vec3d point;            // midway between the two surfaces
  Vec3d normal;           // unit, from a to b
  double separation = 0;  // m
};
ContactStand stand_of(const System& system, const Contact& contact);

/// Returns the rows of all contacts, three for each: the normal and two tangents.
///
/// With arms r_a, r_b from the centres of mass to the point p of the contact, the unit normal n
/// from a to b, and s the separation of the surfaces,
///
///   C = s = n·(p_b − p_a) ≥ 0
///   Ċ = n·(v_b + ω_b × r_b − v_a − ω_a × r_a)
///     = −n·v_a − (r_a × n)·ω_a + n·v_b + (r_b × n)·ω_b
///
/// by a·(ω × r) = ω·(r × a). So J = (−n, −r_a × n, n, r_b × n). The rotation of n with the surface
/// adds ṅ·(p_b − p_a) to the rate; this term is as small as the gap and is neglected. Surfaces push
/// and do not pull, λ ≥ 0, and only if they touch, λ·C = 0 (Signorini's condition).
///
/// For two tangents t₁, t₂ the same rows measure the sliding velocity. They have no C, only a rate,
/// and follow Coulomb's law: friction opposes the sliding with at most μ times the normal force.
/// mlcp.h describes the two forms of this bound.
///
/// Source: Stewart and Trinkle, "An implicit time-stepping scheme for rigid body dynamics with
/// inelastic collisions and Coulomb friction", 1996.
std::vector<Row> contact_rows(const System& system);

/// Number of rows that contact_rows returns for each contact.
inline constexpr std::size_t rows_per_contact = 3;

}  // namespace jostle::reference
