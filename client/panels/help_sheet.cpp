#include "client/panels/help_sheet.h"

#include "client/panels/panel.h"

#include <algorithm>
#include <cmath>

namespace jostle::panels {
namespace {

using controls::GamepadBindings;
using controls::KeyBindings;
using enum controls::UserAction;

constexpr float cell_gap = 16;
constexpr int most_columns = 3;

std::string movement_keys(const KeyBindings& keys) {
  std::string text;
  for (const auto action : {Forward, Left, Back, Right})
    text += (text.empty() ? "" : " ") + (keys.word(action).empty() ? "-" : keys.word(action));
  return text;
}

void add_camera_lines(const KeyBindings& keys, std::vector<HelpLine>& lines) {
  lines.push_back({"Right or Alt + drag", "turn the camera"});
  lines.push_back({"Wheel", "zoom; flying: speed"});
  lines.push_back({keys_of(keys, {Nearer, Further}), "zoom with keys"});
  lines.push_back({"Middle drag", "pan the camera"});
}

/// Adds a line for gamepad buttons; nothing if no button is bound.
void add_pad_line(const GamepadBindings& pad, std::initializer_list<controls::UserAction> actions,
                  const char* meaning, std::vector<HelpLine>& lines) {
  std::string text;
  for (const auto action : actions)
    if (!pad.text(action).empty()) text += (text.empty() ? "" : ", ") + pad.text(action);
  if (!text.empty()) lines.push_back({text, meaning});
}

void add_gamepad_lines(const GamepadBindings& pad, const std::string& name,
                       std::vector<HelpLine>& lines) {
  if (name.empty()) return;
  lines.push_back({});
  lines.push_back({"Left stick", "move (" + name + ")"});
  lines.push_back({"Right stick", "look around"});
  add_pad_line(pad, {Jump}, "jump, or brake", lines);
  add_pad_line(pad, {Push}, "push the body at the crosshair", lines);
  add_pad_line(pad, {Shoot}, "shoot a ball at the crosshair", lines);
  add_pad_line(pad, {Hold}, "grab and drag a body", lines);
  add_pad_line(pad, {Attract, Repel}, "attract, repel", lines);
  add_pad_line(pad, {Nearer, Further}, "zoom in, out", lines);
  add_pad_line(pad, {Follow, Fly}, "follow, fly", lines);
  add_pad_line(pad, {Pause, Step}, "pause, one step *", lines);
  add_pad_line(pad, {PreviousScene, NextScene}, "previous, next scene *", lines);
}

/// Distribution of the lines over columns.
struct Layout {
  int columns = 1, rows = 1;
  bool is_scrolled = false;
  bool is_wrapped = false;      // the meanings need several lines, because the window is narrow
  float width = 0, height = 0;  // size of the table
};

Layout lay_out(std::span<const HelpLine> lines, ImVec2 room) {
  float keys = 0, meanings = 0;
  for (const HelpLine& line : lines) {
    keys = std::max(keys, ImGui::CalcTextSize(line.keys.c_str()).x);
    meanings = std::max(meanings, ImGui::CalcTextSize(line.meaning.c_str()).x);
  }
  const float column = keys + meanings + 2 * cell_gap;
  const float line_height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  Layout layout;
  for (int columns = 1; columns <= most_columns; ++columns) {
    if (columns > 1 && column * static_cast<float>(columns) > room.x) break;
    const auto count = static_cast<int>(lines.size());
    layout.columns = columns;
    layout.rows = (count + columns - 1) / columns;
    layout.width = column * static_cast<float>(columns);
    layout.height = line_height * static_cast<float>(layout.rows);
    if (layout.height <= room.y) return layout;
  }
  layout.is_scrolled = true;
  layout.is_wrapped = layout.width + ImGui::GetStyle().ScrollbarSize > room.x;
  layout.width = std::min(layout.width + ImGui::GetStyle().ScrollbarSize, room.x);
  // Show only whole lines.
  layout.height = std::floor(room.y / line_height) * line_height;
  return layout;
}

void draw_lines(std::span<const HelpLine> lines, const Layout& layout) {
  for (int row = 0; row < layout.rows; ++row) {
    ImGui::TableNextRow();
    for (int column = 0; column < layout.columns; ++column) {
      const auto index = static_cast<std::size_t>(column * layout.rows + row);
      ImGui::TableNextColumn();
      if (index < lines.size()) ImGui::TextColored(dim, "%s", lines[index].keys.c_str());
      ImGui::TableNextColumn();
      if (index >= lines.size()) continue;
      if (layout.is_wrapped) {
        ImGui::TextWrapped("%s", lines[index].meaning.c_str());
      } else {
        ImGui::TextUnformatted(lines[index].meaning.c_str());
      }
    }
  }
}

}  // namespace

std::string keys_of(const KeyBindings& keys, std::initializer_list<controls::UserAction> actions) {
  std::string text;
  for (const auto action : actions) {
    const std::string word = keys.word(action);
    text += (text.empty() ? "" : "   ") + (word.empty() ? "-" : word);
  }
  return text;
}

std::vector<HelpLine> play_help(const controls::ControlSettings& controls,
                                const std::string& gamepad) {
  const KeyBindings& keys = controls.keys;
  const std::string moves = movement_keys(keys);
  std::vector<HelpLine> lines{
      {moves, "move, relative to the camera"},
      {keys_of(keys, {Jump}), "jump, or brake"},
      {keys_of(keys, {Attract, Repel}), "attract, repel nearby bodies (if the scene allows it)"},
      {"Click", "push a body"},
      {"Shift + click", "shoot a ball"},
      {"Ctrl + drag", "grab and drag a body"},
      {keys_of(keys, {Crate, Blast}), "spawn a crate, blast under the cursor"},
      {},
  };
  add_camera_lines(keys, lines);
  lines.push_back({keys_of(keys, {Follow}), "follow yourself, or the selected body"});
  lines.push_back({keys_of(keys, {Fly}), "fly: " + moves + ", " + keys.word(Jump) + " up, " +
                                             keys.word(Repel) + " down"});
  lines.push_back({});
  lines.push_back({keys_of(keys, {Pause, Step, StepFive}), "pause, one step, five steps *"});
  lines.push_back({keys_of(keys, {Slower, Faster}), "slower, faster *"});
  lines.push_back({keys_of(keys, {Reset, Gravity}), "reset, gravity off and on *"});
  lines.push_back(
      {keys_of(keys, {PreviousScene, NextScene, Scenes}), "previous, next scene, scene list *"});
  lines.push_back(
      {keys_of(keys, {Bodies, Inspect}), "body list, inspect the body under the cursor"});
  lines.push_back({keys_of(keys, {Look, Draw}), "draw mode of bodies, debug draw"});
  lines.push_back({keys_of(keys, {Ghosts}), "ghosts: bodies of the newest snapshot"});
  lines.push_back({keys_of(keys, {Console}), "console: type commands"});
  lines.push_back({keys_of(keys, {NetGraph, Statistics, Panels, Help}),
                   "net graph, server statistics, panels, help"});
  lines.push_back({keys_of(keys, {Settings, Fullscreen}), "settings and keys, full screen"});
  lines.push_back({keys_of(keys, {Screenshot, Quit}), "screenshot, quit"});
  add_gamepad_lines(controls.pad, gamepad, lines);
  return lines;
}

std::vector<HelpLine> replay_help(const controls::ControlSettings& controls,
                                  const std::string& gamepad) {
  const KeyBindings& keys = controls.keys;
  std::vector<HelpLine> lines{
      {keys.text(ReplayPlay), "play, pause"},
      {keys_of(keys, {ReplayStep, ReplayStepFive}), "one, five ticks forward"},
      {keys_of(keys, {ReplayBack, ReplayBackFive}), "one, five ticks back"},
      {keys_of(keys, {ReplaySecondOn, ReplaySecondBack}), "one second forward or back"},
      {keys_of(keys, {ReplayStart, ReplayEnd}), "go to start, end"},
      {keys_of(keys, {ReplaySlower, ReplayFaster}), "slower, faster"},
      {keys_of(keys, {ReplayDifference}), "go to the first differing tick"},
      {keys_of(keys, {ReplayGhost}), "ghost of the other recording"},
      {},
  };
  add_camera_lines(keys, lines);
  lines.push_back({keys_of(keys, {Fly}), "fly: " + movement_keys(keys) + ", " + keys.word(Attract) +
                                             " up, " + keys.word(Repel) + " down"});
  lines.push_back({});
  lines.push_back(
      {keys_of(keys, {Bodies, Inspect}), "body list, inspect the body under the cursor"});
  lines.push_back({keys_of(keys, {Follow}), "follow the selected body"});
  lines.push_back({keys_of(keys, {Draw}), "debug draw: contacts, joints, ..."});
  lines.push_back({keys_of(keys, {Look}), "draw mode: solid, edges, wireframe, x-ray"});
  lines.push_back({keys_of(keys, {Panels, Help}), "panels, help"});
  lines.push_back({keys_of(keys, {Settings, Fullscreen}), "settings and keys, full screen"});
  lines.push_back({keys_of(keys, {Screenshot, Quit}), "screenshot, quit"});
  if (!gamepad.empty()) lines.push_back({"Sticks", "fly and look around (" + gamepad + ")"});
  return lines;
}

void draw_help_hint(const KeyBindings& keys) {
  if (!keys.word(Help).empty()) ImGui::TextColored(dim, "%s: help", keys.word(Help).c_str());
}

void draw_help_sheet(std::span<const HelpLine> lines, const char* note) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float note_height = ImGui::GetTextLineHeightWithSpacing() * 2;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {cell_gap / 2, 2});
  const Layout layout =
      lay_out(lines, {screen.x - 2 * (margin + style.WindowPadding.x),
                      screen.y - 2 * (margin + style.WindowPadding.y) - note_height});
  ImGui::SetNextWindowPos({screen.x * 0.5f, screen.y * 0.5f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("help", nullptr, layout.is_scrolled ? mouse_panel_flags : panel_flags);
  const ImGuiTableFlags flags =
      ImGuiTableFlags_SizingFixedFit | (layout.is_scrolled ? ImGuiTableFlags_ScrollY : 0);
  if (ImGui::BeginTable(
          "keys", layout.columns * 2, flags,
          {layout.is_scrolled ? layout.width : 0, layout.is_scrolled ? layout.height : 0})) {
    if (layout.is_wrapped) {
      ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed);
      ImGui::TableSetupColumn("meanings", ImGuiTableColumnFlags_WidthStretch);
    }
    draw_lines(lines, layout);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  ImGui::Spacing();
  ImGui::TextColored(dim, "%s%s", note, layout.is_scrolled ? "    wheel: scroll" : "");
  ImGui::End();
}

}  // namespace jostle::panels
