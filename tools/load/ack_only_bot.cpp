#include "tools/load/ack_only_bot.h"

#include "protocol/context/own_hello.h"
#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "protocol/visuals_codec.h"

#include <utility>
#include <variant>

namespace jostle::load {
namespace {

constexpr std::int64_t us_per_second = 1'000'000;
constexpr std::int64_t redial_us = 5'000'000;
// Number of the first pings and intervals of pings, as in client/play_session.cpp.
constexpr std::uint32_t fast_pings = 10;
constexpr std::int64_t fast_ping_interval_us = 50'000, ping_interval_us = 250'000;
/// Number of snapshot intervals without a packet to the server after which the acknowledgement is
/// sent again.
constexpr double repeat_intervals = 1.25;
/// Number of ticks from the newest snapshot to the tick of a new input: one tick of latency in each
/// direction and one to spare.
constexpr std::uint32_t lead_ticks = 3;

}  // namespace

AckOnlyBot::AckOnlyBot(net::Io& io, net::Transport& transport, Options options, base::Random random)
    : io_(io),
      transport_(transport),
      options_(std::move(options)),
      inputs_(options_.mix, random),
      dialed_us_(-redial_us) {}

void AckOnlyBot::advance() {
  const std::int64_t now_us = io_.now_us();
  if (!peer_ && refusal_.empty() && now_us - dialed_us_ >= redial_us) {
    peer_ = transport_.connect(options_.server);
    dialed_us_ = now_us;
  }
  if (!welcome_) return;
  if (now_us >= next_ping_us_) {
    ++pings_;
    next_ping_us_ = now_us + (pings_ <= fast_pings ? fast_ping_interval_us : ping_interval_us);
    transport_.send(*peer_, net::Channel::Time,
                    protocol::encode_ping({.id = pings_, .client_send_us = now_us}));
  }
  const double interval_us = 1e6 * welcome_->snapshot_interval_ticks / welcome_->tick_rate_hz;
  if (acks_ && static_cast<double>(now_us - packet_sent_us_) >= repeat_intervals * interval_us)
    send_packet();
}

void AckOnlyBot::close() {
  if (!peer_) return;
  transport_.drop(*peer_, net::DisconnectReason::Requested);
  start_over();
}

void AckOnlyBot::take(const net::PeerEvent& event) {
  if (!peer_ || event.peer != *peer_) return;
  switch (event.kind) {
    case net::PeerEvent::Kind::Connected: {
      protocol::Hello hello = protocol::context::own_hello();
      hello.role = options_.role;
      hello.profile = options_.profile;
      hello.client_name = options_.name;
      transport_.send(*peer_, net::Channel::Control, protocol::encode_control(hello));
      return;
    }
    case net::PeerEvent::Kind::Disconnected:
      ++times_lost_;
      if (event.reason == net::DisconnectReason::Refused) refusal_ = event.text;
      if (event.reason == net::DisconnectReason::TokenRevoked)
        refusal_ = std::string(net::describe(event.reason));
      return start_over();
    case net::PeerEvent::Kind::Received:
      break;
  }
  switch (event.channel) {
    case net::Channel::Control:
      return handle_control(event.bytes);
    case net::Channel::State:
      return handle_snapshot(event.bytes);
    case net::Channel::Time:
      return handle_pong(event.bytes);
    case net::Channel::Bulk:
      if (const auto chunk = protocol::decode_chunk(event.bytes)) use(blobs_.take(*chunk));
      return;
  }
}

void AckOnlyBot::start_over() {
  peer_.reset();
  welcome_.reset();
  blobs_ = {};
  acks_.reset();
  unacknowledged_.clear();
  pong_.reset();
}

void AckOnlyBot::handle_control(std::span<const std::byte> bytes) {
  const auto message = protocol::decode_control(bytes, protocol::max_control_message_bytes);
  if (!message) return;
  if (const auto* welcome = std::get_if<protocol::Welcome>(&*message)) {
    welcome_ = *welcome;
  } else if (const auto* reject = std::get_if<protocol::Reject>(&*message)) {
    refusal_ = reject->text;
  } else if (const auto* announcement = std::get_if<protocol::BlobAnnounce>(&*message)) {
    use(blobs_.announce(*announcement));
  }
}

void AckOnlyBot::use(client::BlobStore::Taken taken) {
  if (!taken.blob || taken.blob->kind != protocol::BlobKind::Keyframe) return;
  if (auto keyframe = protocol::decode_keyframe(taken.blob->bytes)) {
    begin_at(keyframe->tick, std::move(keyframe->ids));
  } else if (auto precise = protocol::decode_precise_keyframe(taken.blob->bytes)) {
    begin_at(precise->tick, std::move(precise->ids));
  }
}

void AckOnlyBot::begin_at(state::Tick keyframe, std::vector<state::BodyId> bodies) {
  if (!acks_) acks_.emplace();
  acks_->add_keyframe(keyframe);
  bodies_ = std::move(bodies);
  send_packet();
}

void AckOnlyBot::handle_snapshot(std::span<const std::byte> bytes) {
  if (!acks_ || protocol::kind_of_state_message(bytes) != protocol::StateMessage::Snapshot) return;
  const auto message = protocol::decode_snapshot_message(bytes);
  if (!message) return;
  const protocol::SnapshotHeader& header = message->header;
  while (!unacknowledged_.empty() && unacknowledged_.front().tick <= header.input_ack)
    unacknowledged_.pop_front();
  if (acks_->add(header) != HeaderAcks::Taken::Complete) return;
  ++snapshots_;
  if (age_hook_ && pong_) {
    const std::int64_t due_us =
        pong_->tick_due_us + (header.tick - pong_->tick) * us_per_second / welcome_->tick_rate_hz;
    age_hook_(io_.now_us() - due_us);
  }
  make_input(header.tick);
  send_packet();
}

void AckOnlyBot::make_input(state::Tick newest) {
  if (!welcome_ || welcome_->player.is_null()) return;
  if (auto wish = inputs_.next(bodies_)) held_ = *std::move(wish);
  const state::Tick wanted = newest + lead_ticks;
  if (!unacknowledged_.empty() && unacknowledged_.back().tick >= wanted) return;
  held_.tick = wanted;
  unacknowledged_.push_back(held_);
  held_.actions.clear();
  if (unacknowledged_.size() > protocol::max_inputs_per_packet) unacknowledged_.pop_front();
}

void AckOnlyBot::send_packet() {
  packet_sent_us_ = io_.now_us();
  transport_.send(
      *peer_, net::Channel::State,
      protocol::encode_input(
          {.ack = acks_->ack(), .inputs = {unacknowledged_.begin(), unacknowledged_.end()}}));
}

void AckOnlyBot::handle_pong(std::span<const std::byte> bytes) {
  if (const auto pong = protocol::decode_pong(bytes)) pong_ = *pong;
}

}  // namespace jostle::load
