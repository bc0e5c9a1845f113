#pragma once

#include "client/settings/settings.h"

#include <SDL.h>

#include <cstddef>
#include <optional>
#include <string>

namespace jostle::panels {

/// What the panel shows besides the settings.
struct SettingsFacts {
  std::string gamepad;  // name of the one that is there; empty: none
  std::string file;     // where settings are kept; empty: nowhere
  render::Size window;  // as large as it is now, in units
};

/// Whether something in any panel is held or typed into, and may still change.
bool is_panel_in_use();

/// A panel with all settings. It changes them; what comes of that is others' affair.
class SettingsPanel {
 public:
  void toggle();
  bool is_shown() const { return is_shown_; }
  /// For a key or a button that is to be bound.
  bool is_waiting() const { return is_shown_ && awaited_.has_value(); }
  /// Whether the event is the panel's own: the key or the button that it waits for, which becomes
  /// part of the settings with the next draw(), or that which closes it.
  bool takes(const SDL_Event& event);
  void draw(settings::Settings& settings, const SettingsFacts& facts);

 private:
  /// What an action is to be bound to next, in place of one of its inputs or behind them.
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
  void take_answer(settings::Settings& settings);

  bool is_shown_ = false;
  std::optional<Awaited> awaited_;
  Answer answer_ = Answer::None;
  SDL_Keysym key_{};
  controls::PadInput button_;
};

/// Of settings, for what is shown over a picture.
struct SettingsView {
  SettingsPanel& panel;
  settings::Settings& settings;  // which the panel changes
  SettingsFacts facts;
};

}  // namespace jostle::panels
