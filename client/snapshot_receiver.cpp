#include "client/snapshot_receiver.h"

#include "protocol/context/context_codec.h"
#include "protocol/context/predicted_codec.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jostle::client {

using protocol::QuantizedBody;

namespace {

bool is_precise(protocol::SnapshotCodec codec) {
  return codec == protocol::SnapshotCodec::Fine || codec == protocol::SnapshotCodec::Lossless;
}
protocol::Profile profile_of(protocol::SnapshotCodec codec) {
  return codec == protocol::SnapshotCodec::Fine ? protocol::Profile::Fine
                                                : protocol::Profile::Lossless;
}

/// Returns the bodies in profile visual.
std::vector<QuantizedBody> quantized(const protocol::precise::Bodies& precise) {
  std::vector<QuantizedBody> bodies;
  const std::size_t count = protocol::precise::size_of(precise);
  bodies.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    // body_at() returns null only for values that are not finite, which the decoder refuses.
    const state::BodyState body =
        protocol::precise::body_at(precise, i).value_or(state::BodyState{});
    bodies.push_back(protocol::quantize(body.pose, body.is_awake));
  }
  return bodies;
}

/// Finds the baselines of the bodies of a part. The bodies have ascending ids and mostly two
/// baselines, so the place after the last body is usually the next one.
class BaselineFinder {
 public:
  explicit BaselineFinder(const SnapshotBuffer& buffer) : buffer_(buffer) {}

  const QuantizedBody* find(state::BodyId id, state::Tick tick) {
    if (places_[used_].tick != tick) used_ = 1 - used_;
    Place& place = places_[used_];
    if (place.tick != tick) place = {tick, buffer_.at(tick), 0};
    const BufferedSnapshot* const snapshot = place.snapshot;
    if (snapshot == nullptr) return nullptr;
    const std::vector<state::BodyId>& ids = *snapshot->ids;
    if (place.next >= ids.size() || ids[place.next] != id)
      place.next =
          static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    if (place.next == ids.size() || ids[place.next] != id) return nullptr;
    const std::size_t index = place.next++;
    return snapshot->is_decoded[index] ? &snapshot->bodies[index] : nullptr;
  }

 private:
  struct Place {
    state::Tick tick;
    const BufferedSnapshot* snapshot = nullptr;
    std::size_t next = 0;  // index in the ids of the snapshot
  };
  const SnapshotBuffer& buffer_;
  std::array<Place, 2> places_;
  std::size_t used_ = 0;  // the place that was used last
};

}  // namespace

std::optional<protocol::SnapshotHeader> SnapshotReceiver::take(std::span<const std::byte> bytes,
                                                               const WorldReplica& world) {
  auto message = protocol::decode_snapshot_message(bytes);
  if (!message) {
    ++counters_.refused;
    return {};
  }
  const protocol::SnapshotHeader header = message->header;
  if (const MovingIds ids = world.moving_ids(header.world_revision)) {
    decode(*message, ids, world);
  } else if (world.is_empty() || header.world_revision > world.revision()) {
    if (held_.size() >= max_held_parts) {
      held_.pop_front();
      ++counters_.dropped;
    }
    held_.push_back(std::move(*message));
  } else {
    ++counters_.dropped;
  }
  return header;
}

void SnapshotReceiver::handle_keyframe(std::span<const std::byte> bytes,
                                       const WorldReplica& world) {
  auto keyframe = decode_keyframe(bytes);
  if (!keyframe) {
    ++counters_.refused;
    return;
  }
  if (world.is_empty() || keyframe->world_revision > world.revision()) {
    held_keyframe_ = std::move(*keyframe);
  } else {
    insert_keyframe(std::move(*keyframe), world);
  }
}

void SnapshotReceiver::handle_own(OwnSnapshot own, const WorldReplica& world) {
  if (held_own_.empty() && insert_own(own, world)) return;
  if (held_own_.size() >= max_held_parts) {
    held_own_.pop_front();
    ++counters_.dropped;
  }
  held_own_.push_back(std::move(own));
}

/// Adds a simulated snapshot. Returns false if its revision has not arrived yet; the caller then
/// stores the snapshot.
bool SnapshotReceiver::insert_own(OwnSnapshot& own, const WorldReplica& world) {
  protocol::QuantizedSnapshot& snapshot = own.snapshot;
  MovingIds ids = world.moving_ids(snapshot.world_revision);
  if (ids == nullptr) {
    const bool comes = world.is_empty() || snapshot.world_revision > world.revision();
    if (!comes) ++counters_.dropped;
    return !comes;
  }
  if (*ids != snapshot.ids || ids->size() != snapshot.bodies.size()) {
    ++counters_.refused;
    return true;
  }
  std::vector<protocol::Teleport> teleports;
  for (const state::BodyId body : own.teleported) {
    const auto place = std::lower_bound(ids->begin(), ids->end(), body);
    if (place != ids->end() && *place == body)
      teleports.push_back({static_cast<std::uint32_t>(place - ids->begin()), 0});
  }
  insert({.tick = snapshot.tick,
          .world_revision = snapshot.world_revision,
          .ids = std::move(ids),
          .part = 0,
          .parts = 1,
          .first = 0,
          .bodies = std::move(snapshot.bodies),
          .chosen = {},
          .precise = {},
          .skipped = 0,
          .teleports = std::move(teleports)});
  return true;
}

void SnapshotReceiver::retry_held(const WorldReplica& world) {
  if (world.is_empty()) return;
  while (!held_own_.empty() && insert_own(held_own_.front(), world))
    held_own_.pop_front();
  if (held_keyframe_ && held_keyframe_->world_revision <= world.revision()) {
    insert_keyframe(*std::exchange(held_keyframe_, std::nullopt), world);
  }
  std::deque<protocol::SnapshotMessage> still_held;
  for (protocol::SnapshotMessage& message : held_) {
    if (const MovingIds ids = world.moving_ids(message.header.world_revision)) {
      decode(message, ids, world);
    } else if (message.header.world_revision > world.revision()) {
      still_held.push_back(std::move(message));
    } else {
      ++counters_.dropped;
    }
  }
  held_ = std::move(still_held);
}

void SnapshotReceiver::decode(const protocol::SnapshotMessage& message, const MovingIds& ids,
                              const WorldReplica& world) {
  const protocol::SnapshotHeader& header = message.header;
  const BufferedSnapshot* known = buffer_.at(header.tick);
  if (known != nullptr && known->is_complete()) return;  // a duplicate, or a keyframe arrived first

  SnapshotBuffer::Part inserted{.tick = header.tick,
                                .world_revision = header.world_revision,
                                .ids = ids,
                                .part = header.part,
                                .parts = header.parts,
                                .first = header.first,
                                .bodies = {},
                                .chosen = {},
                                .precise = {},
                                .skipped = header.skipped,
                                .teleports = header.teleports};
  if (is_precise(message.codec)) {
    auto bodies = decode_precise(message, ids);
    if (!bodies) {
      ++counters_.refused;
      return;
    }
    inserted.bodies = quantized(*bodies);
    inserted.precise = *std::move(bodies);
    insert(std::move(inserted));
    return;
  }
  BaselineFinder finder(buffer_);
  const auto baseline = [&](state::BodyId id, state::Tick tick) -> const QuantizedBody* {
    return tick.number == 0 ? world.spawn_pose(id) : finder.find(id, tick);
  };
  auto part = decode_payload(message, ids, world, baseline);
  if (!part) {
    ++counters_.refused;
    return;
  }
  inserted.bodies = std::move(part->bodies);
  inserted.chosen = std::move(part->chosen);
  insert(std::move(inserted));
}

base::Result<protocol::precise::Bodies, protocol::DecodeError> SnapshotReceiver::decode_precise(
    const protocol::SnapshotMessage& message, const MovingIds& ids) const {
  if (profile_of(message.codec) != requested_.profile) return protocol::DecodeError::OutOfRange;
  const auto frame_at = [&](state::Tick tick) -> protocol::precise::FrameView {
    const BufferedSnapshot* const snapshot = buffer_.at(tick);
    if (snapshot == nullptr || !snapshot->is_whole() || !snapshot->is_precise()) return {};
    return {*snapshot->ids, &snapshot->precise};
  };
  return protocol::precise::decode_part(requested_.profile, message.header, message.payload, *ids,
                                        requested_.tick_rate_hz, frame_at);
}

SnapshotReceiver::Decoded SnapshotReceiver::decode_payload(const protocol::SnapshotMessage& message,
                                                           const MovingIds& ids,
                                                           const WorldReplica& world,
                                                           const protocol::BaselineLookup& lookup) {
  const protocol::SnapshotHeader& header = message.header;
  // Only the requested profile is decoded: the server uses only snapshots of that profile as
  // baselines.
  if (requested_.profile != protocol::Profile::Visual) return protocol::DecodeError::OutOfRange;
  switch (message.codec) {
    case protocol::SnapshotCodec::Predicted:
      return decode_predicted(message, ids, world, lookup);
    case protocol::SnapshotCodec::Context: {
      const MovingFacts facts = world.moving_facts(header.world_revision);
      return protocol::context::decode_part(header, message.payload, *ids, *facts, lookup);
    }
    case protocol::SnapshotCodec::BitPacked:
    case protocol::SnapshotCodec::Fine:
    case protocol::SnapshotCodec::Lossless:
      break;
  }
  auto bodies = protocol::decode_part(header, message.payload, *ids, lookup);
  if (!bodies) return bodies.error();
  return protocol::DecodedPart{std::move(*bodies), {}};
}

/// Decodes a simulation-predicted part. Parts of an older world revision are refused, because the
/// predictor knows only the newest world.
SnapshotReceiver::Decoded SnapshotReceiver::decode_predicted(
    const protocol::SnapshotMessage& message, const MovingIds& ids, const WorldReplica& world,
    const protocol::BaselineLookup& lookup) {
  const protocol::SnapshotHeader& header = message.header;
  if (predictor_ == nullptr || header.world_revision != world.revision())
    return protocol::DecodeError::UnknownBaseline;
  using protocol::context::BaselinePair;
  using protocol::context::BaselinePrediction;
  using protocol::context::QuantizedInput;
  const auto predict_baseline = [&](const BaselinePair& pair,
                                    std::span<const QuantizedInput> inputs) {
    const BufferedSnapshot* const baseline = buffer_.at(pair.baseline);
    const BufferedSnapshot* const previous = buffer_.at(pair.previous);
    const auto is_usable = [&](const BufferedSnapshot* snapshot) {
      return snapshot != nullptr && snapshot->is_whole() && *snapshot->ids == *ids;
    };
    if (!is_usable(baseline) || !is_usable(previous)) return std::span<const BaselinePrediction>{};
    return predictor_->predict_baseline(
        world.world(), {pair, header.tick, baseline->bodies, previous->bodies, inputs});
  };
  const MovingFacts facts = world.moving_facts(header.world_revision);
  return protocol::context::decode_predicted_part(header, message.payload, *ids, *facts, lookup,
                                                  predictor_->steered_players(world.world()),
                                                  predict_baseline);
}

std::optional<SnapshotReceiver::Keyframe> SnapshotReceiver::decode_keyframe(
    std::span<const std::byte> bytes) const {
  if (requested_.profile == protocol::Profile::Visual) {
    auto keyframe = protocol::decode_keyframe(bytes);
    if (!keyframe) return std::nullopt;
    return Keyframe{keyframe->tick,
                    keyframe->world_revision,
                    std::move(keyframe->ids),
                    std::move(keyframe->bodies),
                    {}};
  }
  auto frame = protocol::precise::decode_frame(bytes);
  if (!frame || protocol::precise::profile_of(frame->bodies) != requested_.profile)
    return std::nullopt;
  std::vector<QuantizedBody> bodies = quantized(frame->bodies);
  return Keyframe{frame->tick, frame->world_revision, std::move(frame->ids), std::move(bodies),
                  std::move(frame->bodies)};
}

void SnapshotReceiver::insert_keyframe(Keyframe keyframe, const WorldReplica& world) {
  MovingIds ids = world.moving_ids(keyframe.world_revision);
  if (ids == nullptr || *ids != keyframe.ids || keyframe.bodies.size() != keyframe.ids.size()) {
    ++counters_.refused;
    return;
  }
  insert({.tick = keyframe.tick,
          .world_revision = keyframe.world_revision,
          .ids = std::move(ids),
          .part = 0,
          .parts = 1,
          .first = 0,
          .bodies = std::move(keyframe.bodies),
          .chosen = {},
          .precise = std::move(keyframe.precise),
          .skipped = 0,
          .teleports = {},
          .is_keyframe = true});
}

void SnapshotReceiver::insert(SnapshotBuffer::Part part) {
  const state::Tick tick = part.tick;
  const bool is_keyframe = part.is_keyframe;
  switch (buffer_.insert(std::move(part))) {
    case SnapshotBuffer::Insert::Completed:
      ++counters_.complete;
      // The buffer drops the snapshot at once if it is the oldest in a full buffer.
      if (const BufferedSnapshot* entry = buffer_.at(tick)) on_complete_(*entry, is_keyframe);
      break;
    case SnapshotBuffer::Insert::Contradicts:
      ++counters_.refused;
      break;
    case SnapshotBuffer::Insert::Added:
    case SnapshotBuffer::Insert::AlreadyThere:
    case SnapshotBuffer::Insert::TooOld:
      break;
  }
}

}  // namespace jostle::client
