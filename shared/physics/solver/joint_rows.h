#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/stabilizers/articulations/tree_algebra.h"
#include "shared/physics/stabilizers/articulations/tree_arrays.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

struct Cluster;
struct JointDef;

// The rows of the Jacobian of a joint's block, and the masses of jointed bodies, in double
// precision.

/// Returns true if a joint has limits, motors or springs. Passes solve their scalar rows, which are
/// not equations of a tree.
bool has_acting_rows(const JointDef& def);

using JointDirections = std::array<TreeDirection, TreeEdge::max_rows>;

/// Finds the directions that a joint constrains: forces along `linear`, torques about `angular`.
/// Returns their number.
std::size_t find_directions(const Cluster& cluster, const TreePart& part,
                            JointDirections& directions);
/// Returns the row of J of one body, times `sign`. The row's force along `direction.linear` acts at
/// the end of `arm`; its torque is `direction.angular`.
tree::Velocity row_of(const TreeDirection& direction, math::Vec3 arm, double sign);
/// Returns M⁻¹ of a body.
OwnMass own_mass(const Cluster& cluster, std::uint32_t body);
/// Returns twice the kinetic energy, v·M·v, of a body with the velocity `v`. Directions in which it
/// cannot move do not count.
double doubled_energy(const OwnMass& mass, const tree::Velocity& v);

}  // namespace jostle::physics
