#pragma once

#include "server/session.h"
#include "server/snapshot_coder.h"
#include "server/snapshot_history.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <span>

namespace jostle::server {

/// Sends each session what its link takes of the newest snapshot: all of it where that fits, which
/// sessions with the same references share, else the bodies that matter most.
class SnapshotSender {
 public:
  explicit SnapshotSender(net::Io& io) : io_(io), coder_(io) {}

  /// A new snapshot, of the world given, `ticks` of `tick_seconds` after the one before. The
  /// foreseer, or null, is for sessions that foresee, until the next; `precise`, for those with
  /// such a profile, has the same snapshot.
  void begin(SharedSnapshot now, const state::WorldDef& world, int ticks, double tick_seconds,
             const Foreseer* foreseer, PreciseFrames* precise);

  struct Sent {
    std::uint64_t bytes = 0;   // of messages
    std::uint32_t failed = 0;  // parts that the transport did not take
    bool is_some = false;      // not all bodies
    bool is_none = false;      // the link takes nothing at all now
  };
  Sent send(Session& session, net::Transport& transport, const SnapshotHistory& history);
  /// Nothing goes out of this snapshot, which the next one that does says: else it would be taken
  /// for lost.
  static Sent skip(Session& session);

 private:
  Sent send_whole(Session& session, net::Transport& transport, const SnapshotHistory& history);
  Sent send_some(Session& session, net::Transport& transport, const SnapshotHistory& history);
  Sent send_precisely(Session& session, net::Transport& transport, double rate);
  Sent put_out(Session& session, net::Transport& transport, const CodedSnapshot& coded,
               bool wanted_more);
  double whole_bytes() const;
  double patience_ticks(const Session& session) const;
  bool is_overdue(const Session& session) const;
  bool is_too_soon_for(const Session& session) const;

  net::Io& io_;
  SnapshotCoder coder_;
  const Foreseer* foreseer_ = nullptr;
  PreciseFrames* precise_ = nullptr;
  double tick_seconds_ = 0;
  double seconds_ = 0;     // since the snapshot before
  std::size_t awake_ = 0;  // bodies of the newest
};

}  // namespace jostle::server
