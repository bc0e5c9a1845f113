#include "protocol/snapshot_codec.h"

#include "protocol/detail/identifiers.h"
#include "protocol/detail/message_bytes.h"
#include "protocol/detail/verified_root.h"
#include "protocol/limits.h"
#include "protocol/schema/snapshot_generated.h"
#include "shared/base/assert.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>

namespace jostle::protocol {
namespace {

constexpr unsigned largest_shift = 3 * rotation_bits;
constexpr unsigned awake_shift = largest_shift + 2;

constexpr std::int16_t min_margin = -128, max_margin = 127;

bool is_valid(const SnapshotHeader& header) {
  return header.parts >= 1 && header.part < header.parts && header.parts <= max_snapshot_parts &&
         header.first <= max_snapshot_bodies && header.count <= max_snapshot_bodies &&
         header.teleports.size() <= max_part_teleports &&
         std::all_of(header.teleports.begin(), header.teleports.end(),
                     [](const Teleport& teleport) {
                       return (teleport.index < max_snapshot_bodies ||
                               teleport.index == Teleport::all_bodies) &&
                              teleport.age_ticks < teleport_window_ticks;
                     });
}

wire::SnapshotHeader to_wire(const SnapshotHeader& header) {
  const auto sent = static_cast<std::uint64_t>(header.server_send_us);
  return {header.tick.number,
          header.world_revision,
          header.input_ack.number,
          static_cast<std::uint32_t>(sent),
          static_cast<std::uint32_t>(sent >> 32),
          static_cast<std::uint16_t>(header.first),
          static_cast<std::uint16_t>(header.count),
          static_cast<std::int8_t>(
              std::clamp<std::int16_t>(header.input_margin_ticks, min_margin, max_margin)),
          header.skipped,
          header.part,
          header.parts};
}

SnapshotHeader from_wire(const wire::SnapshotHeader& source) {
  SnapshotHeader header;
  header.tick = {source.tick()};
  header.world_revision = source.world_revision();
  header.part = source.part();
  header.parts = source.parts();
  header.first = source.first();
  header.count = source.count();
  header.input_ack = {source.input_ack()};
  header.input_margin_ticks = source.input_margin_ticks();
  header.skipped = source.skipped();
  header.server_send_us = static_cast<std::int64_t>(
      std::uint64_t{source.server_send_us_high()} << 32 | source.server_send_us_low());
  return header;
}

std::uint32_t pack_rotation(const QuantizedBody& body) {
  std::uint32_t packed = std::uint32_t{body.largest} << largest_shift;
  for (std::size_t i = 0; i < 3; ++i)
    packed |= std::uint32_t{body.smallest[i]} << (i * rotation_bits);
  return packed | (body.is_awake ? 1U << awake_shift : 0U);
}

void unpack_rotation(std::uint32_t packed, QuantizedBody& body) {
  for (std::size_t i = 0; i < 3; ++i)
    body.smallest[i] = (packed >> (i * rotation_bits)) & rotation_max;
  body.largest = (packed >> largest_shift) & 3U;
  body.is_awake = (packed >> awake_shift) != 0;
}

const char* identifier_of(SnapshotCodec codec) {
  switch (codec) {
    case SnapshotCodec::Fine:
      return detail::fine_identifier;
    case SnapshotCodec::Lossless:
      return detail::lossless_identifier;
    case SnapshotCodec::Predicted:
      return detail::predicted_identifier;
    case SnapshotCodec::Context:
      return detail::context_identifier;
    case SnapshotCodec::BitPacked:
      break;
  }
  return detail::bit_packed_identifier;
}

/// Returns the codec named by the file identifier. For any other identifier it returns BitPacked,
/// and the verifier then rejects the message.
SnapshotCodec codec_of(const detail::AlignedBytes& message, std::size_t size) {
  constexpr std::size_t identifier_end = 8;
  for (const SnapshotCodec codec : {SnapshotCodec::Predicted, SnapshotCodec::Context,
                                    SnapshotCodec::Fine, SnapshotCodec::Lossless}) {
    if (size >= identifier_end &&
        flatbuffers::BufferHasIdentifier(message.data(), identifier_of(codec)))
      return codec;
  }
  return SnapshotCodec::BitPacked;
}

}  // namespace

std::size_t max_part_payload_bytes() {
  return max_state_message_bytes - max_snapshot_header_bytes;
}

std::vector<std::byte> encode_snapshot_message(const SnapshotHeader& header, SnapshotCodec codec,
                                               std::span<const std::byte> payload) {
  JOSTLE_ASSERT(is_valid(header));
  JOSTLE_ASSERT(payload.size() <= max_part_payload_bytes());
  // Reserve little memory: a server encodes tens of thousands of these messages per second, and
  // small allocations are faster.
  flatbuffers::FlatBufferBuilder builder(payload.size() + 2 * max_snapshot_header_bytes);
  const auto bytes =
      builder.CreateVector(reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size());
  const wire::SnapshotHeader wire_header = to_wire(header);
  std::vector<wire::Teleport> teleports;
  for (const Teleport& teleport : header.teleports) {
    teleports.emplace_back(static_cast<std::uint16_t>(teleport.index),
                           static_cast<std::uint16_t>(teleport.age_ticks));
  }
  flatbuffers::Offset<flatbuffers::Vector<const wire::Teleport*>> list;
  if (!teleports.empty()) list = builder.CreateVectorOfStructs(teleports);
  builder.Finish(wire::CreateSnapshot(builder, &wire_header, bytes, list), identifier_of(codec));
  JOSTLE_ASSERT(builder.GetSize() <= max_state_message_bytes);
  return detail::to_bytes(builder);
}

base::Result<SnapshotMessage, DecodeError> decode_snapshot_message(
    std::span<const std::byte> bytes) {
  if (bytes.size() > max_state_message_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  flatbuffers::Verifier verifier(aligned.data(), bytes.size(), /*max_depth=*/2, /*max_tables=*/1);
  const SnapshotCodec codec = codec_of(aligned, bytes.size());
  if (!verifier.VerifyBuffer<wire::Snapshot>(identifier_of(codec))) return DecodeError::Malformed;
  const auto* source = flatbuffers::GetRoot<wire::Snapshot>(aligned.data());
  if (source->header() == nullptr || source->payload() == nullptr) return DecodeError::Malformed;

  SnapshotMessage message;
  message.codec = codec;
  message.header = from_wire(*source->header());
  if (source->teleports() != nullptr) {
    if (source->teleports()->size() > max_part_teleports) return DecodeError::OutOfRange;
    for (const wire::Teleport* teleport : *source->teleports())
      message.header.teleports.push_back({teleport->index(), teleport->age_ticks()});
  }
  if (!is_valid(message.header)) return DecodeError::OutOfRange;
  if (source->payload()->size() > max_part_payload_bytes()) return DecodeError::OutOfRange;
  const auto* data = reinterpret_cast<const std::byte*>(source->payload()->data());
  message.payload.assign(data, data + source->payload()->size());
  return message;
}

std::vector<std::byte> encode_keyframe(const QuantizedSnapshot& snapshot) {
  JOSTLE_ASSERT(snapshot.ids.size() == snapshot.bodies.size());
  JOSTLE_ASSERT(snapshot.bodies.size() <= max_snapshot_bodies);
  std::vector<wire::KeyframeBody> bodies;
  bodies.reserve(snapshot.bodies.size());
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    const QuantizedBody& body = snapshot.bodies[i];
    JOSTLE_ASSERT(i == 0 ? !snapshot.ids[0].is_null() : snapshot.ids[i - 1] < snapshot.ids[i]);
    bodies.emplace_back(snapshot.ids[i].value, body.position[0], body.position[1], body.position[2],
                        pack_rotation(body));
  }
  flatbuffers::FlatBufferBuilder builder;
  const auto list = builder.CreateVectorOfStructs(bodies);
  builder.Finish(wire::CreateKeyframe(builder, snapshot.tick.number, snapshot.world_revision, list),
                 detail::keyframe_identifier);
  return detail::to_bytes(builder);
}

base::Result<QuantizedSnapshot, DecodeError> decode_keyframe(std::span<const std::byte> bytes) {
  if (bytes.size() > max_blob_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source =
      detail::verified_root<wire::Keyframe>(aligned, bytes.size(), detail::keyframe_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->bodies() == nullptr) return DecodeError::Malformed;
  if (source->bodies()->size() > max_snapshot_bodies) return DecodeError::OutOfRange;

  QuantizedSnapshot snapshot;
  snapshot.tick = {source->tick()};
  snapshot.world_revision = source->world_revision();
  for (const wire::KeyframeBody* body : *source->bodies()) {
    const state::BodyId before = snapshot.ids.empty() ? state::BodyId{} : snapshot.ids.back();
    if (body->id() <= before.value || (body->rotation() >> awake_shift) > 1)
      return DecodeError::OutOfRange;
    QuantizedBody result;
    result.position = {body->x(), body->y(), body->z()};
    unpack_rotation(body->rotation(), result);
    snapshot.ids.push_back({body->id()});
    snapshot.bodies.push_back(result);
  }
  return snapshot;
}

std::vector<std::byte> encode_precise_keyframe(const PreciseKeyframe& keyframe) {
  JOSTLE_ASSERT(keyframe.profile != Profile::Visual);
  JOSTLE_ASSERT(keyframe.ids.size() <= max_snapshot_bodies);
  std::vector<std::uint32_t> ids;
  ids.reserve(keyframe.ids.size());
  for (const state::BodyId id : keyframe.ids)
    ids.push_back(id.value);
  flatbuffers::FlatBufferBuilder builder;
  const auto coded = builder.CreateVector(
      reinterpret_cast<const std::uint8_t*>(keyframe.coded.data()), keyframe.coded.size());
  const auto list = builder.CreateVector(ids);
  builder.Finish(
      wire::CreatePreciseKeyframe(builder, keyframe.tick.number, keyframe.world_revision,
                                  static_cast<std::uint8_t>(keyframe.profile), list, coded),
      detail::precise_keyframe_identifier);
  return detail::to_bytes(builder);
}

base::Result<PreciseKeyframe, DecodeError> decode_precise_keyframe(
    std::span<const std::byte> bytes) {
  if (bytes.size() > max_blob_bytes) return DecodeError::TooLarge;
  const detail::AlignedBytes aligned(bytes);
  const auto* source = detail::verified_root<wire::PreciseKeyframe>(
      aligned, bytes.size(), detail::precise_keyframe_identifier);
  if (source == nullptr) return DecodeError::Malformed;
  if (source->ids() == nullptr || source->coded() == nullptr) return DecodeError::Malformed;
  if (source->ids()->size() > max_snapshot_bodies) return DecodeError::OutOfRange;
  const auto profile = static_cast<Profile>(source->profile());
  if (profile != Profile::Fine && profile != Profile::Lossless) return DecodeError::OutOfRange;
  PreciseKeyframe keyframe{{source->tick()}, source->world_revision(), profile, {}, {}};
  for (const std::uint32_t id : *source->ids()) {
    if (id <= (keyframe.ids.empty() ? 0 : keyframe.ids.back().value))
      return DecodeError::OutOfRange;
    keyframe.ids.push_back({id});
  }
  const auto* data = reinterpret_cast<const std::byte*>(source->coded()->data());
  keyframe.coded.assign(data, data + source->coded()->size());
  return keyframe;
}

}  // namespace jostle::protocol
