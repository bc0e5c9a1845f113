#pragma once

#include "shared/scene/scene.h"

#include <string>

namespace jostle::bench {

/// scenes/<name>.scene.json.
scene::SceneDef shipped_scene(const std::string& name);

/// A scene with these fields beside its name and a spawn.
scene::SceneDef scene_of(const std::string& fields);

/// Something of everything that a scene file may hold: all kinds of shapes, surfaces, filters,
/// joints and pushes, bodies on courses, damped, locked, asleep and unlike in gravity.
scene::SceneDef scene_of_everything();

}  // namespace jostle::bench
