#pragma once

#include "shared/base/token_bucket.h"
#include "shared/net/address.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace jostle::net {

/// Returns the address block that is assumed to belong to one household: an IPv4 address, or an
/// IPv6 /64.
Ip subscriber_prefix_of(Ip ip);

/// Per-address rate limits and bans, for addresses that have proved with a cookie that they receive
/// what is sent to them. IPv6 addresses are grouped by their first 64 bits, because a household
/// controls at least a /64. Loopback addresses have no limits.
class AddressLimits {
 public:
  struct Options {
    double exchanges_per_second = 2, exchange_burst = 64;
    std::size_t most_addresses = 4'096;  // maximum number of entries in each of the two tables
  };
  explicit AddressLimits(const Options& options) : options_(options) {}

  /// Takes one key exchange from the address's token bucket. Returns false if its rate limit is
  /// reached.
  bool take_exchange(Ip from, std::int64_t now_us);

  /// Bans the address (for IPv6, its first 64 bits) until `until_us`. Never shortens a ban.
  void ban(Ip address, std::int64_t until_us);
  /// Returns true if the address is banned.
  bool is_banned(Ip address, std::int64_t now_us) const;

 private:
  Options options_;
  std::map<Ip, base::TokenBucket> exchanges_;
  std::map<Ip, std::int64_t> bans_;  // the times at which the bans end
};

}  // namespace jostle::net
