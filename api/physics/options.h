#pragma once

#include "shared/physics/execution.h"
#include "shared/physics/world.h"

#include <jostle/physics/world.h>

namespace jostle::api {

jostle_world_def to_c(const physics::WorldOptions& options);
/// Returns the options of a world; refuses invalid ones.
physics::WorldOptions checked_options(const jostle_world_def& def);
/// Returns the execution settings; refuses invalid and unsupported ones.
physics::Execution checked_execution(const jostle_execution& wanted);

}  // namespace jostle::api
