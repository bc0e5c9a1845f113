#pragma once

#include "shared/scene/detail/body_names.h"
#include "shared/scene/detail/part_readers.h"

#include <vector>

namespace jostle::scene::detail {

/// Reads the force fields of a scene. The bodies in `scene` must be complete.
std::vector<SceneForce> read_fields(ValueReader& reader, const Tables<wire::ForceField>* tables,
                                    const Path& path, const SceneDef& scene,
                                    const BodyNames& names);

std::vector<SceneExplosion> read_explosions(ValueReader& reader,
                                            const Tables<wire::Explosion>* tables,
                                            const Path& path);

}  // namespace jostle::scene::detail
