#pragma once

#include "shared/base/result.h"
#include "shared/net/io.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::net {

// What goes to everybody on the links of this machine: IPv4 broadcasts, and an IPv6 group whose
// members are on one link. Links are the system's, so this is for programs; what is said in the
// datagrams works over any socket of an Io.

/// A socket at all addresses of this machine, which may send to everybody. With a port other than
/// 0 it shares that port with others that are opened so, each of which receives what goes to
/// everybody, and listens to `group` on every interface that there is now.
base::Result<std::unique_ptr<DatagramSocket>, IoError> open_link_socket(std::uint16_t port,
                                                                        Ip group);

/// Where everybody is: the broadcast address of each IPv4 network, that of this machine's loopback
/// included, and `group` on each interface with a link-local address.
std::vector<Ip> everybody_on_links(Ip group);

}  // namespace jostle::net
