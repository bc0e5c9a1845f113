#pragma once

#include "protocol/context/references.h"
#include "protocol/snapshot_codec.h"
#include "server/session.h"
#include "server/snapshot_history.h"
#include "shared/net/transport.h"
#include "shared/state/world_def.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jostle::server {

/// Codes a snapshot for each session against what it has acknowledged. Sessions with the same
/// references share one coding.
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
  using Runs = std::vector<protocol::context::ReferenceRun>;
  struct Coding {
    Runs runs;
    protocol::SnapshotCodec codec = protocol::SnapshotCodec::Context;
    SharedParts parts;
  };
  const Coding& coded_against(Runs runs, const SnapshotHistory& history);
  Coding code(Runs runs, const SnapshotHistory& history) const;

  SharedSnapshot now_;
  std::optional<std::uint32_t> world_revision_;  // that the next two are of
  protocol::QuantizedSnapshot spawn_poses_;
  std::vector<protocol::context::BodyFacts> facts_;
  std::vector<Coding> codings_;
};

}  // namespace jostle::server
