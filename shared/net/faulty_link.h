#pragma once

#include "shared/base/random.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::net {

/// The faults of a link in one direction. Probabilities are per datagram, 0 to 1.
struct LinkFaults {
  float loss = 0;
  std::int64_t latency_us = 0;
  std::int64_t jitter_us = 0;  // added to the latency, uniform in [0, jitter_us]; may reorder
  float duplication = 0;       // probability of a copy, which is undamaged and has its own jitter
  // probability of a delay by `reorder_delay_us`, so that later datagrams overtake this one
  float reordering = 0;
  std::int64_t reorder_delay_us = 10'000;
  float corruption = 0;                    // probability that one to three bits are flipped
  std::int64_t bandwidth_bytes_per_s = 0;  // 0: unlimited; counts UDP payload and 28 B of headers
  // Maximum backlog of a link with a bandwidth limit, as the time to send it. While the backlog is
  // longer, new datagrams are dropped.
  std::int64_t queue_us = 200'000;
  std::size_t mtu_bytes = 0;  // 0: unlimited; larger payloads are dropped
  bool is_cut = false;        // true if the link drops every datagram
};

/// Number of datagrams that were sent, and of faults that were injected.
struct FaultCounters {
  std::uint64_t sent = 0;
  std::uint64_t delivered = 0;      // put into an open socket's inbox, copies included
  std::uint64_t lost = 0;           // number of datagrams dropped by LinkFaults::loss
  std::uint64_t cut = 0;            // number of datagrams dropped by a partition
  std::uint64_t too_long = 0;       // larger than the MTU
  std::uint64_t queue_dropped = 0;  // the backlog of the bandwidth limit was too long
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;
  std::uint64_t corrupted = 0;
  std::uint64_t unreachable = 0;    // no such node, or no socket on that port
  std::uint64_t inbox_dropped = 0;  // the receiver's socket buffer was full
};

/// A one-way link with faults from a seed. Each fault class has its own random stream, and each
/// datagram draws from all of these streams, whether or not the fault class is in use. Changing one
/// probability therefore does not change which datagrams the other classes select. Only the
/// positions of flipped bits may change, because only damaged datagrams draw them.
class FaultyLink {
 public:
  explicit FaultyLink(std::uint64_t seed);

  struct Arrival {
    std::int64_t time_us = 0;
    std::vector<std::byte> bytes;
  };
  /// Returns the arrivals of a datagram that is sent now: none, one, or a copy followed by the
  /// datagram. Counts the faults.
  std::vector<Arrival> carry(const LinkFaults& faults, std::int64_t now_us,
                             std::vector<std::byte> bytes, FaultCounters& counters);

 private:
  bool is_dropped(const LinkFaults& faults, std::int64_t now_us, std::size_t bytes, bool is_lost,
                  FaultCounters& counters) const;

  base::Random loss_, jitter_, duplication_, duplicate_jitter_, reordering_, corruption_,
      corrupted_bits_;
  std::int64_t busy_until_us_ = 0;
};

}  // namespace jostle::net
