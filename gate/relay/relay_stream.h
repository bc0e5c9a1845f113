#pragma once

#include "protocol/context/context_codec.h"
#include "protocol/messages.h"
#include "protocol/quantize.h"
#include "shared/net/transport.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jostle::gate {

/// A message to every viewer of a relay.
struct RelayMessage {
  net::Channel channel = net::Channel::State;
  std::vector<std::byte> bytes;
};
using RelayMessages = std::vector<RelayMessage>;
using SharedWorld = std::shared_ptr<const state::WorldDef>;

/// The messages of one snapshot.
struct RelayFrame {
  state::Tick tick;
  /// True if the snapshot refers to no earlier one. A viewer can begin with it.
  bool is_key = false;
  SharedWorld world;      // world of the snapshot
  RelayMessages changes;  // reliable messages that change the world, before the snapshot
  RelayMessages parts;    // the snapshot
};

/// Encoder that codes the snapshots of a world once for all viewers: each one against the two
/// before it, and a key frame without a reference every few seconds.
class RelayStream {
 public:
  struct Options {
    int tick_rate_hz = 60;
    double key_seconds = 2;
  };
  explicit RelayStream(const Options& options) : options_(options) {}

  /// Encodes the next snapshot. `world` is the world at the snapshot's revision. Snapshots that are
  /// not newer than the last one give nothing. `now_us` is the time that the snapshot shows as its
  /// send time.
  std::optional<RelayFrame> add(const protocol::QuantizedSnapshot& snapshot,
                                const state::WorldDef& world, std::int64_t now_us);

  /// Returns the messages that bring a new viewer to the last snapshot: the world, and the
  /// snapshots to which the next one refers. Empty before the first snapshot.
  RelayMessages catch_up() const;
  const SharedWorld& world() const { return world_; }
  state::Tick newest() const { return last_ ? last_->tick : state::Tick{}; }

 private:
  using Runs = std::vector<protocol::context::ReferenceRun>;
  RelayMessages change_world(const state::WorldDef& world);
  Runs runs_for(const protocol::QuantizedSnapshot& snapshot, bool is_key) const;
  RelayMessages encode(const protocol::QuantizedSnapshot& snapshot, bool is_key,
                       std::int64_t now_us) const;
  const protocol::QuantizedBody* find(state::BodyId id, state::Tick tick) const;

  Options options_;
  SharedWorld world_;
  protocol::QuantizedSnapshot spawn_poses_;
  std::vector<protocol::context::BodyFacts> facts_;
  std::optional<protocol::QuantizedSnapshot> last_, before_;  // before_: not older than the key
  state::Tick key_;
};

/// Returns the messages that send a whole world as blobs.
RelayMessages world_messages(const state::WorldDef& world);
/// Returns the messages that send a blob: its announcement and its chunks.
RelayMessages blob_messages(protocol::BlobKind kind, std::span<const std::byte> content,
                            std::uint64_t content_hash);

}  // namespace jostle::gate
