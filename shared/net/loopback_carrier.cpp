#include "shared/net/loopback_carrier.h"

#include "shared/base/assert.h"

#include <linux/sock_diag.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <utility>

namespace jostle::net {
namespace {

/// Maps the network's 10.0.0.0/8 to 127.0.0.0/8, so that each virtual machine has its own loopback
/// address.
Ip loopback_of(Ip ip) {
  return 0x7F000000U | (ip.v4() & 0x00FFFFFFU);
}

/// Returns the number of bytes in the socket's kernel buffer, and of datagrams that the kernel has
/// dropped.
std::pair<std::uint32_t, std::uint32_t> kernel_inbox(const DatagramSocket& socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t bytes = sizeof(info);
  const int result =
      ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_MEMINFO, info.data(), &bytes);
  JOSTLE_ASSERT(result == 0);
  return {info[SK_MEMINFO_RMEM_ALLOC], info[SK_MEMINFO_DROPS]};
}

}  // namespace

std::unique_ptr<DatagramSocket> LoopbackCarrier::open_real(Ip ip) {
  auto socket = io_.open_datagram_socket({loopback_of(ip), 0});
  JOSTLE_ASSERT(socket.has_value());
  return *std::move(socket);
}

void LoopbackCarrier::open(Address at) {
  auto socket = open_real(at.ip);
  known_as_[socket->local_address()] = at;
  sockets_[at] = std::move(socket);
}

void LoopbackCarrier::close(Address at) {
  known_as_.erase(sockets_.at(at)->local_address());
  sockets_.erase(at);
}

bool LoopbackCarrier::carry(Address at, const Datagram& datagram) {
  if (datagram.from.port == 0) return false;
  const auto own = sockets_.find(datagram.from);
  if (own != sockets_.end()) return send(*own->second, at, datagram);
  auto forger = open_real(datagram.from.ip);
  while (is_of_another(forger->local_address(), datagram.from))
    forger = open_real(datagram.from.ip);
  if (!send(*forger, at, datagram)) return false;
  Forger& known = forgers_[forger->local_address()];
  known.at = datagram.from;
  ++known.waiting;
  return true;
}

bool LoopbackCarrier::is_of_another(Address real, Address from) const {
  const auto known = forgers_.find(real);
  return known != forgers_.end() && known->second.at != from;
}

bool LoopbackCarrier::send(DatagramSocket& from, Address at, const Datagram& datagram) {
  const DatagramSocket& receiver = *sockets_.at(at);
  const auto [waiting, dropped] = kernel_inbox(receiver);
  if (!from.send(receiver.local_address(), datagram.bytes)) return false;
  // The kernel usually delivers immediately, but may delay datagrams under load, so wait up to 1 s.
  for (int patience_ms = 1'000; patience_ms > 0; --patience_ms) {
    const auto [waiting_now, dropped_now] = kernel_inbox(receiver);
    if (waiting_now != waiting) return true;
    if (dropped_now != dropped) return false;
    ::poll(nullptr, 0, 1);
  }
  return false;
}

std::optional<DatagramSocket::Received> LoopbackCarrier::receive(Address at,
                                                                 std::span<std::byte> buffer) {
  while (auto received = sockets_.at(at)->receive(buffer)) {
    const auto sender = known_as_.find(received->from);
    const auto forger = forgers_.find(received->from);
    if (sender != known_as_.end()) {
      received->from = sender->second;
    } else if (forger != forgers_.end()) {
      received->from = forger->second.at;
      if (--forger->second.waiting == 0) forgers_.erase(forger);
    } else {
      continue;  // sent by another program on this machine
    }
    return received;
  }
  return std::nullopt;
}

bool LoopbackCarrier::is_readable(Address at) {
  pollfd wait{.fd = sockets_.at(at)->native_handle(), .events = POLLIN, .revents = 0};
  return ::poll(&wait, 1, 0) == 1;
}

}  // namespace jostle::net
