#pragma once

#include "shared/net/virtual_network.h"

#include <deque>

namespace jostle::net {

inline constexpr std::size_t max_udp_payload_bytes = 65'507;

/// A UDP port of a VirtualNode. It stores received datagrams until receive() returns them.
class VirtualNode::Socket final : public DatagramSocket {
 public:
  Socket(VirtualNetwork& network, VirtualNode& node, Address local, std::size_t capacity_bytes);
  ~Socket() override;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  Address local_address() const override { return local_; }
  bool send(Address to, std::span<const std::byte> bytes) override;
  std::optional<Received> receive(std::span<std::byte> buffer) override;
  int native_handle() const override { return -1; }
  bool is_readable() const;

  /// Stores a datagram in the inbox, or passes it to the carrier if there is one. Counts the
  /// datagram as dropped if the inbox is full or the carrier loses it.
  void deliver(Datagram datagram);

 private:
  /// Returns the address under which the carrier knows this socket.
  Address place() const { return {node_.ip(), local_.port}; }

  VirtualNetwork& network_;
  VirtualNode& node_;
  Address local_;
  std::size_t capacity_bytes_;
  std::size_t inbox_bytes_ = 0;
  std::deque<Datagram> inbox_;
};

}  // namespace jostle::net
