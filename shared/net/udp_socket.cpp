#include "shared/net/detail/udp_socket.h"

#include <arpa/inet.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace jostle::net::detail {
namespace {

/// Maximum number of stale errors to skip in one call. An ICMP error for an earlier datagram may be
/// reported by a later call.
constexpr int max_stale_errors = 16;
/// Initial number of datagrams to request per call.
constexpr std::size_t first_batch = 4;

bool is_would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

bool is_stale(int error) {
  return error == EINTR || error == ECONNREFUSED;
}

/// Returns true if the kernel supports UDP segmentation offload.
bool can_join(int descriptor) {
#ifdef UDP_SEGMENT
  int segment_bytes = 0;
  socklen_t bytes = sizeof(segment_bytes);
  return ::getsockopt(descriptor, IPPROTO_UDP, UDP_SEGMENT, &segment_bytes, &bytes) == 0;
#else
  (void)descriptor;
  return false;
#endif
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
    : descriptor_(std::move(descriptor)),
      local_(local),
      may_join_(can_join(descriptor_.get())),
      batch_(first_batch) {}

bool UdpSocket::send(Address to, std::span<const std::byte> bytes) {
  if (!can_reach(local_.ip, to.ip)) return false;
  const NamedSocketAddress address = to_kernel(to, family_of(local_.ip));
  for (int attempt = 0; attempt < max_stale_errors; ++attempt) {
    ++calls_.sends;
    ++calls_.messages;
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
    not_taken_ = flush();  // includes datagrams that were not accepted before
  }
  return true;
}

std::size_t UdpSocket::flush() {
  std::vector<SendBatch::Datagram> datagrams;
  datagrams.reserve(outgoing_.size());
  std::byte* at = outgoing_bytes_.data();
  for (Outgoing& datagram : outgoing_) {
    datagrams.push_back({&datagram.to, at, datagram.bytes});
    at += datagram.bytes;
  }
  const std::size_t not_taken = std::exchange(not_taken_, 0) + send_batch(datagrams);
  outgoing_.clear();
  outgoing_bytes_.clear();
  return not_taken;
}

/// Sends the batch. Returns the number of datagrams that were not accepted.
std::size_t UdpSocket::send_batch(const std::vector<SendBatch::Datagram>& datagrams) {
  SendBatch batch(datagrams, may_join_);
  std::size_t not_taken = 0;
  int stale_errors = 0;
  for (std::size_t done = 0; done < batch.message_count();) {
    ++calls_.sends;
    const int sent = ::sendmmsg(descriptor_.get(), batch.messages() + done,
                                static_cast<unsigned>(batch.message_count() - done), MSG_NOSIGNAL);
    if (sent > 0) {
      calls_.messages += static_cast<std::size_t>(sent);
      done += static_cast<std::size_t>(sent);
    } else if (is_would_block(errno)) {
      // the buffer is full for the remaining messages too
      for (; done < batch.message_count(); ++done)
        not_taken += batch.datagrams_of(done);
    } else if (!is_stale(errno) || ++stale_errors == max_stale_errors) {
      not_taken += send_apart(batch.messages()[done].msg_hdr);
      ++done;
      stale_errors = 0;
    }
  }
  return not_taken;
}

/// Sends the datagrams of a rejected message one by one, and returns how many were rejected again.
/// If any is accepted, the path does not support segmentation (a network card without checksum
/// offload, or an MTU below the datagram's size). Joining is then disabled permanently. A single
/// datagram is not sent again.
std::size_t UdpSocket::send_apart(const msghdr& refused) {
  if (refused.msg_iovlen == 1) return 1;
  std::size_t not_taken = 0;
  for (std::size_t i = 0; i < refused.msg_iovlen; ++i) {
    msghdr single{};
    single.msg_name = refused.msg_name;
    single.msg_namelen = refused.msg_namelen;
    single.msg_iov = refused.msg_iov + i;
    single.msg_iovlen = 1;
    ++calls_.sends;
    ++calls_.messages;
    if (::sendmsg(descriptor_.get(), &single, MSG_NOSIGNAL) < 0) ++not_taken;
  }
  if (not_taken < refused.msg_iovlen) may_join_ = false;
  return not_taken;
}

std::optional<DatagramSocket::Received> UdpSocket::receive(std::span<std::byte> buffer) {
  if (next_incoming_ == incoming_.size()) receive_batch(buffer.size());
  if (next_incoming_ == incoming_.size()) return std::nullopt;
  const std::byte* const slot = slots_.data() + next_incoming_ * slot_bytes_;
  const Incoming& datagram = incoming_[next_incoming_++];
  const std::size_t bytes = std::min({datagram.bytes, slot_bytes_, buffer.size()});
  std::memcpy(buffer.data(), slot, bytes);
  return Received{.from = datagram.from, .bytes = bytes, .is_truncated = datagram.bytes > bytes};
}

/// Receives as many datagrams as have arrived, up to a batch, each into a slot of `slot_bytes`.
void UdpSocket::receive_batch(std::size_t slot_bytes) {
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
    // MSG_TRUNC makes the kernel report the full length of each datagram, even if a slot is
    // shorter.
    const int count = ::recvmmsg(descriptor_.get(), messages.data(), static_cast<unsigned>(batch_),
                                 MSG_TRUNC, nullptr);
    if (count < 0 && !is_would_block(errno)) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(count, 0)); ++i)
      incoming_.push_back({from_kernel(from[i]), messages[i].msg_len});
    return;
  }
}

}  // namespace jostle::net::detail
