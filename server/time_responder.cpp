#include "server/time_responder.h"

#include "protocol/control_codec.h"

namespace jostle::server {
namespace {

/// Number of announcements of skipped ticks: each may be lost.
constexpr int announcements = 3;

}  // namespace

void TimeResponder::set_tick(state::Tick tick, std::int64_t due_us) {
  if (tick_.number > 0 && due_us - due_us_ > tick_us_ * 3 / 2) announcements_left_ = announcements;
  tick_ = tick;
  due_us_ = due_us;
  if (announcements_left_ == 0) return;
  --announcements_left_;
  protocol::TimePong announcement;
  announcement.server_receive_us = announcement.server_send_us = io_.now_us();
  announcement.tick = tick_;
  announcement.tick_due_us = due_us_;
  const std::vector<std::byte> message = protocol::encode_pong(announcement);
  for (const auto& [peer, session] : clients_) {
    if (session.state != ClientSessionState::AwaitHello)
      clients_.send(peer, net::Channel::Time, message);
  }
}

bool TimeResponder::receive(net::PeerId peer, std::span<const std::byte> bytes) {
  const auto ping = protocol::decode_ping(bytes);
  if (!ping) return false;
  if (has_stood_still_) return true;
  if (ClientSession* const session = clients_.find(peer))
    session->budget.rate.note_ping(ping->client_send_us, io_.now_us());
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
  const std::uint32_t durable_tick = journal_ != nullptr ? journal_->status().durable_tick : 0;
  for (auto& [peer, pong] : pongs_) {
    pong.durable_tick = {durable_tick};
    pong.server_send_us = io_.now_us();
    clients_.send(peer, net::Channel::Time, protocol::encode_pong(pong));
  }
  pongs_.clear();
  transport_.flush();
}

}  // namespace jostle::server
