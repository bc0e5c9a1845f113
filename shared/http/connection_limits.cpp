#include "shared/http/detail/connection_limits.h"

#include "shared/net/address_limits.h"

namespace jostle::http {

bool ConnectionLimits::add(net::Ip ip) {
  if (total_ >= max_total_) return false;
  const net::Ip network = net::subscriber_prefix_of(ip);
  std::size_t& here = by_address_[network];
  if (!ip.is_loopback() && here >= max_per_address_) {
    if (here == 0) by_address_.erase(network);
    return false;
  }
  ++here;
  ++total_;
  return true;
}

void ConnectionLimits::remove(net::Ip ip) {
  const auto found = by_address_.find(net::subscriber_prefix_of(ip));
  if (found == by_address_.end()) return;
  --total_;
  if (--found->second == 0) by_address_.erase(found);
}

}  // namespace jostle::http
