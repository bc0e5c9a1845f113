#pragma once

#include "client/panels/scene_chooser.h"

#include <SDL.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::panels {

/// The lines of scenes whose name or sentence holds the text, in letters of any case: that of this
/// name first, then those whose names begin with it, hold it, and the others, each in their order.
std::vector<std::size_t> scenes_that_match(std::span<const protocol::SceneInfo> scenes,
                                           const std::string& text);

/// The list of a server's scenes, with small pictures and a field to search in.
class ScenePanel {
 public:
  /// A texture by a scene's name; 0: there is none.
  using PictureOf = std::function<unsigned int(const std::string& scene)>;

  /// Draws it, with the sentence of the selected one, into the frame that Dear ImGui has begun, and
  /// scrolls to a line that is newly selected. The line that was clicked, or nothing. Where the
  /// chooser wants keys, what is typed goes into the field from the first frame on.
  std::optional<std::size_t> draw(SceneChooser& chooser,
                                  std::span<const protocol::SceneInfo> scenes,
                                  const std::string& current, const PictureOf& picture_of);

  /// In this picture it is not drawn: keys are not for it.
  void note_hidden() { is_drawn_ = is_typing_ = false; }

  /// Those that the search has left, as they were drawn last.
  std::span<const std::size_t> lines() const { return lines_; }
  /// Whether the event is a key for the list while it is shown: the arrows move in it, Enter
  /// chooses, Escape closes it.
  bool takes(const SDL_Event& event, SceneChooser& chooser) const;
  /// Whether keys go into its field.
  bool is_typing() const { return is_typing_; }

 private:
  /// Whether another text stands there.
  bool draw_search(bool has_appeared, const SceneChooser& chooser);
  std::optional<std::size_t> draw_list(std::optional<std::size_t> selected,
                                       std::span<const protocol::SceneInfo> scenes,
                                       const std::string& current, const PictureOf& picture_of);

  std::array<char, 48> search_{};
  std::vector<std::size_t> lines_;
  bool is_focus_due_ = false, is_typing_ = false, is_drawn_ = false;
  std::optional<std::size_t> selected_before_;
};

}  // namespace jostle::panels
