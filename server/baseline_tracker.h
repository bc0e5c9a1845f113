#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/messages.h"
#include "protocol/snapshot_codec.h"
#include "server/coded_snapshot.h"
#include "server/snapshot_history.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace jostle::server {

/// Snapshots of ticks further back than this are not used as references, so that a client which
/// keeps protocol::baseline_window_ticks has them for certain.
inline constexpr std::uint32_t max_baseline_age_ticks = 224;
static_assert(max_baseline_age_ticks < protocol::baseline_window_ticks);

/// Knows, for one client, which states of each body it has acknowledged: the newest and the one
/// before. Nothing else may be a reference.
class BaselineTracker {
 public:
  /// The parts of a snapshot that were put on the wire.
  void note_sent(state::Tick tick, SharedParts parts);

  /// Parts of a tick that an acknowledgement named for the first time.
  struct News {
    state::Tick tick;
    std::uint32_t parts = 0;
  };
  /// Takes an acknowledgement in. Ticks and parts that were never sent are ignored.
  std::vector<News> acknowledge(const protocol::SnapshotAck& ack, const SnapshotHistory& history);
  /// All bodies of `snapshot` are known to the client.
  void acknowledge_whole(const protocol::QuantizedSnapshot& snapshot);

  /// Newest tick of which something was acknowledged; 0: none.
  state::Tick newest_acknowledged() const { return newest_acknowledged_; }

  /// All bodies of that tick's snapshot are known to the client, and it still has them.
  bool knows_all_of(state::Tick tick) const;

  /// What is acknowledged of each body of `now`, whether it is usable or not; tick 0: nothing.
  std::span<const protocol::context::ReferencePair> acknowledged(
      const protocol::QuantizedSnapshot& now);
  /// The newest usable references of each body of `now`, or of those that are chosen (by index,
  /// ascending), as runs.
  std::vector<protocol::context::ReferenceRun> runs(
      const protocol::QuantizedSnapshot& now, const SnapshotHistory& history,
      std::optional<std::span<const std::uint32_t>> chosen = {});

 private:
  using ReferencePair = protocol::context::ReferencePair;
  struct SentTick {
    state::Tick tick;
    SharedParts parts;
    std::vector<bool> is_acknowledged;  // by part
    std::size_t missing = 0;
  };
  void acknowledge_part(const protocol::QuantizedSnapshot& snapshot,
                        const protocol::EncodedPart& part);
  void note_whole(state::Tick tick) { whole_[tick.number % whole_.size()] = tick; }
  void acknowledge_body(const protocol::QuantizedSnapshot& snapshot, std::size_t index);
  void tell_apart();
  void follow_bodies(const protocol::QuantizedSnapshot& now);

  std::deque<SentTick> sent_;  // by tick, at most protocol::baseline_window_ticks
  std::uint32_t revision_ = 0;
  std::vector<state::BodyId> ids_;         // of `revision_`
  std::vector<ReferencePair> references_;  // parallel to ids_; tick 0: none
  /// That of every body, while it is the same for all, as it is where whole snapshots arrive:
  /// `references_` is out of date then.
  std::optional<ReferencePair> common_;
  std::array<state::Tick, protocol::baseline_window_ticks> whole_{};  // known so, by tick, modulo
  state::Tick newest_acknowledged_;
};

/// The same references for the bit packer, which knows one only.
/// Those too old for it become spawn poses.
std::vector<protocol::BaselineRun> baselines_of(
    std::span<const protocol::context::ReferenceRun> runs, state::Tick now);

}  // namespace jostle::server
