#pragma once

#include "server/clients.h"
#include "server/command_queue.h"
#include "server/options.h"
#include "server/run_recording.h"
#include "server/scene_catalogue.h"
#include "server/scene_loader.h"
#include "shared/base/duty_cycle_limiter.h"
#include "shared/net/io.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace jostle::server {

/// A scene that the server has switched to.
struct StartedScene {
  std::string file;  // path of its file
  PreparedJournals journals;
};

/// Control of the scene by clients: pause, step, reset, gravity and the choice of another scene.
class SceneControl {
 public:
  SceneControl(net::Io& io, sim::Simulation& simulation, const Options& options, Clients& clients,
               CommandQueue& commands, const RunRecording& recording)
      : io_(io),
        simulation_(simulation),
        options_(options),
        clients_(clients),
        commands_(commands),
        recording_(recording) {}

  /// Sets the scenes that clients may select; none by default.
  void set_catalogue(SceneCatalogue catalogue) { catalogue_ = std::move(catalogue); }

  /// Sets the executor that loads scenes beside the ticks (SceneLoader::set_executor).
  void set_loading_executor(journal::Executor* executor) { loader_.set_executor(executor); }

  // Messages of clients. Each function returns false if the message must be refused.
  bool control(ClientSession& session, const state::ControlCommand& command);
  bool send_list(ClientSession& session);
  bool request_scene(ClientSession& session, const std::string& name);

  /// Begins to load the newest requested scene, unless scene_interval_us has not passed since the
  /// last attempt. Switches to a scene that is loaded, and returns it; otherwise null.
  std::optional<StartedScene> apply_scene_request();
  /// Queues one reset command for all reset requests since the last one. Does nothing until
  /// reset_interval_us has passed since the last reset.
  void apply_reset_request();
  /// Sends the scene status to every client to which a different status was sent last.
  void publish_status();
  /// Resets the counts of control messages, which are limited per tick.
  void end_tick();

 private:
  bool may_control(const ClientSession& session) const;
  void send_denied(ClientSession& session);
  /// Returns why the scene cannot be loaded; null if loading may be tried.
  std::optional<std::string> why_no_scene(const ClientSession& session,
                                          const std::string& name) const;
  /// Returns why a scene was not loaded, for the client; null on success.
  std::optional<std::string> why_not_loaded(const SceneLoader::Loaded& loaded);

  net::Io& io_;
  sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  CommandQueue& commands_;
  const RunRecording& recording_;
  SceneCatalogue catalogue_;
  struct SceneRequest {
    net::PeerId peer{};
    std::string name;
  };
  std::optional<SceneRequest> scene_request_;  // the newest request
  SceneLoader loader_;
  SceneRequest loading_;                          // the request that is being loaded
  std::shared_ptr<sim::PreparedScene> switched_;  // holds the previous world after the switch
  base::DutyCycleLimiter scene_limiter_{0, scene_interval_us};
  std::optional<state::ControlCommand> reset_request_;
  base::DutyCycleLimiter reset_limiter_{0, reset_interval_us};
};

}  // namespace jostle::server
