#include "gate/viewer.h"

#include "shared/base/bytes.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace jostle::gate {
namespace {

using net::DisconnectReason;

/// Maximum size of the reliable messages that are sent as one, in bytes. While such a message is
/// on its way, nothing newer can be sent.
constexpr std::size_t max_batch_bytes = 8'192;
/// Interval of pings that only measure the round trip, in µs.
constexpr std::int64_t ping_interval_us = 5'000'000;
constexpr double burst_seconds = 2;

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t microseconds(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e6);
}

/// Returns the kind of a message: its FlatBuffers identifier, four bytes at byte 4. 0 without one.
std::uint32_t kind_of(std::span<const std::byte> message) {
  constexpr std::size_t offset = 4;
  if (message.size() < offset + 4) return 0;
  return base::load_little_endian<std::uint32_t>(message.data() + offset);
}

}  // namespace

std::vector<std::byte> encode_batch(const http::SendQueue::Batch& batch) {
  base::ByteWriter writer;
  if (batch.messages.size() == 1) {
    writer.reserve(1 + batch.bytes);
    writer.u8(batch.channel);
    writer.raw(batch.messages.front());
    return writer.take();
  }
  writer.reserve(1 + batch.bytes + 2 * batch.messages.size());
  writer.u8(
      static_cast<std::uint8_t>(std::to_integer<unsigned>(gate_link::group_mark) + batch.channel));
  for (const http::SendQueue::Message& message : batch.messages) {
    writer.u16(static_cast<std::uint16_t>(message.size()));
    writer.raw(message);
  }
  return writer.take();
}

Viewer::Viewer(gate_link::ViewerId id, net::Address address, ViewerOwner& owner,
               const ViewerLimits& limits)
    : id_(id),
      address_(address),
      owner_(&owner),
      limits_(limits),
      queue_(max_batch_bytes),
      messages_(limits.messages_per_second, burst_seconds * limits.messages_per_second) {}

void Viewer::opened(http::WebSocket& socket) {
  socket_ = &socket;
  opened_us_ = last_ping_us_ = now_us();
  if (closing_) socket.close(closing_->code, closing_->reason);
}

void Viewer::received(std::span<const std::byte> message) {
  if (closing_ || owner_ == nullptr) return;
  if (!messages_.take(now_us())) return close(DisconnectReason::Misbehaved);
  if (!has_entered_) {
    const auto request = gate_link::decode_entry_request(message);
    if (!request) return close(DisconnectReason::Misbehaved);
    has_entered_ = true;
    return owner_->entered(*this, *request);
  }
  const auto content = gate_link::decode_viewer_message(message);
  if (!content || !is_admitted_) return close(DisconnectReason::Misbehaved);
  owner_->received(*this, *content);
}

void Viewer::admit(const net::PeerIdentity& identity) {
  if (is_admitted_) return;
  is_admitted_ = true;
  answer_ = gate_link::encode_entry_answer(identity);
  flush();
}

void Viewer::send(net::Channel channel, std::uint64_t group, std::span<const std::byte> message) {
  if (closing_ || !is_admitted_) return;
  const auto number = static_cast<std::uint8_t>(channel);
  if (channel == net::Channel::Control || channel == net::Channel::Bulk) {
    queue_.add_reliable(number, message);
    if (queue_.reliable_bytes() > limits_.max_reliable_bytes) close(DisconnectReason::TooSlow);
  } else {
    queue_.add_newest(number, kind_of(message), group, message);
  }
}

void Viewer::send_snapshot(std::uint32_t number, std::span<const std::byte> part) {
  if (closing_ || !is_admitted_) return;
  // A viewer that lacks the world or an earlier snapshot cannot decode this one, nor any later one
  // before the next key frame. So the snapshot must not overtake the messages that wait.
  if (queue_.has_reliable())
    return queue_.add_reliable(static_cast<std::uint8_t>(net::Channel::State), part);
  // As kinds, the numbers are far below FlatBuffers identifiers. Slots are sent by ascending kind.
  queue_.add_newest(static_cast<std::uint8_t>(net::Channel::State), number, number, part);
}

void Viewer::flush() {
  if (socket_ != nullptr) socket_->wake();
}

std::optional<std::vector<std::byte>> Viewer::next_message() {
  if (!answer_.empty()) return std::exchange(answer_, {});
  // The previous message has been sent now, so a ping that is sent now acknowledges it.
  if (reliable_written_ > reliable_measured_) measure();
  if (closing_ && !queue_.has_reliable()) {
    socket_->close(closing_->code, closing_->reason);
    return std::nullopt;
  }
  if (queue_.is_empty()) return std::nullopt;
  const http::SendQueue::Batch batch = queue_.take();
  if (batch.is_reliable) reliable_written_ += batch.bytes;
  return encode_batch(batch);
}

/// Sends a ping whose payload is the number of reliable bytes before it, unless one is on its way.
void Viewer::measure() {
  if (ping_sent_us_ || socket_ == nullptr) return;
  base::ByteWriter payload;
  payload.u64(reliable_written_);
  if (!socket_->ping(payload.bytes())) return;
  reliable_measured_ = reliable_written_;
  ping_sent_us_ = last_ping_us_ = now_us();
}

void Viewer::pong(std::span<const std::byte> payload) {
  base::ByteReader reader(payload);
  const std::uint64_t total = reader.u64();
  // Other pongs are unsolicited, or answer pings of the WebSocket library.
  if (!ping_sent_us_ || !reader.at_end() || total != reliable_measured_) return;
  const std::int64_t round_trip_us = now_us() - *ping_sent_us_;
  ping_sent_us_.reset();
  if (owner_ != nullptr && is_admitted_)
    owner_->acknowledged(*this, total, static_cast<std::uint32_t>(round_trip_us));
  if (reliable_written_ > reliable_measured_) measure();
}

void Viewer::close(DisconnectReason reason, bool is_immediate) {
  if (reason == DisconnectReason::Misbehaved || reason == DisconnectReason::TooSlow)
    misbehaviour_ = reason;
  close(gate_link::close_code(reason), std::string(net::describe(reason)), is_immediate);
}

void Viewer::close(std::uint16_t code, const std::string& reason, bool is_immediate) {
  if (closing_) return;
  closing_ = {code, reason};
  if (socket_ == nullptr) return;  // opened() closes
  if (is_immediate) {
    socket_->close(code, reason);
  } else {
    flush();
  }
}

void Viewer::watch() {
  if (socket_ == nullptr) return;
  const std::int64_t now = now_us();
  if (!has_entered_ && now - opened_us_ > microseconds(limits_.entry_seconds))
    return close(DisconnectReason::HandshakeTimeout);
  const bool is_stalled = socket_->sending_us() > microseconds(limits_.stall_seconds);
  const bool is_silent = ping_sent_us_ && now - *ping_sent_us_ > microseconds(limits_.ping_seconds);
  if (is_stalled || is_silent) {
    // A connection that waits for its last reliable messages ends here, too.
    misbehaviour_ = DisconnectReason::TooSlow;
    closing_ = {gate_link::close_code(DisconnectReason::TooSlow),
                std::string(net::describe(DisconnectReason::TooSlow))};
    return socket_->close(closing_->code, closing_->reason);
  }
  if (now - last_ping_us_ > ping_interval_us) measure();
}

void Viewer::closed(std::uint16_t code, const std::string&) {
  socket_ = nullptr;
  if (owner_ == nullptr) return;
  const DisconnectReason by_viewer = gate_link::close_reason(code).reason;
  // The viewer cannot choose the reasons that only the server gives.
  const bool is_left = by_viewer == DisconnectReason::Requested && !closing_;
  owner_->left(*this, misbehaviour_.value_or(is_left ? DisconnectReason::Requested
                                                     : DisconnectReason::TimedOut));
}

}  // namespace jostle::gate
