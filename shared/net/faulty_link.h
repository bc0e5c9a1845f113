#pragma once

#include "shared/base/random.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::net {

/// A fault that returns: it lasts for the last `length_us` of every `interval_us`. The intervals
/// count from time 0, so both directions of a network can have the fault at the same time. An
/// interval of 0 means never.
struct RecurringFault {
  std::int64_t interval_us = 0, length_us = 0;
  /// Returns the time at which the fault that is present at `now_us` ends; `now_us` if there is
  /// none.
  std::int64_t end_us(std::int64_t now_us) const;
  bool operator==(const RecurringFault&) const = default;
};

/// Loss in bursts after Gilbert and Elliott: the link has a good and a bad state, and changes
/// between them at random. LinkFaults::loss is the loss in the good state.
struct BurstLoss {
  float entry = 0;  // probability per datagram that a good link becomes bad
  float exit = 1;   // probability per datagram that a bad link becomes good
  float loss = 1;   // loss in the bad state
  bool operator==(const BurstLoss&) const = default;
};

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

  BurstLoss burst_loss{};
  // Datagrams are delivered only at multiples of this time, as with Wi-Fi power save; 0: at once
  std::int64_t delivery_interval_us = 0;
  RecurringFault blackout{};  // the link drops every datagram
  RecurringFault stall{};     // the link holds every datagram until the fault ends
  // The latency is larger by `delay_step_us` in every second interval of this length; 0: never.
  std::int64_t delay_step_interval_us = 0;
  std::int64_t delay_step_us = 0;
  // A NAT gives the sender's sockets a new external port at multiples of this time; 0: never
  std::int64_t rebind_interval_us = 0;

  bool operator==(const LinkFaults&) const = default;
  /// Returns the number of NAT rebindings from time 0 to `now_us`.
  std::int64_t rebindings(std::int64_t now_us) const {
    return rebind_interval_us > 0 ? now_us / rebind_interval_us : 0;
  }
};

/// Number of datagrams that were sent, and of faults that were injected.
struct FaultCounters {
  std::uint64_t sent = 0;
  std::uint64_t delivered = 0;      // put into an open socket's inbox, copies included
  std::uint64_t lost = 0;           // dropped by LinkFaults::loss or burst_loss
  std::uint64_t cut = 0;            // dropped by a partition or a blackout
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
  bool draw_loss(const LinkFaults& faults);
  bool is_dropped(const LinkFaults& faults, std::int64_t now_us, std::size_t bytes, bool is_lost,
                  FaultCounters& counters) const;
  std::int64_t departure_us(const LinkFaults& faults, std::int64_t now_us, std::size_t bytes);

  base::Random loss_, jitter_, duplication_, duplicate_jitter_, reordering_, corruption_,
      corrupted_bits_, link_state_;
  bool is_bad_ = false;  // state of the Gilbert–Elliott model
  std::int64_t busy_until_us_ = 0;
};

}  // namespace jostle::net
