#pragma once

#include "shared/net/detail/posix.h"
#include "shared/net/io.h"

#include <netinet/in.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jostle::net::detail {

sockaddr_in to_sockaddr(Address address);
Address from_sockaddr(const sockaddr_in& address);

/// A non-blocking UDP socket of the kernel. Datagrams that are queued go out many to a system call;
/// those that have arrived come in so, too, and wait here until they are asked for.
class UdpSocket final : public DatagramSocket {
 public:
  UdpSocket(FileDescriptor descriptor, Address local);

  Address local_address() const override { return local_; }
  int native_handle() const override { return descriptor_.get(); }
  SocketCalls calls() const override { return calls_; }

  bool send(Address to, std::span<const std::byte> bytes) override;
  bool queue(Address to, std::span<const std::byte> bytes) override;
  std::size_t flush() override;
  std::optional<Received> receive(std::span<std::byte> buffer) override;

 private:
  struct Outgoing {
    sockaddr_in to{};
    std::size_t bytes = 0;
  };
  struct Incoming {
    Address from;
    std::size_t bytes = 0;  // of the datagram; more than a slot holds where it was cut
  };
  void take_in(std::size_t slot_bytes);

  FileDescriptor descriptor_;
  Address local_;
  SocketCalls calls_;
  std::vector<Outgoing> outgoing_;
  std::vector<std::byte> outgoing_bytes_;  // of all of them, one after the other
  std::size_t not_taken_ = 0;              // of those sent since the last flush()
  std::vector<Incoming> incoming_;
  std::vector<std::byte> slots_;  // one for each that may come at once
  std::size_t slot_bytes_ = 0;
  std::size_t next_incoming_ = 0;
  std::size_t batch_;  // datagrams to ask for at once
};

}  // namespace jostle::net::detail
