#include "shared/net/virtual_network.h"

#include "shared/base/assert.h"
#include "shared/base/crc32c.h"
#include "shared/net/detail/virtual_socket.h"

#include <algorithm>

namespace jostle::net {
namespace {

constexpr std::int64_t ip_udp_header_bytes = 28;
constexpr std::uint32_t max_flipped_bits = 3;

std::uint64_t mix(std::uint64_t seed, std::uint32_t a, std::uint32_t b) {
  base::Hasher hasher(seed);
  hasher.add(a);
  hasher.add(b);
  return hasher.finish();
}

/// Uniform in [0, bound].
std::int64_t up_to(base::Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random.next() % (static_cast<std::uint64_t>(bound) + 1));
}

/// Flips one to three different bits: what a CRC of 32 bits never misses.
void flip_bits(std::vector<std::byte>& bytes, base::Random& random) {
  const std::uint32_t bits = static_cast<std::uint32_t>(bytes.size()) * 8;
  const std::uint32_t count = std::min(1 + random.below(max_flipped_bits), bits);
  std::uint32_t bit = random.below(bits);
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    // The next ones lie in what is left of the datagram, so that none is flipped back.
    const std::uint32_t step = 1 + random.below(std::max(1U, bits / max_flipped_bits));
    bit = (bit + step) % bits;
  }
}

}  // namespace

// One stream per fault class; the constructor's order is part of what a seed means.
VirtualNetwork::Link::Link(std::uint64_t seed)
    : loss(mix(seed, 0, 0)),
      jitter(mix(seed, 0, 1)),
      duplication(mix(seed, 0, 2)),
      duplicate_jitter(mix(seed, 0, 3)),
      reordering(mix(seed, 0, 4)),
      corruption(mix(seed, 0, 5)),
      corrupted_bits(mix(seed, 0, 6)) {}

VirtualNetwork::VirtualNetwork(std::uint64_t seed) : seed_(seed) {}

VirtualNetwork::~VirtualNetwork() {
  for (const auto& [ip, node] : nodes_) {
    JOSTLE_ASSERT(node->sockets_.empty());
  }
}

VirtualNode& VirtualNetwork::node(std::uint32_t ip) {
  JOSTLE_ASSERT(ip != 0);
  std::unique_ptr<VirtualNode>& node = nodes_[ip];
  if (!node) node.reset(new VirtualNode(*this, ip, mix(seed_, ip, 0)));
  return *node;
}

VirtualNetwork::Link& VirtualNetwork::link(std::uint32_t from_ip, std::uint32_t to_ip) {
  const std::pair key(from_ip, to_ip);
  const auto found = links_.find(key);
  if (found != links_.end()) return found->second;
  return links_.emplace(key, Link(mix(seed_ ^ 0x6C696E6BULL, from_ip, to_ip))).first->second;
}

void VirtualNetwork::set_faults(std::uint32_t from_ip, std::uint32_t to_ip,
                                const LinkFaults& faults) {
  link(from_ip, to_ip).faults = faults;
}

void VirtualNetwork::set_cut(std::uint32_t from_ip, std::uint32_t to_ip, bool is_cut) {
  link(from_ip, to_ip).is_cut = is_cut;
}

void VirtualNetwork::heal() {
  default_faults_ = LinkFaults{};
  for (auto& [key, link] : links_) {
    link.faults.reset();
    link.is_cut = false;
  }
}

/// Counts the first reason for which the link swallows the datagram.
bool VirtualNetwork::is_dropped(Link& link, const LinkFaults& faults, std::size_t bytes,
                                bool is_lost) {
  if (faults.is_cut || link.is_cut) {
    ++counters_.cut;
    return true;
  }
  if (faults.mtu_bytes != 0 && bytes > faults.mtu_bytes) {
    ++counters_.too_long;
    return true;
  }
  if (faults.bandwidth_bytes_per_s > 0 && link.busy_until_us - now_us_ > faults.queue_us) {
    ++counters_.queue_dropped;
    return true;
  }
  if (is_lost) ++counters_.lost;
  return is_lost;
}

void VirtualNetwork::send(Datagram datagram) {
  ++counters_.sent;
  note(EventKind::Sent, datagram);
  if (tap_) tap_(datagram);

  Link& path = link(datagram.from.ip, datagram.to.ip);
  const LinkFaults& faults = path.faults ? *path.faults : default_faults_;
  // All draws come first and always: see the class comment.
  const bool is_lost = path.loss.chance(faults.loss);
  const std::int64_t jitter_us = up_to(path.jitter, faults.jitter_us);
  const bool is_duplicated = path.duplication.chance(faults.duplication);
  const std::int64_t duplicate_jitter_us = up_to(path.duplicate_jitter, faults.jitter_us);
  const bool is_reordered = path.reordering.chance(faults.reordering);
  const bool is_corrupted = path.corruption.chance(faults.corruption);

  if (is_dropped(path, faults, datagram.bytes.size(), is_lost)) {
    note(EventKind::Dropped, datagram);
    return;
  }
  std::int64_t departure_us = now_us_;
  if (faults.bandwidth_bytes_per_s > 0) {
    const auto bytes = static_cast<std::int64_t>(datagram.bytes.size()) + ip_udp_header_bytes;
    departure_us =
        std::max(now_us_, path.busy_until_us) + bytes * 1'000'000 / faults.bandwidth_bytes_per_s;
    path.busy_until_us = departure_us;
  }
  const std::int64_t earliest_us = departure_us + faults.latency_us;
  if (is_duplicated) {
    ++counters_.duplicated;
    schedule(earliest_us + duplicate_jitter_us, datagram);
  }
  std::int64_t arrival_us = earliest_us + jitter_us;
  if (is_reordered) {
    ++counters_.reordered;
    arrival_us += faults.reorder_delay_us;
  }
  if (is_corrupted && !datagram.bytes.empty()) {
    ++counters_.corrupted;
    flip_bits(datagram.bytes, path.corrupted_bits);
  }
  schedule(arrival_us, std::move(datagram));
}

void VirtualNetwork::schedule(std::int64_t time_us, Datagram datagram) {
  arrivals_.push_back(
      Arrival{.time_us = time_us, .sequence = next_sequence_++, .datagram = std::move(datagram)});
  std::push_heap(arrivals_.begin(), arrivals_.end(), Later{});
}

void VirtualNetwork::inject(const Datagram& datagram) {
  deliver(datagram);
}

void VirtualNetwork::deliver(Datagram datagram) {
  const auto found = nodes_.find(datagram.to.ip);
  VirtualNode::Socket* const socket =
      found == nodes_.end() ? nullptr : found->second->socket_for(datagram.to);
  if (socket == nullptr) {
    ++counters_.unreachable;
    note(EventKind::Dropped, datagram);
    return;
  }
  socket->take_in(std::move(datagram));
}

void VirtualNetwork::advance_to(std::int64_t time_us) {
  JOSTLE_ASSERT(time_us >= now_us_);
  while (!arrivals_.empty() && arrivals_.front().time_us <= time_us) {
    std::pop_heap(arrivals_.begin(), arrivals_.end(), Later{});
    Arrival arrival = std::move(arrivals_.back());
    arrivals_.pop_back();
    now_us_ = std::max(now_us_, arrival.time_us);
    deliver(std::move(arrival.datagram));
  }
  now_us_ = time_us;
}

std::optional<std::int64_t> VirtualNetwork::next_event_us() const {
  if (arrivals_.empty()) return std::nullopt;
  return arrivals_.front().time_us;
}

void VirtualNetwork::note(EventKind kind, const Datagram& datagram) {
  event_hasher_.add(now_us_);
  event_hasher_.add(static_cast<std::uint8_t>(kind));
  event_hasher_.add(datagram.from.ip);
  event_hasher_.add(datagram.from.port);
  event_hasher_.add(datagram.to.ip);
  event_hasher_.add(datagram.to.port);
  event_hasher_.add(static_cast<std::uint64_t>(datagram.bytes.size()));
  event_hasher_.add(base::crc32c(datagram.bytes));
}

}  // namespace jostle::net
