#pragma once

#include "server/client_session.h"
#include "server/snapshot_encoder.h"
#include "server/snapshot_history.h"
#include "shared/net/io.h"
#include "shared/net/transport.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <span>

namespace jostle::server {

/// Sender of the newest snapshot to each session, at the rate of the session's link. If all bodies
/// fit, sessions with the same baselines share one encoding. Otherwise only the bodies with the
/// highest priority are sent.
class SnapshotSender {
 public:
  explicit SnapshotSender(net::Io& io) : io_(io), coder_(io) {}

  /// Starts a new snapshot of `world`, taken `ticks` ticks of `tick_seconds` after the previous
  /// one. `baseline_predictor` (or null) predicts for sessions that use codec 3. `precise` holds
  /// the same snapshot for sessions with the profiles fine and lossless. Both must stay valid until
  /// the next call.
  void begin(SharedSnapshot now, const state::WorldDef& world, int ticks, double tick_seconds,
             const BaselinePredictor* baseline_predictor, PreciseFrames* precise);

  struct Sent {
    std::uint64_t bytes = 0;   // size of the messages
    std::uint32_t failed = 0;  // parts that the transport rejected
    bool is_some = false;      // true if only some of the bodies were sent
    // true if nothing was sent: the rate or the encoding time is used up, or the client is silent
    bool is_none = false;
  };
  /// Adds the bytes of one snapshot interval to the session's budget, then sends the newest
  /// snapshot or skips it.
  Sent send(ClientSession& session, net::Transport& transport, const SnapshotHistory& history);
  /// Counts a snapshot as skipped. The header of the next snapshot carries the count, so that the
  /// client does not mistake the gap for packet loss.
  static Sent skip(SnapshotState& snapshots);

 private:
  Sent send_whole(ClientSession& session, net::Transport& transport,
                  const SnapshotHistory& history);
  Sent send_some(ClientSession& session, net::Transport& transport, const SnapshotHistory& history);
  Sent send_precisely(ClientSession& session, net::Transport& transport, double rate);
  Sent send_parts(ClientSession& session, net::Transport& transport, const EncodedSnapshot& coded,
                  bool is_rate_limited);
  double whole_bytes() const;
  double patience_ticks(const ClientSession& session) const;
  bool is_overdue(const ClientSession& session) const;
  bool is_too_soon_for(const ClientSession& session) const;

  net::Io& io_;
  SnapshotEncoder coder_;
  const BaselinePredictor* baseline_predictor_ = nullptr;
  PreciseFrames* precise_ = nullptr;
  double tick_seconds_ = 0;
  double seconds_ = 0;     // time since the previous snapshot
  std::size_t awake_ = 0;  // awake bodies in the newest snapshot
};

}  // namespace jostle::server
