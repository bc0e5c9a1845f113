#include "protocol/limits.h"
#include "tests/protocol_context/sample_world.h"

#include <gtest/gtest.h>

#include <vector>

namespace jostle::protocol::context {
namespace {

struct ContextSample {
  SampleWorld world{31, 60, 3};
  SnapshotHeader header;
  std::vector<std::byte> payload;

  ContextSample() {
    const auto parts = world.encode({{20, {{15}, {14}}}, {15, {}}, {25, {{15}, {15}}}}, 1'000);
    header = samples::header_of(world.snapshot, parts, 0);
    payload = parts[0].payload;
  }

  /// Returns true if the bytes are rejected. Otherwise checks the bodies: their number must be the
  /// one in the header or that of the chosen bodies, and all their numbers must be within the
  /// limits of the wire format.
  bool is_refused(std::span<const std::byte> bytes) const {
    const auto decoded = world.decode(header, bytes);
    if (!decoded) return true;
    EXPECT_EQ(decoded->bodies.size(),
              decoded->chosen.empty() ? header.count : decoded->chosen.size());
    for (const std::uint32_t at : decoded->chosen)
      EXPECT_TRUE(at >= header.first && at - header.first < header.count);
    for (const QuantizedBody& body : decoded->bodies) {
      EXPECT_LT(body.largest, 4);
      for (const std::uint16_t component : body.smallest)
        EXPECT_LE(component, rotation_max);
      for (const std::int32_t axis : body.position)
        EXPECT_LE(std::abs(std::int64_t{axis}), 4'194'303LL * position_steps_per_metre);
    }
    return false;
  }
};

TEST(HostileContextPart, SurvivesEveryTruncation) {
  const ContextSample sample;
  ASSERT_FALSE(sample.is_refused(sample.payload));
  std::size_t refused = 0;
  for (std::size_t size = 0; size < sample.payload.size(); ++size)
    refused += sample.is_refused(std::span(sample.payload).first(size)) ? 1 : 0;
  // If only a few bytes are missing, the decoder reads zeros, and the result may be a valid
  // snapshot.
  EXPECT_GT(refused, 0U);
}

TEST(HostileContextPart, SurvivesEveryFlippedBit) {
  const ContextSample sample;
  for (std::size_t bit = 0; bit < sample.payload.size() * 8; ++bit) {
    SCOPED_TRACE(bit);
    std::vector<std::byte> bytes = sample.payload;
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    sample.is_refused(bytes);
  }
}

TEST(HostileContextPart, SurvivesRandomBytes) {
  const ContextSample sample;
  base::Random random(9);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> bytes(random.below(300));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(256));
    sample.is_refused(bytes);
  }
}

TEST(HostileContextPart, RejectsBytesAfterTheEnd) {
  const ContextSample sample;
  std::vector<std::byte> longer = sample.payload;
  longer.insert(longer.end(), 5, std::byte{1});
  EXPECT_TRUE(sample.is_refused(longer));
  longer.resize(max_part_payload_bytes() + 1);
  EXPECT_TRUE(sample.is_refused(longer));
}

TEST(HostileContextPart, RejectsRangesOutsideTheWorld) {
  ContextSample sample;
  sample.header.count = 61;
  EXPECT_TRUE(sample.world.decode(sample.header, sample.payload).has_value() == false);
  sample.header.count = 60;
  sample.header.first = 1;
  EXPECT_FALSE(sample.world.decode(sample.header, sample.payload).has_value());
  sample.header.first = 0xFFFFFFFF;
  EXPECT_FALSE(sample.world.decode(sample.header, sample.payload).has_value());
}

TEST(HostileContextPart, ReportsUnknownBaselines) {
  ContextSample sample;
  sample.header.tick = {21};  // shifts every reference by one tick
  const auto decoded = sample.world.decode(sample.header, sample.payload);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::UnknownBaseline);
}

TEST(HostileContextPart, RejectsReferencesBeforeTheFirstTick) {
  ContextSample sample;
  sample.header.tick = {3};
  EXPECT_FALSE(sample.world.decode(sample.header, sample.payload).has_value());
}

}  // namespace
}  // namespace jostle::protocol::context
