#include "client/app/option_faults.h"

#include "shared/base/program_names.h"
#include "shared/keyring/folders.h"
#include "shared/program_options/program_options.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace jostle::client_app {
namespace {

/// Options that apply to a recording.
constexpr std::array<std::string_view, 25> replay_options{
    "server",   "--compare",    "--at-tick",     "--renderer",     "--size",
    "--column", "--fullscreen", "--camera",      "--shadows",      "--offscreen",
    "--no-hud", "--draw-mode",  "--debug-draw",  "--antialiasing", "--fps",
    "--frames", "--duration",   "--screenshot",  "--video-frames", "--summary",
    "--panels", "--settings",   "--no-settings", "--ui-scale",     "--windowed"};

/// Options that apply to --gallery.
constexpr std::array<std::string_view, 3> gallery_options{"--gallery", "--scene", "--size"};

/// Options that do not apply to the preview of a scene file.
constexpr std::array<std::string_view, 8> server_options{
    "--lan", "--list-scenes", "--scene",         "--token",
    "--psk", "--key",         "--known-servers", "--lockstep"};

}  // namespace

std::optional<std::string> gallery_fault(const std::vector<std::string>& given) {
  const auto is_given = [&](std::string_view name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  if (!is_given("--gallery")) return std::nullopt;
  for (const std::string& name : given) {
    if (std::find(gallery_options.begin(), gallery_options.end(), name) == gallery_options.end())
      return name + " cannot be used with --gallery, which accepts only --scene and --size";
  }
  return std::nullopt;
}

std::optional<std::string> preview_fault(const Options& options,
                                         const std::vector<std::string>& given) {
  if (options.scene_path.empty()) return std::nullopt;
  for (const std::string& name : given) {
    if (std::find(server_options.begin(), server_options.end(), name) != server_options.end())
      return name + " applies to servers, not to the preview of a scene file";
  }
  return std::nullopt;
}

std::optional<std::string> replay_fault(const Options& options,
                                        const std::vector<std::string>& given) {
  const bool is_replay = !options.recording_path.empty();
  if (!is_replay && (!options.compare_path.empty() || options.at_tick))
    return "--compare and --at-tick need a recording: " + base::program_names().view + " FILE.jrec";
  if (!is_replay) return std::nullopt;
  if (options.viewer == RendererKind::None)
    return "--renderer none cannot play a recording; use `" + base::program_names().tool +
           " info` or `" + base::program_names().tool + " verify`";
  for (const std::string& name : given) {
    if (std::find(replay_options.begin(), replay_options.end(), name) == replay_options.end())
      return name + " applies to servers, not to recordings";
  }
  return std::nullopt;
}

std::string output_file_fault(const Options& options) {
  const std::string& token = options.access.token;
  return program_options::output_fault(
      {{"--screenshot", options.screenshot_path}, {"--hash-log", options.hash_log_path}},
      {{"the scene that is shown", options.scene_path},
       {"the recording that is shown", options.recording_path},
       {"--compare", options.compare_path},
       {"--settings", options.settings_path},
       {"the folder of settings and known servers", keyring::config_folder().value_or(""), true},
       {"--psk", options.access.psk_path},
       {"--key", options.access.key_path},
       {"--known-servers", options.access.known_path},
       {"--token", token.starts_with('@') ? token.substr(1) : std::string()}});
}

}  // namespace jostle::client_app
