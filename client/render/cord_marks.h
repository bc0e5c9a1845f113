#pragma once

#include "client/client.h"
#include "client/render/instances.h"
#include "shared/state/cord.h"

#include <span>
#include <vector>

namespace jostle::render {

/// Adds marks for ropes, springs and rods between displayed bodies: straight lines, and coils for
/// springs if there are not too many. `bodies` is sorted by id. Cords of bodies that are not
/// displayed are skipped.
void add_cord_marks(std::span<const state::Cord> cords, std::span<const client::ShownBody> bodies,
                    std::vector<Mark>& marks);

}  // namespace jostle::render
