#pragma once

#include "shared/physics/world.h"
#include "shared/state/body_report.h"

namespace jostle::remote_debug_draw {

/// Returns a report on a body; the caller sets its tick and body id. The time is proportional to
/// the size of the body's island.
state::BodyReport report_body(const physics::World& world, physics::BodyHandle body);

}  // namespace jostle::remote_debug_draw
