#include "tools/match/observed_transport.h"

#include <cstddef>

namespace jostle::match {

void ObservedTransport::service(std::vector<net::PeerEvent>& events) {
  const std::size_t before = events.size();
  inner_->service(events);
  if (!on_received_) return;
  for (std::size_t i = before; i < events.size(); ++i) {
    const net::PeerEvent& event = events[i];
    if (event.kind != net::PeerEvent::Kind::Received) continue;
    on_received_(event.peer, event.channel, event.bytes);
  }
}

bool ObservedTransport::send(net::PeerId peer, net::Channel channel,
                             std::span<const std::byte> bytes) {
  const bool is_taken = inner_->send(peer, channel, bytes);
  if (is_taken && on_sent_) on_sent_(peer, channel, bytes);
  return is_taken;
}

}  // namespace jostle::match
