#pragma once

#include "protocol/limits.h"
#include "protocol/quantize.h"
#include "shared/state/world_def.h"

#include <array>
#include <memory>

namespace jostle::server {

using SharedSnapshot = std::shared_ptr<const protocol::QuantizedSnapshot>;

/// The quantised world of the last ticks, once for all clients.
class SnapshotHistory {
 public:
  void push(SharedSnapshot snapshot);
  /// The snapshot of exactly this tick, or nullptr.
  SharedSnapshot find(state::Tick tick) const;
  bool holds(state::Tick tick) const;

 private:
  std::array<SharedSnapshot, protocol::baseline_window_ticks> ring_;
};

/// A body's state within a snapshot, or nullptr.
const protocol::QuantizedBody* find_body(const protocol::QuantizedSnapshot& snapshot,
                                         state::BodyId id);

/// Where the moving bodies of a world came into being, as a snapshot of tick 0: the first baseline.
protocol::QuantizedSnapshot spawn_poses(const state::WorldDef& world);

}  // namespace jostle::server
