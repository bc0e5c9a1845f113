#pragma once

#include "client/panels/scene_chooser.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::panels {

/// The lines of scenes whose name or sentence holds the text, in letters of any case.
std::vector<std::size_t> scenes_that_match(std::span<const protocol::SceneInfo> scenes,
                                           const std::string& text);

/// The list of a server's scenes, with small pictures and a field to search in.
class ScenePanel {
 public:
  /// A texture by a scene's name; 0: there is none.
  using PictureOf = std::function<unsigned int(const std::string& scene)>;

  /// Draws it, with the sentence of the selected one, into the frame that Dear ImGui has begun, and
  /// scrolls to a line that is newly selected. The line that was clicked, or the first that is left
  /// when Enter ends a search; or nothing. `key` opens and closes it, if any does.
  std::optional<std::size_t> draw(const SceneChooser& chooser,
                                  std::span<const protocol::SceneInfo> scenes,
                                  const std::string& current, const PictureOf& picture_of,
                                  const std::string& key);

 private:
  std::optional<std::size_t> draw_list(const SceneChooser& chooser,
                                       std::span<const protocol::SceneInfo> scenes,
                                       std::span<const std::size_t> lines,
                                       const std::string& current, const PictureOf& picture_of);

  std::array<char, 48> search_{};
  std::optional<std::size_t> selected_before_;
};

}  // namespace jostle::panels
