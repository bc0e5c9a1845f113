#include "gate/relay/relay_stream.h"

#include "protocol/context/body_facts.h"
#include "protocol/control_codec.h"
#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "protocol/world_codec.h"
#include "shared/base/hash.h"
#include "shared/compression/compression.h"

#include <algorithm>
#include <utility>

namespace jostle::gate {
namespace {

using protocol::QuantizedBody;
using protocol::QuantizedSnapshot;

const QuantizedBody* find_in(const QuantizedSnapshot& snapshot, state::BodyId id) {
  const auto place = std::lower_bound(snapshot.ids.begin(), snapshot.ids.end(), id);
  if (place == snapshot.ids.end() || *place != id) return nullptr;
  return &snapshot.bodies[static_cast<std::size_t>(place - snapshot.ids.begin())];
}

QuantizedSnapshot spawn_poses_of(const state::WorldDef& world) {
  QuantizedSnapshot poses;
  poses.world_revision = world.revision;
  for (const state::BodyInfo& body : world.bodies) {
    if (body.motion == state::MotionType::Static) continue;
    poses.ids.push_back(body.id);
    poses.bodies.push_back(protocol::quantize(body.pose, true));
  }
  return poses;
}

/// Returns the difference between two worlds; nothing if it is not a change of bodies alone.
std::optional<state::WorldChange> change_between(const state::WorldDef& from,
                                                 const state::WorldDef& to) {
  if (from.scene_name != to.scene_name || !(from.camera == to.camera) ||
      to.revision <= from.revision)
    return std::nullopt;
  state::WorldChange change;
  change.revision = to.revision;
  auto old = from.bodies.begin();
  for (const state::BodyInfo& body : to.bodies) {
    while (old != from.bodies.end() && old->id < body.id)
      change.despawns.push_back((old++)->id);
    if (old == from.bodies.end() || old->id != body.id) {
      change.spawns.push_back(body);
    } else if (!(*old++ == body)) {
      return std::nullopt;  // an id was used again
    }
  }
  for (; old != from.bodies.end(); ++old)
    change.despawns.push_back(old->id);
  return change;
}

}  // namespace

RelayMessages blob_messages(protocol::BlobKind kind, std::span<const std::byte> content,
                            std::uint64_t content_hash) {
  std::vector<std::byte> packed = compression::compress(content);
  const bool is_packed = packed.size() < content.size();
  if (!is_packed) packed.assign(content.begin(), content.end());
  RelayMessages messages;
  const protocol::BlobAnnounce announce{
      content_hash, static_cast<std::uint32_t>(packed.size()), kind,
      is_packed ? static_cast<std::uint32_t>(content.size()) : 0U};
  messages.push_back({net::Channel::Control, protocol::encode_control(announce)});
  for (std::size_t offset = 0; offset < packed.size(); offset += protocol::max_blob_chunk_bytes) {
    const auto part = std::span(packed).subspan(
        offset, std::min(protocol::max_blob_chunk_bytes, packed.size() - offset));
    protocol::BlobChunk chunk;
    chunk.content_hash = content_hash;
    chunk.offset = static_cast<std::uint32_t>(offset);
    chunk.bytes.assign(part.begin(), part.end());
    messages.push_back({net::Channel::Bulk, protocol::encode_chunk(chunk)});
  }
  return messages;
}

RelayMessages world_messages(const state::WorldDef& world) {
  const protocol::EncodedWorld encoded = protocol::encode_world(world);
  RelayMessages messages;
  const auto add = [&](protocol::BlobKind kind, const protocol::Blob& blob) {
    RelayMessages part = blob_messages(kind, blob.bytes, blob.content_hash);
    std::move(part.begin(), part.end(), std::back_inserter(messages));
  };
  for (const protocol::Blob& shape : encoded.shapes)
    add(protocol::BlobKind::Shape, shape);
  add(protocol::BlobKind::WorldDef, encoded.world);
  return messages;
}

std::optional<RelayFrame> RelayStream::add(const QuantizedSnapshot& snapshot,
                                           const state::WorldDef& world, std::int64_t now_us) {
  if (last_ && snapshot.tick <= last_->tick) return std::nullopt;
  RelayFrame frame;
  frame.tick = snapshot.tick;
  if (world_ == nullptr || world_->revision != world.revision) frame.changes = change_world(world);
  frame.world = world_;
  const auto key_ticks = static_cast<std::int64_t>(options_.key_seconds * options_.tick_rate_hz);
  frame.is_key = !last_ || snapshot.tick - key_ >= key_ticks ||
                 snapshot.tick - last_->tick >= std::int64_t{protocol::bit_packed_window_ticks} / 2;
  if (frame.is_key) {
    key_ = snapshot.tick;
    last_.reset();
  }
  frame.parts = encode(snapshot, frame.is_key, now_us);
  before_ = std::exchange(last_, snapshot);
  // A viewer that joins now does not know the earlier world.
  if (before_ && before_->world_revision != snapshot.world_revision) before_.reset();
  return frame;
}

RelayMessages RelayStream::change_world(const state::WorldDef& world) {
  const SharedWorld old = std::exchange(world_, std::make_shared<const state::WorldDef>(world));
  facts_ = protocol::context::facts_of(world);
  spawn_poses_ = spawn_poses_of(world);
  const auto change = old == nullptr ? std::nullopt : change_between(*old, world);
  if (!change || !protocol::fits_control_message(*change)) {
    // Ids may have a new meaning, so nothing before refers to the new world.
    last_.reset();
    before_.reset();
    return world_messages(world);
  }
  RelayMessages messages;
  // Viewers apply changes in order of revision. Revisions in which nothing is left change nothing.
  state::WorldChange nothing;
  for (nothing.revision = old->revision + 1; nothing.revision < world.revision; ++nothing.revision)
    messages.push_back({net::Channel::Control, protocol::encode_control(nothing)});
  messages.push_back({net::Channel::Control, protocol::encode_control(*change)});
  return messages;
}

RelayStream::Runs RelayStream::runs_for(const QuantizedSnapshot& snapshot, bool is_key) const {
  Runs runs;
  for (const state::BodyId id : snapshot.ids) {
    protocol::context::BaselinePair pair;
    if (!is_key && last_ && find_in(*last_, id) != nullptr) {
      pair.baseline = last_->tick;
      const bool has_previous = before_ && find_in(*before_, id) != nullptr;
      pair.previous = has_previous ? before_->tick : last_->tick;
    }
    if (runs.empty() || runs.back().references != pair) runs.push_back({0, pair});
    ++runs.back().count;
  }
  return runs;
}

const QuantizedBody* RelayStream::find(state::BodyId id, state::Tick tick) const {
  if (tick.number == 0) return find_in(spawn_poses_, id);
  if (last_ && last_->tick == tick) return find_in(*last_, id);
  if (before_ && before_->tick == tick) return find_in(*before_, id);
  return nullptr;
}

RelayMessages RelayStream::encode(const QuantizedSnapshot& snapshot, bool is_key,
                                  std::int64_t now_us) const {
  const Runs runs = runs_for(snapshot, is_key);
  const protocol::BaselineLookup lookup = [this](state::BodyId id, state::Tick tick) {
    return find(id, tick);
  };
  protocol::SnapshotCodec codec = protocol::SnapshotCodec::Context;
  const std::size_t room = protocol::max_part_payload_bytes();
  auto parts = protocol::context::encode_parts({&snapshot, facts_, {}, runs}, lookup, room);
  if (parts.size() > protocol::max_snapshot_parts ||
      runs.size() > protocol::context::max_reference_pairs) {
    codec = protocol::SnapshotCodec::BitPacked;
    std::vector<protocol::BaselineRun> baselines;
    for (const auto& run : runs)
      baselines.push_back({run.count, run.references.baseline});
    parts = protocol::encode_parts(snapshot, baselines, lookup, room);
  }
  protocol::SnapshotHeader header;
  header.tick = snapshot.tick;
  header.world_revision = snapshot.world_revision;
  header.parts = static_cast<std::uint8_t>(parts.size());
  header.server_send_us = now_us;
  RelayMessages messages;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    header.part = static_cast<std::uint8_t>(i);
    header.first = parts[i].first;
    header.count = parts[i].count;
    messages.push_back(
        {net::Channel::State, protocol::encode_snapshot_message(header, codec, parts[i].payload)});
  }
  return messages;
}

RelayMessages RelayStream::catch_up() const {
  if (!last_) return {};
  RelayMessages messages = world_messages(*world_);
  for (const auto* const snapshot : {&before_, &last_}) {
    if (!*snapshot) continue;
    const std::vector<std::byte> key = protocol::encode_keyframe(**snapshot);
    RelayMessages part = blob_messages(protocol::BlobKind::Keyframe, key, base::hash_bytes(key));
    std::move(part.begin(), part.end(), std::back_inserter(messages));
  }
  return messages;
}

}  // namespace jostle::gate
