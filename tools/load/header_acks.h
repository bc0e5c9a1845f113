#pragma once

#include "protocol/limits.h"
#include "protocol/messages.h"
#include "protocol/snapshot_codec.h"
#include "shared/state/tick.h"

#include <array>
#include <bitset>
#include <cstdint>

namespace jostle::load {

/// Acknowledges snapshots from their headers alone. The result equals that of a client that decodes
/// every part.
class HeaderAcks {
 public:
  // Result of add():
  // - Part: the header is that of a new part, and the snapshot is still incomplete.
  // - Complete: the new part completes its snapshot.
  // - Nothing: the part is a duplicate, is too old, or contradicts earlier parts.
  enum class Taken : std::uint8_t { Part, Complete, Nothing };
  Taken add(const protocol::SnapshotHeader& header);
  /// Marks a snapshot that arrived as a keyframe as complete.
  void add_keyframe(state::Tick tick);

  protocol::SnapshotAck ack() const;

 private:
  struct Entry {
    state::Tick tick;
    int parts = 0;
    std::bitset<protocol::max_snapshot_parts> come{};
    bool is_complete = false;
  };
  Entry& entry_of(state::Tick tick) { return entries_[tick.number % entries_.size()]; }
  const Entry* find(state::Tick tick) const;
  void complete(Entry& entry);

  std::array<Entry, 64> entries_{};  // ring buffer, indexed by tick modulo its size
  state::Tick newest_;               // the newest complete snapshot
};

}  // namespace jostle::load
