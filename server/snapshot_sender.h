#pragma once

#include "server/client_session.h"
#include "server/snapshot_encoder.h"
#include "server/snapshot_history.h"
#include "server/teleport_log.h"
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

  /// A new snapshot, taken `ticks` ticks of `tick_seconds` after the previous one.
  struct Frame {
    SharedSnapshot now;
    int ticks = 1;
    double tick_seconds = 0;
    /// Predicts for sessions that use codec 3; may be null.
    const BaselinePredictor* baseline_predictor = nullptr;
    /// The same snapshot for sessions with the profiles fine and lossless.
    PreciseFrames* precise = nullptr;
    const TeleportLog* teleports = nullptr;
  };
  /// Starts a snapshot of `world`. The pointers of `frame` must stay valid until the next call.
  void begin(Frame frame, const state::WorldDef& world);

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
  static double usual_bytes(double rate);
  static Sent skip_for_rate(SnapshotState& snapshots);
  double whole_bytes() const;
  double patience_ticks(const ClientSession& session) const;
  bool is_overdue(const ClientSession& session) const;
  bool is_too_soon_for(const ClientSession& session) const;

  net::Io& io_;
  SnapshotEncoder coder_;
  Frame frame_;
  double seconds_ = 0;     // time since the previous snapshot
  std::size_t awake_ = 0;  // awake bodies in the newest snapshot
};

}  // namespace jostle::server
