#include "protocol/lockstep_codec.h"

#include "protocol/input_codec.h"
#include "protocol/limits.h"
#include "protocol/visuals_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::protocol {
namespace {

state::TickCommands frame_of_inputs(state::Tick tick, std::vector<state::InputCommand> inputs) {
  state::TickCommands frame{tick, {}};
  for (state::InputCommand& input : inputs) {
    input.input.tick = tick;
    frame.commands.emplace_back(std::move(input));
  }
  return frame;
}

/// Returns the frame of `tick`. With a probability of one half it repeats `before`. Otherwise its
/// inputs are random, and with a probability of 0.1 a player joins.
state::TickCommands random_frame(base::Random& random, state::Tick tick,
                                 const state::TickCommands& before) {
  if (random.chance(0.5f)) {
    state::TickCommands same = before;
    same.tick = tick;
    for (state::Command& command : same.commands)
      if (auto* input = std::get_if<state::InputCommand>(&command)) input->input.tick = tick;
    return same;
  }
  state::TickCommands frame{tick, {}};
  if (random.chance(0.1f)) frame.commands.emplace_back(state::JoinCommand{{7}, "Ana"});
  for (std::uint16_t player = 1; player <= 3; ++player) {
    if (random.chance(0.2f)) continue;
    state::PlayerInput input = samples::random_input(random, tick);
    if (random.chance(0.7f)) input.actions.clear();
    if (random.chance(0.7f)) input.custom.clear();
    // Sometimes the input is for another tick than the frame.
    if (random.chance(0.05f)) input.tick = tick + 2;
    frame.commands.emplace_back(state::InputCommand{{player}, input});
  }
  return frame;
}

TEST(InputFramesCodec, RoundTripsRandomFrames) {
  base::Random random(5);
  for (int round = 0; round < 2'000; ++round) {
    SCOPED_TRACE(round);
    InputFrames message{{}, {random.below(900)}, static_cast<std::int16_t>(random.below(9)), 77};
    const state::Tick first{1 + random.below(100'000)};
    state::TickCommands before{first, {}};
    for (std::uint32_t i = 1 + random.below(20); i > 0; --i) {
      before =
          random_frame(random, first + static_cast<std::uint32_t>(message.frames.size()), before);
      message.frames.push_back(before);
    }
    const EncodedFrames encoded = encode_frames(message);
    ASSERT_GE(encoded.count, 1U);
    ASSERT_LE(encoded.count, message.frames.size());
    if (encoded.count > 1) {
      EXPECT_LE(encoded.bytes.size(), max_state_message_bytes);
    }
    // A single frame may exceed the limit.
    if (encoded.bytes.size() > max_state_message_bytes) continue;
    EXPECT_EQ(kind_of_state_message(encoded.bytes), StateMessage::Frames);
    message.frames.resize(encoded.count);
    const auto decoded = decode_frames(encoded.bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(*decoded, message);
  }
}

TEST(InputFramesCodec, FillsAMessageWithWholeFrames) {
  InputFrames message;
  for (std::uint32_t i = 0; i < 100; ++i)
    message.frames.push_back(frame_of_inputs({10 + i}, {}));
  EXPECT_EQ(encode_frames(message).count, max_frames_per_message);
  // Fewer long frames fit into a message, and none of them is truncated.
  base::Random random(6);
  message.frames.clear();
  for (std::uint32_t i = 0; i < 20; ++i) {
    state::PlayerInput input = samples::random_input(random, {10 + i});
    input.custom.assign(state::max_custom_bytes, std::byte{3});
    message.frames.push_back(frame_of_inputs({10 + i}, {{{1}, input}, {{2}, input}}));
  }
  const EncodedFrames encoded = encode_frames(message);
  EXPECT_GT(encoded.count, 1U);
  EXPECT_LT(encoded.count, 20U);
  EXPECT_LE(encoded.bytes.size(), max_state_message_bytes);
  EXPECT_EQ(decode_frames(encoded.bytes)->frames.back(), message.frames[encoded.count - 1]);
}

TEST(InputFramesCodec, RepeatedFramesTakeOneByte) {
  state::PlayerInput held;
  held.move_x = 0.5f;
  InputFrames one, many;
  for (std::uint32_t i = 0; i < 12; ++i)
    many.frames.push_back(frame_of_inputs({10 + i}, {{{1}, held}, {{2}, held}}));
  one.frames = {many.frames.front()};
  EXPECT_LE(encode_frames(many).bytes.size(), encode_frames(one).bytes.size() + 12);
}

TEST(InputFramesCodec, RejectsAFrameAboveTheSizeLimit) {
  base::Random random(7);
  state::TickCommands frame{{9}, {}};
  for (std::uint16_t player = 1; player <= 40; ++player) {
    state::PlayerInput input = samples::random_input(random, {9});
    input.custom.assign(state::max_custom_bytes, std::byte{3});
    frame.commands.emplace_back(state::InputCommand{{player}, input});
  }
  const EncodedFrames encoded = encode_frames({{frame}, {}, 0, 0});
  EXPECT_EQ(encoded.count, 1U);
  EXPECT_GT(encoded.bytes.size(), max_state_message_bytes);
  EXPECT_EQ(decode_frames(encoded.bytes).error(), DecodeError::TooLarge);
}

TEST(LockstepCodec, RoundTripsEveryMessage) {
  for (const LockstepMessage& message : samples::lockstep_messages()) {
    const auto bytes = encode_lockstep(message);
    EXPECT_TRUE(is_lockstep(bytes));
    const auto decoded = decode_lockstep(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(*decoded, message);
  }
  EXPECT_FALSE(is_lockstep(encode_input(samples::input_packet())));
}

TEST(LockstepCodec, RejectsAnInvalidDesyncLevel) {
  // DesyncLevel::Bodies is encoded as a byte with the value 1. The test changes one byte with this
  // value at a time to an invalid level. Only one of these bytes is the level.
  DesyncQuestion question{DesyncLevel::Bodies, {0x01020304}, 0x05060708, {9}};
  auto bytes = encode_lockstep(question);
  const auto level = std::find(bytes.begin(), bytes.end(), std::byte{4});
  ASSERT_NE(level, bytes.end());
  int refused = 0;
  for (std::size_t i = 8; i < bytes.size(); ++i) {
    auto other = bytes;
    if (other[i] != std::byte{1}) continue;
    other[i] = std::byte{desync_level_count};
    const auto decoded = decode_lockstep(other);
    refused += !decoded && decoded.error() == DecodeError::OutOfRange ? 1 : 0;
  }
  EXPECT_EQ(refused, 1);
}

TEST(LockstepCodec, InputPacketsCarryFrameReports) {
  InputPacket packet = samples::input_packet();
  packet.frames = FrameReport{{900}, {896}, 0x0123456789ABCDEFULL};
  const auto bytes = encode_input(packet);
  const auto decoded = decode_input(bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->frames, packet.frames);
  EXPECT_EQ(decoded->inputs, packet.inputs);
}

}  // namespace
}  // namespace jostle::protocol
