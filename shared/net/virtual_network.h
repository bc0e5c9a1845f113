#pragma once

#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/net/faulty_link.h"
#include "shared/net/io.h"

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

struct Datagram {
  Address from;
  Address to;
  std::vector<std::byte> bytes;
};

/// Takes datagrams over their last step, to the socket that they are for, in place of the inbox
/// that a socket of a VirtualNetwork has in memory. `at` is the socket: its machine's first
/// address, its port.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void open(Address at) = 0;
  virtual void close(Address at) = 0;
  /// False when it is lost.
  virtual bool carry(Address at, const Datagram& datagram) = 0;
  virtual std::optional<DatagramSocket::Received> receive(Address at,
                                                          std::span<std::byte> buffer) = 0;
  virtual bool is_readable(Address at) = 0;
};

/// One machine of a VirtualNetwork: its own monotonic clock, seeded entropy, in-memory files, and
/// UDP ports. Owned by the network. Its sockets must be closed before the network ends.
class VirtualNode final : public Io {
 public:
  /// Network time as this machine's clock shows it: continuous, never backwards.
  std::int64_t now_us() override;
  /// Of network time, from a day in 2027 on, and what its owner has set the clock by.
  std::int64_t unix_time_s() override;
  void fill_random(std::span<std::byte> bytes) override;
  /// Local ip: any, one of the node's own, or a loopback address (reached from this node only,
  /// unless another node has that very address). A socket at 0.0.0.0 knows IPv4 only, one at ::
  /// both families.
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;
  base::Result<std::vector<std::byte>, IoError> read_secret_file(const std::string& path,
                                                                 std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_secret_file(const std::string& path,
                                                    std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> create_secret_file(const std::string& path,
                                                     std::span<const std::byte> bytes) override;

  /// The first of its addresses.
  Ip ip() const { return ips_.front(); }
  /// One more address. Contract: nobody's yet, and not any.
  void add_ip(Ip ip);
  /// A socket of it holds what nobody has received yet: what an event loop waits for.
  bool is_readable() const;
  /// The clock jumps forwards. Contract: not negative, because Io promises a monotonic clock.
  void advance_clock(std::int64_t us);
  /// The clock of unix_time_s() is set forwards or backwards.
  void set_unix_clock(std::int64_t by_s) { unix_offset_s_ += by_s; }
  /// From now on the clock gains `parts_per_million` against network time (negative: loses).
  /// Contract: above −1,000,000.
  void set_clock_skew(std::int64_t parts_per_million);
  /// Writes that would make the files larger in total are IoError::NoSpace.
  void set_disk_capacity_bytes(std::uint64_t bytes) { disk_capacity_bytes_ = bytes; }
  /// Sockets opened from now on hold up to this many bytes that nobody has received yet.
  void set_inbox_capacity_bytes(std::size_t bytes) { inbox_capacity_bytes_ = bytes; }

 private:
  friend class VirtualNetwork;
  class Socket;

  VirtualNode(VirtualNetwork& network, Ip ip, std::uint64_t seed);
  Socket* socket_for(Address to) const;
  std::optional<Ip> source_for(Ip to) const;
  std::optional<std::uint16_t> free_port();
  std::uint64_t disk_bytes_without(const std::string& path) const;

  VirtualNetwork& network_;
  std::vector<Ip> ips_;  // one at least
  base::Random entropy_;
  std::int64_t unix_offset_s_ = 0;
  std::int64_t clock_base_network_us_ = 0;
  std::int64_t clock_base_local_us_ = 0;
  std::int64_t skew_parts_per_million_ = 0;
  std::map<std::uint16_t, Socket*> sockets_;
  std::uint16_t last_ephemeral_port_ = 0;
  std::size_t inbox_capacity_bytes_ = 256 * 1024;
  std::map<std::string, std::vector<std::byte>> files_;
  std::set<std::string> secret_files_;  // those of them that only the owner may read
  std::uint64_t disk_capacity_bytes_ = 1ULL << 40;
};

/// Machines and the links between them in one process, in virtual time, from a seed. Everything
/// that happens follows from the seed and the calls: the same calls give the same event_hash().
///
/// Each link (from, to) is a FaultyLink. Not for several threads.
class VirtualNetwork {
 public:
  /// Without a carrier datagrams arrive in memory.
  explicit VirtualNetwork(std::uint64_t seed, std::unique_ptr<Carrier> carrier = nullptr);
  ~VirtualNetwork();
  VirtualNetwork(const VirtualNetwork&) = delete;
  VirtualNetwork& operator=(const VirtualNetwork&) = delete;

  /// The machine with this address, made on first use. Contract: not any.
  VirtualNode& node(Ip ip);

  /// For every link that has no faults of its own. Datagrams on their way are not touched.
  void set_default_faults(const LinkFaults& faults) { default_faults_ = faults; }
  void set_faults(Ip from_ip, Ip to_ip, const LinkFaults& faults);
  /// Partition in one direction, on top of the link's faults.
  void set_cut(Ip from_ip, Ip to_ip, bool is_cut);
  /// All links perfect, all partitions ended.
  void heal();

  std::int64_t now_us() const { return now_us_; }
  /// Delivers everything that is due up to then, in order of (time, sequence).
  void advance(std::int64_t us) { advance_to(now_us_ + us); }
  void advance_to(std::int64_t time_us);
  /// When the next datagram arrives somewhere.
  std::optional<std::int64_t> next_event_us() const;

  /// A datagram with any source address arrives now, past all faults: a forger's tool.
  void inject(const Datagram& datagram);
  /// Called for each datagram that a socket sends, before any fault. An empty function ends it.
  void set_tap(std::function<void(const Datagram&)> tap) { tap_ = std::move(tap); }

  const FaultCounters& counters() const { return counters_; }
  /// Over every send, drop and arrival so far: time, kind, addresses, bytes.
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
  std::vector<Arrival> arrivals_;  // a heap, the earliest in front
  FaultCounters counters_;
  base::Hasher event_hasher_;
  std::function<void(const Datagram&)> tap_;
};

}  // namespace jostle::net
