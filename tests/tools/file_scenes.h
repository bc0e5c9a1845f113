#pragma once

#include "shared/scene/scene.h"

#include <string>

namespace jostle::bench {

/// Loads scenes/<name>.scene.json.
scene::SceneDef shipped_scene(const std::string& name);

/// Parses a scene with these fields (JSON, without braces), a name and a spawn.
scene::SceneDef scene_of(const std::string& fields);

/// Returns a scene that uses most features that workloads support: kinds of shapes, surfaces,
/// filters, joints and pushes, and bodies with kinematic motions, damping, locked rotation, sleep
/// and gravity scale.
scene::SceneDef scene_of_everything();

}  // namespace jostle::bench
