#include "client/panels/scene_panel.h"

#include "client/panels/font_atlas.h"
#include "client/panels/panel.h"

#include <algorithm>
#include <utility>

namespace jostle::panels {
namespace {

constexpr float scene_panel_width = 320, picture_width = 64, picture_height = 36;

/// Draws a line of the list: thumbnail, or an equally large gap, and name. Returns true if it was
/// clicked.
bool draw_line(const protocol::SceneInfo& scene, bool is_selected, bool is_current,
               unsigned int picture) {
  const ImVec2 at = ImGui::GetCursorPos();
  const bool is_clicked = ImGui::Selectable(("##" + scene.name).c_str(), is_selected, 0,
                                            {scene_panel_width - 16, picture_height});
  const ImVec2 after = ImGui::GetCursorPos();
  if (picture != 0) {
    ImGui::SetCursorPos(at);
    ImGui::Image(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(picture)),
                 {picture_width, picture_height});
  }
  ImGui::SetCursorPos(
      {at.x + picture_width + 10, at.y + (picture_height - ImGui::GetTextLineHeight()) * 0.5f});
  ImGui::PushStyleColor(ImGuiCol_Text, is_current ? good : ImGui::GetStyleColorVec4(ImGuiCol_Text));
  ImGui::TextUnformatted(with_glyphs(scene.name));
  ImGui::PopStyleColor();
  ImGui::SetCursorPos(after);
  return is_clicked;
}

}  // namespace

std::vector<std::size_t> scenes_that_match(std::span<const protocol::SceneInfo> scenes,
                                           const std::string& text) {
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const std::string& name = scenes[i].name;
    const bool begins = holds(name.substr(0, text.size()), text);
    const int rank = begins && name.size() == text.size() ? 0
                     : begins                             ? 1
                     : holds(name, text)                  ? 2
                     : holds(scenes[i].description, text) ? 3
                                                          : 4;
    if (rank < 4) found.emplace_back(text.empty() ? 0 : rank, i);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> lines;
  for (const auto& [rank, line] : found)
    lines.push_back(line);
  return lines;
}

bool ScenePanel::draw_search(bool has_appeared, const SceneChooser& chooser) {
  if (has_appeared) {
    search_.fill('\0');
    is_focus_due_ = chooser.wants_keys();
  }
  ImGui::SetNextItemWidth(scene_panel_width);
  if (std::exchange(is_focus_due_, false)) focus_next_field();
  const bool is_changed = ImGui::InputTextWithHint("##search", "search names and descriptions",
                                                   search_.data(), search_.size());
  is_typing_ = ImGui::IsItemActive();
  return is_changed;
}

std::optional<std::size_t> ScenePanel::draw_list(std::optional<std::size_t> selected,
                                                 std::span<const protocol::SceneInfo> scenes,
                                                 const std::string& current,
                                                 const PictureOf& picture_of) {
  std::optional<std::size_t> clicked;
  const bool is_selection_new = selected != selected_before_;
  for (const std::size_t line : lines_) {
    const bool is_selected = selected == line;
    const protocol::SceneInfo& scene = scenes[line];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool is_seen =
        ImGui::IsRectVisible(at, {at.x + scene_panel_width, at.y + picture_height});
    const unsigned int picture = is_seen ? picture_of(scene.name) : 0;
    if (draw_line(scene, is_selected, scene.name == current, picture)) clicked = line;
    if (is_selected && is_selection_new && !is_seen) ImGui::SetScrollHereY();
  }
  selected_before_ = selected;
  return clicked;
}

std::optional<std::size_t> ScenePanel::draw(SceneChooser& chooser,
                                            std::span<const protocol::SceneInfo> scenes,
                                            const std::string& current,
                                            const PictureOf& picture_of) {
  is_drawn_ = true;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x - 12, 12}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowBgAlpha(0.9f);
  ImGui::Begin("scenes", nullptr, mouse_panel_flags);
  const bool is_changed = draw_search(ImGui::IsWindowAppearing(), chooser);
  std::optional<std::size_t> clicked;
  lines_ = scenes_that_match(scenes, search_.data());
  // Select the best match, whatever was selected before.
  if (is_changed && !lines_.empty()) chooser.select(lines_.front());
  if (scenes.empty()) {
    ImGui::TextColored(dim, "waiting for the server's scenes");
  } else {
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const float height = (picture_height + spacing) * static_cast<float>(lines_.size());
    const float room = std::max(screen.y - 190, 80.0f);
    const auto selected = chooser.selected_of(lines_);
    ImGui::BeginChild("list", {scene_panel_width, std::clamp(height + 4, 40.0f, room)});
    clicked = draw_list(selected, scenes, current, picture_of);
    ImGui::EndChild();
    if (lines_.empty()) ImGui::TextColored(dim, "no match in %zu scenes", scenes.size());
    if (selected) {
      ImGui::PushTextWrapPos(scene_panel_width);
      ImGui::TextUnformatted(with_glyphs(scenes[*selected].description));
      ImGui::PopTextWrapPos();
    }
    ImGui::TextColored(dim, "Enter or click: play    Escape: close");
  }
  ImGui::End();
  return clicked;
}

bool ScenePanel::takes(const SDL_Event& event, SceneChooser& chooser) const {
  if (event.type != SDL_KEYDOWN || !chooser.is_panel_shown() || !is_drawn_) return false;
  switch (event.key.keysym.sym) {
    case SDLK_UP:
      chooser.move(-1, lines_);
      return true;
    case SDLK_DOWN:
      chooser.move(1, lines_);
      return true;
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
      chooser.choose_selected(lines_);
      return true;
    case SDLK_ESCAPE:
      chooser.toggle_panel();
      return true;
    default:
      return false;
  }
}

}  // namespace jostle::panels
