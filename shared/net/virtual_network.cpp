#include "shared/net/virtual_network.h"

#include "shared/base/assert.h"
#include "shared/base/crc32c.h"
#include "shared/net/detail/virtual_socket.h"

#include <algorithm>
#include <span>

namespace jostle::net {
namespace {

void add(base::Hasher& hasher, Ip ip) {
  if (ip.is_v4()) {
    hasher.add(ip.v4());
  } else {
    const Ip::Bytes bytes = ip.bytes();
    hasher.add_bytes(std::as_bytes(std::span(bytes)));
    hasher.add(ip.scope());
  }
}

std::uint64_t mix(std::uint64_t seed, Ip a, Ip b) {
  base::Hasher hasher(seed);
  add(hasher, a);
  add(hasher, b);
  return hasher.finish();
}

}  // namespace

VirtualNetwork::VirtualNetwork(std::uint64_t seed, std::unique_ptr<Carrier> carrier)
    : seed_(seed), carrier_(std::move(carrier)) {}

VirtualNetwork::~VirtualNetwork() {
  for (const auto& node : nodes_) {
    JOSTLE_ASSERT(node->sockets_.empty());
  }
}

VirtualNode* VirtualNetwork::find(Ip ip) const {
  const auto found = node_by_ip_.find(ip);
  return found == node_by_ip_.end() ? nullptr : found->second;
}

VirtualNode& VirtualNetwork::node(Ip ip) {
  if (VirtualNode* const node = find(ip)) return *node;
  nodes_.emplace_back(new VirtualNode(*this, ip, mix(seed_, ip, any_ip)));
  return *nodes_.back();
}

VirtualNetwork::Link& VirtualNetwork::link(Ip from_ip, Ip to_ip) {
  const std::pair key(from_ip, to_ip);
  const auto found = links_.find(key);
  if (found != links_.end()) return found->second;
  return links_.emplace(key, Link(mix(seed_ ^ 0x6C696E6BULL, from_ip, to_ip))).first->second;
}

void VirtualNetwork::set_faults(Ip from_ip, Ip to_ip, const LinkFaults& faults) {
  link(from_ip, to_ip).faults = faults;
}

void VirtualNetwork::set_conditions(Ip client_ip, Ip server_ip,
                                    const NetworkConditions& conditions) {
  set_faults(client_ip, server_ip, conditions.up);
  set_faults(server_ip, client_ip, conditions.down);
}

void VirtualNetwork::set_cut(Ip from_ip, Ip to_ip, bool is_cut) {
  link(from_ip, to_ip).is_cut = is_cut;
}

void VirtualNetwork::heal() {
  default_faults_ = LinkFaults{};
  for (auto& [key, link] : links_) {
    link.faults.reset();
    link.is_cut = false;
  }
}

void VirtualNetwork::send(const Datagram& datagram) {
  ++counters_.sent;
  note(EventKind::Sent, datagram);
  if (tap_) tap_(datagram);

  Link& way = link(datagram.from.ip, datagram.to.ip);
  LinkFaults faults = way.faults ? *way.faults : default_faults_;
  faults.is_cut = faults.is_cut || way.is_cut;
  std::vector<FaultyLink::Arrival> arrivals =
      way.path.carry(faults, now_us_, datagram.bytes, counters_);
  if (arrivals.empty()) note(EventKind::Dropped, datagram);
  Address from = datagram.from;
  if (VirtualNode* const sender = find(from.ip))
    from.port = sender->external_port(from.port, faults.rebindings(now_us_));
  for (FaultyLink::Arrival& arrival : arrivals)
    schedule(arrival.time_us, {from, datagram.to, std::move(arrival.bytes)});
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
  const VirtualNode* const node = find(datagram.to.ip);
  VirtualNode::Socket* const socket = node == nullptr ? nullptr : node->socket_for(datagram.to);
  if (socket == nullptr) {
    ++counters_.unreachable;
    note(EventKind::Dropped, datagram);
    return;
  }
  socket->deliver(std::move(datagram));
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
  add(event_hasher_, datagram.from.ip);
  event_hasher_.add(datagram.from.port);
  add(event_hasher_, datagram.to.ip);
  event_hasher_.add(datagram.to.port);
  event_hasher_.add(static_cast<std::uint64_t>(datagram.bytes.size()));
  event_hasher_.add(base::crc32c(datagram.bytes));
}

}  // namespace jostle::net
