#include "client/panels/failure_panel.h"

#include "client/panels/font_atlas.h"
#include "client/panels/panel.h"
#include "shared/base/printable.h"

#include <algorithm>

namespace jostle::panels {
namespace {

const ImVec4 command_colour{0.62f, 0.85f, 1.0f, 1};
constexpr float max_panel_width = 620;

void draw_advice(const FailureText::Advice& advice) {
  ImGui::Bullet();
  ImGui::TextWrapped("%s", advice.text.c_str());
  if (advice.command.empty()) return;
  ImGui::Indent(28);
  ImGui::TextColored(command_colour, "%s", advice.command.c_str());
  ImGui::Unindent(28);
}

FailureChoice draw_buttons() {
  const ImVec2 size{(ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3,
                    ImGui::GetFrameHeight() + 6};
  FailureChoice wish = FailureChoice::None;
  if (ImGui::Button("Try again (R)", size)) wish = FailureChoice::TryAgain;
  ImGui::SameLine();
  if (ImGui::Button("Other server (L)", size)) wish = FailureChoice::OtherServer;
  ImGui::SameLine();
  if (ImGui::Button("Quit (Esc)", size)) wish = FailureChoice::Quit;
  return wish;
}

}  // namespace

FailureChoice failure_choice_of(SDL_Keycode key) {
  switch (key) {
    case SDLK_r:
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
      return FailureChoice::TryAgain;
    case SDLK_l:
      return FailureChoice::OtherServer;
    case SDLK_ESCAPE:
      return FailureChoice::Quit;
    default:
      return FailureChoice::None;
  }
}

std::unique_ptr<FailureScreen> FailureScreen::create(render::Window& window) {
  auto frame = ImguiFrame::create(window);
  if (!frame) return nullptr;
  return std::unique_ptr<FailureScreen>(new FailureScreen(std::move(frame)));
}

FailureChoice FailureScreen::draw(const FailureText& text) {
  frame_->begin();
  const FailureChoice choice = draw_failure_panel(text);
  frame_->end();
  return choice;
}

FailureChoice draw_failure_panel(const FailureText& text) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(max_panel_width, screen.x - 24);
  ImGui::SetNextWindowPos({screen.x * 0.5f, screen.y * 0.5f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - 12});
  ImGui::SetNextWindowBgAlpha(0.92f);
  // A scroll bar is allowed, because the text may not fit in a small window.
  constexpr ImGuiWindowFlags flags = (mouse_panel_flags & ~ImGuiWindowFlags_NoScrollbar);
  ImGui::Begin("failure", nullptr, flags);
  ImGui::TextColored(bad, "%s", base::printable(text.title).c_str());
  ImGui::Spacing();
  ImGui::PushStyleColor(ImGuiCol_Text, dim);
  ImGui::TextWrapped("%s", base::printable(text.why).c_str());
  ImGui::PopStyleColor();
  ImGui::Spacing();
  for (const FailureText::Advice& advice : text.advice)
    draw_advice(advice);
  ImGui::Spacing();
  ImGui::Spacing();
  const FailureChoice wish = draw_buttons();
  ImGui::End();
  return wish;
}

void draw_scene_error_panel(const SceneError& error) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(max_panel_width, screen.x - 2 * margin);
  ImGui::SetNextWindowPos({screen.x * 0.5f, screen.y - margin}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - 2 * margin});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("scene error", nullptr, panel_flags);
  ImGui::TextColored(bad, "%s", scene_error_title(error).c_str());
  ImGui::TextWrapped("%s", with_glyphs(base::printable(error.text)));
  ImGui::PushStyleColor(ImGuiCol_Text, dim);
  ImGui::TextWrapped("%s", scene_error_note(error).c_str());
  ImGui::PopStyleColor();
  ImGui::End();
}

void draw_reconnecting_panel(const std::string& words, double seconds_silent) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x * 0.5f, 28}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowBgAlpha(0.88f);
  ImGui::Begin("regaining", nullptr, panel_flags);
  ImGui::TextColored(warning, "Connection lost, reconnecting (%.0f s)", seconds_silent);
  ImGui::PushTextWrapPos(std::min(560.0f, screen.x * 0.8f));
  ImGui::PushStyleColor(ImGuiCol_Text, dim);
  ImGui::TextUnformatted(base::printable(words).c_str());
  ImGui::TextUnformatted(
      "The picture is frozen until the server answers. You continue as the same player if the "
      "server kept your reconnect slot. Esc quits.");
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::End();
}

}  // namespace jostle::panels
