#pragma once

#include "client/blob_store.h"
#include "client/world_replica.h"
#include "protocol/messages.h"
#include "shared/state/shape.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace jostle::client {

/// Turns announcements, chunks and changes of one connection into a WorldReplica. Shapes are kept
/// by content hash for as long as the connection lasts: the server sends each only once in it, so
/// a scene reset costs no shapes again.
class WorldLoader {
 public:
  static constexpr std::size_t max_shapes = 65'536;
  /// Of the blobs of all shapes that are kept.
  static constexpr std::size_t max_shape_bytes = std::size_t{128} << 20;

  enum class Outcome : std::uint8_t {
    Nothing,
    WorldChanged,
    Keyframe,    // take_keyframe() has it
    Simulation,  // take_simulation() has it
    Broken,      // the sender contradicts itself or goes beyond a bound
  };
  Outcome announce(const protocol::BlobAnnounce& announcement);
  Outcome take(const protocol::BlobChunk& chunk);
  Outcome change(state::WorldChange change);

  WorldReplica& replica() { return replica_; }
  const WorldReplica& replica() const { return replica_; }
  /// The last keyframe blob that came together.
  std::vector<std::byte> take_keyframe() { return std::exchange(keyframe_, {}); }
  /// The same of what a simulation is made of.
  std::vector<std::byte> take_simulation() { return std::exchange(simulation_, {}); }

 private:
  Outcome use(BlobStore::Taken taken);
  Outcome use_world(std::vector<std::byte> bytes);
  Outcome use_shape(std::uint64_t content_hash, const std::vector<std::byte>& bytes);
  Outcome use_pending_world();

  BlobStore blobs_;
  std::map<std::uint64_t, state::Shape> shapes_;
  std::size_t shape_bytes_ = 0;
  WorldReplica replica_;
  /// The newest world blob, while shapes of it are missing.
  struct PendingWorld {
    std::vector<std::byte> bytes;
    std::set<std::uint64_t> missing_shapes;
  };
  std::optional<PendingWorld> pending_world_;
  std::vector<std::byte> keyframe_, simulation_;
};

}  // namespace jostle::client
