#pragma once

#include "server/server.h"
#include "shared/base/result.h"
#include "shared/lan/responder.h"
#include "shared/net/io.h"

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>

#include <memory>
#include <string>

namespace jostle::server {

/// Service that answers discovery queries on the local network (`jostled --lan`).
class LanDiscoveryService {
 public:
  /// Properties of the server that do not change while it runs. `name` is as the user entered it,
  /// and `places` is the maximum number of players.
  struct Description {
    std::string name;
    std::uint16_t port = 0;
    secure::AccessMode access = secure::AccessMode::Open;
    crypto::PublicKey key{};
    std::size_t places = 0;
  };
  /// Opens the discovery socket. All arguments except `description` must outlive the result. The
  /// error is one sentence.
  static base::Result<std::unique_ptr<LanDiscoveryService>, std::string> create(
      asio::io_context& context, net::Io& io, const Server& server, const sim::Simulation& world,
      const Description& description);
  ~LanDiscoveryService();
  LanDiscoveryService(const LanDiscoveryService&) = delete;
  LanDiscoveryService& operator=(const LanDiscoveryService&) = delete;

  void start() { wait(); }
  /// Cancels all asynchronous waiting, so that the run() of the context can return.
  void stop();
  const lan::DiscoveryServer::Counters& counters() const { return responder_.counters(); }

 private:
  LanDiscoveryService(asio::io_context& context, net::Io& io, const Server& server,
                      const sim::Simulation& world, lan::ServerInfo facts, std::uint64_t instance,
                      std::unique_ptr<net::DatagramSocket> socket);
  void wait();
  lan::ServerInfo facts_now() const;

  net::Io& io_;
  const Server& server_;
  const sim::Simulation& world_;
  lan::ServerInfo facts_;
  lan::DiscoveryServer responder_;
  std::unique_ptr<net::DatagramSocket> socket_;
  asio::posix::stream_descriptor waiting_;
  bool is_running_ = true;
};

}  // namespace jostle::server
