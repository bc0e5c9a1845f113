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

/// Asked of the kernel, which clamps it to net.core.rmem_max: at 1,000 clients a tick's datagrams
/// wait here together.
constexpr int socket_buffer_bytes = 4 * 1024 * 1024;
}  // namespace

std::int64_t RealIo::now_us() {
  timespec now{};
  const int result = ::clock_gettime(CLOCK_MONOTONIC, &now);
  JOSTLE_ASSERT(result == 0);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

void RealIo::fill_random(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    // Without entropy nothing that follows is safe; only EINTR can happen on a working kernel.
    JOSTLE_ASSERT(got > 0 || errno == EINTR);
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

base::Result<std::unique_ptr<DatagramSocket>, IoError> RealIo::open_datagram_socket(Address local) {
  detail::FileDescriptor descriptor(
      ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor.is_open()) return detail::io_error_of(errno);

  // A smaller buffer than asked for still works: the result does not matter.
  for (const int option : {SO_RCVBUF, SO_SNDBUF}) {
    (void)::setsockopt(descriptor.get(), SOL_SOCKET, option, &socket_buffer_bytes,
                       sizeof(socket_buffer_bytes));
  }
  const sockaddr_in wanted = detail::to_sockaddr(local);
  if (::bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&wanted), sizeof(wanted)) != 0) {
    return detail::io_error_of(errno);
  }
  sockaddr_in bound{};
  socklen_t bound_bytes = sizeof(bound);
  if (::getsockname(descriptor.get(), reinterpret_cast<sockaddr*>(&bound), &bound_bytes) != 0) {
    return detail::io_error_of(errno);
  }
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<detail::UdpSocket>(std::move(descriptor), detail::from_sockaddr(bound)));
}

}  // namespace jostle::net
