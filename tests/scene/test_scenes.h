#pragma once

#include "shared/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace jostle::scene {

/// The shape of a body, as a field of it.
inline const std::string ball_shape = R"("shape": {"sphere": {"radius": 1}})";

std::string read_text(const std::filesystem::path& path);

/// Every scene that ships, sorted by name.
std::vector<std::filesystem::path> gallery();

/// The text of scenes/<name>.scene.json.
std::string gallery_text(const std::string& name);

/// A scene with a name and a spawn, and these fields beside them.
std::string scene_with(const std::string& fields);

/// A scene with one body, a sphere, with these fields beside its shape.
std::string scene_with_body(const std::string& fields);

/// What a good text parses to; fails the test and gives an empty scene for others.
SceneDef parsed(const std::string& text);

/// What a bad text is refused with; fails the test for good ones.
SceneError error_of(const std::string& text);
/// The text of that, but not who is meant.
std::string refusal(const std::string& text);

}  // namespace jostle::scene
