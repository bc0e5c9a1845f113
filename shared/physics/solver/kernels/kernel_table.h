#pragma once

#include "shared/physics/narrow_phase/triangle_lanes.h"
#include "shared/physics/solver/belt_bundle.h"
#include "shared/physics/solver/body_block.h"
#include "shared/physics/solver/bounce_bundle.h"
#include "shared/physics/solver/grip_bundle.h"
#include "shared/physics/solver/kernels/joint_view.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/resistance_bundle.h"
#include "shared/physics/solver/softness.h"
#include "shared/simd/level.h"

#include <cstdint>

namespace jostle::physics {

/// Pointers into SolverArrays and the constants of a step: all that kernels know.
struct KernelView {
  // Rows of eight floats: SolverVelocity, SolverMotion, SolverInertia, SolverGain.
  float* velocities = nullptr;
  float* motions = nullptr;
  float* inertias = nullptr;
  float* gains = nullptr;
  BodyBlock* body_blocks = nullptr;
  std::uint8_t* turned_lanes = nullptr;  // by block
  void* bundles[4]{};                    // ContactBundle<N> at [N - 1]
  void* records[4]{};                    // ContactRecords<N>
  ResistanceBundle* resistances[4]{};    // beside the bundles, where any contact has some
  BounceBundle* bounces[4]{};            // likewise
  BeltBundle* belts[4]{};                // likewise
  GripBundle* grips[4]{};                // likewise
  LockBundle* locks[4]{};                // likewise
  Softness softness;

  float substep_seconds = 0;
  float max_linear_speed = 0, max_angular_speed = 0;
  float max_push_speed = 0;
  float restitution_threshold = 0;
};

/// Where eight manifolds lie, for the kernels that lead them into their bundle and back: the first
/// floats of the manifold and of each of its points (detail/records.h), read eight at a time.
struct ManifoldSources {
  const float* header[lane_count];
  const float* points[lane_count];
};

/// What a step leaves of a bundle, by lanes: for its manifolds, and what is to be reported.
struct alignas(32) StoredContacts {
  Lanes friction[3];  // N·s per substep, world axes
  Lanes twist;
  Lanes moved;                // m, Manifold::moved; before the kernel, what it was
  Lanes separation[4];        // m, by point
  Lanes impulse[4];           // N·s per substep
  Lanes step_impulse[4];      // N·s
  Lanes hit_point;            // of the fastest that met now; −1
  std::uint32_t met_lanes{};  // where any point acted, one bit each
};

/// Of Manifold::moved and ManifoldPoint, in detail/records.h.
inline constexpr float points_not_known = -1;
inline constexpr int manifold_point_floats = 10;

using BlockKernel = void (*)(const KernelView&, std::uint32_t first, std::uint32_t last);
using PrepareKernel = void (*)(const KernelView&, std::uint32_t bundle, const ManifoldSources&);
using StoreKernel = void (*)(const KernelView&, std::uint32_t bundle, const ManifoldSources&,
                             StoredContacts&);

/// One form of all kernels. Ranges are of body blocks or, at [N - 1], of bundles of N points.
struct KernelTable {
  BlockKernel prepare_bodies;
  BlockKernel integrate_velocities;
  BlockKernel note_warm_start;
  BlockKernel integrate_positions;
  PrepareKernel prepare_contacts[4];
  BlockKernel measure_contacts[4];
  BlockKernel warm_start[4];
  BlockKernel solve[4];
  BlockKernel relax[4];
  BlockKernel restitute[4];
  StoreKernel store_contacts[4];
  JointKernelTable joints;
  SurfaceKernels surfaces;
};

/// The level must be supported.
const KernelTable& kernels_for(simd::Level level);

extern const KernelTable plain_kernels;
#ifdef __x86_64__
extern const KernelTable sse2_kernels, avx2_kernels;
#endif
#ifdef __aarch64__
extern const KernelTable neon_kernels;
#endif

}  // namespace jostle::physics
