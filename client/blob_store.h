#pragma once

#include "protocol/messages.h"
#include "shared/state/shape.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace jostle::client {

/// Store that assembles the chunks of the Bulk channel into blobs and verifies their content
/// hashes. Announcements are sent on the Control channel, so a blob's announcement may arrive
/// before or after its chunks.
class BlobStore {
 public:
  /// If this number of blobs is in transfer, a new announcement is refused. All shapes of a world
  /// are announced together, so the limit is large.
  static constexpr std::size_t max_announced = 65'536;
  /// Maximum number of blobs whose chunks arrived before their announcement.
  static constexpr std::size_t max_unannounced = 64;
  /// Maximum number of received bytes of incomplete blobs: 64 MiB, twice the largest blob.
  static constexpr std::size_t max_bytes_held = std::size_t{64} << 20;

  struct Complete {
    protocol::BlobKind kind = protocol::BlobKind::WorldDef;
    std::uint64_t content_hash = 0;
    std::vector<std::byte> bytes;
  };
  /// Result of a message.
  struct Taken {
    // true: the message contradicts an earlier one or exceeds a limit, or the blob does not match
    // its hash. Reliable messages are not sent again, so the connection cannot continue.
    bool is_broken = false;
    std::optional<Complete> blob;  // the blob that the message completed; null: none
  };
  Taken announce(const protocol::BlobAnnounce& announcement);
  Taken take(const protocol::BlobChunk& chunk);

  std::size_t bytes_held() const { return bytes_held_; }
  std::size_t under_way() const { return under_way_.size(); }
  /// Returns true if a blob of this kind was announced and has not arrived completely.
  bool is_under_way(protocol::BlobKind kind) const;
  /// Returns the number of announced bytes that have not arrived.
  std::size_t bytes_missing() const;

 private:
  struct UnderWay {
    std::optional<protocol::BlobAnnounce> announcement;
    std::vector<std::byte> bytes;
  };
  using UnderWayMap = std::map<std::uint64_t, UnderWay>;
  Taken finish(UnderWayMap::iterator entry);

  UnderWayMap under_way_;
  std::size_t unannounced_ = 0;
  std::size_t bytes_held_ = 0;
};

}  // namespace jostle::client
