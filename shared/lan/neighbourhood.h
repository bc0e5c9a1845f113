#pragma once

#include "shared/net/address.h"

#include <cstdint>

namespace jostle::lan {

/// Where servers listen for those who look for one, each beside its own port.
inline constexpr std::uint16_t discovery_port = 7776;

/// What they listen to over IPv6: a group of one link that nobody has assigned; "jostle" in it.
inline constexpr net::Ip discovery_group{
    net::Ip::Bytes{0xFF, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 'j', 'o', 's', 't', 'l', 'e'}};

/// Whether an address is one of a local network: loopback, 10.0.0.0/8, 172.16.0.0/12,
/// 192.168.0.0/16, link-local of either family, or fc00::/7.
bool is_local(net::Ip ip);

}  // namespace jostle::lan
