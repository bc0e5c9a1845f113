#pragma once

#include "shared/net/address.h"

#include <cstdint>

namespace jostle::lan {

/// UDP port on which servers listen for requests, in addition to the game's port.
inline constexpr std::uint16_t discovery_port = 7776;

/// IPv6 multicast group on which servers listen: link-local scope, transient, with "jostle" as its
/// last bytes.
inline constexpr net::Ip discovery_group{
    net::Ip::Bytes{0xFF, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 'j', 'o', 's', 't', 'l', 'e'}};

/// Returns true for addresses of a local network: loopback, 10.0.0.0/8, 172.16.0.0/12,
/// 192.168.0.0/16, link-local of either family, or fc00::/7.
bool is_local(net::Ip ip);

}  // namespace jostle::lan
