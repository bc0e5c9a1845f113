#pragma once

#include "shared/net/system_io.h"
#include "shared/net/virtual_network.h"

#include <map>
#include <memory>
#include <optional>
#include <span>

namespace jostle::net {

/// Carries a VirtualNetwork's datagrams through the kernel: each of its sockets has a real one on
/// this machine, and what arrives there has gone from one to the other. Time, faults and addresses
/// stay the network's; forged senders have real sockets, too, of another loopback address each.
/// IPv4 only. What the kernel does of its own (buffers that are full, a port 0 that nobody can send
/// from) is lost, and no event_hash() tells.
class LoopbackCarrier final : public Carrier {
 public:
  void open(Address at) override;
  void close(Address at) override;
  bool carry(Address at, const Datagram& datagram) override;
  std::optional<DatagramSocket::Received> receive(Address at, std::span<std::byte> buffer) override;
  bool is_readable(Address at) override;

 private:
  std::unique_ptr<DatagramSocket> open_real(Ip ip);
  bool is_of_another(Address real, Address from) const;
  bool send(DatagramSocket& from, Address at, const Datagram& datagram);

  RealIo io_;
  std::map<Address, std::unique_ptr<DatagramSocket>> sockets_;  // by their address in the network
  struct Forger {
    Address at;               // as which it sends
    std::size_t waiting = 0;  // datagrams of it that nobody has received yet
  };
  std::map<Address, Address> known_as_;  // real sockets' addresses: those in the network
  std::map<Address, Forger> forgers_;    // by their real addresses
};

}  // namespace jostle::net
