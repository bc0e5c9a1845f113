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

/// Many addresses of one owner: of IPv4 the first 24 bits, of IPv6 the first 48.
Ip wide_network_of(Ip ip);

/// Who has shown a cookie waits for a key exchange: many may come at once, and one takes time.
/// Those whose network holds the fewest places come first, and of these who came first: somebody
/// with many addresses waits behind everybody else. Who does not ask again is gone.
class WaitingRoom {
 public:
  using Digest = std::array<std::byte, 16>;
  struct Guest {
    std::vector<std::byte> datagram;
    Digest digest{};  // of it
    Address from;
    std::int64_t asked_us = 0;  // last
  };

  /// Asked again: false when there is no such guest.
  bool ask_again(const Digest& digest, std::int64_t now_us);
  /// False when there is no seat; one of a network that has more here than the guest's is taken
  /// away.
  bool add(Guest guest);
  void forget_those_gone(std::int64_t now_us);
  /// The next one; `places` says how many a network holds.
  std::optional<Guest> take_next(const std::function<std::size_t(Ip network)>& places);

  bool is_empty() const { return guests_.empty(); }
  std::size_t size() const { return guests_.size(); }

  static constexpr std::size_t seats = 1'000;
  /// Our clients repeat themselves four times a second.
  static constexpr std::int64_t patience_us = 800'000;

 private:
  std::deque<Guest> guests_;  // as they came
};

}  // namespace jostle::net
