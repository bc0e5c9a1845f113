#pragma once

#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/net/io.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::net {

class VirtualNetwork;

/// What a link does to datagrams, in one direction. Probabilities are per datagram, 0..1.
struct LinkFaults {
  float loss = 0;
  std::int64_t latency_us = 0;
  std::int64_t jitter_us = 0;  // added to the latency, uniform in [0, jitter_us]; may reorder
  float duplication = 0;       // the copy is undamaged and has a jitter of its own
  float reordering = 0;        // held back by reorder_delay_us, so that later ones overtake
  std::int64_t reorder_delay_us = 10'000;
  float corruption = 0;                    // one to three bits flipped
  std::int64_t bandwidth_bytes_per_s = 0;  // 0: unlimited; UDP payload and 28 B of headers count
  std::int64_t queue_us = 200'000;         // with a bandwidth: a longer backlog is dropped
  std::size_t mtu_bytes = 0;               // 0: unlimited; larger payloads are dropped
  bool is_cut = false;                     // nothing gets through
};

/// Every datagram that entered the network, and every fault that was injected.
struct FaultCounters {
  std::uint64_t sent = 0;
  std::uint64_t delivered = 0;      // put into an open socket's inbox, copies included
  std::uint64_t lost = 0;           // by LinkFaults::loss
  std::uint64_t cut = 0;            // by a partition
  std::uint64_t too_long = 0;       // by the MTU
  std::uint64_t queue_dropped = 0;  // by the bandwidth's queue
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;
  std::uint64_t corrupted = 0;
  std::uint64_t unreachable = 0;    // no such node, or no socket on that port
  std::uint64_t inbox_dropped = 0;  // the receiver's socket buffer was full
};

struct Datagram {
  Address from;
  Address to;
  std::vector<std::byte> bytes;
};

/// One machine of a VirtualNetwork: its own monotonic clock, seeded entropy, in-memory files, and
/// UDP ports. Owned by the network. Its sockets must be closed before the network ends.
class VirtualNode final : public Io {
 public:
  /// Network time as this machine's clock shows it: continuous, never backwards.
  std::int64_t now_us() override;
  void fill_random(std::span<std::byte> bytes) override;
  /// Local ip: 0 for any, the node's own, or a loopback address (reached from this node only,
  /// unless another node has that very address).
  base::Result<std::unique_ptr<DatagramSocket>, IoError> open_datagram_socket(
      Address local) override;
  base::Result<std::vector<std::byte>, IoError> read_file(const std::string& path,
                                                          std::size_t max_bytes) override;
  base::Result<base::Ok, IoError> write_file(const std::string& path,
                                             std::span<const std::byte> bytes) override;
  base::Result<base::Ok, IoError> append_file(const std::string& path,
                                              std::span<const std::byte> bytes) override;

  std::uint32_t ip() const { return ip_; }
  /// The clock jumps forwards. Contract: not negative, because Io promises a monotonic clock.
  void advance_clock(std::int64_t us);
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

  VirtualNode(VirtualNetwork& network, std::uint32_t ip, std::uint64_t seed);
  Socket* socket_for(Address to) const;
  std::optional<std::uint16_t> free_port();
  std::uint64_t disk_bytes_without(const std::string& path) const;

  VirtualNetwork& network_;
  std::uint32_t ip_;
  base::Random entropy_;
  std::int64_t clock_base_network_us_ = 0;
  std::int64_t clock_base_local_us_ = 0;
  std::int64_t skew_parts_per_million_ = 0;
  std::map<std::uint16_t, Socket*> sockets_;
  std::uint16_t last_ephemeral_port_ = 0;
  std::size_t inbox_capacity_bytes_ = 256 * 1024;
  std::map<std::string, std::vector<std::byte>> files_;
  std::uint64_t disk_capacity_bytes_ = 1ULL << 40;
};

/// Machines and the links between them in one process, in virtual time, from a seed. Everything
/// that happens follows from the seed and the calls: the same calls give the same event_hash().
///
/// Each link (from, to) has one random stream per fault class, and each datagram draws once from
/// every stream, whatever the probabilities: changing one class leaves the others' draws in place.
/// Not for several threads.
class VirtualNetwork {
 public:
  explicit VirtualNetwork(std::uint64_t seed);
  ~VirtualNetwork();
  VirtualNetwork(const VirtualNetwork&) = delete;
  VirtualNetwork& operator=(const VirtualNetwork&) = delete;

  /// The machine with this address, made on first use. Contract: not 0.
  VirtualNode& node(std::uint32_t ip);

  /// For every link that has no faults of its own. Datagrams on their way are not touched.
  void set_default_faults(const LinkFaults& faults) { default_faults_ = faults; }
  void set_faults(std::uint32_t from_ip, std::uint32_t to_ip, const LinkFaults& faults);
  /// Partition in one direction, on top of the link's faults.
  void set_cut(std::uint32_t from_ip, std::uint32_t to_ip, bool is_cut);
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
    explicit Link(std::uint64_t seed);
    base::Random loss, jitter, duplication, duplicate_jitter, reordering, corruption,
        corrupted_bits;
    std::optional<LinkFaults> faults;
    bool is_cut = false;
    std::int64_t busy_until_us = 0;
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

  Link& link(std::uint32_t from_ip, std::uint32_t to_ip);
  void send(Datagram datagram);
  bool is_dropped(Link& link, const LinkFaults& faults, std::size_t bytes, bool is_lost);
  void schedule(std::int64_t time_us, Datagram datagram);
  void deliver(Datagram datagram);
  void note(EventKind kind, const Datagram& datagram);

  std::uint64_t seed_;
  std::int64_t now_us_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::map<std::uint32_t, std::unique_ptr<VirtualNode>> nodes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Link> links_;
  LinkFaults default_faults_;
  std::vector<Arrival> arrivals_;  // a heap, the earliest in front
  FaultCounters counters_;
  base::Hasher event_hasher_;
  std::function<void(const Datagram&)> tap_;
};

}  // namespace jostle::net
