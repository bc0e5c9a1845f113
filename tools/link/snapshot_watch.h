#pragma once

#include "protocol/limits.h"
#include "protocol/messages.h"
#include "shared/state/tick.h"
#include "tools/link/samples.h"
#include "tools/match/match.h"

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>

namespace jostle::link {

/// Snapshot figures, summed over all clients with the same link.
struct SnapshotFigures {
  std::uint64_t sent = 0;
  std::uint64_t delivered = 0;      // snapshots of which all parts reached the client's transport
  std::uint64_t decoded = 0;        // delivered snapshots that the client decoded
  std::uint64_t wrong = 0;          // decoded snapshots that differ from the server's
  std::uint64_t payload_bytes = 0;  // bytes of snapshots, without message headers
  std::uint64_t wire_bytes = 0;     // bytes of all datagrams to the client, with IP and UDP headers
  double longest_gap_ms = 0;        // longest time until a newer snapshot was decoded
  Samples added_delay_ms;           // delay of the shown state, minus the latency to the client
  std::uint64_t looks = 0;          // updates of the clients
  std::uint64_t guesses = 0;        // updates that show a time after the newest decoded snapshot

  double seconds = 0;  // measured time, sum of all clients
};

/// Records which snapshots are sent to one client of a match, received and decoded there. Also
/// records which time the client shows, compared with the network's time.
class SnapshotWatch {
 public:
  /// Sets the hooks of `seat`, which update `figures` while the match runs. `figures` must outlive
  /// the match. `latency_us` is the latency to the client.
  SnapshotWatch(match::Match& match, match::Seat& seat, std::int64_t latency_us,
                SnapshotFigures& figures);
  SnapshotWatch(const SnapshotWatch&) = delete;
  SnapshotWatch& operator=(const SnapshotWatch&) = delete;

  /// Begins to count snapshots, from the next tick on.
  void start();
  /// Stops counting snapshots of later ticks. Snapshots sent before are still counted when they
  /// arrive.
  void stop();

  const match::Seat& seat() const { return seat_; }
  void note_sent(const protocol::SnapshotHeader& header, std::size_t payload_bytes);
  void note_datagram(std::size_t udp_payload_bytes);
  /// Records the hash of the server's snapshot of `tick`.
  void note_truth(state::Tick tick, std::uint64_t hash);

 private:
  struct Snapshot {
    std::uint32_t sent_parts = 0;
    std::bitset<protocol::max_snapshot_parts> parts;  // delivered parts
    std::uint64_t hash = 0;
  };
  void note_received(const protocol::SnapshotHeader& header);
  void note_decoded(const protocol::QuantizedSnapshot& snapshot);
  void note_shown();
  bool counts(state::Tick tick) const { return begin_ && tick >= *begin_ && tick < end_; }
  bool is_running() const { return is_running_; }

  match::Match& match_;
  match::Seat& seat_;
  std::int64_t latency_us_;
  SnapshotFigures& figures_;
  std::map<state::Tick, Snapshot> snapshots_;  // the newest 256 snapshots
  std::optional<state::Tick> begin_;
  state::Tick end_;
  bool is_running_ = false;
  std::int64_t started_us_ = 0;
  state::Tick newest_;
  std::int64_t newest_us_ = 0;
};

}  // namespace jostle::link
