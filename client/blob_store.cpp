#include "client/blob_store.h"

#include "protocol/limits.h"
#include "shared/base/hash.h"
#include "shared/compression/compression.h"

#include <utility>

namespace jostle::client {
namespace {

const BlobStore::Taken broken{.is_broken = true, .blob = {}};

}  // namespace

BlobStore::Taken BlobStore::announce(const protocol::BlobAnnounce& announcement) {
  if (announcement.size == 0 || announcement.size > protocol::max_blob_bytes ||
      announcement.content_size > protocol::max_blob_bytes)
    return broken;
  const auto entry = under_way_.find(announcement.content_hash);
  if (entry == under_way_.end()) {
    if (under_way_.size() >= max_announced) return broken;
    under_way_[announcement.content_hash].announcement = announcement;
    return {};
  }
  if (entry->second.announcement) {
    return entry->second.announcement == announcement ? Taken{} : broken;
  }
  entry->second.announcement = announcement;
  --unannounced_;
  if (entry->second.bytes.size() > announcement.size) return broken;
  return finish(entry);
}

BlobStore::Taken BlobStore::take(const protocol::BlobChunk& chunk) {
  auto entry = under_way_.find(chunk.content_hash);
  if (entry == under_way_.end()) {
    if (unannounced_ >= max_unannounced) return broken;
    ++unannounced_;
    entry = under_way_.try_emplace(chunk.content_hash).first;
  }
  // The channel is ordered, so a chunk that does not continue its blob is invalid.
  UnderWay& blob = entry->second;
  const std::size_t limit = blob.announcement ? blob.announcement->size : protocol::max_blob_bytes;
  if (chunk.offset != blob.bytes.size() || chunk.bytes.empty() ||
      chunk.bytes.size() > limit - blob.bytes.size() ||
      chunk.bytes.size() > max_bytes_held - bytes_held_) {
    return broken;
  }
  blob.bytes.insert(blob.bytes.end(), chunk.bytes.begin(), chunk.bytes.end());
  bytes_held_ += chunk.bytes.size();
  return finish(entry);
}

BlobStore::Taken BlobStore::finish(UnderWayMap::iterator entry) {
  UnderWay& blob = entry->second;
  if (!blob.announcement || blob.bytes.size() < blob.announcement->size) return {};
  Complete complete{blob.announcement->kind, entry->first, {}};
  bytes_held_ -= blob.bytes.size();
  if (const std::uint32_t size = blob.announcement->content_size; size > 0) {
    auto content = compression::decompress(blob.bytes, size);
    if (!content) return broken;
    complete.bytes = std::move(*content);
  } else {
    complete.bytes = std::move(blob.bytes);
  }
  if (base::hash_bytes(complete.bytes) != entry->first) return broken;
  under_way_.erase(entry);
  return {.is_broken = false, .blob = std::move(complete)};
}

bool BlobStore::is_under_way(protocol::BlobKind kind) const {
  return std::any_of(under_way_.begin(), under_way_.end(), [kind](const auto& entry) {
    return entry.second.announcement && entry.second.announcement->kind == kind;
  });
}

std::size_t BlobStore::bytes_missing() const {
  std::size_t missing = 0;
  for (const auto& [hash, blob] : under_way_) {
    if (blob.announcement) missing += blob.announcement->size - blob.bytes.size();
  }
  return missing;
}

}  // namespace jostle::client
