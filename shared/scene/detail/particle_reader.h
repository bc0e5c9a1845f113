#pragma once

#include "shared/scene/detail/body_names.h"
#include "shared/scene/detail/part_readers.h"

#include <vector>

namespace jostle::scene::detail {

std::vector<SceneParticles> read_particles(ValueReader& reader,
                                           const Tables<wire::ParticleSet>* tables,
                                           const Path& path, const Materials& materials);

/// Reads the labels of a scene. The bodies in `scene` must be complete.
std::vector<SceneLabel> read_labels(ValueReader& reader, const Tables<wire::Label>* tables,
                                    const Path& path, const SceneDef& scene,
                                    const BodyNames& names);

}  // namespace jostle::scene::detail
