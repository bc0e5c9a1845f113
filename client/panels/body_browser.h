#pragma once

#include "client/client.h"
#include "client/controls/key_table.h"
#include "shared/state/body_report.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::panels {

/// Which of the bodies contain the text in their number or name, whatever its case, in their order.
std::vector<const client::ShownBody*> bodies_that_match(std::span<const client::ShownBody> bodies,
                                                        const std::string& text);
/// "box, 1.00 × 0.50 × 2.00 m"
std::string describe(const state::Shape& shape);

struct BodyMotion {
  float speed = 0;          // m/s
  float turning_speed = 0;  // rad/s
};

/// What is known of the selected body besides what is shown of it.
struct BodyFacts {
  const state::BodyReport* report = nullptr;
  std::optional<BodyMotion> motion;  // nothing: as it is shown to move
};

/// How fast a body is shown to move, by where it was shown before.
class ShownMotion {
 public:
  /// `seconds` of the world's time, as it is shown. Another body, or time that went back, starts
  /// anew.
  void follow(const client::ShownBody& body, double seconds);
  const BodyMotion& motion() const { return motion_; }

 private:
  state::BodyId body_;
  math::Pose pose_;
  double seconds_ = 0;
  BodyMotion motion_;
};

/// Panels: all bodies by name, with a filter, and one of them in full.
class BodyBrowser {
 public:
  void show(bool is_shown) { is_shown_ = is_shown; }
  /// Closed, it has none chosen.
  void toggle() {
    is_shown_ = !is_shown_;
    if (!is_shown_) selected_ = {};
  }
  bool is_shown() const { return is_shown_; }
  /// Null: none.
  state::BodyId selected() const { return selected_; }
  /// Opens the panel.
  void select(state::BodyId body);
  /// The same, without showing it in the list.
  void choose(state::BodyId body) { selected_ = body; }
  /// Where the selected body is gone, as after a reset: that of its name, if there is one alone.
  void find_again(std::span<const client::ShownBody> bodies);

  /// At the right of the window, between what stands above and below there. `seconds` as in
  /// ShownMotion; `facts` are of the selected body.
  void draw(std::span<const client::ShownBody> bodies, const BodyFacts& facts, float top,
            float below, double seconds, const controls::KeyTable& keys);

 private:
  void draw_list(std::span<const client::ShownBody> bodies, float height);
  void draw_selected(std::span<const client::ShownBody> bodies, const BodyFacts& facts,
                     double seconds);

  bool is_shown_ = false, is_scroll_due_ = false;
  std::array<char, 64> filter_{};
  state::BodyId selected_;
  std::string selected_name_;  // when it was last there
  ShownMotion motion_;
};

}  // namespace jostle::panels
