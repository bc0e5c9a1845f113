#pragma once

#include "shared/forces/force_field.h"

#include <jostle/physics/fields.h>

namespace jostle::api {

/// Returns the region; refuses invalid values. Sizes that the kind does not have become zero.
forces::Region checked_region(const jostle_region& region, const char* kind_name);
jostle_region to_c(const forces::Region& region);

}  // namespace jostle::api
