#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace jostle::client_app {

/// The first IPv4 address, or else the first: names of this machine and of others often have both,
/// and a server listens at IPv4 unless it is told otherwise. Nothing when there is none.
std::optional<net::Ip> choose_ip(std::span<const net::Ip> found);

/// The address of a host name, or that which the text itself is; one sentence when there is none.
/// May wait for a name server.
base::Result<net::Address, std::string> resolve(const std::string& host, std::uint16_t port);

}  // namespace jostle::client_app
