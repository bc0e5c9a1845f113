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

/// An address as the kernel takes and gives it.
union SocketAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};
/// For a socket of one family; its length, too. Contract: for AF_INET an IPv4 address.
struct NamedSocketAddress {
  SocketAddress name{};
  socklen_t bytes = 0;
};
NamedSocketAddress to_kernel(Address address, sa_family_t family);
Address from_kernel(const SocketAddress& address);

constexpr sa_family_t family_of(Ip ip) {
  return ip.is_v4() ? AF_INET : AF_INET6;
}

/// A non-blocking UDP socket of the kernel, which is bound to `local`. Datagrams that are queued go
/// out many to a system call, and many to a message where the kernel cuts messages apart; those
/// that have arrived come in so, too, and wait here until they are asked for.
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
    std::size_t bytes = 0;  // of the datagram; more than a slot holds where it was cut
  };
  std::size_t send_batch(const std::vector<SendBatch::Datagram>& datagrams);
  std::size_t send_apart(const msghdr& refused);
  void take_in(std::size_t slot_bytes);

  FileDescriptor descriptor_;
  Address local_;
  SocketCalls calls_;
  bool may_join_;  // datagrams to a message
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
