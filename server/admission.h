#pragma once

#include "protocol/messages.h"
#include "server/clients.h"
#include "server/command_queue.h"
#include "server/options.h"
#include "server/reconnect_slots.h"
#include "server/token_gate.h"
#include "server/world_publisher.h"
#include "shared/journal/player_log.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/sim/simulation.h"
#include "shared/state/ids.h"

#include <cstdint>
#include <optional>

namespace jostle::server {

/// Admission of clients: it begins and ends sessions, assigns players, and keeps the players of
/// broken connections for a reconnect.
class Admission {
 public:
  Admission(net::Io& io, net::Transport& transport, const sim::Simulation& simulation,
            const Options& options, Clients& clients, CommandQueue& commands, WorldPublisher& world)
      : io_(io),
        transport_(transport),
        simulation_(simulation),
        options_(options),
        clients_(clients),
        commands_(commands),
        world_(world) {}

  /// Begins the session of a new connection.
  void connect(net::PeerId peer);
  /// Admits a client after its Hello, or rejects it.
  void receive_hello(ClientSession& session, const protocol::Hello& hello);
  /// Keeps reconnect slots for the players of a restored simulation; players without a token leave.
  /// Stores tokens in `log` from now on.
  void restore_players(const journal::PlayerLog::Tokens& tokens, journal::PlayerLog* log);
  /// Ends a session. If the connection timed out, its player keeps a reconnect slot for
  /// Options::reconnect_window_seconds; otherwise the player leaves.
  void end_session(net::PeerId peer, net::DisconnectReason reason);

  /// Sets the gate that stores the uses of single-use tokens; null: tokens are not stored.
  void set_token_gate(TokenGate* gate) { token_gate_ = gate; }
  /// Welcomes or rejects the clients whose tokens were being stored.
  void continue_waiting();
  /// Drops clients that misbehave, send no Hello in time, or leave too many keyframes or all
  /// snapshots unacknowledged.
  void drop_overdue_sessions();
  /// Removes the players whose reconnect slots have expired.
  void expire_reconnect_slots();
  /// Disconnects all clients, and drops new connections from now on.
  void disconnect_all();

 private:
  struct Rejection;
  /// Returns why a Hello is rejected for a reason other than a full server; null if there is none.
  std::optional<Rejection> why_rejected(const ClientSession& session,
                                        const protocol::Hello& hello) const;
  bool has_stopped_acknowledging(const ClientSession& session) const;
  Rejection server_full(const Clients::Counts& counts, std::size_t reserved) const;
  std::optional<Rejection> why_no_place(const ClientSession& session, bool is_player,
                                        const ClientSession* leaving) const;
  bool holds_player(std::uint64_t reconnect_token) const;
  void continue_waiting(ClientSession& session);
  void welcome(ClientSession& session, const protocol::Hello& hello);
  void make_room_among_waiting(net::Ip subscriber);
  void drop(net::PeerId peer, net::DisconnectReason reason);
  const ClientSession* longest_idle_player() const;
  void end_idle(const ClientSession& idle);
  void begin_joining(ClientSession& session, const protocol::Hello& hello);
  void send_welcome(ClientSession& session);
  /// Removes a player from the world, and its reconnect token.
  void leave(state::PlayerId player);
  /// Takes the player with this reconnect token from a reconnect slot, or from an old session whose
  /// connection still seems alive. Ends the old session. Returns null if no player has the token.
  std::optional<state::PlayerId> take_over(std::uint64_t reconnect_token);
  /// Returns the id of a new player. If reconnect slots leave no room for the player, gives up the
  /// oldest slot. Returns null if `max_players` players are connected.
  std::optional<state::PlayerId> admit_player(const Clients::Counts& counts);
  std::uint64_t new_reconnect_token();
  state::PlayerId next_player_id();

  net::Io& io_;
  net::Transport& transport_;
  const sim::Simulation& simulation_;
  const Options& options_;
  Clients& clients_;
  CommandQueue& commands_;
  WorldPublisher& world_;
  ReconnectSlots reconnect_slots_;
  std::uint16_t last_player_id_ = 0;
  bool is_closing_ = false;
  journal::PlayerLog* player_log_ = nullptr;
  TokenGate* token_gate_ = nullptr;
};

}  // namespace jostle::server
