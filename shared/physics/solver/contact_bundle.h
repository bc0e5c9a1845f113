#pragma once

#include "shared/physics/solver/body_block.h"

#include <cstdint>

namespace jostle::physics {

/// Eight manifolds of N points each: the data that every pass over the contacts reads, in reading
/// order. No two of the manifolds share a dynamic body. Unused lanes join body 0 to itself.
///
/// Points, impulses, masses and couplings are in the frame of the contact. Its origin c is the mean
/// of the points that are nearer than speculative_distance. Its axes are t₁, t₂ = n × t₁ and n. The
/// axes themselves, the vectors to c and the inertia tensors are in world axes.
/// kernels/contact_frame.h defines the symbols.
template <int N>
struct alignas(32) ContactBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes normal[3];                 // n, from a to b
  Lanes tangent[3];                // t₁
  Lanes centre_a[3], centre_b[3];  // vectors from the centres of mass to c, m
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];

  // Friction of the whole manifold, at c.
  Lanes is_held;          // 1 if the contact is rigid, without a spring (support_graph.h); else 0
  Lanes friction;         // coefficient
  Lanes tangent_mass[3];  // effective mass, 2×2, of t₁ and t₂: 11, 12, 22, kg
  Lanes tangent_impulse[2];  // N·s per substep
  // change of (w·n, Ω·t₁, Ω·t₂) by unit impulses along t₁ and t₂, row by row
  Lanes tangent_coupling[6];
  Lanes twist_mass;                       // effective mass, kg·m²
  Lanes twist_impulse;                    // N·m·s per substep
  Lanes tangent_before[2], twist_before;  // impulses at the end of the previous substep
  Lanes twist_coupling[5];  // change of (w·t₁, w·t₂, w·n, Ω·t₁, Ω·t₂) by a unit twist impulse

  /// Change of the normal velocity at point k by a unit impulse at point i, i < k; row by row.
  Lanes point_coupling[N > 1 ? N*(N - 1) / 2 : 1];

  struct Point {
    Lanes along_1, along_2;  // position relative to c along t₁ and t₂, m
    Lanes separation;        // separation at the start of the step, m
    Lanes separation_now;    // separation after the latest motion of the bodies, m
    Lanes mass;              // effective mass, kg
    Lanes impulse;           // N·s per substep, ≥ 0
    Lanes impulse_before;    // impulse at the end of the previous substep
    Lanes max_impulse;       // largest impulse in any pass of the step
    Lanes step_impulse;      // sum over the substeps and restitution, N·s
    Lanes lever;             // arm with which friction resists twist, m (lever_share)
  };
  Point points[N];
};

/// Data of a bundle that only preparation, restitution and storing of contacts use. Rows of eight
/// lanes come first, because they must be aligned to 32 B.
template <int N>
struct alignas(32) ContactRecords {
  std::uint32_t contact[lane_count];  // contact slots
  // predicted normal velocity when the surfaces meet, m/s; negative if the point closes
  Lanes approach_speed[N];
  std::uint8_t manifold[lane_count];   // index of the manifold in the contact
  std::uint8_t hit_point[lane_count];  // point for which a hit event is reported, or no_hit
  std::uint32_t used_lanes;            // lanes that hold a contact, one bit each
  std::uint32_t meeting_lanes;  // lanes whose shapes began to touch within the step, one bit each
};
inline constexpr std::uint8_t no_hit = 0xFF;

}  // namespace jostle::physics
