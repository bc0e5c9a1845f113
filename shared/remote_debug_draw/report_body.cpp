#include "shared/remote_debug_draw/report_body.h"

namespace jostle::remote_debug_draw {

state::BodyReport report_body(const physics::World& world, physics::BodyHandle body) {
  state::BodyReport report;
  report.mass = world.mass(body);
  report.contact_points = static_cast<std::uint32_t>(world.contact_point_count(body));
  report.island_bodies = static_cast<std::uint32_t>(world.island(body).size());
  return report;
}

}  // namespace jostle::remote_debug_draw
