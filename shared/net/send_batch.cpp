#include "shared/net/detail/send_batch.h"

#include "shared/net/detail/udp_socket.h"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <cstring>

namespace jostle::net::detail {
namespace {

/// Maximum size of a joined message, below UDP's payload limit of 65,507 bytes.
constexpr std::size_t max_run_bytes = 65'000;

bool is_same(const NamedSocketAddress& a, const NamedSocketAddress& b) {
  return a.bytes == b.bytes && std::memcmp(&a.name, &b.name, a.bytes) == 0;
}

}  // namespace

SendBatch::SendBatch(const std::vector<Datagram>& datagrams, bool may_join) {
  join(datagrams, may_join);
  write_messages(datagrams);
}

void SendBatch::join(const std::vector<Datagram>& datagrams, bool may_join) {
  for (std::size_t i = 0; i < datagrams.size(); ++i) {
    const std::size_t bytes = datagrams[i].bytes;
    Run* run = may_join ? open_run_to(datagrams, datagrams[i]) : nullptr;
    if (run == nullptr) {
      // An empty datagram cannot be joined with others.
      runs_[message_count_++] = {i, i, 1, bytes, bytes, bytes == 0};
      continue;
    }
    next_in_run_[run->last] = i;
    run->last = i;
    run->bytes += bytes;
    run->is_ended = bytes < run->datagram_bytes;
    ++run->count;
  }
}

/// Returns the newest run to the address of `next` if it can be extended. An older run cannot be
/// extended, because the datagram would then overtake ones that were queued earlier.
SendBatch::Run* SendBatch::open_run_to(const std::vector<Datagram>& datagrams,
                                       const Datagram& next) {
  for (std::size_t r = message_count_; r-- > 0;) {
    Run& run = runs_[r];
    if (!is_same(*datagrams[run.first].to, *next.to)) continue;
    const bool goes_on = !run.is_ended && next.bytes > 0 && next.bytes <= run.datagram_bytes &&
                         run.bytes + next.bytes <= max_run_bytes;
    return goes_on ? &run : nullptr;
  }
  return nullptr;
}

void SendBatch::write_messages(const std::vector<Datagram>& datagrams) {
  std::size_t part = 0;
  for (std::size_t m = 0; m < message_count_; ++m) {
    const Run& run = runs_[m];
    NamedSocketAddress& to = *datagrams[run.first].to;
    messages_[m] = {};
    msghdr& header = messages_[m].msg_hdr;
    header.msg_name = &to.name;
    header.msg_namelen = to.bytes;
    header.msg_iov = &parts_[part];
    header.msg_iovlen = run.count;
    for (std::size_t i = run.first, n = 0; n < run.count; ++n, i = next_in_run_[i])
      parts_[part++] = {datagrams[i].data, datagrams[i].bytes};
    if (run.count == 1) continue;
#ifdef UDP_SEGMENT
    controls_[m] = {};
    header.msg_control = controls_[m].bytes.data();
    header.msg_controllen = controls_[m].bytes.size();
    cmsghdr* const control = CMSG_FIRSTHDR(&header);
    control->cmsg_level = IPPROTO_UDP;
    control->cmsg_type = UDP_SEGMENT;
    control->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
    const auto datagram_bytes = static_cast<std::uint16_t>(run.datagram_bytes);
    std::memcpy(CMSG_DATA(control), &datagram_bytes, sizeof(datagram_bytes));
#endif
  }
}

}  // namespace jostle::net::detail
