#pragma once

#include "shared/physics/world.h"
#include "shared/state/body_report.h"

namespace jostle::overlay {

/// Of a body of the world; tick and id are the caller's. Takes as long as its island is large.
state::BodyReport report_body(const physics::World& world, physics::BodyHandle body);

}  // namespace jostle::overlay
