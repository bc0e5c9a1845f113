#pragma once

#include "api/base/definition.h"
#include "api/server/callback_rule.h"
#include "api/server/game.h"
#include "server/access.h"
#include "server/lan_discovery_service.h"
#include "server/options.h"
#include "server/recorder.h"
#include "server/server.h"
#include "server/state_folder.h"
#include "server/tick_loop.h"
#include "server/web_access.h"
#include "shared/journal/files.h"
#include "shared/journal/writer_thread.h"
#include "shared/net/enet_transport.h"
#include "shared/net/system_io.h"
#include "shared/physics/execution.h"
#include "shared/scene/scene.h"
#include "shared/sim/simulation.h"

#include <asio/io_context.hpp>
#include <jostle/server/servers.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jostle::api {

// Version 0.2.0 had no fields of the state folder.
template <>
inline constexpr std::size_t first_size<jostle_server_def> = offsetof(jostle_server_def,
                                                                      state_folder);
template <>
inline constexpr std::size_t first_size<jostle_server_info> = offsetof(jostle_server_info,
                                                                       durable_tick);

/// Checked settings of a server.
struct HostOptions {
  server::Options server;
  scene::SceneDef scene;
  std::string scene_file;  // name of the scene for recordings
  net::Address address;
  bool is_insecure = false, is_on_lan = false, offers_scenes = false;
  server::AccessOptions access;
  server::RecordingOptions recording;
  server::StateOptions state;
  server::WebOptions web;
  RuleDefinitions rules;
};
/// Checks a definition and reads its scene.
HostOptions checked_host(const jostle_server_def& def);

/// A server with its simulation, its socket and its recording. It runs in the thread that calls it.
class ServerHost {
 public:
  explicit ServerHost(HostOptions options);
  ~ServerHost();
  ServerHost(const ServerHost&) = delete;
  ServerHost& operator=(const ServerHost&) = delete;

  /// Runs until `is_stopped()` is true. It is called after every event, at least once per tick.
  void run(const std::function<bool()>& is_stopped);
  /// Processes what is due; waits up to `max_wait_seconds` for it. Returns the number of ticks.
  std::uint32_t poll(double max_wait_seconds);
  void step(std::uint32_t count);
  void control(const state::ControlCommand& command) { server_->command(command); }
  void set_execution(const physics::Execution& execution) { simulation_->set_execution(execution); }

  jostle_server_info info() const;
  /// Returns the URL of the page for browsers; empty without one.
  std::string url() const { return web_ == nullptr ? std::string() : web_->url(); }
  jostle_game game() const { return game_.handle(); }
  /// Saves the newest ticks and returns the path of the file; refuses if that fails.
  std::string save_recent(const std::string& folder);
  /// Disconnects all clients and closes the recording and the state folder. Returns what is
  /// incomplete because a write failed; an empty text if nothing is.
  std::string close();

 private:
  class Work;
  void open_simulation();
  void open_transport();
  net::Transport& all_clients() {
    return web_ ? web_->transport() : static_cast<net::Transport&>(*transport_);
  }
  void begin_state();
  void open_recording();
  void start_loop();
  void end_tick();

  HostOptions options_;
  net::SystemIo io_;
  std::vector<std::string> rule_names_;
  // The state folder uses these; null without one.
  std::unique_ptr<journal::Files> files_;
  std::unique_ptr<journal::Executor> writer_;
  std::unique_ptr<server::StateFolder> state_;
  std::uint32_t restored_tick_ = 0;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<server::AccessControl> access_;
  std::unique_ptr<net::EnetTransport> transport_;
  std::unique_ptr<server::WebAccess> web_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<server::Recorder> recorder_;
  asio::io_context context_;
  std::unique_ptr<server::TickLoop> loop_;
  std::unique_ptr<server::LanDiscoveryService> lan_;
  bool is_loop_started_ = false;
  LentGame game_;
};

}  // namespace jostle::api
