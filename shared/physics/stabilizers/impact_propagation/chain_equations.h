#pragma once

#include "shared/math/vec3d.h"
#include "shared/physics/stabilizers/articulations/tree_algebra.h"
#include "shared/physics/stabilizers/impact_propagation/impact_joints.h"
#include "shared/physics/stabilizers/impact_propagation/impact_sequence.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

struct Cluster;

/// Speed of separation, without a bounce, above which the correction of an overlap has left speed
/// behind. The sequence of impacts then removes it.
inline constexpr double pushed_apart = 0.01;  // m/s

/// A contact point with restitution that acted in the phase.
struct ChainContact {
  std::uint32_t point_count = 1, bundle = 0, lane = 0, point = 0;
  std::uint32_t a = 0, b = 0;  // solver indices
  math::Vec3d axes[3];         // normal and tangents
  math::Vec3d arm_a, arm_b;
  math::Vec3d belt;                // relative velocity of the surfaces, m/s
  double separation = 0, gap = 0;  // at the start of the phase and now, m
  double approach = 0;             // speed of approach, predicted without contacts, m/s
  double impulse_before = 0;       // impulse of the previous substep, N·s
  // Energy that the manifold has absorbed in the step, J (BounceBundle). Chains without joints have
  // manifolds of one point.
  double absorbed = 0;
  bool may_bounce = false;       // true if it may bounce, or is pushed
  bool is_pushed_apart = false;  // true if the bodies separate faster than `pushed_apart`
  ChainImpact impact;
};

/// The span of time after which chains are solved, and whose impulses they undo.
enum class ImpactPhase : std::uint8_t { Substep, Step };

/// Blows and joints that dynamic bodies connect.
struct Chain {
  std::vector<ChainContact> contacts;
  std::vector<ImpactJoint> joints;
};

/// The equations of a chain (impact_chains.h), for the state at the end of the phase.
class ChainEquations {
 public:
  ChainEquations(Cluster& cluster, Chain& chain, ImpactPhase phase);

  /// Simulates the impacts, and writes the velocities and impulses back. Does nothing if no contact
  /// bounces, or if the impulses of the phase cannot be undone.
  void solve();

 private:
  std::vector<std::uint32_t> list_bodies();
  std::vector<ChainImpact> list_impacts() const;
  std::vector<OwnMass> list_masses() const;
  ImpactRow row_of(const ChainContact& contact, math::Vec3d axis) const;
  /// Finds the responses of all rows to unit impulses along each row.
  void find_responses();
  /// Finds the speeds at which the bodies would approach each other without contacts in the
  /// substep (ChainContact::approach).
  void find_approaches();
  /// Finds the effects of gravity and forces on the impacts.
  void find_gravity_effects();
  /// Finds the changes of velocities that make them satisfy the joints.
  void find_corrections();
  std::vector<double> find_speeds() const;
  /// Returns true if the bodies approach each other at most as fast as predicted
  /// (ChainContact::approach), apart from falling. Otherwise the contacts have changed so much
  /// within the phase that their impulses cannot be undone. `speeds` are those after the impulses
  /// were undone.
  bool is_as_predicted(std::span<const double> speeds) const;
  /// Returns the energy that the contacts have absorbed in the step, divided by the energy `undone`
  /// of undoing their impulses.
  double absorbed_share(double undone) const;
  /// Returns false if that share is far from 1. Then bodies have turned so much within the step
  /// that the velocities at its end do not show the impacts. Each contact then returns the energy
  /// that it has absorbed (kernels/bounce_kernel.h).
  static bool is_explained(double absorbed_share);
  void add_changes(const ImpactSequence& sequence);
  /// Takes the impulses of the chain out of the warm start of the next substep.
  void end_warm_start();
  void store_impulses(const ImpactSequence& sequence);
  void clear_changes();
  /// Returns the index of the row along the normal of a contact.
  std::size_t normal_of(std::size_t contact) const { return contact * stride_; }

  Cluster& cluster_;
  Chain& chain_;
  ImpactPhase phase_;
  std::vector<std::uint32_t> places_;  // by solver index: index in `bodies_`, 0 if immovable
  std::vector<std::uint32_t> bodies_;  // solver indices
  std::vector<OwnMass> masses_;        // parallel to `bodies_`, like the velocities below
  ImpactJoints joints_;
  std::size_t stride_;             // number of rows of each contact
  std::vector<ImpactRow> rows_;    // of each contact: the normal, and the tangents if friction acts
  std::vector<double> responses_;  // square matrix, by rows
  std::vector<tree::Velocity> corrections_;  // find_corrections
  std::vector<tree::Velocity> changes_;      // scratch memory
};

}  // namespace jostle::physics
