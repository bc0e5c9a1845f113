#include "client/panels/scene_chooser.h"

#include <algorithm>
#include <utility>

namespace jostle::panels {

void SceneChooser::toggle_panel() {
  is_panel_shown_ = wants_keys_ = !is_panel_shown_;
  is_list_asked_ = false;
  selected_.reset();
}

std::optional<std::size_t> SceneChooser::selected_of(std::span<const std::size_t> left) const {
  if (!selected_ || left.empty()) return std::nullopt;
  const bool is_left = std::find(left.begin(), left.end(), *selected_) != left.end();
  return is_left ? *selected_ : left.front();
}

void SceneChooser::move(int lines, std::span<const std::size_t> left) {
  const std::optional<std::size_t> from = selected_of(left);
  if (!from) return;
  const std::ptrdiff_t here = std::find(left.begin(), left.end(), *from) - left.begin();
  const auto last = static_cast<std::ptrdiff_t>(left.size()) - 1;
  selected_ = left[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(here + lines, 0, last))];
}

void SceneChooser::choose_selected(std::span<const std::size_t> left) {
  if (const auto line = selected_of(left)) choose(*line);
}

void SceneChooser::choose(std::size_t line) {
  selected_ = chosen_ = line;
}

void SceneChooser::step(int scenes) {
  if (steps_ == 0) is_list_asked_ = false;
  steps_ += scenes;
}

SceneChooser::Wishes SceneChooser::update(std::span<const protocol::SceneInfo> scenes,
                                          const std::string& current) {
  Wishes wishes;
  // An empty list after a filled one means that the server has changed.
  if (scenes.empty() && count_ != 0) is_list_asked_ = false;
  count_ = scenes.size();
  if (scenes.empty()) {
    selected_.reset();
    chosen_.reset();
    wishes.is_list = (is_panel_shown_ || steps_ != 0) && !std::exchange(is_list_asked_, true);
    return wishes;
  }
  const auto found =
      std::find_if(scenes.begin(), scenes.end(),
                   [&](const protocol::SceneInfo& scene) { return scene.name == current; });
  const bool is_listed = found != scenes.end();
  const auto here = is_listed ? found - scenes.begin() : 0;
  if (is_panel_shown_ && !selected_) selected_ = static_cast<std::size_t>(here);
  if (selected_ && *selected_ >= scenes.size()) selected_ = scenes.size() - 1;

  if (const int steps = std::exchange(steps_, 0); steps != 0) {
    // If the current scene is not listed, one step forward chooses the first scene and one step
    // back the last.
    const std::ptrdiff_t from = is_listed || steps < 0 ? here : -1;
    const auto ring = static_cast<std::ptrdiff_t>(scenes.size());
    chosen_ = static_cast<std::size_t>(((from + steps) % ring + ring) % ring);
    if (is_panel_shown_) selected_ = chosen_;
  }
  if (const auto chosen = std::exchange(chosen_, std::nullopt); chosen && *chosen < scenes.size()) {
    wishes.scene = scenes[*chosen].name;
  }
  return wishes;
}

}  // namespace jostle::panels
