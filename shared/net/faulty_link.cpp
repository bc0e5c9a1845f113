#include "shared/net/faulty_link.h"

#include "shared/base/hash.h"

#include <algorithm>
#include <utility>

namespace jostle::net {
namespace {

constexpr std::int64_t ip_udp_header_bytes = 28;
constexpr std::uint32_t max_flipped_bits = 3;

/// Returns the seed of a fault class's random stream.
std::uint64_t stream(std::uint64_t seed, std::uint32_t fault) {
  base::Hasher hasher(seed);
  hasher.add(std::uint32_t{0});
  hasher.add(fault);
  return hasher.finish();
}

/// Returns a uniform number in [0, bound].
std::int64_t up_to(base::Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random.next() % (static_cast<std::uint64_t>(bound) + 1));
}

/// Flips one to three different bits, which CRC-32 always detects in a datagram.
void flip_bits(std::vector<std::byte>& bytes, base::Random& random) {
  const std::uint32_t bits = static_cast<std::uint32_t>(bytes.size()) * 8;
  const std::uint32_t count = std::min(1 + random.below(max_flipped_bits), bits);
  std::uint32_t bit = random.below(bits);
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    // The next bit is at most a third of the datagram further on, so that no bit is flipped twice.
    const std::uint32_t step = 1 + random.below(std::max(1U, bits / max_flipped_bits));
    bit = (bit + step) % bits;
  }
}

bool has_more_delay(const LinkFaults& faults, std::int64_t now_us) {
  return faults.delay_step_interval_us > 0 && now_us / faults.delay_step_interval_us % 2 == 1;
}

/// Returns the time at which the receiver gets a datagram that arrives at `arrival_us`.
std::int64_t delivery_us(const LinkFaults& faults, std::int64_t arrival_us) {
  const std::int64_t interval_us = faults.delivery_interval_us;
  return interval_us > 0 ? (arrival_us + interval_us - 1) / interval_us * interval_us : arrival_us;
}

}  // namespace

std::int64_t RecurringFault::end_us(std::int64_t now_us) const {
  if (interval_us <= 0) return now_us;
  const std::int64_t left_us = interval_us - now_us % interval_us;
  return left_us <= length_us ? now_us + left_us : now_us;
}

// The stream numbers must not change, because they determine which faults a seed produces.
FaultyLink::FaultyLink(std::uint64_t seed)
    : loss_(stream(seed, 0)),
      jitter_(stream(seed, 1)),
      duplication_(stream(seed, 2)),
      duplicate_jitter_(stream(seed, 3)),
      reordering_(stream(seed, 4)),
      corruption_(stream(seed, 5)),
      corrupted_bits_(stream(seed, 6)),
      link_state_(stream(seed, 7)) {}

/// Draws whether the next datagram is lost, and the state of the link.
bool FaultyLink::draw_loss(const LinkFaults& faults) {
  const float change = link_state_.unit(), loss = loss_.unit();
  is_bad_ = is_bad_ ? change >= faults.burst_loss.exit : change < faults.burst_loss.entry;
  return loss < (is_bad_ ? faults.burst_loss.loss : faults.loss);
}

/// Returns true if the link drops the datagram, and counts the first reason that applies.
bool FaultyLink::is_dropped(const LinkFaults& faults, std::int64_t now_us, std::size_t bytes,
                            bool is_lost, FaultCounters& counters) const {
  if (faults.is_cut || faults.blackout.end_us(now_us) > now_us) {
    ++counters.cut;
    return true;
  }
  if (faults.mtu_bytes != 0 && bytes > faults.mtu_bytes) {
    ++counters.too_long;
    return true;
  }
  if (faults.bandwidth_bytes_per_s > 0 && busy_until_us_ - now_us > faults.queue_us) {
    ++counters.queue_dropped;
    return true;
  }
  if (is_lost) ++counters.lost;
  return is_lost;
}

/// Returns the time at which the datagram leaves the sender's queue.
std::int64_t FaultyLink::departure_us(const LinkFaults& faults, std::int64_t now_us,
                                      std::size_t bytes) {
  if (faults.bandwidth_bytes_per_s == 0) return faults.stall.end_us(now_us);
  const auto size = static_cast<std::int64_t>(bytes) + ip_udp_header_bytes;
  busy_until_us_ = faults.stall.end_us(std::max(now_us, busy_until_us_)) +
                   size * 1'000'000 / faults.bandwidth_bytes_per_s;
  return busy_until_us_;
}

std::vector<FaultyLink::Arrival> FaultyLink::carry(const LinkFaults& faults, std::int64_t now_us,
                                                   std::vector<std::byte> bytes,
                                                   FaultCounters& counters) {
  // Draw for all fault classes first, even if the result is not needed; see the class comment.
  const bool is_lost = draw_loss(faults);
  const std::int64_t jitter_us = up_to(jitter_, faults.jitter_us);
  const bool is_duplicated = duplication_.chance(faults.duplication);
  const std::int64_t duplicate_jitter_us = up_to(duplicate_jitter_, faults.jitter_us);
  const bool is_reordered = reordering_.chance(faults.reordering);
  const bool is_corrupted = corruption_.chance(faults.corruption);

  std::vector<Arrival> arrivals;
  if (is_dropped(faults, now_us, bytes.size(), is_lost, counters)) return arrivals;
  std::int64_t earliest_us = departure_us(faults, now_us, bytes.size()) + faults.latency_us;
  if (has_more_delay(faults, now_us)) earliest_us += faults.delay_step_us;
  if (is_duplicated) {
    ++counters.duplicated;
    arrivals.push_back({delivery_us(faults, earliest_us + duplicate_jitter_us), bytes});
  }
  std::int64_t arrival_us = earliest_us + jitter_us;
  if (is_reordered) {
    ++counters.reordered;
    arrival_us += faults.reorder_delay_us;
  }
  if (is_corrupted && !bytes.empty()) {
    ++counters.corrupted;
    flip_bits(bytes, corrupted_bits_);
  }
  arrivals.push_back({delivery_us(faults, arrival_us), std::move(bytes)});
  return arrivals;
}

}  // namespace jostle::net
