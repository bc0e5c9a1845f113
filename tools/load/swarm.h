#pragma once

#include "client/client.h"
#include "server/metrics.h"
#include "shared/base/random.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"
#include "tools/load/ack_only_bot.h"
#include "tools/load/input_mix.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jostle::load {

struct SwarmOptions {
  net::Address server{net::loopback_ip, 7777};
  std::size_t clients = 8;
  std::size_t players = 8;  // the first bots are players, the others spectators
  /// One bot in this many is a full-client bot, which decodes everything; the others are ack-only
  /// bots.
  std::size_t decode_every = 1;
  /// Number of ack-only bots per socket. Sharing lowers the CPU cost of the bots' process. The
  /// server has the same work; only the number of client addresses is lower.
  std::size_t per_socket = 1;
  InputMix mix = InputMix::Mix;
  protocol::Profile profile = protocol::Profile::Visual;
  std::uint64_t seed = 0;  // seed of the generated input
  /// Returns the credentials of the bot with this number, counted from 0. The function is empty for
  /// servers without access control.
  std::function<net::SecurityOptions(std::size_t number)> security{};
  /// Time for which full clients retry the connection, in µs.
  std::int64_t connect_timeout_us = 10'000'000;
};

/// A client::Client with random input.
class FullClientBot {
 public:
  FullClientBot(net::Io& io, std::unique_ptr<net::Transport> transport,
                const client::Options& options, InputGenerator inputs);

  void receive();
  /// Sets the next random input. If the client received nothing for a tick, also updates the
  /// client. Call it once per client tick.
  void advance();

  int native_handle() const { return transport_->native_handle(); }
  net::TransportCounters counters() const { return transport_->counters(); }
  client::Client& client() { return client_; }
  const client::Client& client() const { return client_; }

 private:
  std::unique_ptr<net::Transport> transport_;
  net::Io& io_;
  client::Client client_;
  InputGenerator inputs_;
  std::int64_t updated_us_ = 0;
};

/// A group of ack-only bots that share a socket.
class AckOnlyGroup {
 public:
  explicit AckOnlyGroup(std::unique_ptr<net::Transport> transport)
      : transport_(std::move(transport)) {}

  AckOnlyBot& add(net::Io& io, AckOnlyBot::Options options, base::Random random);
  void receive();
  /// Advances the first `joined` bots. Call it once per client tick.
  void advance(std::size_t joined);
  void close();

  net::TransportCounters counters() const { return transport_->counters(); }
  int native_handle() const { return transport_->native_handle(); }
  const std::vector<std::unique_ptr<AckOnlyBot>>& bots() const { return bots_; }

 private:
  std::unique_ptr<net::Transport> transport_;
  std::vector<std::unique_ptr<AckOnlyBot>> bots_;
  std::unordered_map<std::uint32_t, AckOnlyBot*> by_peer_;
  std::vector<net::PeerEvent> events_;
};

/// Many bots in one process. They join one after another and receive datagrams as soon as they
/// arrive.
class Swarm {
 public:
  /// Creates the bots. The error says which resource is missing, usually sockets.
  static base::Result<std::unique_ptr<Swarm>, std::string> create(net::Io& io,
                                                                  const SwarmOptions& options);
  /// Disconnects all bots, as close() does. Otherwise the server would keep their reconnect slots.
  ~Swarm();
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// Runs until the Io's clock reaches `end_us`. Returns false if a bot was refused or failed;
  /// error() then says why.
  bool run_until(std::int64_t end_us);
  const std::string& error() const { return error_; }
  void close();

  std::size_t playing() const;
  bool is_everyone_playing() const { return playing() == options_.clients; }
  const std::vector<std::unique_ptr<FullClientBot>>& whole() const { return whole_; }
  const std::vector<std::unique_ptr<AckOnlyGroup>>& light() const { return light_; }
  std::uint64_t light_snapshots() const;
  /// Returns the ages of snapshots at the ack-only bots: from the due time of the tick until
  /// arrival.
  const server::DurationHistogram& ages() const { return ages_; }
  void forget_ages() { ages_ = {}; }

 private:
  Swarm(net::Io& io, SwarmOptions options);
  std::optional<std::string> open();
  std::optional<std::string> add_bot(base::Random& random, std::size_t number);
  std::optional<std::string> add_light(AckOnlyBot::Options options, base::Random random,
                                       std::size_t number);
  std::optional<std::string> wait_on(int handle, std::function<void()> receive);
  bool advance();
  void receive_until(std::int64_t end_us);

  net::Io& io_;
  SwarmOptions options_;
  int poll_ = -1;
  std::vector<std::unique_ptr<FullClientBot>> whole_;
  std::vector<std::unique_ptr<AckOnlyGroup>> light_;
  std::size_t joined_ = 0;  // number of bots that have begun to join; FullClientBots join first
  /// Receive functions of the sockets; the user data of an epoll event is the index.
  std::vector<std::function<void()>> receivers_;
  server::DurationHistogram ages_;
  std::string error_;
};

}  // namespace jostle::load
