#include "protocol/control_codec.h"
#include "protocol/input_codec.h"
#include "protocol/inspect_codec.h"
#include "protocol/lockstep_codec.h"
#include "protocol/message_names.h"
#include "protocol/snapshot_codec.h"
#include "protocol/version.h"
#include "protocol/visuals_codec.h"
#include "protocol/world_codec.h"
#include "shared/base/hash.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::protocol {
namespace {

// Golden values: these are the bytes on the wire. Change them only together with an intended change
// of the wire format, the version in protocol/version.h and docs/WIRE_FORMAT.md.

std::string hex(const std::vector<std::byte>& bytes) {
  return samples::to_hex(bytes);
}

/// Returns the length and the hash of a message that is too long to be written out in a test.
std::string digest(const std::vector<std::byte>& bytes) {
  return std::to_string(bytes.size()) + " bytes, " + std::to_string(base::hash_bytes(bytes));
}

TEST(GoldenBytes, TimeMessagesAreUnchanged) {
  EXPECT_EQ(hex(encode_ping(samples::ping())),
            "140000004a50494e0000000000000600140004000600000000f05a2b17ffffff0300000000000000");
  EXPECT_EQ(
      hex(encode_pong(samples::pong())),
      "140000004a504f4e0000000000000600340004000600000000f05a2b17ffffff050000000000000006000000"
      "000000000595130000000000030000004d0000004a00000000000000");
}

TEST(GoldenBytes, ControlMessagesAreUnchanged) {
  EXPECT_EQ(
      hex(encode_control(samples::hello())),
      "100000004a43544c08000e0007000800080000000000000118000000000012002c0008000a00100018000700"
      "0c00200012000000000000010100020020000000efcdab89674523011032547698badcfe4d00000000000000"
      "00000000040000005a6fc3ab00000000");
  EXPECT_EQ(
      hex(encode_control(samples::welcome())),
      "100000004a43544c08000e0007000800080000000000000218000000000012002000060008000a000c001000"
      "1400180012000000000007003c000200d2040000090000000c00000063000000000000000a00000074686520"
      "7365727665720000");
  EXPECT_EQ(
      hex(encode_control(samples::reject())),
      "080000004a43544cf4ffffff000000030c00000008000c00070008000800000000000002040000001e000000"
      "7365727665722069732066756c6c3a2038206f66203820706c61796572730000");
  EXPECT_EQ(
      hex(encode_control(samples::announce())),
      "100000004a43544c08000c00070008000800000000000004100000000c0018001000080007000c000c000000"
      "0000000231d40000cd8101001032547698badcfe");
  EXPECT_EQ(hex(encode_control(samples::request())),
            "080000004a43544cf4ffffff000000050c00000008000c0007000800080000000000000319000000");
  EXPECT_EQ(hex(encode_control(SceneListRequest{})),
            "100000004a43544c08000c00070008000800000000000006080000000400040004000000");
  EXPECT_EQ(hex(encode_control(samples::scene_info())),
            "100000004a43544c08000c00070008000800000000000007100000000c0010000400060008000c00"
            "0c00000003001f0028000000040000001a0000004d6172626c657320726f6c6c20646f776e206120"
            "747261636b2e00000a0000006d6172626c655f72756e0000");
  EXPECT_EQ(hex(encode_control(samples::scene_request())),
            "100000004a43544c08000e000700080008000000000000080c000000000006000800040006000000"
            "0400000005000000746f776572000000");
  EXPECT_EQ(hex(encode_control(samples::notice())),
            "100000004a43544c08000e000700080008000000000000090c000000000006000800040006000000"
            "040000001f0000007468652073657276657220686173206e6f207363656e652027746f7765722700");
  EXPECT_EQ(hex(encode_control(samples::scene_status())),
            "100000004a43544c08000c0007000800080000000000000e100000000c000c000700080009000a000c00"
            "00000000000101011900");
  EXPECT_EQ(digest(encode_control(samples::set_interest())), "104 bytes, 5096242878688269395");
  EXPECT_EQ(hex(encode_control(PredictionBaselineOffer{7, 9})),
            "100000004a43544c08000c0007000800080000000000000c0c0000000800140004000c00"
            "0800000007000000000000000900000000000000");
  EXPECT_EQ(hex(encode_control(SimulationRequest{})),
            "100000004a43544c08000c0007000800080000000000000b080000000400040004000000");
  EXPECT_EQ(digest(encode_control(samples::change())), "352 bytes, 9891018332487791652");
}

TEST(GoldenBytes, InputMessagesAreUnchanged) {
  EXPECT_EQ(
      hex(encode_input(samples::input_packet())),
      "180000004a494e5000000e001c0004000c001000140018000e00000064000000f1f0f0f01000000028000000"
      "48000000a800000002000000650000000500000000000000670000000000000000000080020000006e000000"
      "9a99193fcdcc4cbf0500000070000000000000000000000000000302030000000000000005000000cdcccc3d"
      "cdcc4c3e9a99993e0000204100000000000020c101000000000000000000803f000000400000404000000000"
      "00000000000020420200000006000000000000000000003f00000000000080c00000a0400000c04002000000"
      "09080000");
  EXPECT_EQ(digest(encode_commands(samples::commands())), "316 bytes, 13126773654325262985");
}

TEST(GoldenBytes, LockstepMessagesAreUnchanged) {
  EXPECT_EQ(digest(encode_frames(samples::frames()).bytes), "488 bytes, 7184614700211681051");
  EXPECT_EQ(
      hex(encode_lockstep(samples::lockstep_messages()[0])),
      "100000004a4c434b08000e000700080008000000000000010c000000000006000c00040006000000f0debc9a"
      "78563412");
  EXPECT_EQ(
      hex(encode_lockstep(samples::lockstep_messages()[1])),
      "100000004a4c434b08000c00070008000800000000000002100000000c000c0000000400000008000c000000"
      "4001000004000000030000000100000002000000ffffffff");
  EXPECT_EQ(
      hex(encode_lockstep(samples::lockstep_messages()[2])),
      "100000004a4c434b08000c000700080008000000000000031400000010001c00070008000c00100014001800"
      "10000000000000013001000002000000890000001c0000000400000004000000080706050403020109000000"
      "00000000020000000700000008000000");
  EXPECT_EQ(
      hex(encode_lockstep(samples::lockstep_messages()[3])),
      "100000004a4c434b08000e000700080008000000000000041000000000000a001000040008000c000a000000"
      "300100008900000004000000120000007469636b203330343a20626f6479203133370000");
  InputPacket packet;
  packet.frames = FrameReport{{900}, {896}, 0x0123456789ABCDEFULL};
  EXPECT_EQ(
      hex(encode_input(packet)),
      "180000004a494e5010001c00040000000000000000000c001000000000000000000000008403000080030000"
      "efcdab8967452301");
}

TEST(GoldenBytes, BlobMessagesAreUnchanged) {
  EXPECT_EQ(
      hex(encode_chunk(samples::chunk())),
      "140000004a424c4200000a0014000c00040008000a000000000800000c0000002a0000000000000003000000"
      "0102fa00");
  EXPECT_EQ(
      hex(encode_shape(state::capsule(1, 2)).bytes),
      "100000004a534850000006001c00040006000000020000000000803f00000040000000000000000000000000");
  EXPECT_EQ(hex(encode_simulation(samples::simulation()).bytes),
            "1c0000004a53494d0000000000000e001c000400080014000c0010000e000000280000001c000000"
            "320000000c0000000700000000000000030000000102fa00020000007b7d00001100000063726174"
            "65732e7363656e652e6a736f6e000000");
  EXPECT_EQ(digest(encode_world(samples::world()).world.bytes), "448 bytes, 13947640552281654543");
  EXPECT_EQ(
      hex(encode_keyframe(samples::resting({9}, 2))),
      "140000004a4b455900000a001000040008000c000a0000000900000001000000040000000200000001000000"
      "0000000066000000000000000001021c020000000002000066000000000000000001021c");
}

TEST(GoldenBytes, SnapshotMessagesAreUnchanged) {
  const std::vector<std::byte> payload{std::byte{1}, std::byte{2}, std::byte{3}};
  EXPECT_EQ(
      hex(encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, payload)),
      "100000004a534e31080024000400200008000000e803000007000000eb030000bc9a7856341200009001fa00"
      "fe050103040000000300000001020300");
  EXPECT_EQ(
      hex(encode_snapshot_message(samples::header(), SnapshotCodec::Context, payload)),
      "100000004a534e32080024000400200008000000e803000007000000eb030000bc9a7856341200009001fa00"
      "fe050103040000000300000001020300");
}

TEST(GoldenBytes, PredictedSnapshotMessagesHaveTheirIdentifier) {
  const std::vector<std::byte> payload{std::byte{1}};
  const auto bytes = encode_snapshot_message(samples::header(), SnapshotCodec::Predicted, payload);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes.data()) + 4, 4), "JSN3");
  EXPECT_EQ(decode_snapshot_message(bytes)->codec, SnapshotCodec::Predicted);
}

TEST(GoldenBytes, BitPackedPartsAreUnchanged) {
  samples::History history;
  QuantizedSnapshot before = samples::resting({0}, 12);
  history.put(before);
  before.tick = {10};
  before.bodies[2].is_awake = before.bodies[3].is_awake = true;
  history.put(before);
  QuantizedSnapshot after = before;
  after.tick = {16};
  after.bodies[2].position = {1030, 110, -3};
  after.bodies[2].smallest = {250, 256, 259};
  after.bodies[3].is_awake = false;
  after.bodies[7] = quantize({{3.5, 1, 0}, {0.5f, 0.5f, -0.5f, 0.5f}}, false);
  after.bodies[11].position[1] += 100'000;
  const std::vector<BaselineRun> runs{{6, {10}}, {6, {0}}};
  const auto parts = encode_parts(after, runs, history.lookup(), max_part_payload_bytes());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(hex(parts[0].payload), "11500adb5d9ac1b2603087ffa61900407bb692fe80120000400d030000");
}

TEST(GoldenBytes, HashOfAQuantizedWorldIsUnchanged) {
  EXPECT_EQ(hash(samples::resting({9}, 100)), 3414133075917931965ULL);
}

// Every kind of message must have a display name besides its file identifier.
TEST(GoldenBytes, EveryMessageKindHasADisplayName) {
  const std::vector<std::vector<std::byte>> messages{
      encode_control(samples::hello()),
      encode_control(samples::change()),
      encode_control(samples::commands()),
      encode_chunk(samples::chunk()),
      encode_ping(samples::ping()),
      encode_pong(samples::pong()),
      encode_input(samples::input_packet()),
      encode_snapshot_message(samples::header(), SnapshotCodec::BitPacked, {}),
      encode_snapshot_message(samples::header(), SnapshotCodec::Context, {}),
      encode_snapshot_message(samples::header(), SnapshotCodec::Predicted, {}),
      encode_snapshot_message(samples::header(), SnapshotCodec::Fine, {}),
      encode_snapshot_message(samples::header(), SnapshotCodec::Lossless, {}),
      encode_frames(samples::frames()).bytes,
      encode_lockstep(samples::lockstep_messages()[0]),
      encode_particles({})[0],
      encode_labels({}),
      encode_ropes({}),
      encode_debug_draw({}, 0)[0],
      encode_statistics({}),
      encode_body_report({.tick = {}, .body = {1}})};
  std::set<std::string_view> names;
  for (const std::vector<std::byte>& message : messages) {
    const std::string_view letters(reinterpret_cast<const char*>(message.data()) + 4, 4);
    EXPECT_NE(name_of_message(letters), letters);
    names.insert(name_of_message(letters));
  }
  EXPECT_EQ(names.size(), messages.size());
  EXPECT_EQ(name_of_message("ABCD"), "ABCD");
  EXPECT_EQ(name_of_message("sealing"), "encryption");
  for (const std::string_view name : names)
    EXPECT_EQ(name.find(','), std::string_view::npos) << name;
}

TEST(MessageNames, HaveStableJsonKeys) {
  EXPECT_EQ(json_key_of_message("JSN3"), "snapshots, predicted");
  EXPECT_EQ(json_key_of_message("JRDO"), "labels");
  EXPECT_EQ(json_key_of_message("sealing"), "sealing");
  EXPECT_EQ(json_key_of_message("ABCD"), "ABCD");
}

TEST(GoldenBytes, InspectionMessagesAreUnchanged) {
  EXPECT_EQ(
      hex(encode_control(InspectRequest{5, true, {9}})),
      "100000004a43544c08000e0007000800080000000000000d1000000000000a000c000600070008000a0000000000"
      "050109000000");
  state::DebugDrawFrame debug_draw{{9}, {}, 3};
  debug_draw.items.push_back({{1, 2, 3}, {-1, 2.5, 3}, state::DebugDrawKind::ContactNormal});
  EXPECT_EQ(
      hex(encode_debug_draw(debug_draw, 4)[0]),
      "140000004a4f564c00000a0028000400200024000a00000009000000040000000300000000feffff00040000"
      "00060000000100001800000004000000060000000004000000000000000100000100000002000000");
  state::ServerStatistics statistics;
  statistics.tick = {600};
  statistics.tick_ms = 1.5f;
  statistics.counts[0] = 7;
  EXPECT_EQ(hex(encode_body_report({{900}, {7}, 2.5f, 4, 12})),
            "100000004a424f44000006001800040006000000840300000700000000002040040000000c000000");
  EXPECT_EQ(digest(encode_statistics(statistics)), "180 bytes, 11431959700659875518");
}

TEST(GoldenBytes, SchemaHashIsUnchanged) {
  EXPECT_EQ(schema_hash(), 9074494416710602701ULL);
}

}  // namespace
}  // namespace jostle::protocol
