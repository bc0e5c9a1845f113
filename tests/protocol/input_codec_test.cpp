#include "protocol/input_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/limits.h"
#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace jostle::protocol {
namespace {

using samples::nan;
constexpr float infinity = std::numeric_limits<float>::infinity();

InputPacket random_packet(base::Random& random) {
  InputPacket packet;
  packet.ack.newest = {random.below(1000)};
  packet.ack.history = static_cast<std::uint32_t>(random.next());
  for (std::uint32_t i = random.below(max_partial_acks + 1), tick = 1; i > 0; --i) {
    tick += 1 + random.below(3);
    packet.ack.partial.push_back({{tick}, random.next()});
  }
  for (std::uint32_t i = random.below(5), tick = 1; i > 0; --i) {
    tick += 1 + random.below(3);
    packet.inputs.push_back(samples::random_input(random, {tick}));
  }
  return packet;
}

TEST(InputCodec, RoundTripsAPacketWithEveryField) {
  const auto decoded = decode_input(encode_input(samples::input_packet()));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, samples::input_packet());
}

TEST(InputCodec, RoundTripsRandomPackets) {
  base::Random random(51);
  for (int round = 0; round < 2'000; ++round) {
    SCOPED_TRACE(round);
    const InputPacket packet = random_packet(random);
    const auto decoded = decode_input(encode_input(packet));
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, packet);
  }
}

TEST(InputCodec, RoundTripsAnEmptyPacket) {
  const auto decoded = decode_input(encode_input({}));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, InputPacket{});
}

TEST(InputCodec, DecodesAPacketAtAnyAddress) {
  const std::vector<std::byte> bytes = encode_input(samples::input_packet());
  for (std::size_t offset = 1; offset < 8; ++offset) {
    SCOPED_TRACE(offset);
    std::vector<std::byte> shifted(offset);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    const auto decoded = decode_input(std::span(shifted).subspan(offset));
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, samples::input_packet());
  }
}

TEST(InputCodec, DropsTheOldestInputsToFit) {
  base::Random random(52);
  InputPacket packet;
  for (std::uint32_t tick = 1; tick <= max_inputs_per_packet; ++tick) {
    state::PlayerInput input = samples::random_input(random, {tick});
    input.actions.resize(state::max_actions_per_input);
    input.custom.resize(state::max_custom_bytes);
    packet.inputs.push_back(input);
  }
  const std::vector<std::byte> bytes = encode_input(packet);
  EXPECT_LE(bytes.size(), max_client_message_bytes);
  const auto decoded = decode_input(bytes);
  ASSERT_TRUE(decoded.has_value());
  ASSERT_GE(decoded->inputs.size(), 5U) << "as many as fit";
  const std::vector<state::PlayerInput> newest(
      packet.inputs.end() - static_cast<std::ptrdiff_t>(decoded->inputs.size()),
      packet.inputs.end());
  EXPECT_EQ(decoded->inputs, newest);
}

TEST(InputCodec, DropsTheOldestInputBeyondTheMaximum) {
  InputPacket packet;
  for (std::uint32_t tick = 1; tick <= max_inputs_per_packet + 1; ++tick) {
    packet.inputs.emplace_back();
    packet.inputs.back().tick = {tick};
  }
  const auto decoded = decode_input(encode_input(packet));
  ASSERT_TRUE(decoded.has_value());
  ASSERT_EQ(decoded->inputs.size(), max_inputs_per_packet);
  EXPECT_EQ(decoded->inputs.front().tick, state::Tick{2});
}

TEST(InputCodec, RejectsAPacketAboveTheSizeLimit) {
  const auto decoded = decode_input(std::vector<std::byte>(max_client_message_bytes + 1));
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::TooLarge);
}

struct InputCase {
  std::string name;
  std::function<void(state::PlayerInput&)> change;
  std::optional<DecodeError> fault;
};

class InputRule : public testing::TestWithParam<InputCase> {};

// The encoder asserts the same check that the decoder applies.
TEST_P(InputRule, IsTheSameForEncoderAndDecoder) {
  state::PlayerInput input = samples::input_packet().inputs[1];
  GetParam().change(input);
  EXPECT_EQ(detail::check(input), GetParam().fault);
  InputPacket packet;
  packet.inputs = {input};
  if (GetParam().fault) {
    EXPECT_DEATH(encode_input(packet), "check");
  } else {
    EXPECT_TRUE(decode_input(encode_input(packet)).has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(
    InputCodec, InputRule,
    testing::Values(
        InputCase{"MoveOfOne", [](auto& i) { i.move_x = 1; }, {}},
        InputCase{"MoveTooLong", [](auto& i) { i.move_x = i.move_z = 0.8f; },
                  DecodeError::OutOfRange},
        InputCase{"MoveNan", [](auto& i) { i.move_z = nan; }, DecodeError::NotFinite},
        InputCase{"MoveHuge", [](auto& i) { i.move_x = 3e38f; }, DecodeError::OutOfRange},
        InputCase{"PushAtItsLimit", [](auto& i) { i.actions[0].vector.x = max_impulse; }, {}},
        InputCase{"PushBeyond", [](auto& i) { i.actions[0].vector.x = -1.1f * max_impulse; },
                  DecodeError::OutOfRange},
        InputCase{"ShotInfinite", [](auto& i) { i.actions[1].vector.y = infinity; },
                  DecodeError::NotFinite},
        InputCase{"DragFar", [](auto& i) { i.actions[2].vector.x = 5e6f; }, {}},
        InputCase{"DragTooFar", [](auto& i) { i.actions[2].vector.x = 2e7f; },
                  DecodeError::OutOfRange},
        InputCase{"PointNan", [](auto& i) { i.actions[2].point.z = nan; }, DecodeError::NotFinite},
        InputCase{"KindUnknown",
                  [](auto& i) {
                    i.actions[0].kind = static_cast<state::ActionKind>(state::action_kind_count);
                  },
                  DecodeError::OutOfRange},
        InputCase{"MostActions", [](auto& i) { i.actions.resize(4); }, {}},
        InputCase{"TooManyActions", [](auto& i) { i.actions.resize(5); }, DecodeError::OutOfRange},
        InputCase{"MostCustom", [](auto& i) { i.custom.resize(32); }, {}},
        InputCase{"TooMuchCustom", [](auto& i) { i.custom.resize(33); }, DecodeError::OutOfRange}),
    [](const auto& row) { return row.param.name; });

/// Returns `bytes` with the first occurrence of `from` replaced by `to`.
std::vector<std::byte> patched(std::vector<std::byte> bytes, float from, float to) {
  const auto pattern = std::bit_cast<std::array<std::byte, 4>>(from);
  const auto at = std::search(bytes.begin(), bytes.end(), pattern.begin(), pattern.end());
  EXPECT_NE(at, bytes.end());
  const auto value = std::bit_cast<std::array<std::byte, 4>>(to);
  if (at != bytes.end()) std::copy(value.begin(), value.end(), at);
  return bytes;
}

// The bytes are patched by hand, because the encoder never writes such bytes.
TEST(InputCodec, RejectsInvalidNumbersOnTheWire) {
  const std::vector<std::byte> good = encode_input(samples::input_packet());
  const auto error = [&](float from, float to) {
    const auto decoded = decode_input(patched(good, from, to));
    return decoded ? std::optional<DecodeError>{} : decoded.error();
  };
  EXPECT_EQ(error(0.6f, nan), DecodeError::NotFinite);
  EXPECT_EQ(error(0.6f, -infinity), DecodeError::NotFinite);
  EXPECT_EQ(error(0.6f, 0.7f), DecodeError::OutOfRange);
  EXPECT_EQ(error(0.6f, 0.5f), std::nullopt);
  EXPECT_EQ(error(40.0f, nan), DecodeError::NotFinite);
  EXPECT_EQ(error(40.0f, 1e7f), DecodeError::OutOfRange);
}

TEST(InputCodecDeathTest, RejectsTicksThatDoNotAscend) {
  InputPacket packet = samples::input_packet();
  packet.inputs[1].tick = packet.inputs[0].tick;
  EXPECT_DEATH(encode_input(packet), "tick");
  packet = samples::input_packet();
  packet.ack.partial[1].tick = packet.ack.partial[0].tick;
  EXPECT_DEATH(encode_input(packet), "check");
}

TEST(CommandsCodec, RoundTripsATick) {
  const auto decoded = decode_commands(encode_commands(samples::commands()));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, samples::commands());
}

TEST(CommandsCodec, RoundTripsATickWithoutCommands) {
  state::TickCommands none;
  none.tick = {0xFFFFFFFFU};
  const auto decoded = decode_commands(encode_commands(none));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, none);
}

TEST(CommandsCodec, FitsEveryPlayerWithTheLongestInput) {
  base::Random random(53);
  state::TickCommands commands;
  for (std::uint16_t player = 1; player <= 4095; ++player) {
    state::PlayerInput input = samples::random_input(random, {9});
    input.actions.resize(state::max_actions_per_input);
    input.custom.resize(state::max_custom_bytes);
    commands.commands.push_back(state::InputCommand{{player}, input});
  }
  const auto decoded = decode_commands(encode_commands(commands));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, commands);
}

TEST(CommandsCodecDeathTest, RejectsCommandsInTheWrongOrder) {
  state::TickCommands commands = samples::commands();
  std::swap(commands.commands.front(), commands.commands.back());
  EXPECT_DEATH(encode_commands(commands), "check");
}

TEST(CommandsCodec, RejectsCommandsAboveTheSizeLimit) {
  const auto decoded = decode_commands(std::vector<std::byte>(max_commands_bytes + 1));
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::TooLarge);
}

}  // namespace
}  // namespace jostle::protocol
