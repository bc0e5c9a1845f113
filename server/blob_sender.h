#pragma once

#include "protocol/limits.h"
#include "protocol/messages.h"
#include "protocol/world_codec.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace jostle::server {

/// A blob that may be sent to several sessions at once.
struct OutgoingBlob {
  protocol::BlobKind kind = protocol::BlobKind::WorldDef;
  std::uint64_t content_hash = 0;
  std::vector<std::byte> bytes;    // payload, possibly compressed
  std::uint32_t content_size = 0;  // size before compression; 0: not compressed
};
using SharedBlob = std::shared_ptr<const OutgoingBlob>;

/// Returns the blob, compressed if that makes it shorter.
SharedBlob pack(protocol::BlobKind kind, protocol::Blob blob);

/// Queue of the blobs that have not been sent completely to one session. Splits them into chunks.
class BlobSender {
 public:
  /// Queues a blob. A blob other than a shape replaces a queued blob of the same kind, unless the
  /// queued blob is already being sent. A simulation state stays behind all other blobs until it is
  /// being sent. Returns false, and queues nothing, if the same shape was added before.
  bool add(SharedBlob blob);

  bool is_idle() const { return queue_.empty(); }

  /// Returns true if a blob of this kind is queued or is being sent.
  bool holds(protocol::BlobKind kind) const;

  /// Returns the kind of the next blob to send. Contract: the queue is not idle.
  protocol::BlobKind next_kind() const { return queue_.front()->kind; }

  /// Returns true if a part of the next blob was sent.
  bool has_begun() const { return is_announced_; }

  /// Returns the announcement that must be sent before the first chunk of a blob; null if it was
  /// already returned or the queue is empty.
  std::optional<protocol::BlobAnnounce> take_announcement();
  /// Returns the next chunk, of at most `most_bytes`. Contract: the queue is not idle,
  /// take_announcement() was called for the current blob, and `most_bytes` is from 1 to
  /// protocol::max_blob_chunk_bytes.
  protocol::BlobChunk take_chunk(std::size_t most_bytes = protocol::max_blob_chunk_bytes);

 private:
  std::deque<SharedBlob> queue_;
  std::size_t offset_ = 0;  // offset in the first blob of the queue
  bool is_announced_ = false;
  std::set<std::uint64_t> sent_shapes_;  // content hashes of the shapes that were added
};

}  // namespace jostle::server
