#pragma once

#include "client/client.h"
#include "client/controls/key_bindings.h"
#include "shared/state/body_report.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::panels {

/// Returns the bodies whose number or name contains `text`, ignoring case, in the order of
/// `bodies`.
std::vector<const client::ShownBody*> bodies_that_match(std::span<const client::ShownBody> bodies,
                                                        const std::string& text);
/// Returns e.g. "box, 1.00 × 0.50 × 2.00 m".
std::string describe(const state::Shape& shape);

struct BodyMotion {
  float speed = 0;          // m/s
  float turning_speed = 0;  // rad/s
};

/// Facts about the selected body that are not part of its client::ShownBody.
struct BodyFacts {
  const state::BodyReport* report = nullptr;
  // exact motion, while a recording is played; null: the motion is estimated from the displayed
  // poses
  std::optional<BodyMotion> motion;
};

/// Estimate of a body's speed and turning speed from its displayed poses.
class ShownMotion {
 public:
  /// Adds a pose. `seconds` is the displayed world time. Another body, or a step back in time,
  /// restarts the estimate.
  void follow(const client::ShownBody& body, double seconds);
  const BodyMotion& motion() const { return motion_; }

 private:
  state::BodyId body_;
  math::Pose pose_;
  double seconds_ = 0;
  BodyMotion motion_;
};

/// A panel with a filtered list of all bodies and the details of the selected body.
class BodyBrowser {
 public:
  void show(bool is_shown) { is_shown_ = is_shown; }
  /// Opens or closes the panel. Closing clears the selection.
  void toggle() {
    is_shown_ = !is_shown_;
    if (!is_shown_) selected_ = {};
  }
  bool is_shown() const { return is_shown_; }
  /// Returns the selected body; null if none is selected.
  state::BodyId selected() const { return selected_; }
  /// Selects a body and opens the panel.
  void select(state::BodyId body);
  /// Selects a body without opening the panel.
  void choose(state::BodyId body) { selected_ = body; }
  /// If the selected body no longer exists, for example after a reset, selects the body with the
  /// same name. Keeps the selection if several bodies or none have that name.
  void find_again(std::span<const client::ShownBody> bodies);

  /// Draws the panel at the right edge of the window, from y = `top` to `below` units above the
  /// lower edge. `seconds` is the displayed world time; `facts` belong to the selected body.
  void draw(std::span<const client::ShownBody> bodies, const BodyFacts& facts, float top,
            float below, double seconds, const controls::KeyBindings& keys);

 private:
  void draw_list(std::span<const client::ShownBody> bodies, float height);
  void draw_selected(std::span<const client::ShownBody> bodies, const BodyFacts& facts,
                     double seconds);

  bool is_shown_ = false, is_scroll_due_ = false;
  std::array<char, 64> filter_{};
  state::BodyId selected_;
  std::string selected_name_;  // last known name of the selected body
  ShownMotion motion_;
};

}  // namespace jostle::panels
