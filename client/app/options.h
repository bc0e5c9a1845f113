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

enum class ViewerKind : std::uint8_t {
  Auto,  // a window where there is a display, otherwise none
  Gl,    // a window, or offscreen frames with --offscreen, or nothing at all
  None,  // no pictures: the client alone
};

/// The command line of jostle-view.
struct Options {
  std::string host = "127.0.0.1";
  std::uint16_t port = 7777;
  bool is_server_named = false;  // on the command line
  bool is_lan = false;           // begin with a list of servers, or print it
  std::string name = "player";
  bool is_spectator = false;
  protocol::Profile profile = protocol::Profile::Visual;
  bool is_predicting = false;  // shows what the player does before the server has done it
  bool is_lockstep = false;    // runs the simulation by what is done in each tick
  bool stops_on_desync = false;
  std::uint32_t sync_test_ticks = 0;
  std::vector<std::string> faults;  // on purpose, in lockstep; record::parse_faults takes them
  std::string record_folder = ".";  // for what has parted
  keyring::ClientAccessOptions access;
  double connect_timeout_s = 10;
  bool is_timeout_named = false;  // on the command line
  int max_rate_kbps = 0;          // of snapshots; 0: what the link takes
  double interest_radius_m = 0;   // bodies beyond are not asked for; 0: all are
  std::string net_sim;            // empty: none; else net::parse_net_sim takes it

  ViewerKind viewer = ViewerKind::Auto;
  render::Size size;
  bool is_fullscreen = false, is_windowed = false, is_offscreen = false, is_hud_shown = true;
  panels::PanelSet panels = bit_of(panels::Panel::Hud);  // that are open to begin with
  settings::Quality shadows = settings::Quality::Auto, edges = settings::Quality::Auto;
  render::BodyLook look = render::BodyLook::Solid;
  state::OverlayLayers overlay = 0;
  int max_frames_per_second = 0;  // 0: as the display wants, 30 offscreen
  double interface_scale = 0;     // 0: as dense as the display is
  std::string settings_path;      // empty: the user's own
  bool is_settings_file_off = false;

  controls::Script script = controls::Script::None;
  std::uint64_t frames = 0;  // end after so many pictures of the world; 0: never
  double duration_s = 0;     // end after so long in the world; 0: never
  std::string screenshot_path, hash_log_path;
  std::string frames_folder;            // empty: none; else each picture becomes a PNG in it
  std::optional<state::Camera> camera;  // instead of the scene's
  bool is_summary_wanted = false;
  bool is_scene_list = false;  // print the server's scenes and end
  std::string scene;           // to be asked for on joining; empty: whatever is played

  std::vector<std::string> given;  // what the command line held, by name: it goes before settings

  // To look at instead of a server's world; empty: none.
  std::string recording_path, compare_path;
  std::optional<std::uint32_t> at_tick;

  // Pictures of scenes instead, without any server; empty: none. No scenes: all that there are.
  std::string gallery_folder;
  std::vector<std::string> gallery_scenes;
  std::optional<render::Size> gallery_size;  // of all; else as suits each
};

/// Whether there is somebody at a window who may be asked what to do: no end is set, and no picture
/// is to be left behind.
bool is_attended(const Options& options);

/// What came of a command line: options, or an exit code when there is nothing to run.
struct ParsedOptions {
  Options options;
  std::optional<int> exit_code;
  std::string words;  // for stdout when exit_code is 0, else for stderr; one line on errors
};

ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace jostle::client_app
