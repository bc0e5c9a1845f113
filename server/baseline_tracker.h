#pragma once

#include "protocol/messages.h"
#include "protocol/snapshot_codec.h"
#include "server/snapshot_history.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace jostle::server {

/// Snapshots of ticks further back than this are not used as baselines, so that a client which
/// keeps protocol::baseline_window_ticks has them for certain.
inline constexpr std::uint32_t max_baseline_age_ticks = 100;
static_assert(max_baseline_age_ticks < protocol::baseline_window_ticks);

/// Knows, for one client, which state of each body it has acknowledged. Nothing else may be a
/// baseline.
class BaselineTracker {
 public:
  /// The parts of a snapshot that were put on the wire.
  void note_sent(state::Tick tick, const std::vector<protocol::EncodedPart>& parts);

  /// Takes an acknowledgement in. Ticks and parts that were never sent are ignored.
  void acknowledge(const protocol::SnapshotAck& ack, const SnapshotHistory& history);
  /// All bodies of `snapshot` are known to the client.
  void acknowledge_whole(const protocol::QuantizedSnapshot& snapshot);

  /// Newest tick of which something was acknowledged; 0: none.
  state::Tick newest_acknowledged() const { return newest_acknowledged_; }

  /// The newest usable baseline of each body of `now`, as runs.
  std::vector<protocol::BaselineRun> runs(const protocol::QuantizedSnapshot& now,
                                          const SnapshotHistory& history);

 private:
  struct SentPart {
    std::uint32_t first = 0, count = 0;
    bool is_acknowledged = false;
  };
  struct SentTick {
    state::Tick tick;
    std::vector<SentPart> parts;
  };
  void acknowledge_range(const protocol::QuantizedSnapshot& snapshot, std::size_t first,
                         std::size_t count);
  void follow_bodies(const protocol::QuantizedSnapshot& now);

  std::deque<SentTick> sent_;  // by tick, at most protocol::baseline_window_ticks
  std::uint32_t revision_ = 0;
  std::vector<state::BodyId> ids_;      // of `revision_`
  std::vector<state::Tick> baselines_;  // parallel to ids_
  state::Tick newest_acknowledged_;
};

}  // namespace jostle::server
