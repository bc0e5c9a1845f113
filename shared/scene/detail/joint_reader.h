#pragma once

#include "shared/scene/detail/body_names.h"
#include "shared/scene/detail/part_readers.h"

#include <vector>

namespace jostle::scene::detail {

/// Reads the joints of a scene. `bodies` must be complete; joints refer to them by name.
std::vector<SceneJoint> read_joints(ValueReader& reader, const Tables<wire::Joint>* tables,
                                    const Path& path, const std::vector<SceneBody>& bodies,
                                    const BodyNames& names);

}  // namespace jostle::scene::detail
