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

/// Loader of a WorldReplica from the announcements, chunks and changes of one connection. Shapes
/// are cached by content hash until the connection ends. The server sends each shape only once per
/// connection, so a scene reset transfers no shapes again.
class WorldLoader {
 public:
  static constexpr std::size_t max_shapes = 65'536;
  /// Maximum total size of the blobs of all cached shapes.
  static constexpr std::size_t max_shape_bytes = std::size_t{128} << 20;

  enum class Outcome : std::uint8_t {
    Nothing,
    WorldChanged,
    Keyframe,    // available through take_keyframe()
    Simulation,  // available through take_simulation()
    Broken,      // a message is invalid, contradicts an earlier one or exceeds a limit
  };
  Outcome announce(const protocol::BlobAnnounce& announcement);
  Outcome take(const protocol::BlobChunk& chunk);
  Outcome change(state::WorldChange change);

  WorldReplica& replica() { return replica_; }
  const WorldReplica& replica() const { return replica_; }
  /// Returns true while a simulation state is being transferred.
  bool is_simulation_under_way() const {
    return blobs_.is_under_way(protocol::BlobKind::Simulation);
  }
  /// Returns and clears the last keyframe blob that became complete.
  std::vector<std::byte> take_keyframe() { return std::exchange(keyframe_, {}); }
  /// Returns and clears the last blob of a simulation state.
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
  /// World blob that waits for shapes that have not arrived yet. Only the newest one is stored.
  struct PendingWorld {
    std::vector<std::byte> bytes;
    std::set<std::uint64_t> missing_shapes;
  };
  std::optional<PendingWorld> pending_world_;
  std::vector<std::byte> keyframe_, simulation_;
};

}  // namespace jostle::client
