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

/// Returns the indices of scenes whose name or description contains the text, ignoring case. The
/// order is: equal name, name begins with the text, name contains it, description contains it; then
/// list order.
std::vector<std::size_t> scenes_that_match(std::span<const protocol::SceneInfo> scenes,
                                           const std::string& text);

/// The list of a server's scenes, with thumbnails and a search field.
class ScenePanel {
 public:
  /// Function that returns the texture for a scene's name; 0: none.
  using PictureOf = std::function<unsigned int(const std::string& scene)>;

  /// Draws the list and the description of the selected scene, and scrolls to a newly selected
  /// line. Returns the clicked line, or nothing. If `chooser.wants_keys()`, the search field gets
  /// the focus in the first frame.
  std::optional<std::size_t> draw(SceneChooser& chooser,
                                  std::span<const protocol::SceneInfo> scenes,
                                  const std::string& current, const PictureOf& picture_of);

  /// Records that the panel is not drawn in this frame, so it takes no keys.
  void note_hidden() { is_drawn_ = is_typing_ = false; }

  /// Returns the search results as last drawn.
  std::span<const std::size_t> lines() const { return lines_; }
  /// Executes the event if the list is shown and the event is one of its keys: arrows move, Enter
  /// chooses, Escape closes. Returns true if it was such a key.
  bool takes(const SDL_Event& event, SceneChooser& chooser) const;
  /// Returns true if the search field is active.
  bool is_typing() const { return is_typing_; }

 private:
  /// Draws the search field. Returns true if its text has changed.
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
