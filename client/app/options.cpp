#include "client/app/options.h"

#include "client/app/option_faults.h"
#include "client/app/option_values.h"
#include "client/render/debug_draw_layers.h"
#include "client/render/screenshot.h"
#include "protocol/player_name.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/program_options/program_options.h"
#include "shared/version/version_report.h"

#include <algorithm>
#include <map>
#include <vector>

namespace jostle::client_app {

namespace {

using settings::Quality;

constexpr int exit_bad_options = 2;
constexpr double max_duration_s = 1e9;

/// Adds an option whose value is one of the keys of `values`; `words` lists the keys, separated by
/// "|". CLI11's own check is not used: its message does not list the keys, and up to version 2.1 it
/// is truncated.
template <typename T>
void add_choice(command_line::App app, const std::string& name, T& chosen,
                const std::map<std::string, T>& values, const std::string& words,
                const std::string& help) {
  const std::vector<std::string> accepted = command_line::split_words(words, "|");
  app.add_text(
         name, [&chosen, values](const std::string& text) { chosen = values.at(text); }, help)
      .check(
          [accepted](const std::string& text) { return command_line::word_fault(text, accepted); })
      .type_name(words);
}

struct Texts {
  std::string column;
  std::string server = "127.0.0.1:7777", size = "1280x720";
  std::vector<std::string> scenes;
  std::optional<panels::PanelSet> panels;
  bool has_net_graph = false;
};

void add_connection_options(command_line::App app, Options& options, Texts& texts) {
  app.add_option(
         "server", texts.server,
         "Server: name or IP address, IPv6 in brackets if a port follows; or a scene file (.json) "
         "to preview, which is loaded again when it is saved; or a recording (.jrec) to play")
      .type_name("HOST[:PORT]|FILE")
      .capture_default_str();
  app.add_flag("--lan", options.is_lan,
               "Start with a list of the servers on the local network and of recent servers; with "
               "--renderer none, print the servers on the local network and exit");
  app.add_option("--name", options.name, "Your name, shown to other players")
      .check(protocol::name_fault)
      .capture_default_str();
  app.add_flag("--spectate", options.is_spectator, "Spectate: watch without a body of your own");
  app.add_flag("--predict", options.is_predicting,
               "Predict: simulate locally and show the effect of your input before the server's");
  app.add_flag(
      "--lockstep", options.is_lockstep,
      "Simulate locally from the inputs of each tick instead of receiving snapshots; needs "
      "a server with --mode lockstep");
  program_options::add_on_desync(
      app, options.stops_on_desync,
      "Reaction to a desync, in addition to saving a recording; stop: exit with code 1; lockstep "
      "only");
  program_options::add_faults(app, options.faults, "; lockstep only");
  program_options::add_sync_test(app, options.sync_test_ticks, "; lockstep only");
  program_options::add_record_folder(app, options.record_folder,
                                     "Folder for recordings of a desync; created if it is missing");
  app.add_option("--timeout", options.connect_timeout_s, "Stop trying to connect after this time")
      .check(command_line::in_range(0.1, max_duration_s))
      .type_name("SECONDS")
      .capture_default_str();
}

void add_interest_options(command_line::App app, Options& options) {
  program_options::add_profile(
      app, options.profile,
      "Precision of bodies: visual: 2 mm; fine: 0.2 mm, with velocities; lossless: bit-identical "
      "to the server");
  program_options::add_max_rate(
      app, options.max_rate_kbps,
      "Limit world data and snapshots to this rate in kbit/s; the most important bodies are sent "
      "first; 0: as fast as the link allows");
  app.add_option(
         "--interest-radius", options.interest_radius_m,
         "Receive only bodies within this distance of the camera, or of the origin if nothing "
         "is drawn; 0: all")
      .check(command_line::in_range(0.0, protocol::max_position))
      .type_name("METRES")
      .capture_default_str();
}

void add_panels_option(command_line::App app, Texts& texts) {
  const std::string names =
      panels::names_of(panels::server_panels) + ", or all (except console and settings) or none";
  app.add_text(
         "--panels",
         [&texts](const std::string& text) { texts.panels = *panels::parse_panels(text); },
         "Panels that are open at the start (default: hud), a list of " + names)
      .check([names](const std::string& text) {
        const auto panels = panels::parse_panels(text);
        if (!panels && (panels.error() == "all" || panels.error() == "none"))
          return "'" + panels.error() + "' cannot be combined with other panels";
        return panels ? std::string()
                      : "'" + panels.error() + "' is not a panel: expected a list of " + names +
                            command_line::suggestion(panels.error(), {panels::panel_names.begin(),
                                                                      panels::panel_names.end()});
      })
      .type_name("PANEL,...");
}

void add_picture_options(command_line::App app, Options& options, Texts& texts) {
  const std::map<std::string, RendererKind> viewers{
      {"auto", RendererKind::Auto}, {"gl", RendererKind::Gl}, {"none", RendererKind::None}};
  const std::map<std::string, Quality> qualities{{"auto", Quality::Auto},
                                                 {"off", Quality::Off},
                                                 {"low", Quality::Low},
                                                 {"high", Quality::High}};
  add_choice(
      app, "--renderer", options.viewer, viewers, "auto|gl|none",
      "auto: a window if there is a display; gl: an error if OpenGL is missing; none: no pictures");
  app.add_option("--size", texts.size, "Size of the picture, in pixels")
      .type_name("WIDTHxHEIGHT")
      .capture_default_str();
  app.add_option("--column", texts.column,
                 "Place the window in column N of M equal columns of the screen")
      .type_name("N/M");
  app.add_flag("--fullscreen", options.is_fullscreen, "Full screen");
  app.add_flag("--windowed", options.is_windowed,
               "Use a window, even if the settings say full screen");
  app.add_flag("--offscreen", options.is_offscreen, "Render without a display, through EGL");
  app.add_flag(
      "--no-hud", [&options] { options.is_hud_shown = false; }, "Hide panels and name tags");
  app.add_flag("--net-graph", texts.has_net_graph,
               "Show the net graph at the start: bytes, packet loss and RTT of the last seconds");
  add_panels_option(app, texts);
  add_choice(app, "--shadows", options.shadows, qualities, "auto|off|low|high",
             "Resolution of shadows");
  const auto body_looks = render::body_looks();
  const std::map<std::string, render::BodyLook> looks(body_looks.begin(), body_looks.end());
  app.add_text(
         "--camera",
         [&options](const std::string& text) { options.camera = parse_camera(text).value(); },
         "Position and target of the camera, in metres; replaces the scene's camera")
      .check([](const std::string& text) {
        const auto camera = parse_camera(text);
        return camera ? std::string() : camera.error();
      })
      .type_name("X,Y,Z:X,Y,Z");
  add_choice(app, "--draw-mode", options.look, looks, "solid|edges|wireframe|x-ray",
             "Draw mode of bodies at the start; V changes it");
  app.add_text(
         "--debug-draw",
         [&options](const std::string& text) { options.debug_draw = *render::parse_layers(text); },
         "Layers of the debug draw at the start (B changes them), a list of " +
             render::layer_names() + ", or all or none")
      .check([](const std::string& text) { return render::layers_fault(text); })
      .type_name("LAYER,...");
  add_choice(app, "--antialiasing", options.edges, qualities, "auto|off|low|high",
             "Anti-aliasing of edges");
  app.add_option("--fps", options.max_frames_per_second,
                 "Maximum frame rate; 0: the display's refresh rate, 30 offscreen")
      .check(command_line::in_range(0, settings::max_frame_limit));
}

void add_settings_options(command_line::App app, Options& options) {
  const auto path =
      app.add_option("--settings", options.settings_path,
                     "Read name, keys, sizes and more from this file and save changes "
                     "to it; default: ~/.config/jostle/view.toml");
  path.check(command_line::is_file_or_new())
      .check([](const std::string& file) {
        return program_options::rewritten_file_fault(file, "settings in the format TOML");
      })
      .type_name("FILE");
  app.add_flag("--no-settings", options.is_settings_file_off, "Neither read nor save settings")
      .excludes(path);
  app.add_option("--ui-scale", options.interface_scale,
                 "Scale of text and panels; default: the display's")
      .check(command_line::in_range(settings::min_interface_scale, settings::max_interface_scale))
      .type_name("0.5..4");
}

void add_run_options(command_line::App app, Options& options, Texts& texts) {
  app.add_flag("--list-scenes", options.is_scene_list, "Print the server's scenes and exit");
  app.add_option("--gallery", options.gallery_folder,
                 "Draw scenes into this folder as NAME.png, without a server: all scenes, or those "
                 "given by --scene, which may be repeated")
      .check(command_line::is_folder_or_new())
      .check(program_options::unwritable_folder_fault)
      .type_name("DIR");
  app.add_option("--scene", texts.scenes,
                 "Request this scene from the server on joining; needs an operator token, or " +
                     base::program_names().server + " --sandbox")
      .one_each()
      .check([](const std::string& name) {
        return name.empty() || name.size() > protocol::max_name_bytes
                   ? "a name must have 1 to " + std::to_string(protocol::max_name_bytes) +
                         " bytes, not " + std::to_string(name.size())
                   : std::string();
      })
      .type_name("NAME");
  const std::map<std::string, controls::Script> scripts{{"none", controls::Script::None},
                                                        {"demo", controls::Script::Demo},
                                                        {"walk", controls::Script::Walk}};
  add_choice(app, "--script", options.script, scripts, "none|demo|walk", "Play automatically");
  app.add_option("--frames", options.frames,
                 "Exit after drawing this many frames of the world; 0: no limit")
      // As a signed number: an unsigned one would accept −3 as a very large count.
      .check(command_line::in_range(std::int64_t{0}, std::int64_t{1} << 53))
      .type_name("N");
  app.add_option("--duration", options.duration_s, "Exit this long after the world has appeared")
      .check(command_line::in_range(0.0, max_duration_s))
      .type_name("SECONDS");
  app.add_option("--screenshot", options.screenshot_path, "Save the last frame to this file")
      .check(unwritable_fault)
      .check(render::picture_fault)
      .type_name("FILE.png");
  app.add_option("--video-frames", options.frames_folder,
                 "Save each frame to this folder, as frame-000001.png and so on; with a recording, "
                 "--fps frames per recorded second (default 30)")
      .check(command_line::is_folder())
      .check(
          [](const std::string& folder) { return unwritable_fault(render::frame_path(folder, 1)); })
      .type_name("DIR");
  app.add_option("--hash-log", options.hash_log_path,
                 "Write a line 'tick hash' to this file for each snapshot that contains all bodies")
      .check(program_options::log_fault)
      .check(unwritable_fault)
      .type_name("FILE");
  app.add_flag(
      "--summary", options.is_summary_wanted,
      "Print one line of statistics at the end; always with --offscreen and --renderer none");
}

void add_replay_options(command_line::App app, Options& options) {
  app.add_option("--compare", options.compare_path,
                 "With a recording: show another one of the same scene as a ghost")
      .type_name("FILE.jrec");
  app.add_option("--at-tick", options.at_tick,
                 "With a recording: start paused after this tick; offscreen, draw only this tick")
      .check(command_line::in_range(std::int64_t{0}, std::int64_t{0xFFFF'FFFF}))
      .type_name("TICK");
}

ParsedOptions refuse(const std::string& words) {
  ParsedOptions parsed;
  parsed.exit_code = exit_bad_options;
  parsed.text = "jostle-view: " + words + " (see " + base::program_names().view + " --help)";
  return parsed;
}

/// Copies the scenes to `options`. Returns false if several scenes are named but only one is
/// accepted.
bool take_scenes(Options& options, const Texts& texts) {
  if (!options.gallery_folder.empty()) {
    options.gallery_scenes = texts.scenes;
    return true;
  }
  if (!texts.scenes.empty()) options.scene = texts.scenes.front();
  return texts.scenes.size() <= 1;
}

/// Copies the panels to `options`. Returns an error message if they are invalid, else null.
std::optional<std::string> take_panels(Options& options, const Texts& texts) {
  const bool is_replay = !options.recording_path.empty();
  const panels::PanelSet there = is_replay ? panels::recording_panels : panels::server_panels;
  if (texts.panels) {
    if (!options.is_hud_shown) return "--panels and --no-hud exclude each other";
    const panels::PanelSet missing = *texts.panels & ~there;
    if (missing != 0 && *texts.panels != panels::all_panels)
      return "--panels: " + panels::names_of(missing) + " is not available with " +
             (is_replay ? "a recording" : "a server");
    options.panels = *texts.panels & there;
  }
  if (texts.has_net_graph) options.panels |= bit_of(panels::Panel::NetGraph);
  return std::nullopt;
}

/// Checks the options of the gallery and copies its size, the scenes and the panels to `options`.
/// Returns an error message if they are invalid, else null.
std::optional<std::string> take_pictures(Options& options, const Texts& texts,
                                         const std::vector<std::string>& given) {
  if (auto fault = gallery_fault(given)) return fault;
  const bool is_gallery = !options.gallery_folder.empty();
  if (is_gallery && std::find(given.begin(), given.end(), "--size") != given.end())
    options.gallery_size = options.size;
  if (!take_scenes(options, texts))
    return "--scene accepts one scene; it may be repeated only with --gallery";
  return take_panels(options, texts);
}

}  // namespace

bool has_interactive_user(const Options& options) {
  return options.viewer != RendererKind::None && !options.is_offscreen && options.is_hud_shown &&
         options.frames == 0 && options.duration_s == 0 && options.screenshot_path.empty() &&
         options.frames_folder.empty() && !options.stops_on_desync;
}

ParsedOptions parse_options(int argc, const char* const* argv) {
  ParsedOptions parsed;
  Options& options = parsed.options;
  Texts texts;
  command_line::Program app{
      base::program_names().view,
      "jostle-view shows the world of a jostle server and lets you play in it."};
  app.set_version(version::version_report("jostle-view"));
  app.begin_group("Joining a server");
  add_connection_options(app, options, texts);
  app.begin_group("Keys and tokens");
  program_options::add_client_access(app, options.access);
  app.begin_group("Window and picture");
  add_picture_options(app, options, texts);
  app.begin_group("Settings");
  add_settings_options(app, options);
  app.begin_group("Recordings");
  add_replay_options(app, options);
  app.begin_group("Network");
  add_interest_options(app, options);
  program_options::add_net_sim(app, options.net_sim, "Simulate a bad network at this end");
  app.begin_group("Output and exit");
  add_run_options(app, options, texts);

  if (const auto ending = app.parse(argc, argv)) {
    if (ending->is_refused) return refuse(ending->text);
    parsed.exit_code = 0;
    parsed.text = ending->text;
    return parsed;
  }
  options.given = app.given();
  if (options.is_fullscreen && options.is_windowed)
    return refuse("--fullscreen and --windowed exclude each other");
  if (is_recording(texts.server)) {
    options.recording_path = texts.server;
  } else if (is_scene_file(texts.server)) {
    options.scene_path = texts.server;
  } else if (const std::string fault = path_fault(texts.server); !fault.empty()) {
    return refuse(fault);
  } else if (!parse_server(texts.server, options)) {
    return refuse("server: '" + texts.server +
                  "' is not HOST, HOST:PORT or [IPV6]:PORT with PORT from 1 to 65535");
  }
  if (const std::string fault = keyring::access_fault(options.access); !fault.empty())
    return refuse(fault);
  if (!parse_size(texts.size, options.size)) {
    return refuse("--size: '" + texts.size + "' is not WIDTHxHEIGHT, each 16 to 16384");
  }
  if (!texts.column.empty() && !parse_column(texts.column, options.column))
    return refuse("--column: '" + texts.column + "' is not N/M with N from 1 to M and M up to 8");
  if (options.viewer == RendererKind::None &&
      (options.is_offscreen || !options.screenshot_path.empty() || options.frames > 0 ||
       !options.frames_folder.empty())) {
    return refuse(
        "--renderer none draws no pictures for --offscreen, --frames, --screenshot or "
        "--video-frames");
  }
  const auto is_given = [&](const char* name) {
    return std::find(options.given.begin(), options.given.end(), name) != options.given.end();
  };
  options.is_server_named = is_given("server");
  options.is_timeout_named = is_given("--timeout");
  if (options.is_lan && options.scene_path.empty() &&
      (options.is_server_named || options.is_scene_list))
    return refuse("--lan lists servers: omit the server and --list-scenes");
  if (const auto fault = take_pictures(options, texts, options.given)) return refuse(*fault);
  if (const auto fault = replay_fault(options, options.given)) return refuse(*fault);
  if (const auto fault = preview_fault(options, options.given)) return refuse(*fault);
  if (options.is_lockstep && options.is_predicting)
    return refuse("--lockstep and --predict exclude each other");
  if (options.is_lockstep && options.profile != protocol::Profile::Visual)
    return refuse("--lockstep is always exact: omit --profile");
  if (!options.is_lockstep && !options.faults.empty()) return refuse("--inject needs --lockstep");
  if (!options.is_lockstep && is_given("--on-desync"))
    return refuse("--on-desync needs --lockstep");
  if (!options.is_lockstep && options.sync_test_ticks > 0)
    return refuse("--sync-test needs --lockstep");
  if (options.is_lockstep && !is_given("--record-folder")) {
    const std::string fault = program_options::default_record_folder_fault(options.record_folder);
    if (!fault.empty()) return refuse(fault);
  }
  if (options.is_predicting && options.is_spectator)
    return refuse("--predict is for players: with --spectate there are no inputs to predict");
  if (options.profile != protocol::Profile::Visual) {
    if (options.is_predicting)
      return refuse("--predict works only with profile visual: omit --profile");
    if (options.interest_radius_m > 0) {
      return refuse(
          "--interest-radius needs profile visual: profiles fine and lossless always send all "
          "bodies");
    }
  }
  if (options.profile == protocol::Profile::Fine && !options.hash_log_path.empty())
    return refuse("--hash-log needs profile visual or lossless: profile fine rounds differently");
  if (const std::string fault = output_file_fault(options); !fault.empty()) return refuse(fault);
  return parsed;
}

}  // namespace jostle::client_app
