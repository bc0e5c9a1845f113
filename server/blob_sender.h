#pragma once

#include "protocol/messages.h"
#include "protocol/world_codec.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace jostle::server {

/// A blob that several sessions may be sending at once.
struct OutgoingBlob {
  protocol::BlobKind kind = protocol::BlobKind::WorldDef;
  std::uint64_t content_hash = 0;
  std::vector<std::byte> bytes;    // as they travel
  std::uint32_t content_size = 0;  // when that is compressed
};
using SharedBlob = std::shared_ptr<const OutgoingBlob>;

/// Compressed where that makes it shorter.
SharedBlob pack(protocol::BlobKind kind, protocol::Blob blob);

/// What one session still has to be sent in bulk, chunk by chunk.
class BlobSender {
 public:
  /// Queues a blob; a world or keyframe takes the place of one that waits. False when this session
  /// had the same content before: then nothing is sent.
  bool add(SharedBlob blob);

  bool is_idle() const { return queue_.empty(); }

  /// Of what is sent next. Contract: not idle.
  protocol::BlobKind next_kind() const { return queue_.front()->kind; }

  /// The announcement that must go out before the next chunk, once per blob.
  std::optional<protocol::BlobAnnounce> take_announcement();
  /// The next chunk. Contract: not idle, and the announcement has been taken.
  protocol::BlobChunk take_chunk();

 private:
  std::deque<SharedBlob> queue_;
  std::size_t offset_ = 0;  // into the first of the queue
  bool is_announced_ = false;
  std::set<std::uint64_t> sent_shapes_;  // content that the client keeps
};

}  // namespace jostle::server
