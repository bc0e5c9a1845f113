#pragma once

#include "shared/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace jostle::scene {

/// The field `shape` of a body: a sphere with a radius of 1 m.
inline const std::string ball_shape = R"("shape": {"sphere": {"radius": 1}})";

std::string read_text(const std::filesystem::path& path);

/// Returns the paths of all scenes that ship, sorted by name.
std::vector<std::filesystem::path> gallery();

/// Returns the text of scenes/<name>.scene.json.
std::string gallery_text(const std::string& name);

/// Returns a scene with a name, a spawn and the given fields.
std::string scene_with(const std::string& fields);

/// Returns a scene with one body, a sphere, with the given fields beside its shape.
std::string scene_with_body(const std::string& fields);

/// Parses a valid text. Fails the test and returns an empty scene if it is invalid.
SceneDef parsed(const std::string& text);

/// Returns the error of an invalid text. Fails the test if it is valid.
SceneError error_of(const std::string& text);
/// Returns the text of the error of an invalid text. The name of the object that it concerns is
/// omitted and, if the error has a path, also its line and column.
std::string refusal(const std::string& text);

}  // namespace jostle::scene
