#pragma once

#include "client/client.h"
#include "client/render/instances.h"
#include "shared/state/rope.h"

#include <span>
#include <vector>

namespace jostle::render {

/// Adds marks for ropes, springs and rods between displayed bodies. They are straight lines;
/// springs are coils if there are at most 64 springs. `bodies` is sorted by id. Ropes of bodies
/// that are not displayed are skipped.
void add_rope_marks(std::span<const state::Rope> ropes, std::span<const client::ShownBody> bodies,
                    std::vector<Mark>& marks);

}  // namespace jostle::render
