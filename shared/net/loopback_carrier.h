#pragma once

#include "shared/net/system_io.h"
#include "shared/net/virtual_network.h"

#include <map>
#include <memory>
#include <optional>
#include <span>

namespace jostle::net {

/// A carrier that sends the datagrams of a VirtualNetwork through the kernel. Each virtual socket
/// has a real one on the loopback interface. Time, faults and addresses stay virtual. A datagram
/// with a forged source address is sent from a temporary real socket.
///
/// The carrier supports only IPv4. Losses in the kernel (full buffers, or source port 0, from which
/// no socket can send) enter event_hash() as drops, so the hash may differ from that of a network
/// in memory.
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

  SystemIo io_;
  // keyed by the address in the virtual network
  std::map<Address, std::unique_ptr<DatagramSocket>> sockets_;
  struct Forger {
    Address at;  // the forged source address
    // number of datagrams from this address that have not been received yet
    std::size_t waiting = 0;
  };
  // maps a real address to the address in the virtual network
  std::map<Address, Address> known_as_;
  std::map<Address, Forger> forgers_;  // keyed by real address
};

}  // namespace jostle::net
