#include "client/world_loader.h"

#include "protocol/world_codec.h"

#include <utility>

namespace jostle::client {

WorldLoader::Outcome WorldLoader::announce(const protocol::BlobAnnounce& announcement) {
  // The server does not send the chunks of cached shapes again.
  if (shapes_.contains(announcement.content_hash)) return Outcome::Nothing;
  return use(blobs_.announce(announcement));
}

WorldLoader::Outcome WorldLoader::take(const protocol::BlobChunk& chunk) {
  return use(blobs_.take(chunk));
}

WorldLoader::Outcome WorldLoader::change(state::WorldChange change) {
  switch (replica_.change(std::move(change))) {
    case WorldReplica::Outcome::Applied:
      return Outcome::WorldChanged;
    case WorldReplica::Outcome::Broken:
      return Outcome::Broken;
    case WorldReplica::Outcome::Held:
    case WorldReplica::Outcome::Ignored:
      break;
  }
  return Outcome::Nothing;
}

WorldLoader::Outcome WorldLoader::use(BlobStore::Taken taken) {
  if (taken.is_broken) return Outcome::Broken;
  if (!taken.blob) return Outcome::Nothing;
  switch (taken.blob->kind) {
    case protocol::BlobKind::WorldDef:
      return use_world(std::move(taken.blob->bytes));
    case protocol::BlobKind::Shape:
      return use_shape(taken.blob->content_hash, taken.blob->bytes);
    case protocol::BlobKind::Keyframe:
      keyframe_ = std::move(taken.blob->bytes);
      return Outcome::Keyframe;
    case protocol::BlobKind::Simulation:
      simulation_ = std::move(taken.blob->bytes);
      return Outcome::Simulation;
  }
  return Outcome::Broken;
}

WorldLoader::Outcome WorldLoader::use_world(std::vector<std::byte> bytes) {
  const auto needed = protocol::shapes_needed(bytes);
  if (!needed) return Outcome::Broken;
  PendingWorld pending{std::move(bytes), {}};
  for (const std::uint64_t hash : *needed) {
    if (!shapes_.contains(hash)) pending.missing_shapes.insert(hash);
  }
  pending_world_ = std::move(pending);
  return use_pending_world();
}

WorldLoader::Outcome WorldLoader::use_shape(std::uint64_t content_hash,
                                            const std::vector<std::byte>& bytes) {
  const auto shape = protocol::decode_shape(bytes);
  if (!shape || shapes_.size() >= max_shapes || bytes.size() > max_shape_bytes - shape_bytes_)
    return Outcome::Broken;
  shape_bytes_ += bytes.size();
  shapes_.emplace(content_hash, *shape);
  if (!pending_world_ || pending_world_->missing_shapes.erase(content_hash) == 0) {
    return Outcome::Nothing;
  }
  return use_pending_world();
}

WorldLoader::Outcome WorldLoader::use_pending_world() {
  if (!pending_world_->missing_shapes.empty()) return Outcome::Nothing;
  const PendingWorld pending = *std::exchange(pending_world_, std::nullopt);
  auto world = protocol::decode_world(pending.bytes, [this](std::uint64_t hash) {
    const auto shape = shapes_.find(hash);
    return shape != shapes_.end() ? &shape->second : nullptr;
  });
  if (!world) return Outcome::Broken;
  switch (replica_.replace(std::move(*world))) {
    case WorldReplica::Outcome::Applied:
      return Outcome::WorldChanged;
    case WorldReplica::Outcome::Broken:
      return Outcome::Broken;
    case WorldReplica::Outcome::Held:
    case WorldReplica::Outcome::Ignored:
      break;
  }
  return Outcome::Nothing;
}

}  // namespace jostle::client
