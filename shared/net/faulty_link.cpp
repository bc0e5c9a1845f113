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

}  // namespace

// The stream numbers must not change, because they determine which faults a seed produces.
FaultyLink::FaultyLink(std::uint64_t seed)
    : loss_(stream(seed, 0)),
      jitter_(stream(seed, 1)),
      duplication_(stream(seed, 2)),
      duplicate_jitter_(stream(seed, 3)),
      reordering_(stream(seed, 4)),
      corruption_(stream(seed, 5)),
      corrupted_bits_(stream(seed, 6)) {}

/// Returns true if the link drops the datagram, and counts the first reason that applies.
bool FaultyLink::is_dropped(const LinkFaults& faults, std::int64_t now_us, std::size_t bytes,
                            bool is_lost, FaultCounters& counters) const {
  if (faults.is_cut) {
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

std::vector<FaultyLink::Arrival> FaultyLink::carry(const LinkFaults& faults, std::int64_t now_us,
                                                   std::vector<std::byte> bytes,
                                                   FaultCounters& counters) {
  // Draw for all fault classes first, even if the result is not needed; see the class comment.
  const bool is_lost = loss_.chance(faults.loss);
  const std::int64_t jitter_us = up_to(jitter_, faults.jitter_us);
  const bool is_duplicated = duplication_.chance(faults.duplication);
  const std::int64_t duplicate_jitter_us = up_to(duplicate_jitter_, faults.jitter_us);
  const bool is_reordered = reordering_.chance(faults.reordering);
  const bool is_corrupted = corruption_.chance(faults.corruption);

  std::vector<Arrival> arrivals;
  if (is_dropped(faults, now_us, bytes.size(), is_lost, counters)) return arrivals;
  std::int64_t departure_us = now_us;
  if (faults.bandwidth_bytes_per_s > 0) {
    const auto size = static_cast<std::int64_t>(bytes.size()) + ip_udp_header_bytes;
    departure_us =
        std::max(now_us, busy_until_us_) + size * 1'000'000 / faults.bandwidth_bytes_per_s;
    busy_until_us_ = departure_us;
  }
  const std::int64_t earliest_us = departure_us + faults.latency_us;
  if (is_duplicated) {
    ++counters.duplicated;
    arrivals.push_back({earliest_us + duplicate_jitter_us, bytes});
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
  arrivals.push_back({arrival_us, std::move(bytes)});
  return arrivals;
}

}  // namespace jostle::net
