#pragma once

#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/net/faulty_link.h"
#include "shared/net/io.h"
#include "shared/net/network_conditions.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::net {

class VirtualNetwork;

/// A datagram in a VirtualNetwork.
struct Datagram {
  Address from;
  Address to;
  std::vector<std::byte> bytes;
};

/// An interface that delivers datagrams to their sockets, in place of the in-memory inboxes of a
/// VirtualNetwork. `at` identifies a socket by the first address of its machine and its port.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void open(Address at) = 0;
  virtual void close(Address at) = 0;
  /// Delivers a datagram to the socket `at`. Returns false if it is lost.
  virtual bool carry(Address at, const Datagram& datagram) = 0;
  virtual std::optional<DatagramSocket::Received> receive(Address at,
                                                          std::span<std::byte> buffer) = 0;
  virtual bool is_readable(Address at) = 0;
};

/// One machine of a VirtualNetwork, with its own monotonic clock, seeded entropy, in-memory files
/// and UDP ports. The network owns it. Its sockets must be closed before the network is destroyed.
class VirtualNode final : public Io {
 public:
  /// Returns the time of this machine's monotonic clock: network time with the clock's skew and the
  /// jumps of advance_clock().
  std::int64_t now_us() override;
  /// Returns network time counted from a day in 2027, plus the offset of set_unix_clock().
  std::int64_t unix_time_s() override;
  void fill_random(std::span<std::byte> bytes) override;
  /// Opens a socket. The local IP must be 0.0.0.0 or ::, one of the node's addresses, or a loopback
  /// address. A datagram to a loopback address stays on its node unless a node of the network has
  /// that address. A socket at 0.0.0.0 is IPv4 only, one at :: is dual-stack.
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> create_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;
  base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                 std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                    std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                     std::span<const std::byte> bytes) override;

  /// Returns the first of this machine's addresses.
  Ip ip() const { return ips_.front(); }
  /// Adds an address, which must be neither in use nor 0.0.0.0 or ::.
  void add_ip(Ip ip);
  /// Returns true if a socket of this machine holds unreceived datagrams.
  bool is_readable() const;
  /// Moves the monotonic clock forwards by `us`, which must not be negative.
  void advance_clock(std::int64_t us);
  /// Moves the clock of unix_time_s() by `by_s`, which may be negative.
  void set_unix_clock(std::int64_t by_s) { unix_offset_s_ += by_s; }
  /// Sets the clock's drift against network time from now on. A negative drift loses time. The
  /// drift must be above −1,000,000.
  void set_clock_skew(std::int64_t parts_per_million);
  /// Stops the monotonic clock for `us`, as the clock of a suspended machine stops. The clock is
  /// behind by `us` afterwards, so call it when the machine wakes.
  void lose_time(std::int64_t us);
  /// Makes the NAT in front of this machine forget its mappings. Each socket has a new external
  /// port from its next datagram on, and datagrams to its earlier port are then lost.
  void rebind_nat() { ++nat_rebindings_; }
  /// Discards the datagrams that have not been received.
  void clear_inboxes();
  /// Sets the disk's capacity. Writes beyond it are IoError::NoSpace.
  void set_disk_capacity_bytes(std::uint64_t bytes) { disk_capacity_bytes_ = bytes; }
  /// Sets the capacity of the inbox of sockets that are opened from now on.
  void set_inbox_capacity_bytes(std::size_t bytes) { inbox_capacity_bytes_ = bytes; }

 private:
  friend class VirtualNetwork;
  class Socket;

  VirtualNode(VirtualNetwork& network, Ip ip, std::uint64_t seed);
  Socket* socket_for(Address to) const;
  std::optional<Ip> source_for(Ip to) const;
  std::optional<std::uint16_t> free_port();
  std::uint16_t external_port(std::uint16_t port, std::int64_t link_rebindings);
  std::uint16_t socket_port(std::uint16_t external) const;
  std::uint64_t disk_bytes_without(const std::string& path) const;

  VirtualNetwork& network_;
  std::vector<Ip> ips_;  // addresses of the machine, at least one
  base::Random entropy_;
  std::int64_t unix_offset_s_ = 0;
  std::int64_t clock_base_network_us_ = 0;
  std::int64_t clock_base_local_us_ = 0;
  std::int64_t skew_parts_per_million_ = 0;
  std::map<std::uint16_t, Socket*> sockets_;
  struct NatMapping {
    std::int64_t rebindings = 0;  // number of rebindings when the mapping was made
    std::uint16_t external_port = 0;
  };
  std::map<std::uint16_t, NatMapping> nat_;  // by the port of the socket; empty without rebindings
  std::int64_t nat_rebindings_ = 0;
  std::uint16_t last_external_port_ = 0;
  std::uint16_t last_ephemeral_port_ = 0;
  std::size_t inbox_capacity_bytes_ = 256 * 1024;
  std::map<std::string, std::vector<std::byte>> files_;
  std::set<std::string> secret_files_;  // names of the files that only their owner may read
  std::uint64_t disk_capacity_bytes_ = 1ULL << 40;
};

/// Machines and links in one process, in virtual time. Everything is determined by the seed and the
/// calls: the same calls give the same event_hash(). Each link (from, to) is a FaultyLink. The
/// class is not thread-safe.
class VirtualNetwork {
 public:
  /// Creates an empty network. Without a carrier, datagrams are delivered in memory.
  explicit VirtualNetwork(std::uint64_t seed, std::unique_ptr<Carrier> carrier = nullptr);
  ~VirtualNetwork();
  VirtualNetwork(const VirtualNetwork&) = delete;
  VirtualNetwork& operator=(const VirtualNetwork&) = delete;

  /// Returns the machine with this address, and creates it on first use. The address must not be
  /// 0.0.0.0 or ::.
  VirtualNode& node(Ip ip);

  /// Sets the faults of all links for which set_faults() was not called. Datagrams in flight are
  /// not affected.
  void set_default_faults(const LinkFaults& faults) { default_faults_ = faults; }
  void set_faults(Ip from_ip, Ip to_ip, const LinkFaults& faults);
  /// Sets the faults of both directions between a client and its server.
  void set_conditions(Ip client_ip, Ip server_ip, const NetworkConditions& conditions);
  /// Cuts one direction of a link, or restores it. The faults of the link do not change.
  void set_cut(Ip from_ip, Ip to_ip, bool is_cut);
  /// Removes the faults and cuts of all links, and the default faults.
  void heal();

  std::int64_t now_us() const { return now_us_; }
  /// Advances the network time and delivers all datagrams that are due until then, in order of
  /// arrival time and then of sending.
  void advance(std::int64_t us) { advance_to(now_us_ + us); }
  void advance_to(std::int64_t time_us);
  /// Returns the time at which the next datagram arrives, or nothing if none is in flight.
  std::optional<std::int64_t> next_event_us() const;

  /// Delivers a datagram with any source address now, without faults. Use it for tests of forged
  /// datagrams.
  void inject(const Datagram& datagram);
  /// Sets a function that receives each datagram that a socket sends, before any fault. An empty
  /// function removes it.
  void set_tap(std::function<void(const Datagram&)> tap) { tap_ = std::move(tap); }

  const FaultCounters& counters() const { return counters_; }
  /// Returns a hash of all sends, drops and arrivals so far: time, kind, addresses and bytes.
  std::uint64_t event_hash() const { return event_hasher_.finish(); }

 private:
  friend class VirtualNode;
  friend class VirtualNode::Socket;

  enum class EventKind : std::uint8_t { Sent, Dropped, Arrived };

  struct Link {
    explicit Link(std::uint64_t seed) : path(seed) {}
    FaultyLink path;
    std::optional<LinkFaults> faults;
    bool is_cut = false;
  };
  struct Arrival {
    std::int64_t time_us = 0;
    std::uint64_t sequence = 0;
    Datagram datagram;
  };
  struct Later {
    bool operator()(const Arrival& a, const Arrival& b) const {
      return std::pair(a.time_us, a.sequence) > std::pair(b.time_us, b.sequence);
    }
  };

  Link& link(Ip from_ip, Ip to_ip);
  VirtualNode* find(Ip ip) const;
  void send(const Datagram& datagram);
  void schedule(std::int64_t time_us, Datagram datagram);
  void deliver(Datagram datagram);
  void note(EventKind kind, const Datagram& datagram);

  std::uint64_t seed_;
  std::unique_ptr<Carrier> carrier_;
  std::int64_t now_us_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::vector<std::unique_ptr<VirtualNode>> nodes_;
  std::map<Ip, VirtualNode*> node_by_ip_;
  std::map<std::pair<Ip, Ip>, Link> links_;
  LinkFaults default_faults_;
  std::vector<Arrival> arrivals_;  // a heap with the earliest arrival in front
  FaultCounters counters_;
  base::Hasher event_hasher_;
  std::function<void(const Datagram&)> tap_;
};

}  // namespace jostle::net
