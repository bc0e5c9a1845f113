#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstdint>
#include <string>

namespace jostle::client_app {

/// The IPv4 address of a host name or of a dotted quad; one sentence when there is none. May wait
/// for a name server.
base::Result<net::Address, std::string> resolve(const std::string& host, std::uint16_t port);

}  // namespace jostle::client_app
