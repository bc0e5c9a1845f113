// Fuzzes the decoders of a client for its server's messages and blobs. The first byte selects the
// decoder.
#include "protocol/control_codec.h"
#include "protocol/inspect_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"
#include "protocol/precise/frame_codec.h"
#include "protocol/simulation_codec.h"
#include "protocol/snapshot_codec.h"
#include "protocol/visuals_codec.h"
#include "protocol/world_codec.h"
#include "shared/compression/compression.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/read_again.h"
#include "tests/protocol/samples.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace jostle::protocol::fuzz_server_to_client {
namespace {

using Bytes = std::span<const std::byte>;

void read_control(Bytes bytes) {
  const auto message = decode_control(bytes, max_control_message_bytes);
  if (!message) return;
  JOSTLE_ASSERT(bytes.size() <= max_control_message_bytes);
  // Bodies of a change may share bytes in the input, but not in the encoder's output. The output
  // may therefore be too long.
  const auto* const change = std::get_if<state::WorldChange>(&*message);
  if (change != nullptr && !fits_control_message(*change)) return;
  const auto again = decode_control(encode_control(*message), max_control_message_bytes);
  JOSTLE_ASSERT(again.has_value() && *again == *message);
}

void read_snapshot_message(Bytes bytes) {
  const auto message = decode_snapshot_message(bytes);
  if (!message) return;
  const SnapshotHeader& header = message->header;
  JOSTLE_ASSERT(header.part < header.parts);
  JOSTLE_ASSERT(message->payload.size() <= bytes.size());
  const auto again =
      decode_snapshot_message(encode_snapshot_message(header, message->codec, message->payload));
  JOSTLE_ASSERT(again.has_value() && again->header == header && again->codec == message->codec);
  JOSTLE_ASSERT(again->payload == message->payload);
}

void read_particles(Bytes bytes) {
  const auto part = decode_particles(bytes);
  if (!part) return;
  JOSTLE_ASSERT(part->part < part->parts && part->parts <= max_particle_parts);
  std::size_t particles = 0;
  for (const state::ParticleGroup& group : part->groups)
    particles += group.positions.size();
  // Each particle takes at least one byte of the message.
  JOSTLE_ASSERT(particles <= bytes.size());
}

void read_debug_draw(Bytes bytes) {
  const auto part = decode_debug_draw(bytes);
  if (!part) return;
  JOSTLE_ASSERT(part->part < part->parts && part->parts <= max_debug_draw_parts);
  JOSTLE_ASSERT(part->debug_draw.items.size() <= bytes.size());
  // Encoding may round the points again for a smaller box, so the result is not compared.
  JOSTLE_ASSERT(!encode_debug_draw(part->debug_draw, part->world_revision).empty());
}

void read_labels(Bytes bytes) {
  (void)fuzz::reads_again(bytes, decode_labels, encode_labels);
  (void)fuzz::reads_again(bytes, decode_values, encode_values);
  (void)fuzz::reads_again(bytes, decode_ropes, encode_ropes);
  (void)fuzz::reads_again(bytes, decode_statistics, encode_statistics);
  (void)fuzz::reads_again(bytes, decode_body_report, encode_body_report);
}

void read_input_frames(Bytes bytes) {
  const auto message = decode_frames(bytes);
  if (!message) return;
  JOSTLE_ASSERT(!message->frames.empty() && message->frames.size() <= max_frames_per_message);
  for (std::size_t i = 1; i < message->frames.size(); ++i)
    JOSTLE_ASSERT(message->frames[i].tick == message->frames[i - 1].tick + 1);
  // Strings of commands may share bytes in the input, but not in the encoder's output. Fewer frames
  // may therefore fit.
  const EncodedFrames encoded = encode_frames(*message);
  if (encoded.bytes.size() > max_state_message_bytes) return;
  const auto again = decode_frames(encoded.bytes);
  JOSTLE_ASSERT(again.has_value() && again->frames.size() == encoded.count);
  JOSTLE_ASSERT(std::equal(again->frames.begin(), again->frames.end(), message->frames.begin()));
}

void read_frame(Bytes bytes) {
  const auto frame = precise::decode_frame(bytes);
  if (!frame) return;
  JOSTLE_ASSERT(frame->ids.size() == precise::size_of(frame->bodies));
  for (std::size_t i = 0; i < frame->ids.size(); ++i) {
    JOSTLE_ASSERT(i == 0 || frame->ids[i - 1] < frame->ids[i]);
    JOSTLE_ASSERT(precise::body_at(frame->bodies, i).has_value());
  }
  const auto again = precise::decode_frame(precise::encode_frame(*frame));
  JOSTLE_ASSERT(again.has_value() && again->ids == frame->ids && again->bodies == frame->bodies);
}

void read_keyframe(Bytes bytes) {
  read_frame(bytes);
  const auto keyframe = decode_keyframe(bytes);
  if (!keyframe) return;
  JOSTLE_ASSERT(keyframe->ids.size() == keyframe->bodies.size());
  for (std::size_t i = 1; i < keyframe->ids.size(); ++i)
    JOSTLE_ASSERT(keyframe->ids[i - 1] < keyframe->ids[i]);
  for (const QuantizedBody& body : keyframe->bodies) {
    JOSTLE_ASSERT(body.largest < 4);
    for (const std::uint16_t component : body.smallest)
      JOSTLE_ASSERT(component <= rotation_max);
  }
  const auto again = decode_keyframe(encode_keyframe(*keyframe));
  JOSTLE_ASSERT(again.has_value() && *again == *keyframe);
}

const std::map<std::uint64_t, state::Shape>& known_shapes() {
  static const auto shapes = [] {
    std::map<std::uint64_t, state::Shape> made;
    for (const Blob& blob : encode_world(samples::world()).shapes)
      made[blob.content_hash] = decode_shape(blob.bytes).value();
    return made;
  }();
  return shapes;
}

void read_world(Bytes bytes) {
  const auto lookup = [](std::uint64_t hash) -> const state::Shape* {
    const auto found = known_shapes().find(hash);
    return found == known_shapes().end() ? nullptr : &found->second;
  };
  // Every program that needs the shapes reads this list first.
  const auto needed = shapes_needed(bytes);
  if (needed) JOSTLE_ASSERT(needed->size() <= bytes.size());
  const bool is_accepted = fuzz::reads_again(
      bytes, [&](Bytes blob) { return decode_world(blob, lookup); },
      [](const state::WorldDef& world) { return encode_world(world).world.bytes; });
  if (is_accepted) JOSTLE_ASSERT(needed.has_value());
}

/// Checks that decompressing a blob fails or yields exactly the announced number of bytes.
void read_compressed(Bytes bytes) {
  constexpr std::size_t announced = 4'096;
  const auto content = compression::decompress(bytes, announced);
  if (!content) return;
  JOSTLE_ASSERT(content->size() == announced);
  const auto again = compression::decompress(compression::compress(*content), announced);
  JOSTLE_ASSERT(again == content);
}

void read(std::size_t kind, Bytes bytes) {
  switch (kind) {
    case 0:
      return read_control(bytes);
    case 1:
      (void)fuzz::reads_again(bytes, decode_chunk, encode_chunk);
      return;
    case 2:
      (void)fuzz::reads_again(bytes, decode_pong, encode_pong);
      return;
    case 3:
      return read_snapshot_message(bytes);
    case 4:
      return read_particles(bytes);
    case 5:
      return read_labels(bytes);
    case 6:
      return read_keyframe(bytes);
    case 7:
      (void)fuzz::reads_again(bytes, decode_shape,
                              [](const state::Shape& shape) { return encode_shape(shape).bytes; });
      return;
    case 8:
      return read_world(bytes);
    case 9:
      (void)fuzz::reads_again(bytes, decode_simulation, [](const SimulationStart& start) {
        return encode_simulation(start).bytes;
      });
      return;
    case 10:
      return read_compressed(bytes);
    case 11:
      (void)kind_of_state_message(bytes);
      return;
    case 12:
      return read_input_frames(bytes);
    case 13:
      (void)fuzz::reads_again(bytes, decode_lockstep, encode_lockstep);
      return;
    case 14:
      return read_debug_draw(bytes);
  }
}

}  // namespace

JOSTLE_FUZZ_TARGET(server_to_client, data, size) {
  fuzz::FuzzInput input(data, size);
  const std::size_t kind = input.choice(15);
  read(kind, fuzz::copy_of(input.rest()));
  return 0;
}

}  // namespace jostle::protocol::fuzz_server_to_client
