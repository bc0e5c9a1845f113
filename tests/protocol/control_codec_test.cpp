#include "protocol/control_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/limits.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace jostle::protocol {
namespace {

class ControlMessages : public testing::TestWithParam<ControlMessage> {};

TEST_P(ControlMessages, RoundTrip) {
  const auto decoded = decode_control(encode_control(GetParam()), max_control_message_bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    ControlCodec, ControlMessages,
    testing::Values(samples::hello(), samples::welcome(), samples::reject(), samples::announce(),
                    samples::request(), samples::change(), SceneListRequest{},
                    samples::scene_info(), samples::scene_request(), samples::notice(),
                    samples::scene_status(), samples::set_interest(), SetInterest{},
                    SimulationRequest{}, PredictionBaselineOffer{7, 9},
                    InspectRequest{5, true, {9}}, samples::commands(), SceneRequest{}, Hello{},
                    Welcome{{}, 10, 1, {}, 0, "", 0}, state::WorldChange{}));

/// Applies `change` to a valid interest. Returns true if the check accepts the result.
bool is_taken(const std::function<void(SetInterest&)>& change) {
  SetInterest interest = samples::set_interest();
  change(interest);
  return !detail::check(interest);
}

TEST(ControlCodec, RejectsInvalidInterests) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(is_taken([](SetInterest&) {}));
  EXPECT_TRUE(is_taken([](SetInterest& i) { i.forward = {}; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.forward = {0, 0, 0.5f}; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.forward.x = nan; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.eye.y = std::numeric_limits<double>::infinity(); }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.eye.y = 2e7; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.half_angle = 3.2f; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.half_angle = nan; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.radius = -1; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.radius = nan; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.bodies = {{9}, {7}}; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.bodies = {{7}, {7}}; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) { i.bodies = {{0}}; }));
  EXPECT_FALSE(is_taken([](SetInterest& i) {
    i.bodies.clear();
    for (std::uint32_t id = 1; id <= max_interest_bodies + 1; ++id)
      i.bodies.push_back({id});
  }));
}

TEST(ControlCodec, RejectsMessagesAboveTheCallersLimit) {
  const std::vector<std::byte> bytes = encode_control(samples::change());
  EXPECT_TRUE(decode_control(bytes, bytes.size()).has_value());
  const auto decoded = decode_control(bytes, bytes.size() - 1);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::TooLarge);
}

TEST(ControlCodec, TheLargestClientMessagesFitTheirLimit) {
  Hello hello = samples::hello();
  hello.client_name.assign(max_name_bytes, 'n');
  EXPECT_LE(encode_control(hello).size(), max_client_message_bytes);
  EXPECT_LE(encode_control(samples::request()).size(), max_client_message_bytes);
  SetInterest interest = samples::set_interest();
  while (interest.bodies.size() < max_interest_bodies)
    interest.bodies.push_back({interest.bodies.back().value + 1});
  EXPECT_LE(encode_control(interest).size(), max_client_message_bytes);
  EXPECT_LE(encode_control(SceneRequest{std::string(max_name_bytes, 's')}).size(),
            max_client_message_bytes);
}

TEST(ControlCodec, TheLongestSceneInfoFitsAMessage) {
  SceneInfo info = samples::scene_info();
  info.index = max_scenes - 1;
  info.count = max_scenes;
  info.name.assign(max_name_bytes, 'n');
  info.description.assign(max_text_bytes, 'd');
  const std::vector<std::byte> bytes = encode_control(info);
  EXPECT_LE(bytes.size(), max_control_message_bytes);
  EXPECT_TRUE(decode_control(bytes, max_control_message_bytes).has_value());
}

TEST(ControlCodec, TruncatesLongNamesAndReplacesControlCharacters) {
  Hello hello = samples::hello();
  hello.client_name = std::string(max_name_bytes + 1, 'n');
  auto decoded = decode_control(encode_control(hello), max_client_message_bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(std::get<Hello>(*decoded).client_name, std::string(max_name_bytes, 'n'));
  hello.client_name = "a\x1b[2Jb";
  decoded = decode_control(encode_control(hello), max_client_message_bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(std::get<Hello>(*decoded).client_name, "a?[2Jb");
}

TEST(ControlCodec, RejectsASceneRequestWithATooLongName) {
  // A notice has the same layout and a higher limit, so its bytes can be changed into a scene
  // request.
  const std::vector<std::byte> notice = encode_control(Notice{"x"}),
                               wish = encode_control(SceneRequest{"x"});
  const auto decoded = [&](std::size_t length) {
    std::vector<std::byte> bytes = encode_control(Notice{std::string(length, 'n')});
    for (std::size_t i = 0; i < notice.size(); ++i)
      if (notice[i] != wish[i]) bytes[i] = wish[i];
    return decode_control(bytes, max_client_message_bytes);
  };
  ASSERT_TRUE(decoded(max_name_bytes).has_value());
  EXPECT_EQ(std::get<SceneRequest>(*decoded(max_name_bytes)).name.size(), max_name_bytes);
  ASSERT_FALSE(decoded(max_name_bytes + 1).has_value());
  EXPECT_EQ(decoded(max_name_bytes + 1).error(), DecodeError::OutOfRange);
}

TEST(ControlCodec, RejectsControlCharactersInTexts) {
  std::vector<std::byte> bytes = encode_control(samples::reject());
  const auto at = std::find(bytes.begin(), bytes.end(), static_cast<std::byte>(':'));
  ASSERT_NE(at, bytes.end());
  *at = std::byte{0x1B};
  const auto decoded = decode_control(bytes, max_control_message_bytes);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::OutOfRange);
}

TEST(ControlCodec, PredictsWhichWorldChangesFitAMessage) {
  state::WorldChange change;
  change.revision = 1;
  base::Random random(61);
  std::uint32_t id = 1;
  while (fits_control_message(change)) {
    EXPECT_LE(encode_control(change).size(), max_control_message_bytes);
    change.spawns.push_back(samples::random_body_info(random, {id++}));
    ASSERT_LT(id, 1000U);
  }
  EXPECT_GT(id, 50U) << "a burst of spawns should not need a whole world";
  EXPECT_DEATH(encode_control(change), "max_control_message_bytes");
}

TEST(ControlCodecDeathTest, EncodersAssertTheLimitsOfDecoders) {
  BlobAnnounce announce = samples::announce();
  announce.size = max_blob_bytes + 1;
  EXPECT_DEATH(encode_control(announce), "check");
  ControlRequest request = samples::request();
  request.command.count = max_rate_percent + 1;
  EXPECT_DEATH(encode_control(request), "check");
  SceneInfo info = samples::scene_info();
  info.index = info.count;
  EXPECT_DEATH(encode_control(info), "check");
  info = samples::scene_info();
  info.count = max_scenes + 1;
  EXPECT_DEATH(encode_control(info), "check");
  info = samples::scene_info();
  info.name.clear();
  EXPECT_DEATH(encode_control(info), "check");
  Welcome welcome = samples::welcome();
  welcome.tick_rate_hz = 0;
  EXPECT_DEATH(encode_control(welcome), "check");
}

TEST(ChunkCodec, RoundTripsEverySize) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, max_blob_chunk_bytes}) {
    SCOPED_TRACE(size);
    BlobChunk chunk = samples::chunk();
    chunk.bytes.assign(size, std::byte{7});
    const std::vector<std::byte> bytes = encode_chunk(chunk);
    EXPECT_LE(bytes.size(), max_chunk_message_bytes);
    const auto decoded = decode_chunk(bytes);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, chunk);
  }
}

TEST(ChunkCodec, RejectsChunksBeyondTheLargestBlob) {
  BlobChunk chunk = samples::chunk();
  chunk.offset = static_cast<std::uint32_t>(max_blob_bytes - chunk.bytes.size());
  EXPECT_TRUE(decode_chunk(encode_chunk(chunk)).has_value());
  ++chunk.offset;
  EXPECT_DEATH(encode_chunk(chunk), "check");
  chunk.offset = 0xFFFFFFFFU;
  EXPECT_DEATH(encode_chunk(chunk), "check");
}

TEST(ChunkCodecDeathTest, RejectsEmptyAndTooLargeChunks) {
  BlobChunk chunk = samples::chunk();
  chunk.bytes.clear();
  EXPECT_DEATH(encode_chunk(chunk), "check");
  chunk.bytes.resize(max_blob_chunk_bytes + 1);
  EXPECT_DEATH(encode_chunk(chunk), "check");
}

TEST(TimeCodec, RoundTripsPingAndPong) {
  const auto ping = decode_ping(encode_ping(samples::ping()));
  ASSERT_TRUE(ping.has_value());
  EXPECT_EQ(*ping, samples::ping());
  const auto pong = decode_pong(encode_pong(samples::pong()));
  ASSERT_TRUE(pong.has_value());
  EXPECT_EQ(*pong, samples::pong());
  EXPECT_LE(encode_pong(samples::pong()).size(), max_time_message_bytes);
}

TEST(TimeCodec, DoesNotDecodeAPingAsAPong) {
  EXPECT_FALSE(decode_pong(encode_ping(samples::ping())).has_value());
  EXPECT_FALSE(decode_ping(encode_pong(samples::pong())).has_value());
}

TEST(DecodeErrors, AllHaveADescription) {
  for (const DecodeError error :
       {DecodeError::TooLarge, DecodeError::Malformed, DecodeError::OutOfRange,
        DecodeError::NotFinite, DecodeError::UnknownBaseline, DecodeError::WrongRevision})
    EXPECT_NE(describe(error), "unknown");
}

}  // namespace
}  // namespace jostle::protocol
