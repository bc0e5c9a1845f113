#include "client/app/live_settings.h"
#include "client/app/options.h"
#include "client/app/replay_viewer.h"
#include "client/app/resolve.h"
#include "client/app/session.h"
#include "client/app/stop_signal.h"
#include "client/app/viewer.h"
#include "client/render/window.h"
#include "shared/base/printable.h"
#include "shared/keyring/client_access.h"
#include "shared/keyring/folders.h"
#include "shared/net/net_sim.h"
#include "shared/net/system_io.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
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

/// A window, nothing when none is wanted or there is no display, or why there must be one and is
/// not.
base::Result<std::unique_ptr<render::Window>, std::string> open_window(const Options& options) {
  if (options.viewer == ViewerKind::None) return std::unique_ptr<render::Window>();
  auto window = render::Window::create({.title = "jostle - " + options.host + " - " + options.name,
                                        .size = options.size,
                                        .is_fullscreen = options.is_fullscreen,
                                        .is_offscreen = options.is_offscreen});
  if (window) {
    say("drawing with " + (*window)->renderer_name());
    return window;
  }
  const bool is_needed = options.viewer == ViewerKind::Gl || options.is_offscreen ||
                         !options.screenshot_path.empty() || options.frames > 0;
  if (is_needed) return window.error();
  say(window.error() + "; going on without pictures (--offscreen renders without a display)");
  return std::unique_ptr<render::Window>();
}

/// The settings that count, said where something in their file does not. Options say the same.
LiveSettings begin_settings(net::Io& io, Options& options) {
  auto file = open_settings(io, options, keyring::config_folder());
  if (file) {
    for (const std::string& words : file->warnings())
      std::fprintf(stderr, "jostle-view: warning: %s\n", base::printable(words).c_str());
    if (!file->is_there() && file->warnings().empty() && !options.settings_path.empty())
      say(base::printable(file->path()) + " is not there; settings that are changed begin it");
  }
  settings::Settings settings = settle(options, file ? &*file : nullptr);
  return LiveSettings(std::move(file), std::move(settings));
}

int list_scenes(Options options, const std::vector<net::Address>& server,
                keyring::ClientAccess access) {
  options.is_spectator = true;
  net::RealIo io;
  auto session = Session::create(io, options, server, std::move(access));
  if (!session) return fail(session.error(), exit_failed);
  const auto words = print_scenes(**session, is_stop_requested);
  (*session)->close();
  return words ? fail(*words, exit_failed) : 0;
}

/// One beyond this machine, if there is such: what is asked of strangers is asked of all.
net::Address farthest_of(const std::vector<net::Address>& addresses) {
  const auto found =
      std::find_if_not(addresses.begin(), addresses.end(),
                       [](const net::Address& each) { return net::is_loopback(each); });
  return found == addresses.end() ? addresses.front() : *found;
}

int look_at_recording(Options options) {
  net::RealIo io;
  LiveSettings live = begin_settings(io, options);
  auto player = open_recordings(io, options);
  if (!player) return fail(player.error(), exit_bad_options);
  catch_stop_signals();
  auto window = render::Window::create({.title = "jostle - " + options.recording_path,
                                        .size = options.size,
                                        .is_fullscreen = options.is_fullscreen,
                                        .is_offscreen = options.is_offscreen});
  if (!window) return fail(window.error() + " (--offscreen renders without one)", exit_failed);
  say("drawing with " + (*window)->renderer_name());
  if (const auto words =
          run_replay_viewer(io, options, **player, live, **window, is_stop_requested))
    return fail(*words, exit_failed);
  if (options.is_summary_wanted || options.is_offscreen)
    std::printf("%s\n", base::printable(replay_summary(options, **player)).c_str());
  return 0;
}

int run(Options options) {
  if (!options.recording_path.empty()) return look_at_recording(options);
  const auto server = resolve(options.host, options.port);
  if (!server) return fail(server.error(), exit_failed);
  net::RealIo real_io;
  auto access = keyring::ClientAccess::create(
      real_io, options.access, {options.host, farthest_of(*server)}, keyring::config_folder());
  if (!access) return fail(access.error(), exit_bad_options);
  catch_stop_signals();
  if (options.is_scene_list) return list_scenes(options, *server, *std::move(access));
  LiveSettings live = begin_settings(real_io, options);
  auto window = open_window(options);
  if (!window) return fail(window.error(), exit_failed);

  std::optional<net::NetSim> bad_network;
  if (!options.net_sim.empty()) {
    const net::LinkFaults faults = net::parse_net_sim(options.net_sim).value();
    const auto seed = static_cast<std::uint64_t>(real_io.now_us());
    bad_network.emplace(real_io, faults, seed);
    std::printf("jostle-view: SIMULATED NETWORK: %s\n", net::describe(faults).c_str());
    std::fflush(stdout);
  }
  net::Io& io = bad_network ? static_cast<net::Io&>(*bad_network) : real_io;
  auto session = Session::create(io, options, *server, *std::move(access));
  if (!session) return fail(session.error(), exit_failed);
  const auto words = *window ? run_viewer(io, options, **session, **window, live, is_stop_requested)
                             : run_headless(io, options, **session, is_stop_requested);
  const std::string summary = (*session)->summary();
  (*session)->close();
  if (words) return fail(*words, exit_failed);
  if (options.is_summary_wanted || options.is_offscreen || !*window) {
    std::printf("%s\n", summary.c_str());
  }
  if ((*session)->has_found_difference())
    return fail("the sync test has found ticks that come out otherwise when they are done again",
                exit_failed);
  return 0;
}

}  // namespace
}  // namespace jostle::client_app

int main(int argc, char** argv) {
  try {
    const auto parsed = jostle::client_app::parse_options(argc, argv);
    if (parsed.exit_code) {
      std::FILE* stream = *parsed.exit_code == 0 ? stdout : stderr;
      std::fprintf(stream, "%s\n", parsed.words.c_str());
      return *parsed.exit_code;
    }
    jostle::client_app::Options options = parsed.options;
    if (const char* const token = std::getenv("JOSTLE_TOKEN")) options.access.token_there = token;
    return jostle::client_app::run(options);
  } catch (const std::exception& error) {
    return jostle::client_app::fail(error.what(), jostle::client_app::exit_failed);
  }
}
