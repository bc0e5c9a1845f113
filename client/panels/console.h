#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::panels {

/// Lines that are typed, and what came of them. Up and down go through earlier ones, Tab completes.
class Console {
 public:
  /// The lines that one can become.
  using Completer = std::function<std::vector<std::string>(std::string_view)>;

  void toggle();
  void close() { is_shown_ = false; }
  bool is_shown() const { return is_shown_; }
  /// Its field is about to take what is typed, and does not yet.
  bool is_field_coming() const { return is_shown_ && draws_until_given_up_ > 0; }
  void print(const std::string& line) { add({line, Kind::Answer}); }
  void complain(const std::string& line) { add({line, Kind::Fault}); }

  /// At the window's lower edge.
  void draw(const Completer& complete);
  /// What was entered since the last call, or nothing.
  std::optional<std::string> take_line();

 private:
  enum class Kind : unsigned char { Typed, Answer, Fault };
  struct Line {
    std::string text;
    Kind kind = Kind::Answer;
  };
  void add(Line line);
  void enter(std::string text);
  void ask_for_focus();
  /// Of the field, by Dear ImGui.
  struct Editing;
  static int on_edit(void* data);

  static constexpr std::size_t most_lines = 200, most_typed = 50, max_bytes = 160;
  std::deque<Line> lines_;
  std::deque<std::string> typed_;  // oldest first
  std::size_t shown_typed_ = 0;    // index into them; their number: what is typed now
  char text_[max_bytes] = {};
  std::optional<std::string> entered_;

  /// A field that has not come by then was left for another.
  static constexpr int most_draws_until_focus = 4;
  int draws_until_given_up_ = 0;
  bool is_shown_ = false, is_focus_due_ = false, is_scroll_due_ = false;
  bool is_cursor_due_ = false;  // at the end of the line, as soon as the field is there
};

}  // namespace jostle::panels
