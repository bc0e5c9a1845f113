#pragma once

#include "server/admission.h"
#include "server/clients.h"
#include "server/debug_draw_publisher.h"
#include "server/lockstep_sessions.h"
#include "server/options.h"
#include "server/scene_control.h"
#include "server/simulation_publisher.h"
#include "server/snapshot_publisher.h"
#include "server/time_responder.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::server {

/// Checks the messages of clients, limits their number and passes each one to the class that
/// handles it. Invalid messages are refused and counted.
class MessageHandler {
 public:
  /// The classes that handle the messages.
  struct Receivers {
    Admission& admission;
    SceneControl& scenes;
    SnapshotPublisher& snapshots;
    SimulationPublisher& simulation;
    LockstepSessions& lockstep;
    DebugDrawPublisher& debug_draw;
    TimeResponder& time;
  };
  MessageHandler(net::Io& io, const sim::Simulation& simulation, const Options& options,
                 Clients& clients, const Receivers& receivers)
      : io_(io),
        simulation_(simulation),
        options_(options),
        clients_(clients),
        to_(receivers),
        refilled_us_(io.now_us()) {}

  /// Refills the message budgets of clients and reduces their scores of refused messages. Both
  /// follow time instead of ticks, because clients continue to send while an overloaded server
  /// skips ticks.
  void refill_budgets();
  /// Handles a message of a client. Contract: `event` is a message of the session's peer.
  void receive(ClientSession& session, const net::PeerEvent& event);

 private:
  // Each function returns false if the message must be refused.
  bool pass_on(ClientSession& session, const net::PeerEvent& event);
  bool receive_control(ClientSession& session, std::span<const std::byte> bytes);
  bool receive_state(ClientSession& session, std::span<const std::byte> bytes);

  net::Io& io_;
  const sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  Receivers to_;
  std::int64_t refilled_us_;  // time up to which the budgets are refilled
};

}  // namespace jostle::server
