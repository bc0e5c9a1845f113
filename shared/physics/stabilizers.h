#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle::physics {

/// Mechanisms beside the core of the engine. Each serves a law that the core does not keep by
/// itself (docs/ENGINE.md, "Stabilizers").
enum class Stabilizer : std::uint8_t {
  Stacks,              // stabilizers/stacks/support_graph.h
  MassRatios,          // stabilizers/mass_ratios/squeezed_bodies.h
  BalancedWarmStart,   // stabilizers/balanced_warm_start/balance_warm_start.h
  Articulations,       // stabilizers/articulations/joint_trees.h
  JointPositions,      // stabilizers/joint_positions/mend_joints.h
  GeometricStiffness,  // stabilizers/geometric_stiffness/taut_bodies.h
  EnergyLimiter,       // stabilizers/energy_limiter/passive_groups.h
  ImpactPropagation,   // stabilizers/impact_propagation/impact_chains.h
  CurvedTracks,        // stabilizers/curved_tracks/running_balls.h
  InternalEdges,       // stabilizers/internal_edges/flush_contacts.h
  AdaptiveSubsteps,    // stabilizers/adaptive_substeps/refine_islands.h
};
inline constexpr std::size_t stabilizer_count = 11;
inline constexpr std::array<std::string_view, stabilizer_count> stabilizer_names{
    "stacks",          "mass_ratios",         "balanced_warm_start", "articulations",
    "joint_positions", "geometric_stiffness", "energy_limiter",      "impact_propagation",
    "curved_tracks",   "internal_edges",      "adaptive_substeps"};

constexpr std::string_view name_of(Stabilizer stabilizer) {
  return stabilizer_names[static_cast<std::size_t>(stabilizer)];
}

constexpr std::optional<Stabilizer> stabilizer_named(std::string_view name) {
  for (std::size_t i = 0; i < stabilizer_count; ++i)
    if (stabilizer_names[i] == name) return static_cast<Stabilizer>(i);
  return std::nullopt;
}

/// A set of stabilizers, one bit each.
struct Stabilizers {
  std::uint32_t bits = (1U << stabilizer_count) - 1;  // all, by default

  static constexpr std::uint32_t bit_of(Stabilizer stabilizer) {
    return 1U << static_cast<unsigned>(stabilizer);
  }
  constexpr bool has(Stabilizer stabilizer) const { return (bits & bit_of(stabilizer)) != 0; }
  constexpr Stabilizers without(Stabilizer stabilizer) const {
    return {bits & ~bit_of(stabilizer)};
  }
  bool operator==(const Stabilizers&) const = default;
};

}  // namespace jostle::physics
