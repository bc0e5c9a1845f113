#include "client/app/failure_loop.h"
#include "client/app/gallery.h"
#include "client/app/headless.h"
#include "client/app/option_values.h"
#include "client/app/options.h"
#include "client/app/recent_servers.h"
#include "client/app/reconnect_file.h"
#include "client/app/replay_viewer.h"
#include "client/app/runtime_settings.h"
#include "client/app/server_search.h"
#include "client/app/start_loop.h"
#include "client/app/stop_signal.h"
#include "client/app/viewer.h"
#include "client/app/viewer_session.h"
#include "client/preview/scene_preview.h"
#include "client/render/window.h"
#include "shared/base/log.h"
#include "shared/base/printable.h"
#include "shared/base/program_names.h"
#include "shared/host_names/resolve.h"
#include "shared/keyring/client_access.h"
#include "shared/keyring/folders.h"
#include "shared/keyring/known_servers.h"
#include "shared/net/address.h"
#include "shared/net/net_sim.h"
#include "shared/net/system_io.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::client_app {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_bad_options = 2;

int fail(const std::string& words, int code) {
  std::fprintf(stderr, "jostle-view: %s\n", base::printable(words).c_str());
  return code;
}

void say(const std::string& words) {
  std::printf("jostle-view: %s\n", words.c_str());
  std::fflush(stdout);
}

std::string window_title(const Options& options) {
  if (!options.scene_path.empty()) return "jostle - " + options.scene_path;
  return "jostle - " + options.host + " - " + options.name;
}

/// Opens a window. Returns null if no window is wanted, or if there is no display and no window is
/// needed. Returns an error if a needed window cannot be opened.
base::Result<std::unique_ptr<render::Window>, std::string> open_window(const Options& options) {
  if (options.viewer == RendererKind::None) return std::unique_ptr<render::Window>();
  auto window = render::Window::create({.title = window_title(options),
                                        .size = options.size,
                                        .column = options.column,
                                        .is_fullscreen = options.is_fullscreen,
                                        .is_offscreen = options.is_offscreen});
  if (window) {
    say("drawing with " + (*window)->renderer_name());
    return window;
  }
  const bool is_needed = options.viewer == RendererKind::Gl || options.is_offscreen ||
                         !options.screenshot_path.empty() || options.frames > 0;
  const std::string hint = " (--offscreen renders without a display)";
  if (is_needed) return window.error() + (options.is_offscreen ? "" : hint);
  say(window.error() + "; continuing without pictures" + hint);
  return std::unique_ptr<render::Window>();
}

/// Loads and merges the settings and prints warnings about their file. Changes the options to
/// match.
RuntimeSettings begin_settings(net::Io& io, Options& options) {
  auto file = open_settings(io, options, keyring::config_folder());
  if (file) {
    for (const std::string& words : file->warnings())
      std::fprintf(stderr, "jostle-view: warning: %s\n", base::printable(words).c_str());
    if (!file->is_there() && file->warnings().empty() && !options.settings_path.empty())
      say("'" + base::printable(file->path()) +
          "' does not exist; it is created when a setting is changed");
  }
  const std::size_t faults = file ? file->warnings().size() : 0;
  const std::string first = faults == 0 ? std::string() : base::printable(file->warnings().front());
  settings::Settings settings = settle(options, file ? &*file : nullptr);
  RuntimeSettings live(std::move(file), std::move(settings),
                       has(options.panels, panels::Panel::Settings));
  // Also shown in the window, because terminal output is easily missed.
  if (faults == 1) live.say_first(first);
  if (faults > 1) live.say_first(first + " (and " + std::to_string(faults - 1) + " more)");
  return live;
}

int list_scenes(Options options, const std::vector<net::Address>& server,
                keyring::ClientAccess access) {
  options.is_spectator = true;
  net::SystemIo io;
  auto session = ViewerSession::create(io, options, server, std::move(access));
  if (!session) return fail(session.error(), exit_failed);
  const auto words = print_scenes(**session, is_stop_requested);
  (*session)->close();
  return words ? fail(*words, exit_failed) : 0;
}

/// Returns an address that is not on this machine, if there is one, otherwise the first address.
/// The access rules for this address apply to all addresses.
net::Address farthest_of(const std::vector<net::Address>& addresses) {
  const auto found =
      std::find_if_not(addresses.begin(), addresses.end(),
                       [](const net::Address& each) { return net::is_loopback(each); });
  return found == addresses.end() ? addresses.front() : *found;
}

int show_recording(Options options) {
  net::SystemIo io;
  RuntimeSettings live = begin_settings(io, options);
  auto player = open_recordings(io, options);
  if (!player) return fail(player.error(), exit_bad_options);
  catch_stop_signals();
  auto window = render::Window::create({.title = "jostle - " + options.recording_path,
                                        .size = options.size,
                                        .column = options.column,
                                        .is_fullscreen = options.is_fullscreen,
                                        .is_offscreen = options.is_offscreen});
  if (!window)
    return fail(window.error() + " (--offscreen renders without a display)", exit_failed);
  say("drawing with " + (*window)->renderer_name());
  if (const auto words =
          run_replay_viewer(io, options, **player, live, **window, is_stop_requested))
    return fail(*words, exit_failed);
  if (options.is_summary_wanted || options.is_offscreen)
    std::printf("%s\n", base::printable(replay_summary(options, **player)).c_str());
  return 0;
}

/// Addresses and credentials for a server.
struct Way {
  std::vector<net::Address> addresses;
  keyring::ClientAccess access;
};
struct NoWay {
  std::string text;
  int exit_code = exit_failed;
  bool is_unknown_host = false;  // true if the server's name cannot be resolved
};
base::Result<Way, NoWay> find_way(net::Io& io, const Options& options) {
  auto addresses = host_names::resolve(options.host, options.port);
  if (!addresses) {
    const bool is_name = !host_names::is_ip_text(options.host);
    return NoWay{.text = addresses.error() + (is_name ? file_suggestion(options.host) : ""),
                 .is_unknown_host = is_name};
  }
  auto access = keyring::ClientAccess::create(
      io, options.access, {options.host, farthest_of(*addresses)}, keyring::config_folder());
  if (!access) return NoWay{access.error(), exit_bad_options};
  return Way{*std::move(addresses), *std::move(access)};
}

/// The servers that the program joins, one after the other (visits), until the user or the options
/// end the program.
class Visits {
 public:
  Visits(net::Io& real_io, const Options& options, render::Window* window, RuntimeSettings& live)
      : real_io_(real_io),
        options_(options),
        window_(window),
        live_(live),
        recent_(real_io, window != nullptr && (options.is_lan || has_interactive_user(options))
                             ? recent_path()
                             : std::string()),
        own_token_(options.access.token) {
    if (!options.net_sim.empty()) put_bad_network(net::parse_net_sim(options.net_sim).value());
  }

  /// Sets the preview whose server is visited first. `preview` must outlive this object.
  void set_preview(const preview::ScenePreview* preview) { preview_ = preview; }

  /// Sets the reason why the first server cannot be visited. Contract: there is a window.
  void set_obstacle(NoWay obstacle) { obstacle_ = std::move(obstacle); }

  /// Runs the visits and returns the exit code. If an obstacle is set, the failure screen comes
  /// first. The first visit goes to `way`. If `way` is null, the user chooses a server on the start
  /// screen.
  int run(std::optional<Way> way) {
    for (;;) {
      if (obstacle_) {
        if (const auto exit_code = show_obstacle(way)) return *exit_code;
        continue;
      }
      if (!way) {
        const auto exit_code = choose(way);
        if (exit_code) return *exit_code;
      }
      const auto exit_code = visit(*std::exchange(way, std::nullopt), way);
      if (exit_code) return *exit_code;
    }
  }

 private:
  static std::string recent_path() {
    const auto folder = keyring::config_folder();
    return folder ? *folder + "/recent_servers" : std::string();
  }

  void put_bad_network(const net::NetworkConditions& conditions) {
    bad_network_.emplace(real_io_, conditions, net::NetSim::End::Client,
                         static_cast<std::uint64_t>(real_io_.now_us()));
    say("SIMULATED NETWORK: " + net::describe(conditions));
  }
  net::Io& io() { return bad_network_ ? static_cast<net::Io&>(*bad_network_) : real_io_; }

  /// Shows the failure screen for `obstacle_`. Returns the exit code if the user quits or the
  /// screen cannot be drawn, else null. Sets `way` if the user tries again and the server's name
  /// can be resolved.
  std::optional<int> show_obstacle(std::optional<Way>& way) {
    const NoWay obstacle = *std::exchange(obstacle_, std::nullopt);
    const auto choice = run_failure_screen(
        real_io_, live_.now(), *window_,
        panels::explain_unknown_host(obstacle.text, options_.host, base::program_names()),
        is_stop_requested);
    if (!choice) return fail(choice.error(), exit_failed);
    if (*choice == panels::FailureChoice::Quit) return fail(obstacle.text, obstacle.exit_code);
    if (*choice == panels::FailureChoice::TryAgain) {
      auto found = find_way(real_io_, options_);
      if (found) way = *std::move(found);
      if (!found) obstacle_ = found.error();
    } else {
      occasion_ = {.note = obstacle.text,
                   .server = keyring::server_name(options_.host, options_.port)};
    }
    return std::nullopt;
  }

  /// Shows the start screen until the user has chosen a server, and sets `way`. Returns the exit
  /// code if the user quits or the screen cannot be drawn, else null.
  std::optional<int> choose(std::optional<Way>& way) {
    while (!way) {
      const auto wish = run_start_screen(real_io_, options_, live_.now(), *window_, recent_,
                                         occasion_, is_stop_requested);
      if (!wish) return fail(wish.error(), exit_failed);
      if (!*wish) return 0;
      take(**wish, way);
    }
    return std::nullopt;
  }

  void take(const panels::JoinRequest& wish, std::optional<Way>& way) {
    occasion_ = {.note = {}, .server = wish.server, .is_token_wanted = false};
    const auto parts = net::split_host_and_port(wish.server);
    if (!parts || parts->port == 0) {
      occasion_.note =
          "'" + wish.server + "' is not HOST, HOST:PORT or [IPV6]:PORT with PORT from 1 to 65535";
      return;
    }
    options_.host = parts->host;
    options_.port = parts->port.value_or(default_port);
    options_.is_server_named = true;
    options_.scene_path.clear();
    preview_ = nullptr;
    options_.access.token = wish.token.empty() ? own_token_ : wish.token;
    auto found = find_way(real_io_, options_);
    if (found) {
      way = *std::move(found);
    } else {
      occasion_.note = found.error().text;
      occasion_.is_token_wanted = !wish.token.empty();
    }
  }

  /// Plays on one server. Returns the exit code, or null if the program continues. Sets `again` if
  /// the user tries the same server again; otherwise the start screen is next.
  std::optional<int> visit(Way way, std::optional<Way>& again) {
    Options options = options_;
    const bool is_guess =
        window_ != nullptr && has_interactive_user(options) && !options.is_server_named;
    if (is_guess && !options.is_timeout_named) options.connect_timeout_s = guess_timeout_s;
    std::unique_ptr<ReconnectFile> reconnect;
    if (preview_ == nullptr && !options.is_spectator) {
      reconnect = std::make_unique<ReconnectFile>(real_io_,
                                                  keyring::config_folder().value_or(std::string()),
                                                  keyring::server_name(options.host, options.port));
    }
    auto session = ViewerSession::create(io(), options, way.addresses, std::move(way.access),
                                         std::move(reconnect));
    if (!session) return fail(session.error(), exit_failed);
    (*session)->set_preview(preview_);
    ViewerEnd end;
    if (window_ != nullptr) {
      window_->set_title(window_title(options));
      end = run_viewer(io(), options, **session, *window_, live_, is_stop_requested);
    } else {
      end.text = run_headless(io(), options, **session, is_stop_requested);
    }
    const std::string server = keyring::server_name(options.host, options.port);
    if (window_ != nullptr && preview_ == nullptr && has_interactive_user(options) &&
        (*session)->seconds_playing() > 0)
      recent_.add(server);
    const std::string summary = (*session)->summary();
    (*session)->close();
    if (end.wish == panels::FailureChoice::TryAgain) {
      // Read the known servers again: the failure screen names the line to fix, and the user may
      // have fixed it.
      auto found = find_way(real_io_, options_);
      if (found) again = *std::move(found);
      if (!found) occasion_ = {.note = found.error().text, .server = server};
      return std::nullopt;
    }
    if (end.wish == panels::FailureChoice::OtherServer) {
      note_occasion(**session, server);
      return std::nullopt;
    }
    if (end.text) return fail(*end.text, exit_failed);
    if (options.is_summary_wanted || options.is_offscreen || window_ == nullptr)
      std::printf("%s\n", summary.c_str());
    if ((*session)->has_found_difference())
      return fail("sync test failed: ticks that were simulated again gave different hashes",
                  exit_failed);
    if (!(*session)->is_log_complete())
      return fail("--hash-log: '" + options.hash_log_path + "' is incomplete", exit_failed);
    const auto left = (*session)->fault_left();
    return left ? fail(*left, exit_failed) : 0;
  }

  void note_occasion(const ViewerSession& session, const std::string& server) {
    const client::Failure failure = session.client().status().failure;
    occasion_ = {.note = session.text(), .server = server, .is_token_wanted = is_of_token(failure)};
    if (failure == client::Failure::NoAnswer)
      occasion_.note = panels::no_answer_note(server, base::program_names());
  }

  static bool is_of_token(client::Failure failure) {
    return failure == client::Failure::TokenRequired || failure == client::Failure::TokenExpired ||
           failure == client::Failure::TokenUsed || failure == client::Failure::TokenRevoked ||
           failure == client::Failure::TokenInvalid;
  }

  static constexpr std::uint16_t default_port = 7777;
  /// Timeout in s if the user named neither a server nor a timeout. If a server runs on this
  /// machine, it answers immediately.
  static constexpr double guess_timeout_s = 3;

  net::Io& real_io_;
  Options options_;
  render::Window* window_;  // null if the program runs without a window
  RuntimeSettings& live_;
  const preview::ScenePreview* preview_ = nullptr;  // null: a server of another process is visited
  RecentServers recent_;
  std::string own_token_;  // token given on the command line
  std::optional<net::NetSim> bad_network_;
  StartOccasion occasion_{};
  std::optional<NoWay> obstacle_;  // reason why the user's server cannot be visited
};

int make_gallery(const Options& options) {
  net::SystemIo io;
  const auto scenes = read_gallery(io, options);
  if (!scenes) return fail(scenes.error(), exit_bad_options);
  catch_stop_signals();
  const auto words = draw_gallery(io, options, *scenes, is_stop_requested);
  return words ? fail(*words, exit_failed) : 0;
}

int preview_scene(Options options) {
  base::set_log_threshold(base::LogLevel::Warn);  // hides the info messages of the preview's server
  auto preview = preview::ScenePreview::create(options.scene_path);
  if (!preview) return fail(preview.error(), exit_failed);
  if (const auto error = (*preview)->news().error; error && !has_interactive_user(options))
    return fail(*error, exit_bad_options);
  options.host = net::to_string((*preview)->address().ip);
  options.port = (*preview)->address().port;
  options.access = {};
  net::SystemIo io;
  auto way = find_way(io, options);
  if (!way) return fail(way.error().text, way.error().exit_code);
  catch_stop_signals();
  RuntimeSettings live = begin_settings(io, options);
  auto window = open_window(options);
  if (!window) return fail(window.error(), exit_failed);
  Visits visits(io, options, window->get(), live);
  visits.set_preview(preview->get());
  return visits.run(*std::move(way));
}

int run(Options options) {
  if (!options.gallery_folder.empty()) return make_gallery(options);
  if (!options.recording_path.empty()) return show_recording(options);
  if (!options.scene_path.empty()) return preview_scene(options);
  net::SystemIo io;
  std::optional<Way> way;
  std::optional<NoWay> obstacle;
  if (!options.is_lan) {
    auto found = find_way(io, options);
    if (found) {
      way = *std::move(found);
    } else if (found.error().is_unknown_host && has_interactive_user(options) &&
               !options.is_scene_list) {
      obstacle = found.error();
    } else {
      return fail(found.error().text, found.error().exit_code);
    }
  }
  catch_stop_signals();
  if (options.is_scene_list) return list_scenes(options, way->addresses, std::move(way->access));
  if (options.is_lan && options.viewer == RendererKind::None)
    return print_local_servers(io, is_stop_requested);
  RuntimeSettings live = begin_settings(io, options);
  auto window = open_window(options);
  if (!window) return fail(window.error(), exit_failed);
  if (options.is_lan && !*window) return print_local_servers(io, is_stop_requested);
  if (obstacle && !*window) return fail(obstacle->text, obstacle->exit_code);
  Visits visits(io, options, window->get(), live);
  if (obstacle) visits.set_obstacle(*std::move(obstacle));
  return visits.run(std::move(way));
}

}  // namespace
}  // namespace jostle::client_app

int main(int argc, char** argv) {
  try {
    const auto parsed = jostle::client_app::parse_options(argc, argv);
    if (parsed.exit_code) {
      std::FILE* stream = *parsed.exit_code == 0 ? stdout : stderr;
      std::fprintf(stream, "%s\n", parsed.text.c_str());
      return *parsed.exit_code;
    }
    jostle::client_app::Options options = parsed.options;
    if (const char* const token = std::getenv("JOSTLE_TOKEN")) options.access.token_there = token;
    return jostle::client_app::run(options);
  } catch (const std::exception& error) {
    return jostle::client_app::fail(error.what(), jostle::client_app::exit_failed);
  }
}
