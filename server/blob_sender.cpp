#include "server/blob_sender.h"

#include "protocol/limits.h"
#include "shared/base/assert.h"
#include "shared/compression/compression.h"

#include <algorithm>
#include <utility>

namespace jostle::server {

SharedBlob pack(protocol::BlobKind kind, protocol::Blob blob) {
  auto packed = std::make_shared<OutgoingBlob>();
  packed->kind = kind;
  packed->content_hash = blob.content_hash;
  std::vector<std::byte> compressed = compression::compress(blob.bytes);
  if (compressed.size() < blob.bytes.size()) {
    packed->content_size = static_cast<std::uint32_t>(blob.bytes.size());
    packed->bytes = std::move(compressed);
  } else {
    packed->bytes = std::move(blob.bytes);
  }
  return packed;
}

bool BlobSender::add(SharedBlob blob) {
  // Clients store shapes for the whole connection, so each shape is sent once. Clients use a blob
  // of any other kind once, so such a blob may be sent again.
  if (blob->kind == protocol::BlobKind::Shape && !sent_shapes_.insert(blob->content_hash).second) {
    return false;
  }
  if (blob->kind != protocol::BlobKind::Shape) {
    const auto waiting = queue_.begin() + (is_announced_ ? 1 : 0);
    queue_.erase(std::remove_if(waiting, queue_.end(),
                                [&](const SharedBlob& other) { return other->kind == blob->kind; }),
                 queue_.end());
  }
  // A client can play without the simulation state, but not without any other blob.
  const bool can_wait = blob->kind == protocol::BlobKind::Simulation;
  const bool is_state_last = !queue_.empty() &&
                             queue_.back()->kind == protocol::BlobKind::Simulation &&
                             queue_.size() > (is_announced_ ? 1U : 0U);
  queue_.insert(queue_.end() - (is_state_last && !can_wait ? 1 : 0), std::move(blob));
  return true;
}

bool BlobSender::holds(protocol::BlobKind kind) const {
  return std::any_of(queue_.begin(), queue_.end(),
                     [kind](const SharedBlob& blob) { return blob->kind == kind; });
}

std::optional<protocol::BlobAnnounce> BlobSender::take_announcement() {
  if (queue_.empty() || is_announced_) return std::nullopt;
  is_announced_ = true;
  const OutgoingBlob& blob = *queue_.front();
  return protocol::BlobAnnounce{blob.content_hash, static_cast<std::uint32_t>(blob.bytes.size()),
                                blob.kind, blob.content_size};
}

protocol::BlobChunk BlobSender::take_chunk(std::size_t most_bytes) {
  JOSTLE_ASSERT(!queue_.empty() && is_announced_);
  const OutgoingBlob& blob = *queue_.front();
  const std::size_t size = std::min(most_bytes, blob.bytes.size() - offset_);
  protocol::BlobChunk chunk;
  chunk.content_hash = blob.content_hash;
  chunk.offset = static_cast<std::uint32_t>(offset_);
  const auto begin = blob.bytes.begin() + static_cast<std::ptrdiff_t>(offset_);
  chunk.bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
  offset_ += size;
  if (offset_ == blob.bytes.size()) {
    queue_.pop_front();
    offset_ = 0;
    is_announced_ = false;
  }
  return chunk;
}

}  // namespace jostle::server
