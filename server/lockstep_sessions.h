#pragma once

#include "protocol/lockstep_messages.h"
#include "protocol/messages.h"
#include "server/clients.h"
#include "server/lockstep_server.h"
#include "server/options.h"
#include "shared/net/io.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>

namespace jostle::server {

/// The tick and field at which a lockstep client's simulation first differs from the server's.
struct Desync {
  std::string peer;  // name of the client
  protocol::DesyncReport report;
};

/// Lockstep sessions: handles the requests and reports of lockstep clients, sends frames to these
/// clients and runs the desync search.
class LockstepSessions {
 public:
  LockstepSessions(net::Io& io, const sim::Simulation& simulation, const Options& options,
                   Clients& clients);

  /// Handles a lockstep message. Returns false if the message must be refused.
  bool receive(ClientSession& session, std::span<const std::byte> bytes);
  /// Handles the progress report of a lockstep client's input packet.
  void receive_report(ClientSession& session, const protocol::InputPacket& packet);

  /// Stores the commands of a tick and its result. Call it after each step.
  void note(const state::TickCommands& commands);
  /// Sends the commands of this tick, and of earlier ticks that the client has not acknowledged, to
  /// every lockstep client.
  void publish_frames();
  /// Restarts lockstep clients from a new simulation state, because another scene was loaded.
  void restart();

  /// Returns the next new desync; null if there is none. A client has at most one per simulation
  /// state that was sent to it.
  std::optional<Desync> take_desync();

 private:
  bool begin(ClientSession& session, const protocol::LockstepRequest& request);
  bool receive_answer(ClientSession& session, const protocol::DesyncAnswer& answer);

  net::Io& io_;
  const sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  std::optional<LockstepServer> lockstep_;  // null unless the options enable lockstep
  std::deque<Desync> desyncs_;              // desyncs that take_desync() has not returned yet
};

}  // namespace jostle::server
