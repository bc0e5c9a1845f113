#pragma once

#include "shared/physics/collision/triangle_lanes.h"
#include "shared/physics/solver/belt_bundle.h"
#include "shared/physics/solver/body_block.h"
#include "shared/physics/solver/bounce_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/resistance_bundle.h"
#include "shared/physics/solver/softness.h"
#include "shared/simd/instruction_set.h"

#include <cstdint>

namespace jostle::physics {

/// Pointers into SolverArrays and the constants of a step: the whole input of the kernels of bodies
/// and contacts.
struct KernelView {
  // Rows of eight floats: SolverVelocity, SolverMotion, SolverInertia, SolverGain.
  float* velocities = nullptr;
  float* motions = nullptr;
  float* inertias = nullptr;
  float* gains = nullptr;
  BodyBlock* body_blocks = nullptr;
  // indexed by body block: bit mask of the bodies whose inertia was recomputed in this substep
  std::uint8_t* turned_lanes = nullptr;
  void* bundles[4]{};                  // ContactBundle<N> at [N - 1]
  void* records[4]{};                  // ContactRecords<N> at [N - 1]
  ResistanceBundle* resistances[4]{};  // parallel to the bundles, or null if no contact has any
  BounceBundle* bounces[4]{};          // parallel to the bundles, or null if no contact needs it
  BeltBundle* belts[4]{};              // parallel to the bundles, or null if no contact needs it
  GripBundle* grips[4]{};              // parallel to the bundles, or null if no contact needs it
  LockBundle* locks[4]{};              // parallel to the bundles, or null if no contact needs it
  Softness softness;

  float substep_seconds = 0;
  float max_linear_speed = 0, max_angular_speed = 0;
  float max_push_speed = 0;
  float restitution_threshold = 0;
};

/// Pointers into eight manifolds, from which the kernels prepare and store contacts: to the first
/// floats of each manifold and to its points (detail/records.h). The kernels read eight floats at a
/// time.
struct ManifoldSources {
  const float* header[lane_count];
  const float* points[lane_count];
};

/// Results of a step, by lane, that are stored in the manifolds of one bundle or reported as
/// events.
struct alignas(32) StoredContacts {
  Lanes friction[3];  // N·s per substep, world axes
  Lanes twist;
  Lanes moved;                // m, Manifold::moved; before the kernel runs, its previous value
  Lanes separation[4];        // m, by point
  Lanes impulse[4];           // N·s per substep
  Lanes step_impulse[4];      // N·s
  Lanes hit_point;            // index of the fastest point with a hit event, or −1
  std::uint32_t met_lanes{};  // lanes in which any point acted
};

/// Copies of Manifold::not_known and of the number of floats in a ManifoldPoint (detail/records.h).
inline constexpr float points_not_known = -1;
inline constexpr int manifold_point_floats = 10;

using BlockKernel = void (*)(const KernelView&, std::uint32_t first, std::uint32_t last);
using PrepareKernel = void (*)(const KernelView&, std::uint32_t bundle, const ManifoldSources&);
using StoreKernel = void (*)(const KernelView&, std::uint32_t bundle, const ManifoldSources&,
                             StoredContacts&);

/// All kernels for one instruction set. Ranges are of body blocks or, at [N - 1], of bundles of N
/// points.
struct KernelTable {
  BlockKernel prepare_bodies;
  BlockKernel integrate_velocities;
  BlockKernel note_warm_start;
  BlockKernel integrate_positions;
  PrepareKernel prepare_contacts[4];
  BlockKernel measure_contacts[4];
  BlockKernel warm_start[4];
  BlockKernel note_carried[4];
  BlockKernel solve[4];
  BlockKernel relax[4];
  BlockKernel restitute[4];
  StoreKernel store_contacts[4];
  const JointKernelTable& joints;
  SurfaceKernels surfaces;
};

/// Returns the kernels of an instruction set, which this machine must support.
const KernelTable& kernels_for(simd::InstructionSet level);

// The tables of an instruction set are in three source files, so that they compile in parallel.
extern const KernelTable plain_kernels;
extern const JointKernelTable plain_joint_kernels;
extern const CoordinateKernelTable plain_coordinate_kernels;
#ifdef __x86_64__
extern const KernelTable sse2_kernels, avx2_kernels;
extern const JointKernelTable sse2_joint_kernels, avx2_joint_kernels;
extern const CoordinateKernelTable sse2_coordinate_kernels, avx2_coordinate_kernels;
#endif
#ifdef __aarch64__
extern const KernelTable neon_kernels;
extern const JointKernelTable neon_joint_kernels;
extern const CoordinateKernelTable neon_coordinate_kernels;
#endif

}  // namespace jostle::physics
