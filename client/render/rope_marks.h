#pragma once

#include "client/client.h"
#include "client/render/instances.h"
#include "shared/state/rope.h"

#include <span>
#include <vector>

namespace jostle::render {

/// Adds marks for ropes, springs and rods, which are straight lines. If there are at most 64
/// springs, springs are coils instead. `bodies` is sorted by id. A rope whose end is at a body that
/// is not displayed is skipped.
void add_rope_marks(std::span<const state::Rope> ropes, std::span<const client::ShownBody> bodies,
                    std::vector<Mark>& marks);

}  // namespace jostle::render
