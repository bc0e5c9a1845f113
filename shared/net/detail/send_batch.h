#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::net::detail {

struct NamedSocketAddress;

/// Maximum number of datagrams per system call. A client rarely has more than a few; larger queues
/// are sent in several calls.
inline constexpr std::size_t max_batch = 64;

/// The arguments of one sendmmsg call. Datagrams to the same address are joined into one message,
/// which the kernel or the network card splits again (generic segmentation offload, UDP_SEGMENT of
/// udp(7)). All datagrams of a message have the same length, except that the last may be shorter.
/// Datagrams to the same address stay in order.
class SendBatch {
 public:
  struct Datagram {
    NamedSocketAddress* to;
    std::byte* data;
    std::size_t bytes;
  };
  /// Takes at most `max_batch` datagrams, which must outlive the batch. If `may_join` is false,
  /// each datagram becomes a separate message.
  SendBatch(const std::vector<Datagram>& datagrams, bool may_join);
  SendBatch(const SendBatch&) = delete;
  SendBatch& operator=(const SendBatch&) = delete;

  std::size_t message_count() const { return message_count_; }
  mmsghdr* messages() { return messages_.data(); }
  /// Returns the number of datagrams in a message.
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
