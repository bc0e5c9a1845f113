#include "shared/net/system_io.h"

#include "shared/base/assert.h"
#include "shared/net/detail/posix.h"
#include "shared/net/detail/udp_socket.h"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <ctime>

namespace jostle::net {
namespace {

/// Requested size of the kernel's socket buffers; the kernel limits it to net.core.rmem_max and
/// wmem_max. With 1,000 clients, the buffer must hold all datagrams of a tick at once.
constexpr int socket_buffer_bytes = 4 * 1024 * 1024;

/// Returns true for the errors of socket() and bind() on a kernel without IPv6.
bool tells_of_no_ipv6(int error) {
  return error == EAFNOSUPPORT || error == EPROTONOSUPPORT || error == EOPNOTSUPP ||
         error == EADDRNOTAVAIL;
}

/// Opens the socket. The error is an errno.
base::Result<std::unique_ptr<DatagramSocket>, int> open_udp(Address local) {
  const sa_family_t family = detail::family_of(local.ip);
  detail::FileDescriptor descriptor(::socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor.is_open()) return errno;

  // Ignore errors, because a smaller buffer still works.
  for (const int option : {SO_RCVBUF, SO_SNDBUF}) {
    (void)::setsockopt(descriptor.get(), SOL_SOCKET, option, &socket_buffer_bytes,
                       sizeof(socket_buffer_bytes));
  }
  // Make a socket at :: dual-stack, whatever the system's default is.
  const int is_v6_only = 0;
  if (family == AF_INET6 && ::setsockopt(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, &is_v6_only,
                                         sizeof(is_v6_only)) != 0) {
    return errno;
  }
  const detail::NamedSocketAddress wanted = detail::to_kernel(local, family);
  if (::bind(descriptor.get(), &wanted.name.any, wanted.bytes) != 0) return errno;
  detail::SocketAddress bound{};
  socklen_t bound_bytes = sizeof(bound);
  if (::getsockname(descriptor.get(), &bound.any, &bound_bytes) != 0) return errno;
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<detail::UdpSocket>(std::move(descriptor), detail::from_kernel(bound)));
}

}  // namespace

std::int64_t SystemIo::unix_time_s() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec;
}

std::int64_t SystemIo::now_us() {
  timespec now{};
  const int result = ::clock_gettime(CLOCK_MONOTONIC, &now);
  JOSTLE_ASSERT(result == 0);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

void SystemIo::fill_random(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    // Without entropy no key is safe. On a working kernel the only possible error is EINTR.
    JOSTLE_ASSERT(got > 0 || errno == EINTR);
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

base::Result<std::unique_ptr<DatagramSocket>, IoError> SystemIo::open_datagram_socket(
    Address local) {
  auto opened = open_udp(local);
  if (!opened && local.ip == any_ip6 && tells_of_no_ipv6(opened.error()))
    opened = open_udp({any_ip, local.port});
  if (!opened) return detail::io_error_of(opened.error());
  return *std::move(opened);
}

}  // namespace jostle::net
