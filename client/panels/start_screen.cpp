#include "client/panels/start_screen.h"

#include "client/panels/panel.h"
#include "shared/base/printable.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace jostle::panels {
namespace {

constexpr float max_screen_width = 780, max_screen_height = 460;

template <std::size_t size>
void put(std::array<char, size>& field, const std::string& text) {
  field = {};
  std::copy_n(text.begin(), std::min(text.size(), size - 1), field.begin());
}

/// Draws a padlock of the height of a letter.
void draw_lock() {
  const float height = std::round(ImGui::GetTextLineHeight());
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(warning);
  const float width = std::round(height * 0.7f), top = corner.y + std::round(height * 0.45f);
  list->AddRectFilled({corner.x, top}, {corner.x + width, corner.y + height - 1}, colour, 2);
  const float radius = width * 0.32f;
  list->PathArcTo({corner.x + width * 0.5f, top}, radius, 3.14159265f, 6.2831853f);
  list->PathStroke(colour, 0, 1.8f);
  ImGui::Dummy({width, height});
}

void draw_head() {
  ImGui::TableNextRow();
  for (const char* const title : {"", "server", "scene", "players", "RTT", "address"}) {
    ImGui::TableNextColumn();
    ImGui::TextColored(dim, "%s", title);
  }
}

void begin_row(const ServerLine& line) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (line.access == ServerLine::Access::Token || line.access == ServerLine::Access::SharedKey)
    draw_lock();
  ImGui::TableNextColumn();
}

void rest_of_row(const ServerLine& line) {
  const bool is_greyed = !line.fault.empty();
  for (const std::string* const text :
       {&line.scene, &line.players, &line.round_trip, &line.address}) {
    ImGui::TableNextColumn();
    if (is_greyed) {
      ImGui::TextDisabled("%s", text->c_str());
    } else {
      ImGui::TextUnformatted(with_glyphs(*text));
    }
  }
}

}  // namespace

std::unique_ptr<StartScreen> StartScreen::create(render::Window& window) {
  auto frame = ImguiFrame::create(window);
  if (!frame) return nullptr;
  return std::unique_ptr<StartScreen>(new StartScreen(std::move(frame)));
}

void StartScreen::set_server(const std::string& server) {
  put(server_, server);
}

void StartScreen::join_selected(const StartModel& model) {
  const ServerLine* const line = model.list.selected_line();
  if (line == nullptr) {
    hint_ = "no server is selected: select one, or type its address below";
  } else if (!line->fault.empty()) {
    hint_ = line->fault;
  } else {
    join(line->address, line->access, model);
  }
}

void StartScreen::join(const std::string& server, ServerLine::Access access,
                       const StartModel& model) {
  const std::string token(token_.data());
  hint_.clear();
  if (access == ServerLine::Access::Token && token.empty() && !model.has_token) {
    ask_for_token();
    pending_ = server;
    hint_ = server + " requires a token; its operator creates one with " + model.names.tool +
            " token issue";
  } else if (access == ServerLine::Access::SharedKey && !model.has_psk) {
    hint_ = server + " requires a shared key; start with " + model.names.view + " --lan --psk FILE";
  } else {
    wish_ = JoinRequest{.server = server, .token = token};
  }
}

void StartScreen::draw(const StartModel& model) {
  frame_->begin();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 size{std::min(max_screen_width, screen.x - 16),
                    std::min(max_screen_height, screen.y - 16)};
  ImGui::SetNextWindowPos({screen.x * 0.5f, screen.y * 0.5f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size);
  ImGui::SetNextWindowBgAlpha(0.9f);
  constexpr ImGuiWindowFlags flags = mouse_panel_flags & ~ImGuiWindowFlags_AlwaysAutoResize;
  ImGui::Begin("start", nullptr, flags);
  const float line = ImGui::GetFrameHeightWithSpacing();
  const bool has_words = !model.note.empty() || !hint_.empty();
  const float fields = line * (is_token_asked_ ? 3.0f : 2.0f) + 12 +
                       ImGui::GetTextLineHeightWithSpacing() * (has_words ? 3.0f : 1.0f);
  draw_list(model, std::max(ImGui::GetContentRegionAvail().y - fields, 60.0f));
  const ServerLine* const selected = model.list.selected_line();
  ImGui::TextColored(dim, "%s",
                     selected == nullptr        ? ""
                     : !selected->fault.empty() ? selected->fault.c_str()
                                                : selected->detail.c_str());
  if (has_words) {
    ImGui::PushStyleColor(ImGuiCol_Text, warning);
    ImGui::TextWrapped("%s", base::printable(hint_.empty() ? model.note : hint_).c_str());
    ImGui::PopStyleColor();
  }
  draw_fields(model);
  draw_buttons(model);
  ImGui::End();
  is_typing_ = ImGui::GetIO().WantTextInput;
  frame_->end();
}

void StartScreen::draw_list(const StartModel& model, float height) {
  const ServerList& list = model.list;
  ImGui::BeginChild("list", {0, height});
  ImGui::TextColored(good, "On the local network");
  ImGui::SameLine();
  if (!model.is_asking) {
    ImGui::TextColored(dim, "the search failed");
  } else if (list.found_count() == 0) {
    ImGui::TextColored(dim, "no server found yet; start one with %s --lan",
                       model.names.server.c_str());
  } else {
    ImGui::NewLine();
  }
  draw_lines(model, 0, list.found_count());
  if (list.lines().size() > list.found_count()) {
    ImGui::Spacing();
    ImGui::TextColored(good, "Recent servers");
    draw_lines(model, list.found_count(), list.lines().size());
  }
  shown_selected_ = list.selected();
  ImGui::EndChild();
}

void StartScreen::draw_lines(const StartModel& model, std::size_t begin, std::size_t end) {
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
  if (begin == end || !ImGui::BeginTable(begin == 0 ? "found" : "recent", 6, flags)) return;
  ImGui::TableSetupColumn("lock", ImGuiTableColumnFlags_WidthFixed, 14);
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 2);
  ImGui::TableSetupColumn("scene", ImGuiTableColumnFlags_WidthStretch, 1.3f);
  ImGui::TableSetupColumn("players", ImGuiTableColumnFlags_WidthFixed, 56);
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, 60);
  ImGui::TableSetupColumn("address", ImGuiTableColumnFlags_WidthFixed, 170);
  constexpr ImGuiSelectableFlags whole_row =
      ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick;
  const auto selected = model.list.selected();
  if (end == model.list.found_count()) draw_head();
  for (std::size_t i = begin; i < end; ++i) {
    const ServerLine& line = model.list.lines()[i];
    begin_row(line);
    ImGui::PushID(static_cast<int>(i));
    const bool is_greyed = !line.fault.empty();
    if (is_greyed)
      ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
    const std::string label =
        shortened(line.name.empty() ? line.address : line.name, ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(("##row" + std::to_string(i)).c_str(), selected == i, whole_row)) {
      clicked_ = i;
      if (ImGui::IsMouseDoubleClicked(0) && !is_greyed) join(line.address, line.access, model);
    }
    if (selected == i && shown_selected_ != selected && !ImGui::IsItemVisible())
      ImGui::SetScrollHereY();
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(with_glyphs(label));
    if (is_greyed) ImGui::PopStyleColor();
    if (line.name.empty()) {
      ImGui::PopID();
      continue;
    }
    rest_of_row(line);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void StartScreen::draw_fields(const StartModel& model) {
  constexpr float labels = 60;
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(dim, "Server");
  ImGui::SameLine(labels);
  ImGui::SetNextItemWidth(width - labels - 90);
  const bool is_entered =
      ImGui::InputTextWithHint("##server", "HOST[:PORT], e.g. 192.168.0.5:7777", server_.data(),
                               server_.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool is_clicked = ImGui::Button("Connect", {82, 0});
  if ((is_entered || is_clicked) && server_[0] != '\0')
    join(server_.data(), ServerLine::Access::Unknown, model);
  if (!is_token_asked_) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(dim, "Token");
  ImGui::SameLine(labels);
  ImGui::SetNextItemWidth(width - labels);
  if (std::exchange(is_token_focus_due_, false)) focus_next_field();
  if (ImGui::InputTextWithHint("##token", "jostle-token-1..., paste with Ctrl+V", token_.data(),
                               token_.size(), ImGuiInputTextFlags_EnterReturnsTrue) &&
      token_[0] != '\0') {
    if (pending_.empty()) {
      join_selected(model);
    } else {
      join(pending_, ServerLine::Access::Unknown, model);
    }
  }
}

void StartScreen::draw_buttons(const StartModel& model) {
  if (ImGui::Button("Join (Enter)", {120, 0})) join_selected(model);
  ImGui::SameLine();
  if (ImGui::Button("Token...", {82, 0})) ask_for_token();
  ImGui::SameLine();
  if (ImGui::Button("Quit (Esc)", {100, 0})) wants_to_quit_ = true;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(dim, "up, down: select    Enter or double-click: join");
}

}  // namespace jostle::panels
