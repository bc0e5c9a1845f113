#include "tests/physics_laws/law.h"

#include <algorithm>

namespace jostle::physics::laws {

std::vector<Law> all_laws() {
  std::vector<Law> all;
  for (const std::span<const Law> part : {free_motion_laws(),
                                          swing_laws(),
                                          bounce_laws(),
                                          friction_laws(),
                                          standing_laws(),
                                          chain_laws(),
                                          pile_laws(),
                                          structure_laws(),
                                          bullet_laws(),
                                          seam_laws(),
                                          field_laws(),
                                          flat_world_laws(),
                                          sliding_laws(),
                                          rigid_joint_laws(),
                                          double_pendulum_laws(),
                                          jointed_impact_laws(),
                                          track_laws(),
                                          elastic_hit_laws(),
                                          stabilized_laws(),
                                          multibody_library_laws(),
                                          contact_library_laws(),
                                          rest_laws(),
                                          solid_laws()})
    all.insert(all.end(), part.begin(), part.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Law& a, const Law& b) { return a.row < b.row; });
  return all;
}

Stabilizers& stabilizers_in_use() {
  static Stabilizers in_use;
  return in_use;
}

}  // namespace jostle::physics::laws
