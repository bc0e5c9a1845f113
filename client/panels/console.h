#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::panels {

/// A command line and its output. Up and Down browse the history, Tab completes the line.
class Console {
 public:
  /// Function that returns the possible completions of a line.
  using Completer = std::function<std::vector<std::string>(std::string_view)>;

  void toggle();
  void close() { is_shown_ = false; }
  bool is_shown() const { return is_shown_; }
  /// Returns true if the console's text field is going to receive the focus but does not have it
  /// yet.
  bool is_field_coming() const { return is_shown_ && draws_until_given_up_ > 0; }
  void print(const std::string& line) { add({line, Kind::Answer}); }
  void complain(const std::string& line) { add({line, Kind::Fault}); }

  /// Draws the console at the lower edge of the window.
  void draw(const Completer& complete);
  /// Returns the line entered since the last call; null: none.
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
  /// State of the text field during a callback of Dear ImGui.
  struct Editing;
  static int on_edit(void* data);

  static constexpr std::size_t most_lines = 200, most_typed = 50, max_bytes = 160;
  std::deque<Line> lines_;
  std::deque<std::string> typed_;  // oldest first
  std::size_t shown_typed_ = 0;    // index into typed_; equal to its size: the line being typed
  char text_[max_bytes] = {};
  std::optional<std::string> entered_;

  /// Maximum number of frames from a request for the focus until the text field has the focus.
  /// Later, the request counts as failed.
  static constexpr int most_draws_until_focus = 4;
  int draws_until_given_up_ = 0;
  bool is_shown_ = false, is_focus_due_ = false, is_scroll_due_ = false;
  // true: moves the cursor to the end of the line as soon as the field exists
  bool is_cursor_due_ = false;
};

}  // namespace jostle::panels
