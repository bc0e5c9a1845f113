#include "client/panels/settings_panel.h"

#include "client/panels/font_atlas.h"
#include "client/panels/panel.h"
#include "protocol/limits.h"
#include "protocol/player_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace jostle::panels {
namespace {

using controls::ActionGroup;
using controls::ActionInfo;
using controls::UserAction;
using settings::Quality;
using settings::Settings;

constexpr float body_width = 456, body_height = 330, label_width = 150;
constexpr float trigger_pulled = 0.5f;

/// Draws the label of a setting. The control follows on the same line, in one column for all
/// settings.
void label(const char* words) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(dim, "%s", words);
  ImGui::SameLine(label_width);
}

void flag(const char* words, bool& is_on) {
  label(words);
  ImGui::Checkbox((std::string("##") + words).c_str(), &is_on);
}

/// Draws a combo box for one of a few values.
template <typename T, std::size_t count>
void choice(const char* words, const std::array<std::pair<const char*, T>, count>& values,
            T& chosen) {
  label(words);
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const auto& each) { return each.second == chosen; });
  std::array<char, 32> other{};
  std::snprintf(other.data(), other.size(), "%g", static_cast<double>(chosen));
  ImGui::SetNextItemWidth(140);
  if (!ImGui::BeginCombo((std::string("##") + words).c_str(),
                         found == values.end() ? other.data() : found->first))
    return;
  for (const auto& [word, value] : values)
    if (ImGui::Selectable(word, value == chosen)) chosen = value;
  ImGui::EndCombo();
}

void slider(const char* words, float& value, float least, float most) {
  label(words);
  ImGui::SetNextItemWidth(140);
  float moved = value;
  // Round to hundredths, so that the text in the file is short.
  if (ImGui::SliderFloat((std::string("##") + words).c_str(), &moved, least, most, "%.2f",
                         ImGuiSliderFlags_AlwaysClamp))
    value = std::round(moved * 100) / 100;
}

constexpr std::array<std::pair<const char*, int>, 4> quality_words{
    {{"auto", static_cast<int>(Quality::Auto)},
     {"off", static_cast<int>(Quality::Off)},
     {"low", static_cast<int>(Quality::Low)},
     {"high", static_cast<int>(Quality::High)}}};

void quality(const char* words, Quality& chosen) {
  auto number = static_cast<int>(chosen);
  choice(words, quality_words, number);
  chosen = static_cast<Quality>(number);
}

/// Returns another action that is bound to one of the keys of `action`; nothing if there is no
/// collision.
std::optional<UserAction> other_of_key(const controls::KeyBindings& keys, UserAction action) {
  for (const controls::KeyCollision& each : keys.collisions()) {
    if (each.first == action) return each.second;
    if (each.second == action) return each.first;
  }
  return std::nullopt;
}

/// Returns `inputs` with the input at `index` replaced by `input`. If there is none at `index`,
/// appends `input`. If `input` is null, removes the input at `index`.
template <typename Input>
std::vector<Input> replaced(std::span<const Input> inputs, std::size_t index,
                            const std::optional<Input>& input) {
  std::vector<Input> result(inputs.begin(), inputs.end());
  const auto at = result.begin() + static_cast<std::ptrdiff_t>(std::min(index, result.size()));
  if (!input) {
    if (at != result.end()) result.erase(at);
  } else if (at != result.end()) {
    *at = *input;
  } else {
    result.push_back(*input);
  }
  return result;
}

}  // namespace

bool is_panel_in_use() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::IsAnyItemActive();
}

void SettingsPanel::toggle() {
  is_shown_ = !is_shown_;
  awaited_.reset();
  answer_ = Answer::None;
}

bool SettingsPanel::takes(const SDL_Event& event) {
  if (!is_shown_) return false;
  const bool is_escape = event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE;
  if (!awaited_) {
    if (is_escape) toggle();
    return is_escape;
  }
  if (is_escape) {
    awaited_.reset();
    return true;
  }
  if (event.type == SDL_KEYDOWN) {
    const SDL_Keycode key = event.key.keysym.sym;
    if (key == SDLK_DELETE || key == SDLK_BACKSPACE) {
      answer_ = Answer::Nothing;
    } else if (!awaited_->is_button && controls::chord_of(event.key.keysym, false)) {
      answer_ = Answer::Given;
      key_ = event.key.keysym;
    }
    return true;
  }
  const bool is_trigger = event.type == SDL_CONTROLLERAXISMOTION &&
                          (event.caxis.axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT ||
                           event.caxis.axis == SDL_CONTROLLER_AXIS_TRIGGERRIGHT) &&
                          static_cast<float>(event.caxis.value) > trigger_pulled * 32767.0f;
  if (!awaited_->is_button || (event.type != SDL_CONTROLLERBUTTONDOWN && !is_trigger)) return false;
  answer_ = Answer::Given;
  button_ = is_trigger ? controls::PadInput{true, event.caxis.axis}
                       : controls::PadInput{false, event.cbutton.button};
  return true;
}

void SettingsPanel::handle_answer(Settings& settings) {
  const Answer answer = std::exchange(answer_, Answer::None);
  if (answer == Answer::None || !awaited_) return;
  const auto [action, index, is_button] = *std::exchange(awaited_, std::nullopt);
  if (is_button) {
    const auto button = answer == Answer::Given ? std::optional(button_) : std::nullopt;
    settings.controls.pad.bind(action,
                               replaced(settings.controls.pad.inputs(action), index, button));
    return;
  }
  std::optional<controls::KeyChord> key;
  if (answer == Answer::Given)
    key = controls::chord_of(key_, controls::info_of(action).is_by_place);
  if (key || answer == Answer::Nothing)
    settings.controls.keys.bind(action, replaced(settings.controls.keys.keys(action), index, key));
}

void SettingsPanel::draw(Settings& settings, const SettingsFacts& facts) {
  if (!is_shown_) return;
  handle_answer(settings);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x * 0.5f, screen.y * 0.5f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowBgAlpha(0.94f);
  ImGui::Begin("settings", nullptr, mouse_panel_flags);
  if (ImGui::BeginTabBar("tabs")) {
    const ImVec2 body{std::min(body_width, screen.x - 4 * margin),
                      std::min(body_height, screen.y - 110)};
    const auto tab = [&](const char* name, const auto& draw_body) {
      if (!ImGui::BeginTabItem(name)) return;
      ImGui::BeginChild(name, body);
      draw_body();
      ImGui::EndChild();
      ImGui::EndTabItem();
    };
    tab("General", [&] { draw_general(settings, facts); });
    tab("Mouse and sticks", [&] { draw_look(settings); });
    tab("Keys", [&] { draw_keys(settings, ActionGroup::World); });
    tab("Recording keys", [&] { draw_keys(settings, ActionGroup::Recording); });
    tab("Gamepad", [&] { draw_buttons(settings, facts); });
    ImGui::EndTabBar();
  }
  ImGui::Spacing();
  if (awaited_) {
    ImGui::TextColored(warning, "press a %s    Delete: unbind    Escape: cancel",
                       awaited_->is_button ? "button" : "key");
  } else {
    const std::string fate =
        facts.file.empty() ? "changes last until the program ends" : "saved in " + facts.file;
    ImGui::TextColored(dim, "%s    Escape: close", fate.c_str());
  }
  ImGui::End();
}

void SettingsPanel::draw_general(Settings& settings, const SettingsFacts& facts) {
  label("name");
  std::array<char, protocol::max_name_bytes + 1> name{};
  std::strncpy(name.data(), with_glyphs(settings.name), name.size() - 1);
  ImGui::SetNextItemWidth(140);
  if (ImGui::InputText("##name", name.data(), name.size()) &&
      protocol::name_fault(name.data()).empty())
    settings.name = name.data();
  ImGui::SameLine();
  ImGui::TextColored(dim, "applies at the next start");
  flag("predict", settings.is_predicting);
  ImGui::SameLine();
  ImGui::TextColored(dim, "applies at the next start");
  flag("full screen", settings.is_fullscreen);
  label("window");
  ImGui::Text("%d x %d", settings.window.width, settings.window.height);
  if (!(facts.window == settings.window) && !settings.is_fullscreen) {
    ImGui::SameLine();
    if (ImGui::SmallButton("use the current size")) settings.window = facts.window;
  }
  constexpr std::array<std::pair<const char*, double>, 9> scales{{{"auto", 0.0},
                                                                  {"0.75", 0.75},
                                                                  {"1", 1.0},
                                                                  {"1.25", 1.25},
                                                                  {"1.5", 1.5},
                                                                  {"2", 2.0},
                                                                  {"2.5", 2.5},
                                                                  {"3", 3.0},
                                                                  {"4", 4.0}}};
  choice("UI scale", scales, settings.interface_scale);
  ImGui::Spacing();
  quality("shadows", settings.shadows);
  quality("anti-aliasing", settings.edges);
  constexpr std::array<std::pair<const char*, int>, 6> limits{
      {{"auto", 0}, {"30", 30}, {"60", 60}, {"120", 120}, {"144", 144}, {"240", 240}}};
  choice("maximum fps", limits, settings.max_frames_per_second);
  std::array<std::pair<const char*, int>, render::body_look_count> looks{};
  for (std::size_t i = 0; i < looks.size(); ++i)
    looks[i] = {render::name_of(static_cast<render::BodyLook>(i)), static_cast<int>(i)};
  auto look = static_cast<int>(settings.look);
  choice("bodies", looks, look);
  settings.look = static_cast<render::BodyLook>(look);
  ImGui::Spacing();
  ImGui::TextColored(dim, "open at the start:");
  flag("status (hud)", settings.are_panels_shown);
  flag("net graph", settings.is_net_graph_shown);
  flag("body list", settings.is_body_browser_shown);
  flag("help", settings.is_help_shown);
}

void SettingsPanel::draw_look(Settings& settings) {
  slider("mouse sensitivity", settings.controls.mouse_sensitivity, 0.1f, 10);
  slider("stick sensitivity", settings.controls.stick_sensitivity, 0.1f, 10);
  slider("stick dead zone", settings.controls.dead_zone, 0, 0.9f);
  flag("invert vertical", settings.controls.is_look_inverted);
}

template <typename Inputs>
void SettingsPanel::draw_inputs(UserAction action, bool is_button, const Inputs& inputs,
                                std::size_t most) {
  ImGui::PushID(static_cast<int>(action));
  for (std::size_t i = 0; i <= inputs.size() && i < most; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (i > 0) ImGui::SameLine(0, 4);
    const bool is_awaited = awaited_ && awaited_->action == action && awaited_->index == i &&
                            awaited_->is_button == is_button;
    const std::string words = is_awaited ? "..." : i == inputs.size() ? "+" : inputs[i];
    if (ImGui::SmallButton(words.c_str())) awaited_ = Awaited{action, i, is_button};
    ImGui::PopID();
  }
  ImGui::PopID();
}

void SettingsPanel::draw_keys(Settings& settings, ActionGroup group) {
  const controls::KeyBindings& keys = settings.controls.keys;
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) return;
  for (const ActionInfo& info : controls::all_actions()) {
    if (info.group != group) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const auto other = other_of_key(keys, info.action);
    ImGui::TextColored(other ? warning : dim, "%s", std::string(info.meaning).c_str());
    if (other)
      ImGui::TextColored(warning, "  (one of these keys is also bound to: %s)",
                         std::string(controls::info_of(*other).meaning).c_str());
    ImGui::TableNextColumn();
    std::vector<std::string> words;
    for (const controls::KeyChord& chord : keys.keys(info.action))
      words.push_back(chord.printed());
    draw_inputs(info.action, false, words, controls::KeyBindings::max_keys);
  }
  ImGui::EndTable();
  if (!ImGui::SmallButton("reset to defaults")) return;
  for (const ActionInfo& info : controls::all_actions()) {
    const controls::KeyBindings defaults;
    const auto first = defaults.keys(info.action);
    if (info.group == group) settings.controls.keys.bind(info.action, {first.begin(), first.end()});
  }
}

void SettingsPanel::draw_buttons(Settings& settings, const SettingsFacts& facts) {
  const controls::GamepadBindings& pad = settings.controls.pad;
  ImGui::TextColored(facts.gamepad.empty() ? warning : good, "%s",
                     facts.gamepad.empty() ? "no gamepad connected" : facts.gamepad.c_str());
  if (!ImGui::BeginTable("buttons", 2, ImGuiTableFlags_SizingFixedFit)) return;
  for (const ActionInfo& info : controls::all_actions()) {
    // Skip the movement actions: they use the sticks.
    const bool is_step = info.action <= UserAction::Right;
    if (info.group != ActionGroup::World || is_step) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(dim, "%s", std::string(info.meaning).c_str());
    ImGui::TableNextColumn();
    std::vector<std::string> words;
    for (const controls::PadInput& input : pad.inputs(info.action))
      words.push_back(input.text());
    draw_inputs(info.action, true, words, controls::GamepadBindings::max_inputs);
  }
  ImGui::EndTable();
  if (ImGui::SmallButton("reset to defaults")) settings.controls.pad = {};
}

}  // namespace jostle::panels
