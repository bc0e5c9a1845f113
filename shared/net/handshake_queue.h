#pragma once

#include "shared/net/address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace jostle::net {

/// Returns the network that is assumed to belong to one organisation: the first 24 bits of IPv4, or
/// 48 of IPv6.
Ip network_prefix_of(Ip ip);

/// The queue of clients that have returned a valid cookie and wait for a key exchange. It exists
/// because each exchange takes CPU time and many clients may arrive at once. Clients of the network
/// with the fewest sessions without an ENet peer are served first, and among these the earliest
/// client. An attacker with many addresses of one network therefore waits behind all other clients.
/// A client that stops repeating its AUTH is removed.
class HandshakeQueue {
 public:
  using Digest = std::array<std::byte, 16>;
  struct Entry {
    std::vector<std::byte> datagram;
    Digest digest{};  // digest of the datagram
    Address from;
    std::int64_t asked_us = 0;  // time of the last AUTH
  };

  /// Records a repeated AUTH. Returns false if no AUTH with this digest is in the queue.
  bool ask_again(const Digest& digest, std::int64_t now_us);
  /// Adds a client. If the queue is full, replaces the newest entry of the network with the most
  /// entries. Returns false and adds nothing if that network has at most one entry more than the
  /// new client's network.
  bool add(Entry guest);
  /// Removes clients that have not repeated their AUTH for `patience_us`.
  void forget_those_gone(std::int64_t now_us);
  /// Removes and returns the next client, or returns nothing if the queue is empty. `places`
  /// returns the number of sessions without an ENet peer that a network holds.
  std::optional<Entry> take_next(const std::function<std::size_t(Ip network)>& places);

  bool is_empty() const { return guests_.empty(); }
  std::size_t size() const { return guests_.size(); }

  /// Maximum number of clients in the queue.
  static constexpr std::size_t seats = 1'000;
  /// Time after which a client that does not repeat its AUTH is removed. Clients repeat it every
  /// 250 ms.
  static constexpr std::int64_t patience_us = 800'000;

 private:
  std::deque<Entry> guests_;  // entries in order of arrival
};

}  // namespace jostle::net
