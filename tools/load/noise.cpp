#include "tools/load/noise.h"

#include "server/metrics.h"
#include "shared/base/random.h"
#include "shared/net/enet_transport.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/sealed_datagram.h"

#include <poll.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace jostle::load {
namespace {

constexpr std::size_t sources = 8;
constexpr std::int64_t connect_patience_us = 5'000'000, connect_pause_us = 200'000;
constexpr int step_ms = 1;

std::vector<std::byte> random_bytes(base::Random& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>(random.next() >> 56);
  return bytes;
}

std::vector<std::byte> noise(base::Random& random) {
  switch (random.below(4)) {
    case 0:
      return encode(secure::Hello{.nonce = random.next()});
    case 1: {
      auto bytes = random_bytes(random, secure::auth_bytes);
      bytes[0] = static_cast<std::byte>(secure::DatagramType::Auth);
      bytes[1] = static_cast<std::byte>(secure::handshake_version);
      bytes[2] = {};
      return bytes;
    }
    case 2: {
      auto bytes = random_bytes(random, secure::sealed_overhead_bytes + random.below(1'100));
      bytes[0] = static_cast<std::byte>(secure::DatagramType::Sealed);
      return bytes;
    }
    default:
      return random_bytes(random, 1 + random.below(1'200));
  }
}

/// Connects repeatedly and measures the time that each connection takes.
class HonestClients {
 public:
  HonestClients(net::Io& io, net::Address server) : io_(io), server_(server) {}

  void advance() {
    const std::int64_t now_us = io_.now_us();
    if (transport_ == nullptr) {
      if (now_us >= next_us_) begin(now_us);
      return;
    }
    std::vector<net::PeerEvent> events;
    transport_->service(events);
    for (const net::PeerEvent& event : events) {
      if (event.kind == net::PeerEvent::Kind::Connected) {
        times_.add(now_us - began_us_);
        return end(now_us);
      }
    }
    if (now_us - began_us_ < connect_patience_us) return;
    ++failed_;
    end(now_us);
  }
  void report(NoiseFigures& figures) const {
    figures.connects = times_.count();
    figures.connects_failed = failed_;
    figures.connect_p50_us = times_.percentile_us(0.5);
    figures.connect_max_us = times_.max_us();
  }

 private:
  void begin(std::int64_t now_us) {
    net::EnetOptions options;
    options.is_accepting = false;
    options.max_peers = 1;
    auto created = net::EnetTransport::create(io_, options);
    if (!created) return;
    transport_ = *std::move(created);
    peer_ = transport_->connect(server_);
    began_us_ = now_us;
  }
  void end(std::int64_t now_us) {
    if (peer_) transport_->drop(*peer_, net::DisconnectReason::Requested);
    transport_.reset();
    next_us_ = now_us + connect_pause_us;
  }

  net::Io& io_;
  net::Address server_;
  std::unique_ptr<net::EnetTransport> transport_;
  std::optional<net::PeerId> peer_;
  std::int64_t began_us_ = 0, next_us_ = 0;
  server::DurationHistogram times_;
  std::uint64_t failed_ = 0;
};

}  // namespace

NoiseFigures make_noise(net::Io& io, const NoiseOptions& options, std::string& error) {
  NoiseFigures figures;
  std::vector<std::unique_ptr<net::DatagramSocket>> sockets;
  for (std::uint32_t i = 0; i < sources; ++i) {
    auto socket = io.open_datagram_socket({net::Ip(0x7F000002U + i), 0});
    if (!socket) {
      error = "cannot open a socket at 127.0.0." + std::to_string(2 + i) + ": " +
              std::string(net::describe(socket.error()));
      return figures;
    }
    sockets.push_back(*std::move(socket));
  }
  base::Random random(options.seed);
  HonestClients honest(io, options.server);
  const std::int64_t began_us = io.now_us();
  std::vector<std::byte> buffer(2'048);
  for (std::int64_t now_us = began_us;
       static_cast<double>(now_us - began_us) < options.seconds * 1e6; now_us = io.now_us()) {
    const auto due = static_cast<std::uint64_t>(static_cast<double>(now_us - began_us) * 1e-6 *
                                                options.per_second);
    for (; figures.datagrams < due; ++figures.datagrams) {
      const auto bytes = noise(random);
      sockets[figures.datagrams % sources]->queue(options.server, bytes);
      figures.bytes += bytes.size();
    }
    for (const auto& socket : sockets) {
      socket->flush();
      while (const auto got = socket->receive(buffer)) {
        ++figures.answers;
        figures.answer_bytes += got->bytes;
      }
    }
    honest.advance();
    ::poll(nullptr, 0, step_ms);
  }
  honest.report(figures);
  return figures;
}

}  // namespace jostle::load
