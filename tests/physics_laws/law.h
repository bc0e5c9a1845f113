#pragma once

#include <span>
#include <vector>

namespace jostle::physics::laws {

/// A figure of docs/ACCURACY.md: how far the engine, as it is by default, is from what a law says.
struct Law {
  int row = 0;            // of the table
  const char* name = "";  // what is measured; of one row, all differ
  const char* expected = "";
  const char* best_known = "";  // of other engines
  const char* unit = "";        // of what follows; empty: relative
  double target = 0;
  double (*error)() = nullptr;  // measures it anew with each call
  /// What the tests ask for where the target is missed, and why it is; 0: the target.
  double reached = 0;
  const char* reason = "";
};

/// What the tests ask for.
inline double bound_of(const Law& law) {
  return law.reached > 0 ? law.reached : law.target;
}

std::span<const Law> free_motion_laws();
std::span<const Law> swing_laws();
std::span<const Law> bounce_laws();
std::span<const Law> friction_laws();
std::span<const Law> standing_laws();
std::span<const Law> chain_laws();
std::span<const Law> pile_laws();
std::span<const Law> structure_laws();
std::span<const Law> bullet_laws();
std::span<const Law> seam_laws();
std::span<const Law> field_laws();
std::span<const Law> flat_world_laws();

/// All of them, by row.
std::vector<Law> all_laws();

}  // namespace jostle::physics::laws
