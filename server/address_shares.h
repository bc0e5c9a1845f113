#pragma once

#include "shared/net/address.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

namespace jostle::server {

/// Rules by which addresses share the places of a server. An IPv6 address counts as its /64.
struct AddressShares {
  /// Maximum number of places of one address; 0: no limit. Null: half of the places for remote
  /// addresses, no limit for this machine.
  std::optional<std::size_t> per_address;

  /// Returns the number of places that the address may have.
  std::size_t limit(net::Ip address, std::size_t places) const {
    if (per_address) return *per_address == 0 ? places : *per_address;
    return address.is_loopback() ? places : std::max<std::size_t>(places / 2, 1);
  }
  /// Returns the number of places that are kept for addresses without one.
  std::size_t kept(net::Ip address, std::size_t places) const {
    const bool has_limit = per_address ? *per_address != 0 : !address.is_loopback();
    return has_limit ? places / 8 : 0;
  }
  /// Returns why the address gets no further place; empty if it may have one. `taken` places are
  /// in use, `here` of them by this address.
  std::string why_refused(net::Ip address, std::size_t places, std::size_t taken,
                          std::size_t here) const {
    const std::size_t most = limit(address, places);
    if (here >= most)
      return "this address has " + std::to_string(here) + " of the " + std::to_string(most) +
             " places that one address may have";
    if (here > 0 && taken + kept(address, places) >= places)
      return "the last " + std::to_string(kept(address, places)) +
             " places are kept for other addresses";
    return {};
  }
};

}  // namespace jostle::server
