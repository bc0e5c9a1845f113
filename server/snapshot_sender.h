#pragma once

#include "protocol/snapshot_codec.h"
#include "server/session.h"
#include "server/snapshot_history.h"
#include "shared/net/transport.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jostle::server {

/// Codes a snapshot for each session against what it has acknowledged. Sessions with the same
/// baselines share one coding.
class SnapshotSender {
 public:
  /// A new snapshot, of the world given. Forgets the codings of the one before.
  void begin(SharedSnapshot now, const state::WorldDef& world);

  struct Sent {
    std::uint64_t bytes = 0;
    std::uint32_t failed = 0;  // parts that the transport did not take
  };
  Sent send(Session& session, net::Transport& transport, const SnapshotHistory& history,
            std::int64_t now_us);

 private:
  using Parts = std::vector<protocol::EncodedPart>;
  const Parts& coded_against(const std::vector<protocol::BaselineRun>& runs,
                             const SnapshotHistory& history);

  struct Coding {
    std::vector<protocol::BaselineRun> runs;
    Parts parts;
  };

  SharedSnapshot now_;
  protocol::QuantizedSnapshot spawn_poses_;
  std::vector<Coding> codings_;
};

}  // namespace jostle::server
