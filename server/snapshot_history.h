#pragma once

#include "protocol/limits.h"
#include "protocol/quantize.h"
#include "shared/state/world_def.h"

#include <array>
#include <memory>

namespace jostle::server {

using SharedSnapshot = std::shared_ptr<const protocol::QuantizedSnapshot>;

/// Ring buffer of the quantised snapshots of the last ticks, shared by all clients.
class SnapshotHistory {
 public:
  void push(SharedSnapshot snapshot);
  /// Returns the snapshot of exactly this tick; null if it is not stored.
  SharedSnapshot find(state::Tick tick) const;
  bool holds(state::Tick tick) const;

 private:
  std::array<SharedSnapshot, protocol::baseline_window_ticks> ring_;
};

/// Returns a body's state in a snapshot; null if the snapshot does not contain the body.
const protocol::QuantizedBody* find_body(const protocol::QuantizedSnapshot& snapshot,
                                         state::BodyId id);

/// Returns the spawn poses of the moving bodies of a world as a snapshot of tick 0: the first
/// baseline.
protocol::QuantizedSnapshot spawn_poses(const state::WorldDef& world);

}  // namespace jostle::server
