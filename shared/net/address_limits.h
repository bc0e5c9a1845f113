#pragma once

#include "shared/base/allowance.h"
#include "shared/net/address.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace jostle::net {

/// Addresses of one household: an IPv4 address, or the first 64 bits of IPv6.
Ip one_owner_of(Ip ip);

/// What one machine elsewhere may do, by its address: for those who have shown that they receive
/// what is sent there. Of IPv6 the first 64 bits count, of which one household has at least one
/// choice. This machine itself has no limits.
class AddressLimits {
 public:
  struct Options {
    double exchanges_per_second = 2, exchange_burst = 64;
    std::size_t most_addresses = 4'096;  // that are remembered for each purpose
  };
  explicit AddressLimits(const Options& options) : options_(options) {}

  /// Whether it may begin another key exchange now.
  bool take_exchange(Ip from, std::int64_t now_us);

  /// Nobody there is let in until then.
  void ban(Ip address, std::int64_t until_us);
  bool is_banned(Ip address, std::int64_t now_us) const;

 private:
  Options options_;
  std::map<Ip, base::Allowance> exchanges_;
  std::map<Ip, std::int64_t> bans_;  // until when
};

}  // namespace jostle::net
