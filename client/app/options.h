#pragma once

#include "client/controls/script.h"
#include "client/panels/panel_set.h"
#include "client/render/camera.h"
#include "client/render/instances.h"
#include "client/settings/settings.h"
#include "protocol/messages.h"
#include "shared/keyring/client_access.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::client_app {

enum class RendererKind : std::uint8_t {
  Auto,  // a window if there is a display, otherwise no pictures
  Gl,    // a window; with --offscreen, frames without a window; an error if OpenGL is missing
  None,  // no pictures: only the client
};

/// The command line of jostle-view.
struct Options {
  std::string host = "127.0.0.1";
  std::uint16_t port = 7777;
  bool is_server_named = false;  // true if the command line names a server
  // true: the list of servers is shown first, or printed if there is no window
  bool is_lan = false;
  std::string name = "player";
  bool is_spectator = false;
  protocol::Profile profile = protocol::Profile::Visual;
  // client-side prediction: shows the effect of inputs before the server has applied them
  bool is_predicting = false;
  bool is_lockstep = false;  // true: simulates every tick locally from the inputs of all players
  bool stops_on_desync = false;
  std::uint32_t sync_test_ticks = 0;
  // faults to inject in lockstep, in the format of record::parse_faults
  std::vector<std::string> faults;
  std::string record_folder = "recordings";  // folder for recordings of a desync
  keyring::ClientAccessOptions access;
  double connect_timeout_s = 10;
  bool is_timeout_named = false;  // true if the command line sets a timeout
  int max_rate_kbps = 0;          // limit for world and snapshots; 0: as fast as the link allows
  double interest_radius_m = 0;   // bodies further away are not sent; 0: all bodies are sent
  std::string net_sim;            // empty: none; else in the format of net::parse_net_sim

  RendererKind viewer = RendererKind::Auto;
  render::Size size;
  render::ScreenColumn column;
  bool is_fullscreen = false, is_windowed = false, is_offscreen = false, is_hud_shown = true;
  panels::PanelSet panels = bit_of(panels::Panel::Hud);  // panels that are open at the start
  settings::Quality shadows = settings::Quality::Auto, edges = settings::Quality::Auto;
  render::BodyLook look = render::BodyLook::Solid;
  state::DebugDrawLayers debug_draw = 0;
  int max_frames_per_second = 0;  // 0: the display's refresh rate, 30 offscreen
  double interface_scale = 0;     // 0: the scale of the display
  std::string settings_path;      // empty: the user's default file
  bool is_settings_file_off = false;

  controls::Script script = controls::Script::None;
  std::uint64_t frames = 0;  // exit after this number of frames of the world; 0: never
  double duration_s = 0;     // exit after this time in the world; 0: never
  std::string screenshot_path, hash_log_path;
  std::string frames_folder;            // empty: none; else each frame is saved there as a PNG
  std::optional<state::Camera> camera;  // overrides the scene's camera
  bool is_summary_wanted = false;
  bool is_scene_list = false;  // true: prints the server's scenes and exits
  std::string scene;           // scene to request on joining; empty: keep the current one

  // names of the options on the command line, which override settings
  std::vector<std::string> given;

  std::string scene_path;  // scene file to preview instead of connecting to a server; empty: none

  // Recording to play instead of connecting to a server, and recording to compare it with; empty:
  // none.
  std::string recording_path, compare_path;
  std::optional<std::uint32_t> at_tick;

  // Gallery, which draws scenes without a server: its folder (empty: no gallery) and its scenes
  // (empty: all).
  std::string gallery_folder;
  std::vector<std::string> gallery_scenes;
  // size of all pictures; null: the size chosen for each scene
  std::optional<render::Size> gallery_size;
};

/// Returns true if the options let the program ask a user at a window what to do. Returns false
/// with --renderer none, --offscreen or --no-hud. Also returns false with an option that ends the
/// program (--frames, --duration, --on-desync stop) or that saves pictures.
bool has_interactive_user(const Options& options);

/// Result of parsing a command line: options, or an exit code if there is nothing to run.
struct ParsedOptions {
  Options options;
  std::optional<int> exit_code;
  std::string text;  // text for stdout if exit_code is 0, otherwise for stderr; one line on errors
};

ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace jostle::client_app
