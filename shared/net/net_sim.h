#pragma once

#include "shared/base/result.h"
#include "shared/net/forwarding_io.h"
#include "shared/net/io.h"
#include "shared/net/network_conditions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jostle::net {

/// An Io whose sockets simulate a bad network: the datagrams that they send and receive pass faulty
/// links with a given seed. Everything else is forwarded to the underlying Io, which must outlive
/// this object.
///
/// A socket's handle also becomes readable when a delayed datagram is due, in either direction. The
/// next receive() then sends or returns it.
///
/// A NAT rebinding replaces the socket below by one on another port. It affects only sockets that
/// were opened on port 0, because a server behind such a NAT could not be reached.
class NetSim final : public ForwardingIo {
 public:
  /// The end of the network at which the sockets are.
  enum class End : std::uint8_t { Client, Server };
  NetSim(Io& below, const NetworkConditions& conditions, End end, std::uint64_t seed)
      : ForwardingIo(below),
        out_(end == End::Client ? conditions.up : conditions.down),
        in_(end == End::Client ? conditions.down : conditions.up),
        seed_(seed) {}

  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;

 private:
  LinkFaults out_, in_;
  std::uint64_t seed_;
  std::uint32_t sockets_ = 0;  // number of sockets opened so far
};

}  // namespace jostle::net
