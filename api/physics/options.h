#pragma once

#include "shared/physics/world.h"

#include <jostle/physics/world.h>

namespace jostle::api {

jostle_world_def to_c(const physics::WorldOptions& options);
/// Returns the options of a world; refuses invalid ones.
physics::WorldOptions checked_options(const jostle_world_def& def);

}  // namespace jostle::api
