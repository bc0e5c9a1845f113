#include "shared/base/assert.h"
#include "shared/net/detail/virtual_socket.h"
#include "shared/net/virtual_network.h"

#include <algorithm>
#include <array>

namespace jostle::net {
namespace {

constexpr std::int64_t unix_start_s = 1'800'000'000;

constexpr std::uint16_t first_ephemeral_port = 49'152;
/// First external port of the NAT. External ports end before the ephemeral ones.
constexpr std::uint16_t first_external_port = 30'000;
constexpr std::int64_t million = 1'000'000;

}  // namespace

VirtualNode::VirtualNode(VirtualNetwork& network, Ip ip, std::uint64_t seed)
    : network_(network),
      entropy_(seed),
      clock_base_network_us_(network.now_us()),
      clock_base_local_us_(network.now_us()) {
  add_ip(ip);
}

void VirtualNode::add_ip(Ip ip) {
  JOSTLE_ASSERT(!ip.is_any());
  const bool is_new = network_.node_by_ip_.emplace(ip, this).second;
  JOSTLE_ASSERT(is_new);
  ips_.push_back(ip);
}

std::int64_t VirtualNode::unix_time_s() {
  return unix_start_s + network_.now_us() / 1'000'000 + unix_offset_s_;
}

std::int64_t VirtualNode::now_us() {
  const std::int64_t passed = network_.now_us() - clock_base_network_us_;
  // Split the product, so that it does not overflow for years of virtual time.
  const std::int64_t gained = passed / million * skew_parts_per_million_ +
                              passed % million * skew_parts_per_million_ / million;
  return clock_base_local_us_ + passed + gained;
}

bool VirtualNode::is_readable() const {
  return std::any_of(sockets_.begin(), sockets_.end(),
                     [](const auto& entry) { return entry.second->is_readable(); });
}

void VirtualNode::advance_clock(std::int64_t us) {
  JOSTLE_ASSERT(us >= 0);
  clock_base_local_us_ += us;
}

void VirtualNode::lose_time(std::int64_t us) {
  JOSTLE_ASSERT(us >= 0);
  clock_base_local_us_ -= us;
}

void VirtualNode::clear_inboxes() {
  std::array<std::byte, 1> none{};
  for (const auto& [port, socket] : sockets_) {
    while (socket->receive(none)) {
    }
  }
}

/// Returns the source port that other machines see, and makes a new NAT mapping if the NAT has
/// forgotten the last one.
std::uint16_t VirtualNode::external_port(std::uint16_t port, std::int64_t link_rebindings) {
  const std::int64_t rebindings = nat_rebindings_ + link_rebindings;
  if (rebindings == 0 && nat_.empty()) return port;
  NatMapping& mapping = nat_[port];
  if (mapping.external_port == 0 || mapping.rebindings != rebindings) {
    last_external_port_ =
        last_external_port_ < first_external_port || last_external_port_ + 1 == first_ephemeral_port
            ? first_external_port
            : static_cast<std::uint16_t>(last_external_port_ + 1);
    mapping = {rebindings, last_external_port_};
  }
  return mapping.external_port;
}

/// Returns the port of the socket that receives datagrams to `external`; 0 if the NAT has no
/// mapping.
std::uint16_t VirtualNode::socket_port(std::uint16_t external) const {
  for (const auto& [port, mapping] : nat_)
    if (mapping.external_port == external) return port;
  return nat_.contains(external) ? 0 : external;
}

void VirtualNode::set_clock_skew(std::int64_t parts_per_million) {
  JOSTLE_ASSERT(parts_per_million > -million);
  clock_base_local_us_ = now_us();
  clock_base_network_us_ = network_.now_us();
  skew_parts_per_million_ = parts_per_million;
}

void VirtualNode::fill_random(std::span<std::byte> bytes) {
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(entropy_.next() >> 56);
  }
}

base::Result<std::unique_ptr<DatagramSocket>, IoError> VirtualNode::open_datagram_socket(
    Address local) {
  const bool is_own = std::find(ips_.begin(), ips_.end(), local.ip) != ips_.end();
  if (!local.ip.is_any() && !is_own && !is_loopback(local)) return IoError::AddressUnavailable;
  if (local.port == 0) {
    const std::optional<std::uint16_t> port = free_port();
    if (!port) return IoError::AddressInUse;
    local.port = *port;
  }
  if (sockets_.contains(local.port)) return IoError::AddressInUse;
  return std::unique_ptr<DatagramSocket>(
      std::make_unique<Socket>(network_, *this, local, inbox_capacity_bytes_));
}

std::optional<std::uint16_t> VirtualNode::free_port() {
  for (int attempt = first_ephemeral_port; attempt <= UINT16_MAX; ++attempt) {
    last_ephemeral_port_ =
        last_ephemeral_port_ < first_ephemeral_port || last_ephemeral_port_ == UINT16_MAX
            ? first_ephemeral_port
            : static_cast<std::uint16_t>(last_ephemeral_port_ + 1);
    if (!sockets_.contains(last_ephemeral_port_)) return last_ephemeral_port_;
  }
  return std::nullopt;
}

VirtualNode::Socket* VirtualNode::socket_for(Address to) const {
  const auto found = sockets_.find(socket_port(to.port));
  if (found == sockets_.end()) return nullptr;
  const Ip bound = found->second->local_address().ip;
  const bool is_for_it = bound.is_any() ? can_reach(bound, to.ip) : bound == to.ip;
  return is_for_it ? found->second : nullptr;
}

/// Returns the source address of datagrams to `to` from a socket that is bound to 0.0.0.0 or ::.
/// Returns nothing if this machine has no address of that family.
std::optional<Ip> VirtualNode::source_for(Ip to) const {
  if (to.is_loopback()) return loopback_of_family(to);
  const auto found =
      std::find_if(ips_.begin(), ips_.end(), [&](Ip ip) { return ip.is_v4() == to.is_v4(); });
  return found == ips_.end() ? std::nullopt : std::optional(*found);
}

std::uint64_t VirtualNode::disk_bytes_without(const std::string& path) const {
  std::uint64_t total = 0;
  for (const auto& [name, content] : files_) {
    if (name != path) total += content.size();
  }
  return total;
}

base::Result<std::vector<std::byte>, IoError> VirtualNode::read_file(const std::string& path,
                                                                     std::size_t max_bytes) {
  const auto found = files_.find(path);
  if (found == files_.end()) return IoError::NotFound;
  if (found->second.size() > max_bytes) return IoError::TooLarge;
  return found->second;
}

base::Result<base::Ok, IoError> VirtualNode::write_file(const std::string& path,
                                                        std::span<const std::byte> bytes) {
  if (disk_bytes_without(path) + bytes.size() > disk_capacity_bytes_) return IoError::NoSpace;
  files_[path].assign(bytes.begin(), bytes.end());
  secret_files_.erase(path);
  return base::Ok{};
}

base::Result<base::Ok, IoError> VirtualNode::create_file(const std::string& path,
                                                         std::span<const std::byte> bytes) {
  if (files_.contains(path)) return IoError::AlreadyExists;
  return write_file(path, bytes);
}

base::Result<std::vector<std::byte>, IoError> VirtualNode::read_secret_file(const std::string& path,
                                                                            std::size_t max_bytes) {
  if (files_.contains(path) && !secret_files_.contains(path)) return IoError::InsecurePermissions;
  return read_file(path, max_bytes);
}

base::Result<base::Ok, IoError> VirtualNode::write_secret_file(const std::string& path,
                                                               std::span<const std::byte> bytes) {
  auto written = write_file(path, bytes);
  if (written) secret_files_.insert(path);
  return written;
}

base::Result<base::Ok, IoError> VirtualNode::create_secret_file(const std::string& path,
                                                                std::span<const std::byte> bytes) {
  if (files_.contains(path)) return IoError::AlreadyExists;
  return write_secret_file(path, bytes);
}

base::Result<base::Ok, IoError> VirtualNode::append_file(const std::string& path,
                                                         std::span<const std::byte> bytes) {
  const auto known = files_.find(path);
  const std::size_t before = known == files_.end() ? 0 : known->second.size();
  if (disk_bytes_without(path) + before + bytes.size() > disk_capacity_bytes_)
    return IoError::NoSpace;
  std::vector<std::byte>& content = files_[path];
  content.insert(content.end(), bytes.begin(), bytes.end());
  return base::Ok{};
}

VirtualNode::Socket::Socket(VirtualNetwork& network, VirtualNode& node, Address local,
                            std::size_t capacity_bytes)
    : network_(network), node_(node), local_(local), capacity_bytes_(capacity_bytes) {
  node_.sockets_[local_.port] = this;
  if (network_.carrier_) network_.carrier_->open(place());
}

VirtualNode::Socket::~Socket() {
  node_.sockets_.erase(local_.port);
  if (network_.carrier_) network_.carrier_->close(place());
}

bool VirtualNode::Socket::is_readable() const {
  return network_.carrier_ ? network_.carrier_->is_readable(place()) : !inbox_.empty();
}

bool VirtualNode::Socket::send(Address to, std::span<const std::byte> bytes) {
  // Reject destinations and sizes that an operating system would reject.
  if (to.ip.is_any() || to.port == 0 || bytes.size() > max_udp_payload_bytes) return false;
  if (!can_reach(local_.ip, to.ip) || (is_loopback(local_) && !is_loopback(to))) return false;
  const std::optional<Ip> source = local_.ip.is_any() ? node_.source_for(to.ip) : local_.ip;
  if (!source) return false;
  Datagram datagram{
      .from = {*source, local_.port}, .to = to, .bytes = {bytes.begin(), bytes.end()}};
  if (is_loopback(to) && network_.find(to.ip) == nullptr) {
    // The datagram never leaves the machine, so there is no link and there are no faults.
    Socket* const receiver = node_.socket_for(to);
    network_.note(VirtualNetwork::EventKind::Sent, datagram);
    if (network_.tap_) network_.tap_(datagram);
    ++network_.counters_.sent;
    if (receiver == nullptr) {
      ++network_.counters_.unreachable;
    } else {
      receiver->deliver(std::move(datagram));
    }
    return true;
  }
  network_.send(datagram);
  return true;
}

void VirtualNode::Socket::deliver(Datagram datagram) {
  const bool is_lost = network_.carrier_ ? !network_.carrier_->carry(place(), datagram)
                                         : inbox_bytes_ + datagram.bytes.size() > capacity_bytes_;
  if (is_lost) {
    ++network_.counters_.inbox_dropped;
    network_.note(VirtualNetwork::EventKind::Dropped, datagram);
    return;
  }
  ++network_.counters_.delivered;
  network_.note(VirtualNetwork::EventKind::Arrived, datagram);
  if (network_.carrier_) return;
  inbox_bytes_ += datagram.bytes.size();
  inbox_.push_back(std::move(datagram));
}

std::optional<DatagramSocket::Received> VirtualNode::Socket::receive(std::span<std::byte> buffer) {
  if (network_.carrier_) return network_.carrier_->receive(place(), buffer);
  if (inbox_.empty()) return std::nullopt;
  const Datagram& first = inbox_.front();
  const std::size_t length = std::min(buffer.size(), first.bytes.size());
  std::copy_n(first.bytes.begin(), length, buffer.begin());
  const Received received{
      .from = first.from, .bytes = length, .is_truncated = length < first.bytes.size()};
  inbox_bytes_ -= first.bytes.size();
  inbox_.pop_front();
  return received;
}

}  // namespace jostle::net
