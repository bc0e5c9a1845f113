#pragma once

#include "protocol/context/own_hello.h"
#include "shared/net/enet_transport.h"
#include "tools/match/match.h"

#include <memory>
#include <span>
#include <vector>

namespace jostle::match {

/// A peer that sends hand-made messages to the server.
class RawPeer {
 public:
  RawPeer(Match& match, std::uint32_t ip) : match_(match) {
    net::EnetOptions options;
    options.bind = net::Address{ip, 0};
    options.is_insecure_bind_allowed = true;
    options.is_accepting = false;
    transport_ = *net::EnetTransport::create(match.network().node(ip), options);
    peer_ = *transport_->connect({server_ip, server_port});
  }
  void run(double seconds) {
    for (double t = 0; t < seconds; t += 0.02) {
      match_.run_seconds(0.02);
      transport_->service(events_);
    }
  }
  void send(net::Channel channel, std::span<const std::byte> bytes) {
    transport_->send(peer_, channel, bytes);
  }
  const std::vector<net::PeerEvent>& events() const { return events_; }

 private:
  Match& match_;
  std::unique_ptr<net::Transport> transport_;
  net::PeerId peer_;
  std::vector<net::PeerEvent> events_;
};

inline protocol::Hello hello_of_this_build() {
  protocol::Hello hello = protocol::context::own_hello();
  hello.client_name = "other";
  return hello;
}

}  // namespace jostle::match
