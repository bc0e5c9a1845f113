#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::net::detail {

struct NamedSocketAddress;

/// Datagrams of one system call. A client never has more than a few; whoever does asks for more.
inline constexpr std::size_t max_batch = 64;

/// What one sendmmsg takes: datagrams in an order in which those to one address, all equally long
/// but for the last, which may be shorter, are one message that the kernel, or the network card,
/// cuts apart again (generic segmentation offload, UDP_SEGMENT of udp(7)). Those to one address
/// keep their order.
class SendBatch {
 public:
  struct Datagram {
    NamedSocketAddress* to;
    std::byte* data;
    std::size_t bytes;
  };
  /// At most max_batch datagrams, which live as long as this does. Where the kernel is not to cut
  /// anything apart, each is a message.
  SendBatch(const std::vector<Datagram>& datagrams, bool may_join);
  SendBatch(const SendBatch&) = delete;
  SendBatch& operator=(const SendBatch&) = delete;

  std::size_t message_count() const { return message_count_; }
  mmsghdr* messages() { return messages_.data(); }
  std::size_t datagrams_of(std::size_t message) const {
    return messages_[message].msg_hdr.msg_iovlen;
  }

 private:
  struct Run {
    std::size_t first, last, count, bytes, datagram_bytes;
    bool is_ended;
  };
  void join(const std::vector<Datagram>& datagrams, bool may_join);
  Run* open_run_to(const std::vector<Datagram>& datagrams, const Datagram& next);
  void write_messages(const std::vector<Datagram>& datagrams);

  struct alignas(cmsghdr) Control {
    std::array<std::byte, CMSG_SPACE(sizeof(std::uint16_t))> bytes;
  };
  std::array<Run, max_batch> runs_;
  std::array<std::size_t, max_batch> next_in_run_;
  std::array<mmsghdr, max_batch> messages_;
  std::array<iovec, max_batch> parts_;
  std::array<Control, max_batch> controls_;
  std::size_t message_count_ = 0;
};

}  // namespace jostle::net::detail
