#include "shared/net/detail/udp_socket.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace jostle::net::detail {
namespace {

/// An ICMP answer to an earlier send may surface as an error of a later call; each is skipped, up
/// to here.
constexpr int max_stale_errors = 16;
/// Datagrams of one system call. A client never has more than a few; whoever does asks for more.
constexpr std::size_t max_batch = 64, first_batch = 4;

bool is_would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

bool is_stale(int error) {
  return error == EINTR || error == ECONNREFUSED;
}

}  // namespace

NamedSocketAddress to_kernel(Address address, sa_family_t family) {
  NamedSocketAddress out;
  if (family == AF_INET) {
    out.name.v4 = sockaddr_in{};
    out.name.v4.sin_family = AF_INET;
    out.name.v4.sin_port = htons(address.port);
    out.name.v4.sin_addr.s_addr = htonl(address.ip.v4());
    out.bytes = sizeof(sockaddr_in);
  } else {
    const Ip::Bytes bytes = address.ip.bytes();
    out.name.v6 = sockaddr_in6{};
    out.name.v6.sin6_family = AF_INET6;
    out.name.v6.sin6_port = htons(address.port);
    std::memcpy(&out.name.v6.sin6_addr, bytes.data(), bytes.size());
    out.name.v6.sin6_scope_id = address.ip.scope();
    out.bytes = sizeof(sockaddr_in6);
  }
  return out;
}

Address from_kernel(const SocketAddress& address) {
  if (address.any.sa_family == AF_INET)
    return {.ip = ntohl(address.v4.sin_addr.s_addr), .port = ntohs(address.v4.sin_port)};
  Ip::Bytes bytes{};
  std::memcpy(bytes.data(), &address.v6.sin6_addr, bytes.size());
  return {.ip = Ip(bytes, address.v6.sin6_scope_id), .port = ntohs(address.v6.sin6_port)};
}

UdpSocket::UdpSocket(FileDescriptor descriptor, Address local)
    : descriptor_(std::move(descriptor)), local_(local), batch_(first_batch) {}

bool UdpSocket::send(Address to, std::span<const std::byte> bytes) {
  if (!can_reach(local_.ip, to.ip)) return false;
  const NamedSocketAddress address = to_kernel(to, family_of(local_.ip));
  for (int attempt = 0; attempt < max_stale_errors; ++attempt) {
    ++calls_.sends;
    const ssize_t sent = ::sendto(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
                                  &address.name.any, address.bytes);
    if (sent >= 0) return static_cast<std::size_t>(sent) == bytes.size();
    if (!is_stale(errno)) return false;
  }
  return false;
}

bool UdpSocket::queue(Address to, std::span<const std::byte> bytes) {
  if (!can_reach(local_.ip, to.ip)) return false;
  outgoing_.push_back({to_kernel(to, family_of(local_.ip)), bytes.size()});
  outgoing_bytes_.insert(outgoing_bytes_.end(), bytes.begin(), bytes.end());
  if (outgoing_.size() == max_batch) {
    not_taken_ = flush();  // with what was not taken before
  }
  return true;
}

std::size_t UdpSocket::flush() {
  std::array<mmsghdr, max_batch> messages{};
  std::array<iovec, max_batch> parts{};
  std::byte* at = outgoing_bytes_.data();
  for (std::size_t i = 0; i < outgoing_.size(); ++i) {
    parts[i] = {at, outgoing_[i].bytes};
    at += outgoing_[i].bytes;
    msghdr& header = messages[i].msg_hdr;
    header.msg_name = &outgoing_[i].to.name;
    header.msg_namelen = outgoing_[i].to.bytes;
    header.msg_iov = &parts[i];
    header.msg_iovlen = 1;
  }
  std::size_t not_taken = std::exchange(not_taken_, 0);
  int stale_errors = 0;
  for (std::size_t done = 0; done < outgoing_.size();) {
    ++calls_.sends;
    const int sent = ::sendmmsg(descriptor_.get(), messages.data() + done,
                                static_cast<unsigned>(outgoing_.size() - done), MSG_NOSIGNAL);
    if (sent > 0) {
      done += static_cast<std::size_t>(sent);
    } else if (is_would_block(errno)) {
      not_taken += outgoing_.size() - done;  // there is no room for the others, either
      break;
    } else if (!is_stale(errno) || ++stale_errors == max_stale_errors) {
      ++not_taken;
      ++done;
      stale_errors = 0;
    }
  }
  outgoing_.clear();
  outgoing_bytes_.clear();
  return not_taken;
}

std::optional<DatagramSocket::Received> UdpSocket::receive(std::span<std::byte> buffer) {
  if (next_incoming_ == incoming_.size()) take_in(buffer.size());
  if (next_incoming_ == incoming_.size()) return std::nullopt;
  const std::byte* const slot = slots_.data() + next_incoming_ * slot_bytes_;
  const Incoming& datagram = incoming_[next_incoming_++];
  const std::size_t bytes = std::min({datagram.bytes, slot_bytes_, buffer.size()});
  std::memcpy(buffer.data(), slot, bytes);
  return Received{.from = datagram.from, .bytes = bytes, .is_truncated = datagram.bytes > bytes};
}

/// As many datagrams as have arrived, up to a batch, each into a slot of so many bytes.
void UdpSocket::take_in(std::size_t slot_bytes) {
  if (incoming_.size() == batch_) batch_ = std::min(2 * batch_, max_batch);
  next_incoming_ = 0;
  incoming_.clear();
  slot_bytes_ = slot_bytes;
  if (slots_.size() < batch_ * slot_bytes) slots_.resize(batch_ * slot_bytes);

  std::array<mmsghdr, max_batch> messages{};
  std::array<iovec, max_batch> parts{};
  std::array<SocketAddress, max_batch> from{};
  for (std::size_t i = 0; i < batch_; ++i) {
    parts[i] = {slots_.data() + i * slot_bytes, slot_bytes};
    msghdr& header = messages[i].msg_hdr;
    header.msg_name = &from[i];
    header.msg_namelen = sizeof(SocketAddress);
    header.msg_iov = &parts[i];
    header.msg_iovlen = 1;
  }
  for (int attempt = 0; attempt < max_stale_errors; ++attempt) {
    ++calls_.receives;
    // MSG_TRUNC: lengths are those of the datagrams, also where a slot is shorter.
    const int count = ::recvmmsg(descriptor_.get(), messages.data(), static_cast<unsigned>(batch_),
                                 MSG_TRUNC, nullptr);
    if (count < 0 && !is_would_block(errno)) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(count, 0)); ++i)
      incoming_.push_back({from_kernel(from[i]), messages[i].msg_len});
    return;
  }
}

}  // namespace jostle::net::detail
