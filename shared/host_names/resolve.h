#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::host_names {

/// Returns at most six addresses of `found`, without duplicates, in the order in which to try them.
/// IPv4 addresses come first, because a server listens on IPv4 by default. Otherwise, the order of
/// `found` is kept.
std::vector<net::Ip> in_order_of_trial(std::span<const net::Ip> found);

/// Returns true if the text must be a complete IP address instead of a name, because it has a colon
/// or only digits and dots.
bool is_ip_text(const std::string& host);

/// Returns the most restrictive local address from which all addresses of a server can be reached.
/// Contract: there is at least one.
net::Ip local_ip_for(std::span<const net::Address> server);

/// Returns the addresses of a host name or IP address; at least one, or an error of one sentence.
/// May block on a name server.
base::Result<std::vector<net::Address>, std::string> resolve(const std::string& host,
                                                             std::uint16_t port);

}  // namespace jostle::host_names
