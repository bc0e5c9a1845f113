#include "client/panels/statistics_panel.h"

#include "client/panels/panel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace jostle::panels {
namespace {

constexpr float bar_width = 90;
/// Stages that take less than this fraction of the tick are summed up in one line.
constexpr float least_share = 0.01f;

struct Line {
  std::string name;
  float ms = 0;
};

/// Returns the expensive stages, longest first, and the sum of the rest.
std::vector<Line> stage_lines(const state::ServerStatistics& statistics) {
  std::vector<Line> lines;
  Line rest{"other stages", 0};
  for (std::size_t i = 0; i < statistics.stage_ms.size(); ++i) {
    const float ms = statistics.stage_ms[i];
    std::string name(state::step_stage_names[i]);
    std::ranges::replace(name, '_', ' ');
    if (ms >= least_share * statistics.tick_ms) {
      lines.push_back({std::move(name), ms});
    } else {
      rest.ms += ms;
    }
  }
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) { return a.ms > b.ms; });
  if (rest.ms > 0) lines.push_back(rest);
  return lines;
}

void draw_bar(const Line& line, float whole_ms, bool is_indented) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(dim, "%s%s", is_indented ? "  " : "", line.name.c_str());
  ImGui::TableNextColumn();
  ImGui::Text("%6.3f ms", static_cast<double>(line.ms));
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float share = whole_ms > 0 ? std::min(line.ms / whole_ms, 1.0f) : 0;
  const float height = ImGui::GetTextLineHeight();
  ImGui::GetWindowDrawList()->AddRectFilled(
      {at.x, at.y + 3}, {at.x + std::max(share * bar_width, 1.0f), at.y + height - 3},
      is_indented ? IM_COL32(115, 184, 255, 255) : IM_COL32(255, 204, 92, 255));
  ImGui::Dummy({bar_width, height});
}

void draw_times(const state::ServerStatistics& statistics) {
  if (!ImGui::BeginTable("times", 3, ImGuiTableFlags_SizingFixedFit)) return;
  for (std::size_t i = 0; i < statistics.phase_ms.size(); ++i) {
    draw_bar({std::string(state::server_phase_names[i]), statistics.phase_ms[i]},
             statistics.tick_ms, false);
    if (state::server_phase_names[i] != "simulate") continue;
    for (const Line& line : stage_lines(statistics))
      draw_bar(line, statistics.tick_ms, true);
  }
  ImGui::EndTable();
}

/// Draws the counts with their names, two pairs per line.
void draw_counts(const state::ServerStatistics& statistics) {
  if (!ImGui::BeginTable("counts", 4, ImGuiTableFlags_SizingFixedFit)) return;
  for (std::size_t i = 0; i < statistics.counts.size(); ++i) {
    ImGui::TableNextColumn();
    ImGui::TextColored(dim, "%s", std::string(state::server_count_names[i]).c_str());
    ImGui::TableNextColumn();
    ImGui::Text("%u  ", statistics.counts[i]);
  }
  ImGui::EndTable();
}

}  // namespace

float draw_statistics_panel(const state::ServerStatistics* statistics, float top,
                            const controls::KeyBindings& keys) {
  ImGui::SetNextWindowPos({ImGui::GetIO().DisplaySize.x - margin, top}, ImGuiCond_Always, {1, 0});
  ImGui::SetNextWindowBgAlpha(0.88f);
  limit_next_panel(top, margin);
  ImGui::Begin("statistics", nullptr, scrolled_panel_flags);
  if (statistics == nullptr) {
    ImGui::TextColored(dim, "waiting for the server's statistics");
  } else {
    ImGui::Text("server: %.2f ms per tick", static_cast<double>(statistics->tick_ms));
    ImGui::SameLine();
    ImGui::TextColored(dim, "max %.2f ms", static_cast<double>(statistics->longest_tick_ms));
    draw_times(*statistics);
    ImGui::Spacing();
    draw_counts(*statistics);
    ImGui::TextColored(dim, "sent to all clients: %.1f kB/s    %s: close",
                       static_cast<double>(statistics->bytes_per_second) * 1e-3,
                       keys.word(controls::UserAction::Statistics).c_str());
  }
  const float below = ImGui::GetWindowPos().y + ImGui::GetWindowHeight() + margin;
  ImGui::End();
  return below;
}

}  // namespace jostle::panels
