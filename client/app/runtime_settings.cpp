#include "client/app/runtime_settings.h"

#include "client/app/render_quality.h"

#include <algorithm>
#include <string_view>

namespace jostle::client_app {

std::optional<settings::SettingsFile> open_settings(
    net::Io& io, const Options& options, const std::optional<std::string>& config_folder) {
  if (!options.settings_path.empty())
    return settings::SettingsFile::open(io, options.settings_path);
  // Pictures made without a user must not depend on personal settings.
  const bool has_no_window = options.is_offscreen || options.viewer == RendererKind::None;
  if (options.is_settings_file_off || has_no_window || !config_folder) return std::nullopt;
  return settings::SettingsFile::open(io, *config_folder + "/view.toml");
}

namespace {

/// Merges the panels of options and settings: --panels overrides the settings, --net-graph adds to
/// them.
void settle_panels(Options& options, settings::Settings& settings) {
  using panels::Panel;
  const auto& given = options.given;
  const bool is_given = std::find(given.begin(), given.end(), "--panels") != given.end();
  if (!is_given) {
    options.panels |= panels_of(settings);
    if (!settings.are_panels_shown) options.panels &= ~bit_of(Panel::Hud);
  }
  settings.are_panels_shown = has(options.panels, Panel::Hud);
  settings.is_net_graph_shown = has(options.panels, Panel::NetGraph);
  settings.is_body_browser_shown = has(options.panels, Panel::Bodies);
  settings.is_help_shown = has(options.panels, Panel::Help);
}

}  // namespace

settings::Settings settle(Options& options, const settings::SettingsFile* file) {
  settings::Settings settings = file == nullptr ? settings::Settings{} : file->settings();
  const auto settle_one = [&](std::string_view name, auto& option, auto& setting) {
    const auto& given = options.given;
    if (std::find(given.begin(), given.end(), name) != given.end()) {
      setting = option;
    } else {
      option = setting;
    }
  };
  settle_one("--name", options.name, settings.name);
  if (options.is_predicting) {
    settings.is_predicting = true;
  } else {
    // Options that are incompatible with prediction override the setting.
    options.is_predicting = settings.is_predicting && !options.is_lockstep &&
                            !options.is_spectator && options.profile == protocol::Profile::Visual;
  }
  settle_one("--size", options.size, settings.window);
  settle_one("--fullscreen", options.is_fullscreen, settings.is_fullscreen);
  if (options.is_windowed) options.is_fullscreen = settings.is_fullscreen = false;
  settle_one("--shadows", options.shadows, settings.shadows);
  settle_one("--antialiasing", options.edges, settings.edges);
  settle_one("--fps", options.max_frames_per_second, settings.max_frames_per_second);
  settle_one("--draw-mode", options.look, settings.look);
  settle_one("--ui-scale", options.interface_scale, settings.interface_scale);
  settle_panels(options, settings);
  return settings;
}

panels::PanelSet panels_of(const settings::Settings& settings) {
  using panels::Panel;
  panels::PanelSet open = 0;
  if (settings.is_help_shown) open |= bit_of(Panel::Help);
  if (!settings.are_panels_shown) return open;
  open |= bit_of(Panel::Hud);
  if (settings.is_net_graph_shown) open |= bit_of(Panel::NetGraph);
  if (settings.is_body_browser_shown) open |= bit_of(Panel::Bodies);
  return open;
}

panels::SettingsView RuntimeSettings::view(const render::Window& window) {
  return {panel_,
          settings_,
          {.gamepad = gamepads_.name(),
           .file = file_ ? file_->path() : std::string(),
           .window = window.size()}};
}

std::optional<settings::Settings> RuntimeSettings::take_change() {
  if (settings_ == applied_) return std::nullopt;
  if (!unkept_since_) unkept_since_ = applied_;
  return std::exchange(applied_, settings_);
}

std::optional<std::string> RuntimeSettings::keep() {
  if (first_words_) return std::exchange(first_words_, std::nullopt);
  if (!unkept_since_ || !file_ || panels::is_panel_in_use()) return std::nullopt;
  const settings::Settings before = *std::exchange(unkept_since_, std::nullopt);
  return file_->save_changes(before, settings_);
}

std::optional<std::string> RuntimeSettings::finish() {
  (void)take_change();
  if (!unkept_since_ || !file_) return std::nullopt;
  return file_->save_changes(*std::exchange(unkept_since_, std::nullopt), settings_);
}

std::optional<std::string> apply_change(const settings::Settings& before,
                                        const settings::Settings& now, render::Window& window,
                                        render::Renderer& renderer,
                                        controls::InputSampler& sampler) {
  if (!(before.controls == now.controls)) sampler.set(now.controls);
  if (before.is_fullscreen != now.is_fullscreen) window.set_fullscreen(now.is_fullscreen);
  if (before.shadows == now.shadows && before.edges == now.edges) return std::nullopt;
  auto other = render::Renderer::create(window.gl(), render_options(now, window));
  if (!other) return "cannot apply the graphics settings: " + other.error();
  renderer = *std::move(other);
  return std::nullopt;
}

}  // namespace jostle::client_app
