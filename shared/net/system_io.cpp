#include "shared/net/system_io.h"

#include "shared/base/assert.h"
#include "shared/net/detail/posix.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace jostle::net {
namespace {

/// Asked of the kernel, which clamps it to net.core.rmem_max: at 1,000 clients a tick's datagrams
/// wait here together.
constexpr int socket_buffer_bytes = 4 * 1024 * 1024;
/// An ICMP answer to an earlier send may surface as an error of a later call; each is skipped, up
/// to here.
constexpr int max_stale_errors = 16;

sockaddr_in to_sockaddr(Address address) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(address.port);
  out.sin_addr.s_addr = htonl(address.ip);
  return out;
}

Address from_sockaddr(const sockaddr_in& address) {
  return {.ip = ntohl(address.sin_addr.s_addr), .port = ntohs(address.sin_port)};
}

bool is_would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

class RealSocket final : public DatagramSocket {
 public:
  RealSocket(detail::FileDescriptor descriptor, Address local)
      : descriptor_(std::move(descriptor)), local_(local) {}

  Address local_address() const override { return local_; }
  int native_handle() const override { return descriptor_.get(); }

  bool send(Address to, std::span<const std::byte> bytes) override {
    const sockaddr_in address = to_sockaddr(to);
    for (int attempt = 0; attempt < max_stale_errors; ++attempt) {
      const ssize_t sent = ::sendto(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
                                    reinterpret_cast<const sockaddr*>(&address), sizeof(address));
      if (sent >= 0) return static_cast<std::size_t>(sent) == bytes.size();
      if (errno != EINTR && errno != ECONNREFUSED) return false;
    }
    return false;
  }

  std::optional<Received> receive(std::span<std::byte> buffer) override {
    for (int attempt = 0; attempt < max_stale_errors; ++attempt) {
      sockaddr_in from{};
      socklen_t from_bytes = sizeof(from);
      // MSG_TRUNC: the result is the datagram's true length, also when the buffer is shorter.
      const ssize_t length = ::recvfrom(descriptor_.get(), buffer.data(), buffer.size(), MSG_TRUNC,
                                        reinterpret_cast<sockaddr*>(&from), &from_bytes);
      if (length >= 0) {
        const auto full = static_cast<std::size_t>(length);
        return Received{.from = from_sockaddr(from),
                        .bytes = std::min(full, buffer.size()),
                        .is_truncated = full > buffer.size()};
      }
      if (is_would_block(errno)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  detail::FileDescriptor descriptor_;
  Address local_;
};

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
  const sockaddr_in wanted = to_sockaddr(local);
  if (::bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&wanted), sizeof(wanted)) != 0) {
    return detail::io_error_of(errno);
  }
  sockaddr_in bound{};
  socklen_t bound_bytes = sizeof(bound);
  if (::getsockname(descriptor.get(), reinterpret_cast<sockaddr*>(&bound), &bound_bytes) != 0) {
    return detail::io_error_of(errno);
  }
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<RealSocket>(std::move(descriptor), from_sockaddr(bound)));
}

}  // namespace jostle::net
