#pragma once

#include "shared/net/transport.h"

#include <map>

namespace jostle::web {

/// A transport whose connections belong to the page: WebSockets, or ports to another tab or to a
/// worker. The page reports their events with the functions link_... (page_transport.cpp).
class PageTransport final : public net::Transport {
 public:
  void service(std::vector<net::PeerEvent>& events) override;
  std::optional<net::PeerId> connect(net::Address to) override;
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override;
  void flush() override {}
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override;
  void drop(net::PeerId peer, net::DisconnectReason reason) override;
  std::size_t pending_reliable_bytes(net::PeerId peer) const override;
  std::optional<net::PeerStats> stats(net::PeerId peer) const override;
  std::optional<net::PeerIdentity> identity(net::PeerId peer) const override;
  std::string trouble_with(net::PeerId) const override { return {}; }
  bool has_answered(net::PeerId) const override { return false; }
  net::TransportCounters counters() const override { return counters_; }
  net::Address local_address() const override { return {net::loopback_ip, 0}; }
  int native_handle() const override { return -1; }

  // Events of the page.

  /// Accepts a connection, and returns its peer.
  net::PeerId accept();
  void handle_connected(net::PeerId peer, secure::Role role);
  void handle_closed(net::PeerId peer, net::DisconnectReason reason, std::string text,
                     secure::Refusal refusal);
  void handle_message(net::PeerId peer, net::Channel channel, std::vector<std::byte> bytes);

 private:
  struct Peer {
    bool is_up = false;
    secure::Role role = secure::Role::Player;
  };
  void end(net::PeerId peer, net::DisconnectReason reason);

  std::map<net::PeerId, Peer> peers_;
  std::uint32_t last_peer_ = 0;
  std::vector<net::PeerEvent> events_;
  net::TransportCounters counters_;
};

/// Returns the transport of the module's client or server.
PageTransport& page_transport();

}  // namespace jostle::web
