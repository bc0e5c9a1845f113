#pragma once

#include "protocol/snapshot_codec.h"
#include "shared/state/ids.h"
#include "shared/state/snapshot.h"
#include "shared/state/tick.h"

#include <deque>
#include <span>
#include <vector>

namespace jostle::server {

/// The recent teleports of bodies, which snapshots repeat until clients know them.
class TeleportLog {
 public:
  /// Adds the bodies that were set elsewhere in `tick`; sorted ids. Ticks must ascend. Drops
  /// teleports older than protocol::teleport_window_ticks.
  void add(state::Tick tick, std::span<const state::BodyId> bodies);
  /// Adds the bodies that moved farther from `before` to `now` than their velocities allow: rules
  /// may set poses directly. The snapshots are `seconds` apart.
  void add_jumps(const state::Snapshot& before, const state::Snapshot& now, double seconds);

  /// Returns true if there are teleports after tick `known`.
  bool has_any_after(state::Tick known) const;
  /// Returns the teleports after tick `known` of the bodies of a part of a snapshot at `now`, with
  /// the moving bodies `ids`. If there are more than a part may have, all bodies of the part count
  /// as teleported.
  std::vector<protocol::Teleport> of_part(const protocol::EncodedPart& part,
                                          std::span<const state::BodyId> ids, state::Tick now,
                                          state::Tick known) const;

 private:
  struct Entry {
    state::Tick tick;
    std::vector<state::BodyId> bodies;  // sorted
  };
  void add_to(state::Tick tick, state::BodyId body);

  std::deque<Entry> entries_;  // ascending ticks
};

}  // namespace jostle::server
