#pragma once

#include "protocol/messages.h"
#include "shared/state/shape.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace jostle::client {

/// Puts the chunks of the Bulk channel together to blobs whose content hash is right. An
/// announcement travels on another channel than its chunks, so either may come first.
class BlobStore {
 public:
  /// Blobs under way at once; the announcements of a world's shapes come all together.
  static constexpr std::size_t max_announced = 65'536;
  /// Blobs of which chunks came before their announcement.
  static constexpr std::size_t max_unannounced = 64;
  /// All that is under way; one world with its shapes, and as much again.
  static constexpr std::size_t max_bytes_held = std::size_t{64} << 20;

  struct Complete {
    protocol::BlobKind kind = protocol::BlobKind::WorldDef;
    std::uint64_t content_hash = 0;
    std::vector<std::byte> bytes;
  };
  /// `is_broken`: the sender contradicts itself or goes beyond a bound; what is on a reliable
  /// channel is not sent again, so nothing good can follow.
  struct Taken {
    bool is_broken = false;
    std::optional<Complete> blob;
  };
  Taken announce(const protocol::BlobAnnounce& announcement);
  Taken take(const protocol::BlobChunk& chunk);

  std::size_t bytes_held() const { return bytes_held_; }
  std::size_t under_way() const { return under_way_.size(); }
  /// Bytes that are announced and have not come.
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
