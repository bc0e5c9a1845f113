#pragma once

#include "protocol/messages.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace jostle::panels {

/// Selection of a scene: by keys that step through the list, or in a panel that lists all scenes.
/// Draws nothing and sends nothing.
class SceneChooser {
 public:
  /// Opens or closes the panel for a key. After opening, the panel's search field gets the keyboard
  /// focus.
  void toggle_panel();
  /// Opens the panel at the start of the program.
  void show_panel() { is_panel_shown_ = true; }
  bool is_panel_shown() const { return is_panel_shown_; }
  bool wants_keys() const { return wants_keys_; }
  /// Returns the selected line; null if none is selected, e.g. until the list has arrived.
  std::optional<std::size_t> selected() const { return selected_; }
  /// Returns the line that Enter chooses among the search results `left`: the selected line if it
  /// is one of them, else the first. Returns null if there are no results or no line is selected.
  std::optional<std::size_t> selected_of(std::span<const std::size_t> left) const;
  /// Moves the selection among the search results `left`; stops at the first and the last.
  void move(int lines, std::span<const std::size_t> left);
  void choose_selected(std::span<const std::size_t> left);
  void choose(std::size_t line);
  void select(std::size_t line) { selected_ = line; }
  /// Chooses the scene `scenes` positions after the current one in the list, cyclically. If the
  /// list has not arrived, the choice waits for it.
  void step(int scenes);

  /// Requests to send to the server.
  struct Wishes {
    bool is_list = false;
    std::optional<std::string> scene;
  };
  /// Updates the selection and returns the requests to send. Call it once per frame. `scenes` is
  /// the server's list, empty until it has arrived; `current` is the scene being played.
  Wishes update(std::span<const protocol::SceneInfo> scenes, const std::string& current);

 private:
  bool is_panel_shown_ = false, wants_keys_ = false, is_list_asked_ = false;
  std::size_t count_ = 0;  // number of scenes at the last update
  std::optional<std::size_t> selected_, chosen_;
  int steps_ = 0;
};

}  // namespace jostle::panels
