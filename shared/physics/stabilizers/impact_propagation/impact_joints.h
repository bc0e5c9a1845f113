#pragma once

#include "shared/physics/stabilizers/articulations/tree_algebra.h"
#include "shared/physics/stabilizers/articulations/tree_arrays.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

struct Cluster;

// Joints act within impacts. An impact is so short that forces of bounded size, such as those of
// motors, springs and gravity, do nothing in it, but a rigid joint transmits its impulse at once.
// With the rows J of all joints between some bodies, an impulse that alone would change their
// velocities by Δ changes them by
//
//   Δ − M⁻¹·Jᵀ·(J·M⁻¹·Jᵀ)⁻¹·J·Δ
//
// This is exact for trees and for loops of joints. Redundant rows get no impulse. The matrix is
// factored by Cholesky's method within its envelope (George and Liu, "Computer solution of large
// sparse positive definite systems", 1981, ch. 4). The envelope is narrow, because joints are in
// the order of a breadth-first search over the bodies: joints that share a body are neighbours.

/// A row of the Jacobian of a joint or contact: the impulses on two bodies by a unit impulse.
/// Bodies are indices in a list; of_a and of_b are force and torque about the centre of mass.
struct ImpactRow {
  std::uint32_t a = 0, b = 0;
  tree::Velocity of_a{}, of_b{};

  /// Returns the speed along the row of bodies with the velocities `of`.
  double speed(std::span<const tree::Velocity> of) const {
    return tree::dot(of_a, of[a]) + tree::dot(of_b, of[b]);
  }
};

/// A joint between two bodies of a cluster: an entry of JointArrays::coloured or, if it has
/// coordinates, a lane of CoordinateArrays::bundles.
struct ImpactJoint {
  bool has_coordinates = false;
  std::uint32_t index = 0;     // of the entry, or of the bundle
  std::uint32_t lane = 0;      // of the bundle
  std::uint32_t a = 0, b = 0;  // solver indices
};

/// Lists the joints of a cluster that hold any direction rigidly.
std::vector<ImpactJoint> rigid_joints(const Cluster& cluster);

/// Adds the velocity changes by the impulse `size` along a row to `changes`.
void apply_impulse(std::span<const OwnMass> masses, const ImpactRow& row, double size,
                   std::span<tree::Velocity> changes);

/// The rows of some joints, and their factored equations.
class ImpactJoints {
 public:
  /// `places` gives the index in `masses` of each body, by solver index; it is 0 for bodies that
  /// cannot move. Joints of immovable bodies only are ignored.
  ImpactJoints(const Cluster& cluster, std::span<const ImpactJoint> joints,
               std::span<const std::uint32_t> places, std::span<const OwnMass> masses);

  bool empty() const { return rows_.empty(); }
  /// Removes the parts of velocity changes that the joints do not allow. Keeps the impulses that
  /// the joints need for it.
  void project(std::span<tree::Velocity> changes);
  /// Adds the impulses of the last call of `project` to the impulses of the step.
  void add_impulses(Cluster& cluster) const;

 private:
  struct Block {
    ImpactJoint joint;
    std::size_t first = 0, count = 0;  // range of its rows
  };
  void add_rows(const Cluster& cluster, const ImpactJoint& joint,
                std::span<const std::uint32_t> places);
  void factor();
  double* line(std::size_t row) { return factor_.data() + lines_[row] - first_[row]; }
  const double* line(std::size_t row) const { return factor_.data() + lines_[row] - first_[row]; }

  std::span<const OwnMass> masses_;
  std::vector<Block> blocks_;
  std::vector<ImpactRow> rows_;
  // Envelope of the Cholesky factor L: for each row its first column and its place in `factor_`,
  // where columns first_[row] to row follow each other. Diagonal elements are stored inverted.
  std::vector<std::size_t> first_, lines_;
  std::vector<double> factor_;
  std::vector<double> impulses_;  // by row
};

}  // namespace jostle::physics
