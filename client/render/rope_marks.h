#pragma once

#include "client/client.h"
#include "client/render/instances.h"
#include "shared/state/rope.h"

#include <span>
#include <vector>

namespace jostle::render {

/// Adds marks that draw ropes, springs and rods as straight lines. If there are at most 64 springs,
/// draws springs as coils. `bodies` is sorted by id. Ropes that end at a body that is not displayed
/// are skipped.
void add_rope_marks(std::span<const state::Rope> ropes, std::span<const client::ShownBody> bodies,
                    std::vector<Mark>& marks);

}  // namespace jostle::render
