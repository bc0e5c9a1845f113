#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/messages.h"
#include "protocol/snapshot_codec.h"
#include "server/encoded_snapshot.h"
#include "server/snapshot_history.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace jostle::server {

/// Maximum age of a snapshot that may be used as a baseline, in ticks. It is less than
/// protocol::baseline_window_ticks, the age up to which a client stores snapshots, so the client
/// still has the baseline.
inline constexpr std::uint32_t max_baseline_age_ticks = 224;
static_assert(max_baseline_age_ticks < protocol::baseline_window_ticks);

/// Record of the states of each body that one client has acknowledged: the newest state and the one
/// before it. Only these two may serve as baselines for delta compression.
class BaselineTracker {
 public:
  /// Records the parts of a snapshot that were sent.
  void note_sent(state::Tick tick, SharedParts parts);

  /// Number of parts of one tick that were acknowledged for the first time.
  struct AcknowledgedParts {
    state::Tick tick;
    std::uint32_t parts = 0;
  };
  /// Processes an acknowledgement. Returns, for each tick, how many of its parts were acknowledged
  /// for the first time. Ignores ticks whose parts or snapshots are no longer stored, and parts
  /// that were never sent.
  std::vector<AcknowledgedParts> acknowledge(const protocol::SnapshotAck& ack,
                                             const SnapshotHistory& history);
  /// Marks all bodies of `snapshot` as known to the client.
  void acknowledge_all(const protocol::QuantizedSnapshot& snapshot);

  /// Returns the newest tick with an acknowledged part; 0: none.
  state::Tick newest_acknowledged() const { return newest_acknowledged_; }

  /// Returns true if the client has acknowledged all bodies of the snapshot of `tick`. Valid for
  /// the last protocol::baseline_window_ticks ticks; older ticks may be forgotten.
  bool has_acknowledged_all(state::Tick tick) const;

  /// Returns the ticks of the two newest acknowledged states of each body of `now`, even if they
  /// are too old to be used. Tick 0 means that there is none.
  std::span<const protocol::context::BaselinePair> acknowledged(
      const protocol::QuantizedSnapshot& now);
  /// Returns the newest usable baseline pairs of the bodies of `now`, run-length encoded; tick 0 is
  /// the spawn pose. `chosen` holds the indices of the bodies to return; null: all bodies.
  std::vector<protocol::context::ReferenceRun> runs(
      const protocol::QuantizedSnapshot& now, const SnapshotHistory& history,
      std::optional<std::span<const std::uint32_t>> chosen = {});

 private:
  using BaselinePair = protocol::context::BaselinePair;
  struct SentTick {
    state::Tick tick;
    SharedParts parts;
    std::vector<bool> is_acknowledged;  // one flag per part
    std::size_t missing = 0;
  };
  void acknowledge_part(const protocol::QuantizedSnapshot& snapshot,
                        const protocol::EncodedPart& part);
  void note_whole(state::Tick tick) { whole_[tick.number % whole_.size()] = tick; }
  void acknowledge_body(const protocol::QuantizedSnapshot& snapshot, std::size_t index);
  void distinguish();
  void follow_bodies(const protocol::QuantizedSnapshot& now);

  std::deque<SentTick> sent_;  // sorted by tick, at most protocol::baseline_window_ticks entries
  std::uint32_t revision_ = 0;
  std::vector<state::BodyId> ids_;        // the bodies of world revision `revision_`
  std::vector<BaselinePair> references_;  // parallel to ids_; tick 0: none
  /// The baseline pair that all bodies have in common, as is usual if whole snapshots arrive; null
  /// if their pairs may differ. While `common_` is set, `references_` is out of date.
  std::optional<BaselinePair> common_;
  // Ticks whose bodies are all acknowledged; the index is the tick modulo the size.
  std::array<state::Tick, protocol::baseline_window_ticks> whole_{};
  state::Tick newest_acknowledged_;
};

/// Returns the baselines for the bit-packing codec, which uses only one per body. Baselines too old
/// for that codec become tick 0, the spawn pose.
std::vector<protocol::BaselineRun> baselines_of(
    std::span<const protocol::context::ReferenceRun> runs, state::Tick now);

}  // namespace jostle::server
