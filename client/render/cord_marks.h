#pragma once

#include "client/client.h"
#include "client/render/instances.h"
#include "shared/state/cord.h"

#include <span>
#include <vector>

namespace jostle::render {

/// Adds what ropes, springs and rods look like between bodies as they are shown: straight lines,
/// and of springs a coil, while there are not too many. `bodies` is sorted by id; what hangs on a
/// body that is not shown is left out.
void add_cord_marks(std::span<const state::Cord> cords, std::span<const client::ShownBody> bodies,
                    std::vector<Mark>& marks);

}  // namespace jostle::render
