#pragma once

#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/solver/belt_bundle.h"
#include "shared/physics/solver/body_block.h"
#include "shared/physics/solver/bounce_bundle.h"
#include "shared/physics/solver/contact_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/resistance_bundle.h"
#include "shared/physics/solver/softness.h"
#include "shared/physics/solver/squeezed_bodies.h"
#include "shared/physics/solver/support_graph.h"
#include "shared/state/locks.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// What the contact kernels read and write of a body, 32 bytes: eight of them are one gather.
struct alignas(32) SolverVelocity {
  math::Vec3 linear;  // m/s
  float inverse_mass = 0;
  math::Vec3 angular;  // rad/s
  float tautness = 0;  // by joints (solver/taut_bodies.h)
};

/// How far a body has moved since the start of the step.
struct alignas(32) SolverMotion {
  math::Vec3 offset;  // m
  float unused_a = 0;
  math::Vec3 turn;  // rad, summed angular velocity
  float unused_b = 0;
};

/// The inverse inertia about the centre of mass, world axes, at the start of the step.
struct alignas(32) SolverInertia {
  float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;  // 1/(kg·m²)
  float unused_a = 0, unused_b = 0;
};

/// What gravity, force and torque add to the velocities in each substep.
struct alignas(32) SolverGain {
  math::Vec3 linear;  // m/s
  float unused_a = 0;
  math::Vec3 angular;  // rad/s
  float unused_b = 0;
};

/// What is said of a body once a step.
struct SolverBody {
  std::uint32_t body = 0xFFFFFFFFU;  // slot; none of the immovable one, and of places to spare
  bool is_dynamic = false;
  /// No contact holds it: flies on the exact parabola (see kernels/body_kernels.h); joints know
  /// (JointConstraint::drift).
  bool is_free = true;
  bool touches_movable = false;  // another dynamic or a kinematic body
  state::Locks locks = 0;
  bool is_carried = false;    // a surface runs at one of its contacts
  std::uint64_t colours = 0;  // of its contacts, one bit each
};

/// Some bundles of the same colour and kind: a unit of parallel work. No two of a colour share a
/// body that can move.
struct ColourBlock {
  std::uint32_t kind = 0;             // point count of contacts, class of joints
  std::uint32_t first = 0, last = 0;  // bundles of that kind
};

/// The blocks of one colour, [first] to [last).
struct ColourRange {
  std::uint32_t first = 0, last = 0;
  bool is_serial = false;  // the overflow: bodies may repeat
};

/// Blocks, colour by colour, each from the first bodies to the last, so that each thread, which has
/// the same part of every loop, comes back to the same bodies.
struct ColourBlocks {
  std::vector<ColourBlock> blocks;
  std::vector<ColourRange> colours;
  std::vector<std::uint32_t> order;  // of all blocks, likewise, where colours do not matter

  void clear() {
    blocks.clear();
    colours.clear();
    order.clear();
  }
};

/// Bundles by point count, each kind in the order of colours.
struct ContactBundles {
  std::vector<ContactBundle<1>> ones;
  std::vector<ContactBundle<2>> twos;
  std::vector<ContactBundle<3>> threes;
  std::vector<ContactBundle<4>> fours;
  std::vector<ContactRecords<1>> one_records;
  std::vector<ContactRecords<2>> two_records;
  std::vector<ContactRecords<3>> three_records;
  std::vector<ContactRecords<4>> four_records;

  /// Calls visit(bundles, records) with the vectors for the point count, 1 to 4.
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

/// A manifold on its way into a bundle.
struct ColouredContact {
  std::uint32_t contact = 0;  // slot
  std::uint32_t a = 0, b = 0;
  std::uint8_t manifold = 0;  // of the contact
  std::uint16_t group = 0;    // of colour and point count
};

/// Scratch of one step of one cluster. Nothing here outlives it but the memory. Bodies have the
/// same index in all arrays; [0] is the immovable body. The arrays are filled up to whole blocks.
struct SolverArrays {
  std::vector<SolverBody> bodies;
  std::vector<SolverVelocity> velocities;
  std::vector<SolverMotion> motions;
  std::vector<SolverInertia> inertias;
  std::vector<SolverGain> gains;
  std::vector<BodyBlock> body_blocks;
  std::vector<std::uint8_t>
      turned_lanes;  // by block: whose inertia was measured anew, one bit each

  std::vector<ColouredContact> coloured;
  ColourBlocks contact_blocks;
  ContactBundles bundles;
  bool has_restitution = false;                      // of any contact
  std::array<std::vector<BounceBundle>, 4> bounces;  // beside the bundles, if so
  bool has_resistance = false;                       // of any contact, to rolling or spinning
  std::array<std::vector<ResistanceBundle>, 4> resistances;  // beside the bundles, if so
  bool has_belts = false;                                    // of any contact: a surface runs
  std::array<std::vector<BeltBundle>, 4> belts;              // beside the bundles, if so
  bool has_grips = false;                                    // of any contact: static friction
  std::array<std::vector<GripBundle>, 4> grips;              // beside the bundles, if so
  std::vector<GripLoad> grip_loads;                          // by body, if so
  bool has_locks = false;                                    // of the bodies of any contact
  std::array<std::vector<LockBundle>, 4> locks;              // beside the bundles, if so

  SqueezedBodies squeezed;
  SupportGraph supports;
  Softness softness;  // of contacts
  float substep_seconds = 0;
};

inline math::Mat3 to_matrix(const SolverInertia& i) {
  return {{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}};
}

}  // namespace jostle::physics
