#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::protocol {
namespace {

TEST(SnapshotMessage, RoundTripsHeaderAndPayload) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{6}, std::size_t{77}}) {
    SCOPED_TRACE(size);
    const std::vector<std::byte> payload(size, std::byte{0xA5});
    const auto message = decode_snapshot_message(
        encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, payload));
    ASSERT_TRUE(message.has_value());
    EXPECT_EQ(message->header, samples::header());
    EXPECT_EQ(message->payload, payload);
  }
}

TEST(SnapshotMessage, RoundTripsExtremeHeaders) {
  SnapshotHeader header;
  header.tick = {0xFFFFFFFFU};
  header.world_revision = 0xFFFFFFFFU;
  header.part = static_cast<std::uint8_t>(max_snapshot_parts - 1);
  header.parts = static_cast<std::uint8_t>(max_snapshot_parts);
  header.first = max_snapshot_bodies;
  header.input_margin_ticks = -128;
  header.skipped = 255;
  header.server_send_us = -1;
  const auto message =
      decode_snapshot_message(encode_snapshot_message(header, SnapshotCodec::BitPacked, {}));
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->header, header);
}

TEST(SnapshotMessage, HeaderFitsItsLimit) {
  std::size_t most = 0;
  for (std::size_t size = 0; size < 8; ++size) {
    const std::vector<std::byte> payload(size);
    most = std::max(
        most, encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, payload).size() -
                  size);
  }
  EXPECT_EQ(most, max_snapshot_header_bytes - 1) << "56 bytes and up to three bytes of padding";
  const std::vector<std::byte> payload(max_part_payload_bytes());
  EXPECT_LE(encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, payload).size(),
            max_state_message_bytes);
}

TEST(SnapshotMessage, RoundTripsTeleportsWithinTheirRoom) {
  SnapshotHeader header = samples::header();
  for (std::uint32_t i = 0; i < max_part_teleports; ++i)
    header.teleports.push_back(
        {i == 0 ? Teleport::all_bodies : 300 * i, i * (teleport_window_ticks - 1) / 31});
  const std::vector<std::byte> payload(max_part_payload_bytes() - teleport_room_bytes);
  const auto bytes = encode_snapshot_message(header, SnapshotCodec::Context, payload);
  EXPECT_LE(bytes.size(), max_state_message_bytes);
  const auto message = decode_snapshot_message(bytes);
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->header, header);
}

TEST(SnapshotMessage, TeleportsCostNothingIfThereAreNone) {
  SnapshotHeader header = samples::header();
  const auto without = encode_snapshot_message(header, SnapshotCodec::Context, {});
  header.teleports = {{5, 0}};
  EXPECT_EQ(encode_snapshot_message(header, SnapshotCodec::Context, {}).size(),
            without.size() + 16);
  EXPECT_EQ(without.size(), 56U);
}

TEST(SnapshotMessageDeathTest, RefusesTeleportsBeyondTheLimits) {
  SnapshotHeader header = samples::header();
  header.teleports.assign(max_part_teleports + 1, {1, 0});
  EXPECT_DEATH(encode_snapshot_message(header, SnapshotCodec::Context, {}), "is_valid");
  header.teleports = {{1, teleport_window_ticks}};
  EXPECT_DEATH(encode_snapshot_message(header, SnapshotCodec::Context, {}), "is_valid");
  header.teleports = {{max_snapshot_bodies, 0}};
  EXPECT_DEATH(encode_snapshot_message(header, SnapshotCodec::Context, {}), "is_valid");
}

TEST(SnapshotMessage, RejectsAMessageAboveTheSizeLimit) {
  const auto message = decode_snapshot_message(std::vector<std::byte>(max_state_message_bytes + 1));
  ASSERT_FALSE(message.has_value());
  EXPECT_EQ(message.error(), DecodeError::TooLarge);
}

TEST(SnapshotMessageDeathTest, RejectsInvalidPartNumbersAndTooLargePayloads) {
  SnapshotHeader header = samples::header();
  header.part = header.parts;
  EXPECT_DEATH(encode_snapshot_message(header, SnapshotCodec::BitPacked, {}), "is_valid");
  const std::vector<std::byte> payload(max_part_payload_bytes() + 1);
  EXPECT_DEATH(encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, payload),
               "payload");
}

TEST(Keyframe, RoundTripsASnapshot) {
  base::Random random(41);
  QuantizedSnapshot snapshot = samples::resting({77}, 901);
  for (QuantizedBody& body : snapshot.bodies)
    body = samples::random_body(random);
  const std::vector<std::byte> bytes = encode_keyframe(snapshot);
  EXPECT_LE(bytes.size(), 901 * 20 + 64U);
  const auto decoded = decode_keyframe(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, snapshot);
}

TEST(Keyframe, RoundTripsAWorldWithoutBodies) {
  const QuantizedSnapshot empty = samples::resting({5}, 0);
  const auto decoded = decode_keyframe(encode_keyframe(empty));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, empty);
}

TEST(KeyframeDeathTest, RejectsIdsOutOfOrder) {
  QuantizedSnapshot snapshot = samples::resting({5}, 3);
  snapshot.ids[2] = snapshot.ids[1];
  EXPECT_DEATH(encode_keyframe(snapshot), "ids");
}

}  // namespace
}  // namespace jostle::protocol
