#include "server/time_responder.h"

#include "protocol/control_codec.h"

namespace jostle::server {

bool TimeResponder::receive(net::PeerId peer, std::span<const std::byte> bytes) {
  const auto ping = protocol::decode_ping(bytes);
  if (!ping) return false;
  protocol::TimePong pong;
  pong.id = ping->id;
  pong.client_send_us = ping->client_send_us;
  pong.server_receive_us = io_.now_us();
  pong.tick = tick_;
  pong.tick_due_us = due_us_;
  pongs_.emplace_back(peer, pong);
  return true;
}

void TimeResponder::send() {
  if (pongs_.empty()) return;
  for (auto& [peer, pong] : pongs_) {
    pong.server_send_us = io_.now_us();
    clients_.send(peer, net::Channel::Time, protocol::encode_pong(pong));
  }
  pongs_.clear();
  transport_.flush();
}

}  // namespace jostle::server
