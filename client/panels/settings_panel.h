#pragma once

#include "client/settings/settings.h"

#include <SDL.h>

#include <cstddef>
#include <optional>
#include <string>

namespace jostle::panels {

/// Facts that the panel shows besides the settings.
struct SettingsFacts {
  std::string gamepad;  // name of the connected gamepad; empty: none
  std::string file;     // path of the settings file; empty: settings are not saved
  render::Size window;  // current size in units
};

/// Returns true if a control of any panel is being edited, so its value may still change.
bool is_panel_in_use();

/// A panel that shows and changes all settings. The caller must apply the changes.
class SettingsPanel {
 public:
  void toggle();
  bool is_shown() const { return is_shown_; }
  /// Returns true if the panel waits for a key or button to bind.
  bool is_waiting() const { return is_shown_ && awaited_.has_value(); }
  /// Handles the event if it belongs to the panel, and returns true if it does. While the panel
  /// waits for a key or button, all keys belong to it, and gamepad buttons if it waits for a
  /// button; the next draw() binds the chosen one. Otherwise only Escape belongs to it and closes
  /// the panel.
  bool takes(const SDL_Event& event);
  void draw(settings::Settings& settings, const SettingsFacts& facts);

 private:
  /// The binding for which the panel waits for a key or button. `index` is the index of the input
  /// to replace; if it equals the number of inputs, a new input is added.
  struct Awaited {
    controls::UserAction action = controls::UserAction::Forward;
    std::size_t index = 0;
    bool is_button = false;
  };
  enum class Answer : std::uint8_t { None, Given, Nothing };

  void draw_general(settings::Settings& settings, const SettingsFacts& facts);
  void draw_look(settings::Settings& settings);
  void draw_keys(settings::Settings& settings, controls::ActionGroup group);
  void draw_buttons(settings::Settings& settings, const SettingsFacts& facts);
  template <typename Inputs>
  void draw_inputs(controls::UserAction action, bool is_button, const Inputs& inputs,
                   std::size_t most);
  void handle_answer(settings::Settings& settings);

  bool is_shown_ = false;
  std::optional<Awaited> awaited_;
  Answer answer_ = Answer::None;
  SDL_Keysym key_{};
  controls::PadInput button_;
};

/// Settings and their panel, as input of a HUD.
struct SettingsView {
  SettingsPanel& panel;
  settings::Settings& settings;  // changed by the panel
  SettingsFacts facts;
};

}  // namespace jostle::panels
