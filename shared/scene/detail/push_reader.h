#pragma once

#include "shared/scene/detail/body_names.h"
#include "shared/scene/detail/part_readers.h"

#include <vector>

namespace jostle::scene::detail {

/// Reads the scripted pushes of a scene. The bodies and the world in `scene` must be complete.
std::vector<state::Push> read_pushes(ValueReader& reader, const Tables<wire::Push>* tables,
                                     const Path& path, const SceneDef& scene,
                                     const BodyNames& names);

}  // namespace jostle::scene::detail
