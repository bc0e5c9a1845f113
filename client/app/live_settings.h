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

/// The file that the options name or that a user has, read; nothing where none is wanted.
/// `config_folder`: where a user's files are, if anywhere.
std::optional<settings::SettingsFile> open_settings(
    net::Io& io, const Options& options, const std::optional<std::string>& config_folder);

/// What counts: the command line where it says something, else the file, else what all begins with.
/// The options are made to say the same.
settings::Settings settle(Options& options, const settings::SettingsFile* file);

/// The panels that are open at the start, as the settings have it.
panels::PanelSet panels_of(const settings::Settings& settings);

/// The settings of a program that runs: its panel changes them, the file keeps them.
class LiveSettings {
 public:
  /// `file`: where changes are kept, or nothing.
  LiveSettings(std::optional<settings::SettingsFile> file, settings::Settings settings,
               bool is_panel_open = false)
      : file_(std::move(file)), settings_(std::move(settings)), applied_(settings_) {
    if (is_panel_open) panel_.toggle();
  }

  const settings::Settings& now() const { return settings_; }
  /// As the panel does it.
  void set(settings::Settings settings) { settings_ = std::move(settings); }
  panels::SettingsPanel& panel() { return panel_; }
  /// What the next keep() has to say, of how the settings were found.
  void say_first(std::string words) { first_words_ = std::move(words); }
  controls::Gamepads& gamepads() { return gamepads_; }
  /// For the panels of a picture.
  panels::SettingsView view(const render::Window& window);

  /// What held before the change that the panel has made since the last call; nothing where it has
  /// made none. Drawn between two calls, panels show it; a file keeps it once the mouse lets go.
  std::optional<settings::Settings> take_change();
  /// Writes what is not yet written, unless somebody is still at it. What is to be said of it.
  std::optional<std::string> keep();
  /// The same at the end, also of a field that is still typed into.
  std::optional<std::string> finish();

 private:
  std::optional<std::string> first_words_;
  std::optional<settings::SettingsFile> file_;
  settings::Settings settings_, applied_;
  std::optional<settings::Settings> unkept_since_;  // what held before
  panels::SettingsPanel panel_;
  controls::Gamepads gamepads_;
};

/// Does what windows, renderers and samplers have to do about a change; what went wrong, in words,
/// or nothing.
std::optional<std::string> apply_change(const settings::Settings& before,
                                        const settings::Settings& now, render::Window& window,
                                        render::Renderer& renderer,
                                        controls::InputSampler& sampler);

}  // namespace jostle::client_app
