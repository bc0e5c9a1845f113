#pragma once

#include "client/client.h"
#include "server/metrics.h"
#include "shared/base/random.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/net/security.h"
#include "shared/net/transport.h"
#include "tools/load/input_mix.h"
#include "tools/load/light_bot.h"

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
  std::size_t players = 8;  // the first so many; the others are spectators
  /// One in so many is a client::Client, which decodes everything; the others are light.
  std::size_t decode_every = 1;
  /// So many light ones share a socket, which costs their process less; the server sees no
  /// difference but in their addresses.
  std::size_t per_socket = 1;
  InputMix mix = InputMix::Mix;
  protocol::Profile profile = protocol::Profile::Visual;
  std::uint64_t seed = 0;  // of what they do
  /// By what the bot with this number comes in, from 0; empty: where everybody may.
  std::function<net::SecurityOptions(std::size_t number)> security{};
  /// For so long they go on trying to connect.
  std::int64_t connect_timeout_us = 10'000'000;
};

/// A client that plays by chance. It knows what any client knows, and no more.
class WholeBot {
 public:
  WholeBot(net::Io& io, std::unique_ptr<net::Transport> transport, const client::Options& options,
           Whims whims);

  void receive();
  /// Once per client tick.
  void advance();

  int native_handle() const { return transport_->native_handle(); }
  net::TransportCounters counters() const { return transport_->counters(); }
  client::Client& client() { return client_; }
  const client::Client& client() const { return client_; }

 private:
  std::unique_ptr<net::Transport> transport_;
  net::Io& io_;
  client::Client client_;
  Whims whims_;
  std::int64_t updated_us_ = 0;
};

/// Light bots that share a socket.
class LightGroup {
 public:
  explicit LightGroup(std::unique_ptr<net::Transport> transport)
      : transport_(std::move(transport)) {}

  LightBot& add(net::Io& io, LightBot::Options options, base::Random random);
  void receive();
  /// Once per client tick; the first `joined` of them.
  void advance(std::size_t joined);
  void close();

  net::TransportCounters counters() const { return transport_->counters(); }
  int native_handle() const { return transport_->native_handle(); }
  const std::vector<std::unique_ptr<LightBot>>& bots() const { return bots_; }

 private:
  std::unique_ptr<net::Transport> transport_;
  std::vector<std::unique_ptr<LightBot>> bots_;
  std::unordered_map<std::uint32_t, LightBot*> by_peer_;
  std::vector<net::PeerEvent> events_;
};

/// Many bots in one process, which join one after the other and take in what has arrived as soon as
/// it has.
class Swarm {
 public:
  /// The error says what the machine does not give: sockets, mostly.
  static base::Result<std::unique_ptr<Swarm>, std::string> create(net::Io& io,
                                                                  const SwarmOptions& options);
  /// Says farewell, as close() does: a server keeps the places of who only vanishes.
  ~Swarm();
  Swarm(const Swarm&) = delete;
  Swarm& operator=(const Swarm&) = delete;

  /// Until that moment of the Io's clock. False when one of them was refused or has failed: `error`
  /// says why.
  bool run_until(std::int64_t end_us);
  const std::string& error() const { return error_; }
  void close();

  std::size_t playing() const;
  bool is_everyone_playing() const { return playing() == options_.clients; }
  const std::vector<std::unique_ptr<WholeBot>>& whole() const { return whole_; }
  const std::vector<std::unique_ptr<LightGroup>>& light() const { return light_; }
  std::uint64_t light_snapshots() const;
  /// Of snapshots at the light bots: from when their tick was due until they were taken in.
  const server::DurationHistogram& ages() const { return ages_; }
  void forget_ages() { ages_ = {}; }

 private:
  Swarm(net::Io& io, SwarmOptions options);
  std::optional<std::string> open();
  std::optional<std::string> add_bot(base::Random& random, std::size_t number);
  std::optional<std::string> add_light(LightBot::Options options, base::Random random,
                                       std::size_t number);
  std::optional<std::string> wait_on(int handle, std::function<void()> receive);
  bool advance();
  void receive_until(std::int64_t end_us);

  net::Io& io_;
  SwarmOptions options_;
  int poll_ = -1;
  std::vector<std::unique_ptr<WholeBot>> whole_;
  std::vector<std::unique_ptr<LightGroup>> light_;
  std::size_t joined_ = 0;                        // of all, whole ones first
  std::vector<std::function<void()>> receivers_;  // by what the poll names them
  server::DurationHistogram ages_;
  std::string error_;
};

}  // namespace jostle::load
