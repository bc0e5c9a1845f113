#pragma once

#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/solver/belt_bundle.h"
#include "shared/physics/solver/body_block.h"
#include "shared/physics/solver/bounce_bundle.h"
#include "shared/physics/solver/colour_block.h"
#include "shared/physics/solver/contact_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/resistance_bundle.h"
#include "shared/physics/solver/softness.h"
#include "shared/physics/stabilizers/curved_tracks/running_balls.h"
#include "shared/physics/stabilizers/mass_ratios/squeezed_bodies.h"
#include "shared/physics/stabilizers/stacks/support_graph.h"
#include "shared/state/motion_locks.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Part of a body's state that contact and joint kernels read and write. It has 32 bytes, so that a
/// kernel can load eight bodies as eight rows and transpose them.
struct alignas(32) SolverVelocity {
  math::Vec3 linear;  // m/s
  float inverse_mass = 0;
  math::Vec3 angular;  // rad/s
  float tautness =
      0;  // tautness c, summed over the joints (stabilizers/geometric_stiffness/taut_bodies.h)
};

/// Motion of a body since the start of the step.
struct alignas(32) SolverMotion {
  math::Vec3 offset;  // m
  float unused_a = 0;
  math::Vec3 turn;  // sum of the rotations of the substeps, rad
  float unused_b = 0;
};

/// Inverse inertia tensor about the centre of mass in world axes. It is that of the start of the
/// step until the body turns too far for its shape (follow_turn in kernels/body_kernels.h).
struct alignas(32) SolverInertia {
  float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;  // 1/(kg·m²)
  float unused_a = 0, unused_b = 0;
};

/// Velocity change by gravity, force and torque in each substep.
struct alignas(32) SolverGain {
  math::Vec3 linear;  // m/s
  float unused_a = 0;
  math::Vec3 angular;  // rad/s
  float unused_b = 0;
};

/// Data of a body that is set once per step.
struct SolverBody {
  // Body slot; no_index for the immovable body and for unused entries.
  std::uint32_t body = 0xFFFFFFFFU;
  bool is_dynamic = false;
  /// True if the cluster has no contact with this body or, if it has joints, no contact that will
  /// hold it (free_distant_bodies). The body then moves on the exact parabola
  /// (kernels/body_kernels.h), which joints take into account (JointBundle::drift).
  bool is_free = true;
  // true if it has a contact with another dynamic body, or with a kinematic one
  bool touches_movable = false;
  state::MotionLocks locks = 0;
  bool is_carried = false;    // true if a surface velocity acts at any of its contacts
  std::uint64_t colours = 0;  // colours of its contacts, one bit each
};

/// Range of blocks of one colour.
struct ColourRange {
  std::uint32_t first = 0, last = 0;
  bool is_serial = false;  // true for the overflow colour, in which bodies may repeat
};

/// Blocks of parallel work, sorted by colour. The blocks of a colour are roughly in the order of
/// their bodies' indices. Each thread gets the same part of every loop, so that the bodies of that
/// part are in its cache already.
struct ColourBlocks {
  std::vector<ColourBlock> blocks;
  std::vector<ColourRange> colours;
  // Indices of all blocks in the order of their bodies, for work that ignores colours.
  std::vector<std::uint32_t> order;

  void clear() {
    blocks.clear();
    colours.clear();
    order.clear();
  }
};

/// Bundles and their records by point count, each kind in the order of colours.
struct ContactBundles {
  std::vector<ContactBundle<1>> ones;
  std::vector<ContactBundle<2>> twos;
  std::vector<ContactBundle<3>> threes;
  std::vector<ContactBundle<4>> fours;
  std::vector<ContactRecords<1>> one_records;
  std::vector<ContactRecords<2>> two_records;
  std::vector<ContactRecords<3>> three_records;
  std::vector<ContactRecords<4>> four_records;

  /// Calls `visit(bundles, records)` with the vectors for the point count, 1 to 4.
  template <typename Visit>
  void visit(std::uint32_t point_count, Visit&& visit) {
    switch (point_count) {
      case 1:
        visit(ones, one_records);
        break;
      case 2:
        visit(twos, two_records);
        break;
      case 3:
        visit(threes, three_records);
        break;
      default:
        visit(fours, four_records);
        break;
    }
  }
};

/// Result of the colouring for one manifold, from which it is placed in a bundle.
struct ColouredContact {
  std::uint32_t contact = 0;  // slot
  std::uint32_t a = 0, b = 0;
  std::uint8_t manifold = 0;  // index of the manifold in the contact
  std::uint16_t group = 0;    // group of its colour and point count (ColourLayout)
};

/// Scratch data of one cluster for one step. Only the allocated memory is kept between steps.
/// Bodies have the same index in all arrays of bodies; index 0 is the immovable body. These arrays
/// are padded to whole blocks.
struct SolverArrays {
  std::vector<SolverBody> bodies;
  std::vector<SolverVelocity> velocities;
  std::vector<SolverMotion> motions;
  std::vector<SolverInertia> inertias;
  std::vector<SolverGain> gains;
  std::vector<BodyBlock> body_blocks;
  std::vector<std::uint8_t>
      turned_lanes;  // by body block: bit mask of the bodies whose inertia was measured again

  std::vector<ColouredContact> coloured;
  ColourBlocks contact_blocks;
  ContactBundles bundles;
  bool has_restitution = false;                      // true if any contact has restitution
  std::array<std::vector<BounceBundle>, 4> bounces;  // parallel to the bundles if has_restitution
  // By solver index: twice the kinetic energy before joints and contacts act in the substep, J;
  // only in clusters that may be refined and have restitution.
  std::vector<double> energies_before;
  bool has_resistance = false;  // true if any contact resists rolling or spinning
  // parallel to the bundles if has_resistance
  std::array<std::vector<ResistanceBundle>, 4> resistances;
  bool has_belts = false;                        // true if a surface moves at any contact
  std::array<std::vector<BeltBundle>, 4> belts;  // parallel to the bundles if has_belts
  bool has_grips = false;  // true if static and kinetic friction of any contact differ
  std::array<std::vector<GripBundle>, 4> grips;  // parallel to the bundles if has_grips
  std::vector<GripLoad> grip_loads;              // indexed by solver index if has_grips
  bool has_locks = false;                        // true if a body of any contact has locks
  std::array<std::vector<LockBundle>, 4> locks;  // parallel to the bundles if has_locks

  RunningBalls running;
  SqueezedBodies squeezed;
  SupportGraph supports;
  Softness softness;  // softness of contacts
  float substep_seconds = 0;
};

inline math::Mat3 to_matrix(const SolverInertia& i) {
  return {{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}};
}

}  // namespace jostle::physics
