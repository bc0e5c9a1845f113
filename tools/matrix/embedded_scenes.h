#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace jostle::matrix {

/// A scene of the gallery that is compiled into the program.
struct EmbeddedScene {
  std::string_view name;                  // name of the file, without .scene.json
  std::span<const std::uint8_t> content;  // FlatBuffers binary of shared/scene/scene.fbs
};

/// Returns all scenes of the folder scenes, sorted by name.
std::span<const EmbeddedScene> embedded_scenes();

}  // namespace jostle::matrix
