#include "client/panels/scene_panel.h"

#include "client/panels/panel.h"

#include <algorithm>

namespace jostle::panels {

namespace {

constexpr float panel_width = 300;
std::optional<std::size_t> draw_lines(const SceneChooser& chooser,
                                      std::span<const protocol::SceneInfo> scenes,
                                      const std::string& current, bool is_selection_new) {
  std::optional<std::size_t> clicked;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const bool is_selected = chooser.selected() == i, is_current = scenes[i].name == current;
    if (is_current) ImGui::PushStyleColor(ImGuiCol_Text, good);
    if (ImGui::Selectable(scenes[i].name.c_str(), is_selected)) clicked = i;
    if (is_current) ImGui::PopStyleColor();
    if (is_selected && is_selection_new && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  }
  return clicked;
}

}  // namespace

std::optional<std::size_t> draw_scene_panel(const SceneChooser& chooser,
                                            std::span<const protocol::SceneInfo> scenes,
                                            const std::string& current,
                                            std::optional<std::size_t> shown_before,
                                            const std::string& key) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x - 12, 12}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowBgAlpha(0.88f);
  ImGui::Begin("scenes", nullptr, mouse_panel_flags);
  std::optional<std::size_t> clicked;
  if (scenes.empty()) {
    ImGui::TextColored(dim, "asking the server for its scenes");
  } else {
    const float lines = ImGui::GetTextLineHeightWithSpacing() * static_cast<float>(scenes.size());
    const float room = std::max(screen.y - 150, 60.0f);
    ImGui::BeginChild("list", {panel_width, std::min(lines + 4, room)});
    clicked = draw_lines(chooser, scenes, current, chooser.selected() != shown_before);
    ImGui::EndChild();
    if (const auto selected = chooser.selected(); selected && *selected < scenes.size()) {
      ImGui::Spacing();
      ImGui::PushTextWrapPos(panel_width);
      ImGui::TextUnformatted(scenes[*selected].description.c_str());
      ImGui::PopTextWrapPos();
    }
    ImGui::Spacing();
    ImGui::TextColored(dim, "Enter or click: play it%s%s", key.empty() ? "" : "    ",
                       key.empty() ? "" : (key + ": close").c_str());
  }
  ImGui::End();
  return clicked;
}

}  // namespace jostle::panels
