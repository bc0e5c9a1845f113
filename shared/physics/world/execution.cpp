#include "shared/physics/execution.h"

namespace jostle::physics {

std::string_view name_of(Stage stage) {
  static constexpr std::array<std::string_view, stage_count> names{
      "prepare",         "find_pairs",       "collide",        "prepare_bodies",
      "colour_contacts", "prepare_contacts", "prepare_joints", "integrate",
      "solve",           "carry_loads",      "relax",          "restitution",
      "store_impulses",  "finish_bodies",    "small_islands",  "sleep",
      "particles",       "finish_events"};
  return names[static_cast<std::size_t>(stage)];
}

}  // namespace jostle::physics
