#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::net {

// IPv4 broadcast and link-local IPv6 multicast for LAN discovery. These functions use the system's
// interfaces directly, so only the programs call them. The discovery protocol works over any socket
// of an Io.

/// Opens a socket on all addresses of this machine that may send broadcasts. A port other than 0 is
/// shared with other sockets that are opened this way, and each of them receives all broadcasts.
/// With such a port, an IPv6 socket also joins `group` on every interface that exists at this time.
base::Result<std::unique_ptr<DatagramSocket>, IoError> open_link_socket(std::uint16_t port,
                                                                        Ip group);

/// Returns the addresses that reach all hosts on the links: the broadcast address of each IPv4
/// network, including the loopback network, and `group` on each interface with a link-local
/// address.
std::vector<Ip> everybody_on_links(Ip group);

}  // namespace jostle::net
