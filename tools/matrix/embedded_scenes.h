#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace jostle::matrix {

/// A scene of the gallery inside the program.
struct EmbeddedScene {
  std::string_view name;                  // of the file, without .scene.json
  std::span<const std::uint8_t> content;  // shared/scene/scene.fbs in FlatBuffers' binary form
};

/// All of the folder scenes, by name.
std::span<const EmbeddedScene> embedded_scenes();

}  // namespace jostle::matrix
