#include "client/panels/console.h"

#include "client/panels/font_atlas.h"
#include "client/panels/panel.h"

#include <algorithm>
#include <utility>

namespace jostle::panels {
namespace {

constexpr float lines_shown = 10;

/// Returns the longest common prefix of the lines.
std::string common_beginning(const std::vector<std::string>& lines) {
  std::string common = lines.front();
  for (const std::string& line : lines) {
    const auto end = std::mismatch(common.begin(), common.end(), line.begin(), line.end()).first;
    common.erase(end, common.end());
  }
  return common;
}

/// Draws a line; text after a tab starts in a second column.
void draw_line(const std::string& text) {
  constexpr float second_column = 300;
  need_glyphs(text);
  const std::size_t tab = text.find('\t');
  ImGui::TextWrapped("%s", text.substr(0, tab).c_str());
  if (tab == std::string::npos) return;
  ImGui::SameLine(second_column);
  ImGui::TextWrapped("%s", text.c_str() + tab + 1);
}

bool is_other_panel_in_use() {
  constexpr auto any = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  return ImGui::IsAnyItemActive() || ImGui::IsPopupOpen("", any);
}

std::string last_word(const std::string& line) {
  return line.substr(line.rfind(' ') + 1);
}

}  // namespace

struct Console::Editing {
  Console& console;
  const Completer& complete;

  void replace(ImGuiInputTextCallbackData& data, const std::string& text) const {
    data.DeleteChars(0, data.BufTextLen);
    data.InsertChars(0, text.c_str());
  }

  void finish_word(ImGuiInputTextCallbackData& data) const {
    const std::string line(data.Buf, static_cast<std::size_t>(data.CursorPos));
    const std::vector<std::string> found = complete(line);
    if (found.empty()) return;
    std::string common = common_beginning(found);
    // A completed command gets a space for its argument. A completed argument gets none, because a
    // comma and another layer may follow.
    if (found.size() == 1 && common.find(' ') == std::string::npos) common += ' ';
    data.DeleteChars(0, data.CursorPos);
    data.InsertChars(0, common.c_str());
    if (found.size() == 1) return;
    std::string text;
    for (const std::string& one : found)
      text += last_word(one) + "  ";
    console.print(text);
  }

  void go_through_history(ImGuiInputTextCallbackData& data) const {
    const std::size_t now = console.shown_typed_;
    if (data.EventKey == ImGuiKey_UpArrow && now > 0) --console.shown_typed_;
    if (data.EventKey == ImGuiKey_DownArrow && now < console.typed_.size()) ++console.shown_typed_;
    if (console.shown_typed_ == now) return;
    const bool is_new = console.shown_typed_ == console.typed_.size();
    replace(data, is_new ? std::string() : console.typed_[console.shown_typed_]);
  }
};

int Console::on_edit(void* data) {
  auto& event = *static_cast<ImGuiInputTextCallbackData*>(data);
  const auto& editing = *static_cast<const Editing*>(event.UserData);
  if (event.EventFlag == ImGuiInputTextFlags_CallbackCompletion) editing.finish_word(event);
  if (event.EventFlag == ImGuiInputTextFlags_CallbackHistory) editing.go_through_history(event);
  // Without this, Dear ImGui would select the whole text at focus, and the next character would
  // replace it.
  if (std::exchange(editing.console.is_cursor_due_, false)) {
    event.CursorPos = event.BufTextLen;
    event.ClearSelection();
  }
  return 0;
}

void Console::toggle() {
  is_shown_ = !is_shown_;
  is_scroll_due_ = is_shown_;
  if (is_shown_) ask_for_focus();
}

void Console::ask_for_focus() {
  is_focus_due_ = is_cursor_due_ = true;
  draws_until_given_up_ = most_draws_until_focus;
}

void Console::add(Line line) {
  lines_.push_back(std::move(line));
  if (lines_.size() > most_lines) lines_.pop_front();
  is_scroll_due_ = true;
}

void Console::enter(std::string text) {
  add({"> " + text, Kind::Typed});
  if (typed_.empty() || typed_.back() != text) typed_.push_back(text);
  if (typed_.size() > most_typed) typed_.pop_front();
  shown_typed_ = typed_.size();
  entered_ = std::move(text);
}

std::optional<std::string> Console::take_line() {
  return std::exchange(entered_, std::nullopt);
}

void Console::draw(const Completer& complete) {
  if (!is_shown_) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float line_height = ImGui::GetTextLineHeightWithSpacing();
  const float width = screen.x - 2 * margin;
  ImGui::SetNextWindowPos({margin, screen.y - margin}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("console", nullptr, mouse_panel_flags);
  const float inner = width - 2 * ImGui::GetStyle().WindowPadding.x;
  const float height = std::min(lines_shown * line_height, screen.y * 0.4f);
  ImGui::BeginChild("lines", {inner, height});
  for (const Line& line : lines_) {
    const ImVec4 colour = line.kind == Kind::Typed   ? dim
                          : line.kind == Kind::Fault ? warning
                                                     : ImGui::GetStyleColorVec4(ImGuiCol_Text);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    draw_line(line.text);
    ImGui::PopStyleColor();
  }
  if (std::exchange(is_scroll_due_, false)) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
  if (std::exchange(is_focus_due_, false)) focus_next_field();
  ImGui::SetNextItemWidth(inner);
  Editing editing{*this, complete};
  const auto flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                     ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways;
  const auto callback = [](ImGuiInputTextCallbackData* data) { return on_edit(data); };
  if (ImGui::InputTextWithHint("##line", "command; Tab completes, help lists all", text_,
                               sizeof text_, flags, callback, &editing)) {
    if (text_[0] != '\0') enter(text_);
    text_[0] = '\0';
    ask_for_focus();
  } else if (ImGui::IsItemActive()) {
    draws_until_given_up_ = 0;
  } else if (draws_until_given_up_ > 0) {
    --draws_until_given_up_;
  } else if (!is_other_panel_in_use()) {
    // An open console receives all keys. If a click in the world took the focus away, request it
    // again.
    ask_for_focus();
  }
  ImGui::End();
}

}  // namespace jostle::panels
