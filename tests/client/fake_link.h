#pragma once

#include "shared/base/random.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace jostle::client {

/// An Io that provides only a clock and random bytes, all of which are 4. Every other operation
/// fails.
class FakeIo final : public net::Io {
 public:
  std::int64_t now_us() override { return time_us; }
  std::int64_t unix_time_s() override { return time_us / 1'000'000; }
  void fill_random(std::span<std::byte> bytes) override {
    std::fill(bytes.begin(), bytes.end(), std::byte{4});
  }
  base::Result<std::unique_ptr<net::DatagramSocket>, net::IoError> open_datagram_socket(
      net::Address) override {
    return net::IoError::Unknown;
  }
  base::Result<std::vector<std::byte>, net::IoError> read_file(const std::string&,
                                                               std::size_t) override {
    return net::IoError::NotFound;
  }
  base::Result<base::Ok, net::IoError> write_file(const std::string&,
                                                  std::span<const std::byte>) override {
    return net::IoError::NoSpace;
  }
  base::Result<base::Ok, net::IoError> create_file(const std::string&,
                                                   std::span<const std::byte>) override {
    return net::IoError::NoSpace;
  }
  base::Result<base::Ok, net::IoError> append_file(const std::string&,
                                                   std::span<const std::byte>) override {
    return net::IoError::NoSpace;
  }
  base::Result<std::vector<std::byte>, net::IoError> read_secret_file(const std::string&,
                                                                      std::size_t) override {
    return net::IoError::NotFound;
  }
  base::Result<base::Ok, net::IoError> write_secret_file(const std::string&,
                                                         std::span<const std::byte>) override {
    return net::IoError::NoSpace;
  }
  base::Result<base::Ok, net::IoError> create_secret_file(const std::string&,
                                                          std::span<const std::byte>) override {
    return net::IoError::NoSpace;
  }

  std::int64_t time_us = 5'000'000;
};

/// A client transport whose other end is controlled by the test. Reliable channels deliver their
/// messages in order. Unreliable channels lose and reorder messages.
class FakeLink final : public net::Transport {
 public:
  FakeLink(FakeIo& io, std::uint64_t seed) : io_(io), random_(seed) {}

  // Link properties set by the test.
  std::int64_t delay_us = 20'000;  // each way
  std::int64_t jitter_us = 0;      // additional, uniformly distributed
  float loss = 0;                  // fraction of unreliable messages lost
  // fraction of messages to the client in which up to 8 random bits are flipped
  float damage = 0;
  bool is_server_up = true;  // false: there is no answer
  bool has_free_slot = true;
  std::int64_t control_delay_us = 0;  // additional delay of Control messages to the client
  int dials = 0;
  // address of the server; if empty, every dialed address has a server
  std::optional<net::Address> server_at;
  std::string trouble;       // error text that trouble_with() returns for a connection attempt
  bool is_answered = false;  // result of has_answered()

  // The server's end of the link.
  struct Message {
    net::PeerId peer;
    net::Channel channel = net::Channel::Control;
    std::vector<std::byte> bytes;
  };
  /// Returns the messages that have arrived at the server since the last call.
  std::vector<Message> receive_at_server() {
    std::vector<Message> messages;
    for (auto& [at_us, event] : take_due(up_)) {
      messages.push_back({event.peer, event.channel, std::move(event.bytes)});
    }
    return messages;
  }
  void send_to_client(net::PeerId peer, net::Channel channel, std::vector<std::byte> bytes) {
    counters_.bytes_received += bytes.size();
    if (is_lost(channel)) return;
    if (random_.chance(damage) && !bytes.empty()) {
      for (std::uint32_t flips = 1 + random_.below(8); flips > 0; --flips) {
        bytes[random_.below(static_cast<std::uint32_t>(bytes.size()))] ^=
            static_cast<std::byte>(1U << random_.below(8));
      }
    }
    push(down_, {.kind = net::PeerEvent::Kind::Received,
                 .peer = peer,
                 .channel = channel,
                 .reason = net::DisconnectReason::None,
                 .bytes = std::move(bytes)});
  }
  /// Ends the connection at the server. If `reason` is empty, the client gets no event, as if the
  /// server had been killed.
  void end_at_server(net::PeerId peer, std::optional<net::DisconnectReason> reason) {
    if (reason) {
      push(down_, {.kind = net::PeerEvent::Kind::Disconnected,
                   .peer = peer,
                   .channel = net::Channel::Control,
                   .reason = *reason,
                   .bytes = {}});
    }
  }
  net::PeerId last_peer() const { return {last_peer_}; }
  /// Returns the peers that the client has disconnected or dropped, with the reasons.
  const std::vector<std::pair<net::PeerId, net::DisconnectReason>>& left() const { return left_; }

  void service(std::vector<net::PeerEvent>& events) override {
    for (auto& [at_us, event] : take_due(down_)) {
      if (event.peer != current_) continue;
      if (event.kind == net::PeerEvent::Kind::Disconnected) current_ = {};
      events.push_back(std::move(event));
    }
  }
  std::optional<net::PeerId> connect(net::Address to) override {
    ++dials;
    if (!has_free_slot) return {};
    current_ = {++last_peer_};
    if (is_server_up && (!server_at || *server_at == to)) {
      push(down_, {.kind = net::PeerEvent::Kind::Connected,
                   .peer = current_,
                   .channel = net::Channel::Control,
                   .reason = net::DisconnectReason::None,
                   .bytes = {}});
    }
    return current_;
  }
  bool send(net::PeerId peer, net::Channel channel, std::span<const std::byte> bytes) override {
    if (peer != current_) return false;
    counters_.bytes_sent += bytes.size();
    if (is_lost(channel) || !is_server_up) return true;
    push(up_, {.kind = net::PeerEvent::Kind::Received,
               .peer = peer,
               .channel = channel,
               .reason = net::DisconnectReason::None,
               .bytes = {bytes.begin(), bytes.end()}});
    return true;
  }
  void flush() override {}
  void disconnect(net::PeerId peer, net::DisconnectReason reason) override {
    left_.emplace_back(peer, reason);
    if (is_server_up) end_at_server(peer, net::DisconnectReason::Requested);
  }
  void drop(net::PeerId peer, net::DisconnectReason reason) override {
    left_.emplace_back(peer, reason);
    if (peer == current_) current_ = {};
  }
  std::size_t pending_reliable_bytes(net::PeerId) const override { return 0; }
  std::optional<net::PeerIdentity> identity(net::PeerId) const override {
    return net::PeerIdentity{};
  }
  std::string trouble_with(net::PeerId) const override { return trouble; }
  bool has_answered(net::PeerId) const override { return is_answered; }
  std::optional<net::PeerStats> stats(net::PeerId) const override { return {}; }
  net::TransportCounters counters() const override { return counters_; }
  net::Address local_address() const override { return {net::loopback_ip, 40'000}; }
  int native_handle() const override { return -1; }

 private:
  using Timed = std::pair<std::int64_t, net::PeerEvent>;
  struct Direction {
    std::vector<Timed> messages;
    // arrival time of the last message of each reliable channel, indexed by channel
    std::array<std::int64_t, net::channel_count> last_us{};
  };

  static bool is_reliable(net::Channel channel) {
    return channel == net::Channel::Control || channel == net::Channel::Bulk;
  }
  bool is_lost(net::Channel channel) { return random_.chance(loss) && !is_reliable(channel); }
  void push(Direction& direction, net::PeerEvent event) {
    std::int64_t at_us = io_.time_us + delay_us;
    const bool is_control_message =
        event.kind == net::PeerEvent::Kind::Received && event.channel == net::Channel::Control;
    if (&direction == &down_ && is_control_message) at_us += control_delay_us;
    if (jitter_us > 0) at_us += random_.below(static_cast<std::uint32_t>(jitter_us));
    if (is_reliable(event.channel)) {
      std::int64_t& last_us = direction.last_us[static_cast<std::size_t>(event.channel)];
      at_us = last_us = std::max(at_us, last_us);
    }
    direction.messages.emplace_back(at_us, std::move(event));
  }
  std::vector<Timed> take_due(Direction& direction) {
    const auto later = std::stable_partition(
        direction.messages.begin(), direction.messages.end(),
        [this](const Timed& message) { return message.first <= io_.time_us; });
    std::vector<Timed> due(std::make_move_iterator(direction.messages.begin()),
                           std::make_move_iterator(later));
    direction.messages.erase(direction.messages.begin(), later);
    std::stable_sort(due.begin(), due.end(),
                     [](const Timed& a, const Timed& b) { return a.first < b.first; });
    return due;
  }

  FakeIo& io_;
  base::Random random_;
  Direction up_, down_;
  net::PeerId current_;
  std::uint32_t last_peer_ = 0;
  std::vector<std::pair<net::PeerId, net::DisconnectReason>> left_;
  net::TransportCounters counters_;
};

}  // namespace jostle::client
