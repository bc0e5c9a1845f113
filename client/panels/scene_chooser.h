#pragma once

#include "protocol/messages.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace jostle::panels {

/// Which scene the user wants: by keys from one to the next, or out of a panel that lists them all.
/// Draws nothing and sends nothing.
class SceneChooser {
 public:
  /// By a key: whoever opens it may type at once, in its field for searching.
  void toggle_panel();
  /// From the start.
  void show_panel() { is_panel_shown_ = true; }
  bool is_panel_shown() const { return is_panel_shown_; }
  bool wants_keys() const { return wants_keys_; }
  /// The line of the panel that is selected; nothing while the list is on its way.
  std::optional<std::size_t> selected() const { return selected_; }
  /// The line of those that a search has left which Enter chooses: the selected one, or the first.
  std::optional<std::size_t> selected_of(std::span<const std::size_t> left) const;
  /// Selects another line of those that are left; ends at the first and the last of them.
  void move(int lines, std::span<const std::size_t> left);
  void choose_selected(std::span<const std::size_t> left);
  void choose(std::size_t line);
  void select(std::size_t line) { selected_ = line; }
  /// To the scene that is so many farther in the list, which is a ring.
  void step(int scenes);

  /// What to ask the server for.
  struct Wishes {
    bool is_list = false;
    std::optional<std::string> scene;
  };
  /// Once per picture of a world: `scenes` is what the server has told, empty before; `current` is
  /// played.
  Wishes update(std::span<const protocol::SceneInfo> scenes, const std::string& current);

 private:
  bool is_panel_shown_ = false, wants_keys_ = false, is_list_asked_ = false;
  std::size_t count_ = 0;  // of scenes, at the last update
  std::optional<std::size_t> selected_, chosen_;
  int steps_ = 0;
};

}  // namespace jostle::panels
