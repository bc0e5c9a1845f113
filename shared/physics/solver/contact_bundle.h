#pragma once

#include "shared/physics/solver/body_block.h"

#include <cstdint>

namespace jostle::physics {

/// Eight contacts of N points each, of eight different pairs of bodies: what every pass over the
/// contacts reads, in the order in which it does. Lanes without a contact join body 0 to itself.
///
/// Everything is said in the frame of the contact: at the centre c of its touching points, with the
/// axes t₁, t₂ = n × t₁ and n. See kernels/contact_frame.h for the names.
template <int N>
struct alignas(32) ContactBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes normal[3];                 // n, from a to b
  Lanes tangent[3];                // t₁
  Lanes centre_a[3], centre_b[3];  // m, from the centres of mass to c
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];

  // Friction of the whole manifold, at c.
  Lanes is_held;             // 1 or 0: no spring, see support_graph.h
  Lanes friction;            // coefficient
  Lanes tangent_mass[3];     // inverse of the 2×2 matrix of t₁ and t₂: 11, 12, 22
  Lanes tangent_impulse[2];  // N·s per substep
  Lanes tangent_coupling[6];  // what unit impulses along t₁ and t₂ change of (w·n, Ω·t₁, Ω·t₂)
  Lanes twist_mass;
  Lanes twist_impulse;                    // N·m·s per substep
  Lanes tangent_before[2], twist_before;  // impulses at the end of the substep before
  Lanes twist_coupling[5];  // what a unit twist changes of (w·t₁, w·t₂, w·n, Ω·t₁, Ω·t₂)

  /// What a unit impulse at point i changes of the normal velocity at k, i < k; row by row.
  Lanes point_coupling[N > 1 ? N*(N - 1) / 2 : 1];

  struct Point {
    Lanes along_1, along_2;  // m, from c along t₁ and t₂
    Lanes separation;        // m, at the start of the step
    Lanes separation_now;    // m, at the start of the substep
    Lanes mass;              // effective, kg
    Lanes impulse;           // N·s per substep, ≥ 0
    Lanes impulse_before;    // at the end of the substep before
    Lanes max_impulse;       // of the passes of the step
    Lanes step_impulse;      // summed over the substeps
    Lanes lever;             // m, from c: the arm with which friction resists twist
  };
  Point points[N];
};

/// What only the first and the last pass look at. Rows of lanes come first: they are aligned.
template <int N>
struct alignas(32) ContactRecords {
  std::uint32_t contact[lane_count];   // slot
  Lanes approach_speed[N];             // m/s when the surfaces meet, negative when closing
  std::uint8_t manifold[lane_count];   // of the contact
  std::uint8_t hit_point[lane_count];  // to be reported; no_hit
  std::uint32_t used_lanes;            // one bit each
  std::uint32_t meeting_lanes;         // met within the step, one bit each
};
inline constexpr std::uint8_t no_hit = 0xFF;

}  // namespace jostle::physics
