#pragma once

#include "shared/net/virtual_network.h"

#include <deque>

namespace jostle::net {

inline constexpr std::size_t max_udp_payload_bytes = 65'507;

/// A port of a VirtualNode. Holds what has arrived until it is received.
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

  /// Puts a datagram into the inbox, or counts it as dropped when that is full; the carrier's,
  /// where there is one.
  void take_in(Datagram datagram);

 private:
  /// For the carrier.
  Address place() const { return {node_.ip(), local_.port}; }

  VirtualNetwork& network_;
  VirtualNode& node_;
  Address local_;
  std::size_t capacity_bytes_;
  std::size_t inbox_bytes_ = 0;
  std::deque<Datagram> inbox_;
};

}  // namespace jostle::net
