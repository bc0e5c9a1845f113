#include "client/panels/panel.h"

#include "client/panels/font_atlas.h"
#include "client/render/shown_bodies.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace jostle::panels {

namespace {

constexpr double notice_seconds = 4;
constexpr float longest_tag = 180;

/// Formats a fraction as percent, with enough digits to see small changes.
std::string percent(float share) {
  char text[32];
  const double value = static_cast<double>(share) * 100;
  const double size = std::abs(value);
  constexpr double least_shown = 0.005;
  if (size < least_shown) return "0.00 %";
  if (size >= 1e6) {
    std::snprintf(text, sizeof text, "%+.1e %%", value);
  } else {
    std::snprintf(text, sizeof text, size < 10 ? "%+.2f %%" : "%+.0f %%", value);
  }
  return text;
}

/// Draws a label of the scene or a value of a rule. A change of energy of more than 2 % is
/// highlighted.
void row_of(const state::Label& line) {
  constexpr float large_share = 0.02f;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(dim, "%s", line.name.c_str());
  ImGui::TableNextColumn();
  const auto value = static_cast<double>(line.value);
  switch (line.kind) {
    case state::LabelKind::EnergyChange: {
      const ImVec4 colour = line.value > large_share    ? bad
                            : line.value < -large_share ? warning
                                                        : good;
      ImGui::TextColored(colour, "%s", percent(line.value).c_str());
      break;
    }
    case state::LabelKind::Energy:
      ImGui::Text("%.4g J", value);
      break;
    case state::LabelKind::Speed:
      ImGui::Text("%.2f m/s", value);
      break;
    case state::LabelKind::Height:
      ImGui::Text("%.2f m", value);
      break;
    case state::LabelKind::Number:
      ImGui::Text("%.6g", value);
      break;
    case state::LabelKind::Duration:
      ImGui::Text("%.1f s", value);
      break;
    case state::LabelKind::Text:
      ImGui::TextUnformatted(with_glyphs(line.text));
      break;
  }
}

}  // namespace

void focus_next_field() {
  // Dear ImGui 1.90 ignores SetKeyboardFocusHere() in a window without the focus. A click outside
  // of all windows takes the focus away.
  ImGui::SetWindowFocus();
  ImGui::SetKeyboardFocusHere();
}

bool holds(const std::string& text, const std::string& part) {
  const auto is_letter = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return part.empty() ||
         std::search(text.begin(), text.end(), part.begin(), part.end(), is_letter) != text.end();
}

void row(const char* name, const char* value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(dim, "%s", name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value);
}

void limit_next_panel(float top, float below) {
  constexpr float least_height = 60, any_width = 10'000;
  const float room = ImGui::GetIO().DisplaySize.y - top - below - margin;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {any_width, std::max(room, least_height)});
}

float draw_labels_panel(const state::Labels& labels) {
  if (labels.lines.empty()) return margin;
  ImGui::SetNextWindowPos({ImGui::GetIO().DisplaySize.x - 12, 12}, ImGuiCond_Always, {1, 0});
  ImGui::Begin("labels", nullptr, panel_flags);
  if (ImGui::BeginTable("lines", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const state::Label& line : labels.lines)
      row_of(line);
    ImGui::EndTable();
  }
  const float below = ImGui::GetWindowPos().y + ImGui::GetWindowHeight() + margin;
  ImGui::End();
  return below;
}

std::string shortened(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  std::size_t length = text.size();
  const auto is_inside_of_a_letter = [&] {
    return (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U;
  };
  while (length > 0) {
    --length;
    if (is_inside_of_a_letter()) continue;
    std::string part = text.substr(0, length) + "...";
    if (ImGui::CalcTextSize(part.c_str()).x <= width) return part;
  }
  return {};
}

void draw_name_tags(std::span<const client::ShownBody> bodies, const render::View& view,
                    state::PlayerId own) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const render::Size size{static_cast<int>(screen.x), static_cast<int>(screen.y)};
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (const client::ShownBody* body : render::player_bodies(bodies)) {
    const math::Position above = body->pose.position + math::Vec3{0, 0.9f, 0};
    const auto point = render::project(view, size, above);
    if (!point) continue;
    const std::string shown = shortened(body->info->name, longest_tag);
    const char* const name = with_glyphs(shown);
    const ImVec2 text = ImGui::CalcTextSize(name);
    if (point->x < 0 || point->x > screen.x || point->y < 0 || point->y > screen.y) continue;
    // Tags of bodies at the edge are moved so that they are fully visible.
    const auto within = [](float wanted, float length, float room) {
      return std::round(std::clamp(wanted, 6.0f, std::max(room - length - 6, 6.0f)));
    };
    const ImVec2 corner{within(point->x - text.x * 0.5f, text.x, screen.x),
                        within(point->y - text.y, text.y, screen.y)};
    const bool is_own = body->info->owner == own;
    list->AddRectFilled({corner.x - 5, corner.y - 2},
                        {corner.x + text.x + 5, corner.y + text.y + 2}, IM_COL32(18, 23, 31, 170),
                        4);
    list->AddText(corner, is_own ? IM_COL32(150, 230, 255, 255) : IM_COL32(245, 245, 245, 255),
                  name);
  }
}

void NoticeLine::say(const std::string& words, double seconds) {
  words_ = words;
  until_s_ = seconds + notice_seconds;
}

void NoticeLine::draw(double seconds, float above) {
  if (seconds >= until_s_) return;
  constexpr float widest = 620, padding = 11;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float wrap = std::min(widest, screen.x - 4 * padding);
  need_glyphs(words_);
  const ImVec2 text = ImGui::CalcTextSize(words_.c_str(), nullptr, false, wrap);
  const ImVec2 corner{std::round((screen.x - text.x) * 0.5f),
                      std::round(screen.y - above - padding - text.y)};
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  list->AddRectFilled({corner.x - padding, corner.y - padding + 3},
                      {corner.x + text.x + padding, corner.y + text.y + padding - 3},
                      IM_COL32(24, 28, 36, 235), 6);
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), corner, IM_COL32(240, 243, 247, 255),
                words_.c_str(), nullptr, wrap);
}

}  // namespace jostle::panels
