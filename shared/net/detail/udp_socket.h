#pragma once

#include "shared/net/detail/posix.h"
#include "shared/net/detail/send_batch.h"
#include "shared/net/io.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace jostle::net::detail {

/// A socket address in the kernel's representation.
union SocketAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};
/// A socket address and its length.
struct NamedSocketAddress {
  SocketAddress name{};
  socklen_t bytes = 0;
};
/// Converts an address for a socket of this family. For AF_INET the address must be IPv4.
NamedSocketAddress to_kernel(Address address, sa_family_t family);
Address from_kernel(const SocketAddress& address);

constexpr sa_family_t family_of(Ip ip) {
  return ip.is_v4() ? AF_INET : AF_INET6;
}

/// A non-blocking UDP socket, bound to `local`. Each system call sends many queued datagrams,
/// joined into larger messages if the kernel supports segmentation offload. Each system call also
/// receives many datagrams, which are buffered here until receive() returns them.
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
    NamedSocketAddress to;
    std::size_t bytes = 0;
  };
  struct Incoming {
    Address from;
    std::size_t bytes = 0;  // length of the datagram; larger than a slot if it was truncated
  };
  std::size_t send_batch(const std::vector<SendBatch::Datagram>& datagrams);
  std::size_t send_apart(const msghdr& refused);
  void receive_batch(std::size_t slot_bytes);

  FileDescriptor descriptor_;
  Address local_;
  SocketCalls calls_;
  bool may_join_;  // true if datagrams may be joined into one message
  std::vector<Outgoing> outgoing_;
  std::vector<std::byte> outgoing_bytes_;  // the payloads, one after the other
  // number of datagrams that the kernel rejected since the last flush()
  std::size_t not_taken_ = 0;
  std::vector<Incoming> incoming_;
  std::vector<std::byte> slots_;  // receive buffers, one for each datagram of a batch
  std::size_t slot_bytes_ = 0;
  std::size_t next_incoming_ = 0;
  std::size_t batch_;  // number of datagrams to request per call
};

}  // namespace jostle::net::detail
