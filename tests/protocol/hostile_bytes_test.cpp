#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/lockstep_codec.h"
#include "protocol/snapshot_codec.h"
#include "protocol/world_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/flipped_bits.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace jostle::protocol {
namespace {

/// The decoder of one kind of message, with checks of its results. An accepted value is encoded
/// again, which asserts its limits, and these bytes must decode to the same value.
struct Exercise {
  /// Returns true if the bytes are accepted.
  std::function<bool(std::span<const std::byte>)> accepts;
  std::function<FlippedBits(std::span<const std::byte>)> flip_each_bit;
};

template <typename Decode, typename Encode, typename IsSame = std::equal_to<>>
Exercise exercise(Decode decode, Encode encode, IsSame is_same = {}) {
  return {[=](std::span<const std::byte> bytes) {
            const auto decoded = decode(bytes);
            if (!decoded) return false;
            const auto again = decode(encode(*decoded));
            EXPECT_TRUE(again.has_value() && is_same(*again, *decoded));
            return true;
          },
          [=](std::span<const std::byte> bytes) {
            return decode_with_flipped_bits(bytes, decode, encode, is_same);
          }};
}

Exercise exercise_control() {
  return exercise(
      [](std::span<const std::byte> bytes) {
        return decode_control(bytes, max_control_message_bytes);
      },
      encode_control);
}

Exercise exercise_world() {
  const EncodedWorld encoded = encode_world(samples::world());
  std::map<std::uint64_t, state::Shape> shapes;
  for (const Blob& blob : encoded.shapes)
    shapes[blob.content_hash] = decode_shape(blob.bytes).value();
  const auto lookup = [shapes](std::uint64_t hash) -> const state::Shape* {
    const auto found = shapes.find(hash);
    return found == shapes.end() ? nullptr : &found->second;
  };
  return exercise(
      [lookup](std::span<const std::byte> bytes) {
        // Callers read this list before they decode the world.
        const auto needed = shapes_needed(bytes);
        if (needed) {
          EXPECT_LE(needed->size(), max_body_shapes);
        }
        return decode_world(bytes, lookup);
      },
      [](const state::WorldDef& world) { return encode_world(world).world.bytes; });
}

struct MessageCase {
  std::string name;
  std::vector<std::byte> bytes;
  Exercise exercise;
};

/// Exercises the decoder of input frames. A frame that is stored as a repetition of its predecessor
/// may grow when it is encoded again, so fewer frames may fit into the message.
Exercise exercise_frames() {
  return exercise(
      [](std::span<const std::byte> bytes) {
        auto message = decode_frames(bytes);
        if (message) {
          EXPECT_LE(message->frames.size(), max_frames_per_message);
        }
        return message;
      },
      [](const InputFrames& message) { return encode_frames(message).bytes; },
      [](const InputFrames& again, const InputFrames& before) {
        return again.frames.size() <= before.frames.size() &&
               again.frames.empty() == before.frames.empty() &&
               std::equal(again.frames.begin(), again.frames.end(), before.frames.begin());
      });
}

std::vector<MessageCase> lockstep_cases() {
  std::vector<MessageCase> cases{
      {"InputFrames", encode_frames(samples::frames()).bytes, exercise_frames()}};
  const std::vector<std::string> names{"LockstepRequest", "DesyncQuestion", "DesyncAnswer",
                                       "DesyncReport"};
  for (std::size_t i = 0; i < names.size(); ++i)
    cases.push_back({names[i], encode_lockstep(samples::lockstep_messages()[i]),
                     exercise(decode_lockstep, encode_lockstep)});
  return cases;
}

std::vector<MessageCase> messages() {
  const auto control = exercise_control();
  const std::vector<std::byte> payload(20, std::byte{0x5A});
  QuantizedSnapshot keyframe = samples::resting({9}, 5);
  return {
      {"Hello", encode_control(samples::hello()), control},
      {"Welcome", encode_control(samples::welcome()), control},
      {"Reject", encode_control(samples::reject()), control},
      {"BlobAnnounce", encode_control(samples::announce()), control},
      {"ControlRequest", encode_control(samples::request()), control},
      {"SceneListRequest", encode_control(SceneListRequest{}), control},
      {"SceneInfo", encode_control(samples::scene_info()), control},
      {"SceneRequest", encode_control(samples::scene_request()), control},
      {"Notice", encode_control(samples::notice()), control},
      {"SceneStatus", encode_control(samples::scene_status()), control},
      {"SetInterest", encode_control(samples::set_interest()), control},
      {"ForesightOffer", encode_control(PredictionBaselineOffer{7, 9}), control},
      {"SimulationRequest", encode_control(SimulationRequest{}), control},
      {"InspectRequest", encode_control(InspectRequest{5, true, {9}}), control},
      {"Commands", encode_control(samples::commands()), control},
      {"WorldChange", encode_control(samples::change()), control},
      {"BlobChunk", encode_chunk(samples::chunk()), exercise(decode_chunk, encode_chunk)},
      {"TimePing", encode_ping(samples::ping()), exercise(decode_ping, encode_ping)},
      {"TimePong", encode_pong(samples::pong()), exercise(decode_pong, encode_pong)},
      {"InputPacket", encode_input(samples::input_packet()), exercise(decode_input, encode_input)},
      {"TickCommands", encode_commands(samples::commands()),
       exercise(decode_commands, encode_commands)},
      {"Snapshot", encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, payload),
       exercise(decode_snapshot_message,
                [](const SnapshotMessage& message) {
                  return encode_snapshot_message(message.header, message.codec, message.payload);
                })},
      {"Simulation", encode_simulation(samples::simulation()).bytes,
       exercise(decode_simulation,
                [](const SimulationStart& start) { return encode_simulation(start).bytes; })},
      {"Keyframe", encode_keyframe(keyframe), exercise(decode_keyframe, encode_keyframe)},
      {"Shape", encode_shape(state::capsule(1, 2)).bytes,
       exercise(decode_shape, [](const state::Shape& shape) { return encode_shape(shape).bytes; })},
      {"World", encode_world(samples::world()).world.bytes, exercise_world()},
  };
}

class HostileBytes : public testing::TestWithParam<MessageCase> {};

TEST_P(HostileBytes, AcceptsTheValidMessage) {
  EXPECT_TRUE(GetParam().exercise.accepts(GetParam().bytes));
}

// Every prefix of a valid message may be received. A prefix that lacks only the padding at the end
// may be accepted.
TEST_P(HostileBytes, RejectsTruncations) {
  const std::span<const std::byte> bytes(GetParam().bytes);
  constexpr std::size_t max_fill = 8;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    // Copy to a buffer of exactly that length, so that a sanitizer detects reads past the end.
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const bool is_accepted = GetParam().exercise.accepts(cut);
    if (size + max_fill < bytes.size()) {
      EXPECT_FALSE(is_accepted);
    }
  }
}

TEST_P(HostileBytes, ReencodesMessagesThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome = GetParam().exercise.flip_each_bit(GetParam().bytes);
  EXPECT_GT(outcome.refused, 100U);
  // FlatBuffers ignores padding and some numbers in tables and strings. At most 64 bits plus an
  // eighth of the message's bits may be ignored.
  EXPECT_LE(outcome.ignored, 64U + GetParam().bytes.size());
}

TEST_P(HostileBytes, ReencodesMessagesThatItAcceptsWithReplacedBytes) {
  base::Random random(71);
  int refused = 0;
  for (int round = 0; round < 3'000; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::byte> bytes = GetParam().bytes;
    for (std::uint32_t i = 1 + random.below(4); i > 0; --i) {
      constexpr std::byte nasty[] = {std::byte{0}, std::byte{0xFF}, std::byte{0x7F},
                                     std::byte{0x80}, std::byte{4}};
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] = nasty[random.below(5)];
    }
    refused += GetParam().exercise.accepts(bytes) ? 0 : 1;
  }
  EXPECT_GT(refused, 1'000);
  EXPECT_LT(refused, 3'000);
}

TEST_P(HostileBytes, RejectsRandomBytes) {
  base::Random random(72);
  for (int round = 0; round < 1'000; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::byte> bytes(random.below(200));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(256));
    // Give half of the inputs a valid identifier.
    for (std::size_t i = 4; i < 8 && bytes.size() >= 8 && round % 2 == 0; ++i)
      bytes[i] = GetParam().bytes[i];
    EXPECT_FALSE(GetParam().exercise.accepts(bytes));
  }
}

TEST_P(HostileBytes, RejectsMessagesOfOtherKinds) {
  for (const MessageCase& other : messages()) {
    if (std::equal(other.bytes.begin() + 4, other.bytes.begin() + 8, GetParam().bytes.begin() + 4))
      continue;
    // World changes share a decoder with the other control messages.
    const bool is_control = GetParam().exercise.accepts(encode_control(samples::hello())) &&
                            exercise_control().accepts(other.bytes);
    if (!is_control) {
      EXPECT_FALSE(GetParam().exercise.accepts(other.bytes)) << other.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Messages, HostileBytes, testing::ValuesIn(messages()),
                         [](const auto& row) { return row.param.name; });
INSTANTIATE_TEST_SUITE_P(Lockstep, HostileBytes, testing::ValuesIn(lockstep_cases()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace jostle::protocol
