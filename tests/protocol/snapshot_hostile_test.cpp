#include "protocol/bit_stream.h"
#include "protocol/detail/body_delta.h"
#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::protocol {
namespace {

using Decoded = base::Result<std::vector<QuantizedBody>, DecodeError>;

/// An encoded snapshot of 60 bodies with mixed baselines, and everything needed to decode it.
struct Sample {
  samples::History history;
  QuantizedSnapshot snapshot;
  SnapshotHeader header;
  std::vector<std::byte> payload;

  Sample() {
    base::Random random(31);
    QuantizedSnapshot before = samples::resting({0}, 60);
    history.put(before);
    before = samples::moved(before, {10}, 3, random);
    history.put(before);
    snapshot = samples::moved(before, {16}, 3, random);
    const std::vector<BaselineRun> runs{{20, {10}}, {15, {0}}, {25, {10}}};
    const auto parts = encode_parts(snapshot, runs, history.lookup(), max_part_payload_bytes());
    header = samples::header_of(snapshot, parts, 0);
    payload = parts[0].payload;
  }

  Decoded decode(std::span<const std::byte> bytes) const {
    return decode_part(header, bytes, snapshot.ids, history.lookup());
  }
};

/// Checks accepted bodies: their number must be the one in the header, and their rotations must be
/// within the limits of the wire format.
void expect_harmless(const Decoded& decoded, const SnapshotHeader& header) {
  if (!decoded) return;
  ASSERT_EQ(decoded->size(), header.count);
  for (const QuantizedBody& body : *decoded) {
    ASSERT_LT(body.largest, 4);
    for (const std::uint16_t component : body.smallest)
      ASSERT_LE(component, rotation_max);
  }
}

TEST(HostileSnapshot, RejectsEveryTruncation) {
  const Sample sample;
  ASSERT_TRUE(sample.decode(sample.payload).has_value());
  for (std::size_t size = 0; size < sample.payload.size(); ++size)
    EXPECT_FALSE(sample.decode(std::span(sample.payload).first(size)).has_value()) << size;
}

TEST(HostileSnapshot, RejectsBytesAfterTheEnd) {
  const Sample sample;
  std::vector<std::byte> longer = sample.payload;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(sample.decode(longer).has_value());
}

TEST(HostileSnapshot, SurvivesEveryFlippedBit) {
  const Sample sample;
  int refused = 0;
  for (std::size_t bit = 0; bit < sample.payload.size() * 8; ++bit) {
    SCOPED_TRACE(bit);
    std::vector<std::byte> bytes = sample.payload;
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const Decoded decoded = sample.decode(bytes);
    refused += decoded.has_value() ? 0 : 1;
    ASSERT_NO_FATAL_FAILURE(expect_harmless(decoded, sample.header));
  }
  EXPECT_GT(refused, 0);
}

TEST(HostileSnapshot, SurvivesRandomBytes) {
  const Sample sample;
  base::Random random(32);
  for (int round = 0; round < 50'000; ++round) {
    std::vector<std::byte> bytes(random.below(80));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(256));
    ASSERT_NO_FATAL_FAILURE(expect_harmless(sample.decode(bytes), sample.header)) << round;
  }
}

TEST(HostileSnapshot, SurvivesRandomHeaders) {
  const Sample sample;
  base::Random random(33);
  for (int round = 0; round < 20'000; ++round) {
    SnapshotHeader header = sample.header;
    header.tick = {random.below(200)};
    header.first =
        random.chance(0.5f) ? random.below(61) : static_cast<std::uint32_t>(random.next());
    header.count =
        random.chance(0.5f) ? random.below(61) : static_cast<std::uint32_t>(random.next());
    const Decoded decoded =
        decode_part(header, sample.payload, sample.snapshot.ids, sample.history.lookup());
    ASSERT_NO_FATAL_FAILURE(expect_harmless(decoded, header)) << round;
  }
}

TEST(HostileSnapshot, RejectsMoreBodiesThanTheWorldHas) {
  const Sample sample;
  SnapshotHeader header = sample.header;
  header.first = 1;
  const Decoded decoded =
      decode_part(header, sample.payload, sample.snapshot.ids, sample.history.lookup());
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::OutOfRange);
}

TEST(HostileSnapshot, ReportsAnUnknownBaseline) {
  const Sample sample;
  const samples::History nothing;
  const Decoded decoded =
      decode_part(sample.header, sample.payload, sample.snapshot.ids, nothing.lookup());
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::UnknownBaseline);
}

/// Returns a payload with `runs_minus_one` + 1 runs of one unchanged body each, from the spawn
/// pose.
std::vector<std::byte> payload_with_runs(std::uint32_t runs_minus_one) {
  BitWriter writer;
  detail::DeltaCoding coding;
  coding.is_awake_body_changed = false;
  detail::write(writer, coding);
  writer.golomb(runs_minus_one, 0);
  for (std::uint32_t i = 0; i <= runs_minus_one; ++i) {
    writer.bit(true);
    if (i < runs_minus_one) writer.golomb(0, 3);
  }
  writer.golomb(runs_minus_one + 1, 0);
  return writer.take();
}

TEST(HostileSnapshot, RejectsTooManyBaselineRuns) {
  const QuantizedSnapshot world = samples::resting({0}, max_baseline_runs + 1);
  samples::History history;
  history.put(world);
  SnapshotHeader header;
  header.tick = {50};
  header.count = max_baseline_runs;
  const auto most = static_cast<std::uint32_t>(max_baseline_runs) - 1;
  EXPECT_TRUE(
      decode_part(header, payload_with_runs(most), world.ids, history.lookup()).has_value());
  header.count = max_baseline_runs + 1;
  const Decoded decoded =
      decode_part(header, payload_with_runs(most + 1), world.ids, history.lookup());
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::OutOfRange);
}

TEST(HostileSnapshot, RejectsABaselineBeforeTheFirstTick) {
  const Sample sample;
  BitWriter writer;
  detail::write(writer, detail::DeltaCoding{});
  writer.golomb(0, 0);
  writer.bit(false);
  writer.bits(15, 7);  // 16 ticks before tick 16 is tick 0, which the spawn bit stands for
  const Decoded decoded = sample.decode(writer.take());
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::OutOfRange);
}

}  // namespace
}  // namespace jostle::protocol
