#pragma once

#include "client/app/options.h"
#include "client/controls/gamepads.h"
#include "client/controls/input_sampler.h"
#include "client/panels/panel_set.h"
#include "client/panels/settings_panel.h"
#include "client/render/renderer.h"
#include "client/render/window.h"
#include "client/settings/settings_file.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::client_app {

/// Opens the settings file that the options name, or else view.toml in `config_folder`. In three
/// cases, returns null instead of opening view.toml: --no-settings is given, `config_folder` is
/// null, or the program runs offscreen or without pictures.
std::optional<settings::SettingsFile> open_settings(
    net::Io& io, const Options& options, const std::optional<std::string>& config_folder);

/// Merges settings: the command line overrides `file`, and `file` (null: none) overrides the
/// defaults. Returns the result, and changes `options` to match.
settings::Settings settle(Options& options, const settings::SettingsFile* file);

/// Returns the panels that are open at the start according to the settings.
panels::PanelSet panels_of(const settings::Settings& settings);

/// The settings of a running program. The settings panel changes them, the file stores them.
class RuntimeSettings {
 public:
  /// Changes are saved to `file`; null: they are not saved.
  RuntimeSettings(std::optional<settings::SettingsFile> file, settings::Settings settings,
                  bool is_panel_open = false)
      : file_(std::move(file)), settings_(std::move(settings)), applied_(settings_) {
    if (is_panel_open) panel_.toggle();
  }

  const settings::Settings& now() const { return settings_; }
  /// Changes the settings in the same way as the panel does.
  void set(settings::Settings settings) { settings_ = std::move(settings); }
  panels::SettingsPanel& panel() { return panel_; }
  /// Sets a message about the loaded file that the next keep() returns.
  void say_first(std::string words) { first_words_ = std::move(words); }
  controls::Gamepads& gamepads() { return gamepads_; }
  /// Returns the data that the settings panel needs for one frame.
  panels::SettingsView view(const render::Window& window);

  /// Returns the settings before the change that was made since the last call; null if there was no
  /// change.
  std::optional<settings::Settings> take_change();
  /// Saves unsaved changes, unless the user is still changing a value. Returns a message for the
  /// user, or null.
  std::optional<std::string> keep();
  /// Saves all changes at the end, including a field that is still being edited. Returns a message
  /// for the user, or null.
  std::optional<std::string> finish();

 private:
  std::optional<std::string> first_words_;
  std::optional<settings::SettingsFile> file_;
  settings::Settings settings_, applied_;
  std::optional<settings::Settings> unkept_since_;  // the settings before the unsaved changes
  panels::SettingsPanel panel_;
  controls::Gamepads gamepads_;
};

/// Applies the changes from `before` to `now` to the window, the renderer and the sampler. Returns
/// an error message, or null on success.
std::optional<std::string> apply_change(const settings::Settings& before,
                                        const settings::Settings& now, render::Window& window,
                                        render::Renderer& renderer,
                                        controls::InputSampler& sampler);

}  // namespace jostle::client_app
