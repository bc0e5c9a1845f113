#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::client_app {

/// In the order in which they are to be tried, each once, and not too many: those of IPv4 first,
/// where a server listens unless it is told otherwise; else as they were found.
std::vector<net::Ip> in_order_of_trial(std::span<const net::Ip> found);

/// The addresses of a host name, or the one that the text itself is; at least one, or one sentence
/// that says why there is none. May wait for a name server.
base::Result<std::vector<net::Address>, std::string> resolve(const std::string& host,
                                                             std::uint16_t port);

}  // namespace jostle::client_app
