#pragma once

#include "shared/net/transport.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// A transport that stores what is sent. It receives nothing.
class FakeTransport final : public net::Transport {
 public:
  struct Message {
    net::PeerId peer;
    net::Channel channel;
    std::vector<std::byte> bytes;
  };
  std::vector<Message> sent;
  std::map<net::PeerId, net::DisconnectReason> disconnected;
  std::size_t pending_bytes = 0;
  bool is_full = false;  // rejects every message
  int flushes = 0;

  void service(std::vector<net::PeerEvent>&) override {}
  std::optional<net::PeerId> connect(net::Address) override { return std::nullopt; }
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override {
    if (is_full) return false;
    sent.push_back({peer, channel, {bytes.begin(), bytes.end()}});
    return true;
  }
  void flush() override { ++flushes; }
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override {
    disconnected[peer] = reason;
  }
  void drop(net::PeerId peer, net::DisconnectReason reason) override {
    disconnected[peer] = reason;
  }
  std::size_t pending_reliable_bytes(net::PeerId) const override { return pending_bytes; }
  std::optional<net::PeerStats> stats(net::PeerId) const override { return std::nullopt; }
  std::optional<net::PeerIdentity> identity(net::PeerId) const override { return std::nullopt; }
  std::string trouble_with(net::PeerId) const override { return {}; }
  bool has_answered(net::PeerId) const override { return false; }
  net::TransportCounters counters() const override { return {}; }
  net::Address local_address() const override { return {}; }
  int native_handle() const override { return -1; }
};

}  // namespace jostle::server
