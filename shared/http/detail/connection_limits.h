#pragma once

#include "shared/net/address.h"

#include <cstddef>
#include <map>

namespace jostle::http {

/// Counts of open connections, in total and by network.
class ConnectionLimits {
 public:
  ConnectionLimits(std::size_t max_total, std::size_t max_per_address)
      : max_total_(max_total), max_per_address_(max_per_address) {}

  /// Counts a connection. Returns false if a limit is reached. Connections of this machine, such
  /// as those of a proxy, have only the total limit.
  bool add(net::Ip ip);
  /// Removes a connection that add() has counted.
  void remove(net::Ip ip);
  std::size_t total() const { return total_; }

 private:
  std::size_t max_total_, max_per_address_;
  std::size_t total_ = 0;
  std::map<net::Ip, std::size_t> by_address_;
};

}  // namespace jostle::http
