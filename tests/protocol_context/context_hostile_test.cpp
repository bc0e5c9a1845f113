#include "protocol/limits.h"
#include "tests/protocol/flipped_bits.h"
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

  base::Result<DecodedPart, DecodeError> decode(std::span<const std::byte> bytes) const {
    return world.decode(header, bytes);
  }
  bool is_refused(std::span<const std::byte> bytes) const { return !decode(bytes).has_value(); }

  /// Returns true if the bodies of an accepted part can be encoded and decode to the same bodies.
  bool is_encodable(const DecodedPart& part) const {
    return context::is_encodable(
        part, world,
        [&](const Content& content) {
          return encode_parts(content, world.history.lookup(), max_part_payload_bytes());
        },
        [&](const SnapshotHeader& of_part, std::span<const std::byte> bytes) {
          return world.decode(of_part, bytes);
        });
  }
};

// If only a few bytes are missing, the decoder reads zeros, and the result may be a valid part.
TEST(HostileContextPart, ReencodesBodiesThatItAcceptsFromATruncation) {
  const ContextSample sample;
  std::size_t refused = 0;
  for (std::size_t size = 0; size < sample.payload.size(); ++size) {
    const auto part = sample.decode(std::span(sample.payload).first(size));
    refused += part ? 0 : 1;
    EXPECT_TRUE(!part || sample.is_encodable(*part)) << size;
  }
  EXPECT_GT(refused, 50U);
}

TEST(HostileContextPart, ReencodesBodiesThatItAcceptsWithAFlippedBit) {
  const ContextSample sample;
  const FlippedBits outcome = flip_each_bit(
      sample.payload, [&](std::span<const std::byte> bytes) { return sample.decode(bytes); },
      [&](const DecodedPart& part) { return sample.is_encodable(part); });
  EXPECT_GT(outcome.refused, 1'000U);
  EXPECT_GT(outcome.changed, 30U);
  EXPECT_LE(outcome.ignored, 8U);
}

TEST(HostileContextPart, ReencodesBodiesThatItAcceptsFromRandomBytes) {
  const ContextSample sample;
  base::Random random(9);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    SCOPED_TRACE(i);
    std::vector<std::byte> bytes(random.below(300));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(256));
    const auto part = sample.decode(bytes);
    if (!part) continue;
    ++accepted;
    ASSERT_TRUE(sample.is_encodable(*part));
  }
  EXPECT_GT(accepted, 0);
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
