#include "shared/net/address_limits.h"

#include <algorithm>

namespace jostle::net {

Ip subscriber_prefix_of(Ip ip) {
  if (ip.is_v4()) return ip;
  Ip::Bytes bytes = ip.bytes();
  std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
  return Ip(bytes);
}

bool AddressLimits::take_exchange(Ip from, std::int64_t now_us) {
  if (from.is_loopback()) return true;
  if (exchanges_.size() >= options_.most_addresses &&
      !exchanges_.contains(subscriber_prefix_of(from))) {
    std::erase_if(exchanges_, [now_us](const auto& entry) { return entry.second.is_full(now_us); });
    // An attacker that uses thousands of addresses escapes this limit. Clearing the table keeps new
    // clients from being locked out.
    if (exchanges_.size() >= options_.most_addresses) exchanges_.clear();
  }
  const base::TokenBucket fresh(options_.exchanges_per_second, options_.exchange_burst);
  return exchanges_.try_emplace(subscriber_prefix_of(from), fresh).first->second.take(now_us);
}

void AddressLimits::ban(Ip address, std::int64_t until_us) {
  if (address.is_loopback()) return;
  if (bans_.size() >= options_.most_addresses) {
    // Replace the ban that would end first.
    bans_.erase(std::min_element(bans_.begin(), bans_.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; }));
  }
  std::int64_t& until = bans_[subscriber_prefix_of(address)];
  until = std::max(until, until_us);
}

bool AddressLimits::is_banned(Ip address, std::int64_t now_us) const {
  const auto ban = bans_.find(subscriber_prefix_of(address));
  return ban != bans_.end() && now_us < ban->second;
}

}  // namespace jostle::net
