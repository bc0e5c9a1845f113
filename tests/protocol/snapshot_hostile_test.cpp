#include "protocol/bit_stream.h"
#include "protocol/detail/body_delta.h"
#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/flipped_bits.h"
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
  std::vector<BaselineRun> runs{{20, {10}}, {15, {0}}, {25, {10}}};

  Sample() {
    base::Random random(31);
    QuantizedSnapshot before = samples::resting({0}, 60);
    history.put(before);
    before = samples::moved(before, {10}, 3, random);
    history.put(before);
    snapshot = samples::moved(before, {16}, 3, random);
    const auto parts = encode_parts(snapshot, runs, history.lookup(), max_part_payload_bytes());
    header = samples::header_of(snapshot, parts, 0);
    payload = parts[0].payload;
  }

  Decoded decode(std::span<const std::byte> bytes) const {
    return decode_part(header, bytes, snapshot.ids, history.lookup());
  }
};

/// Returns true if these bodies are valid, and if a snapshot of them can be encoded and decodes to
/// the same bodies.
bool is_encodable(const Sample& sample, const std::vector<QuantizedBody>& bodies) {
  if (!std::ranges::all_of(bodies, samples::is_valid)) return false;
  QuantizedSnapshot snapshot = sample.snapshot;
  snapshot.bodies = bodies;
  const auto lookup = sample.history.lookup();
  const auto parts = encode_parts(snapshot, sample.runs, lookup, max_part_payload_bytes());
  std::vector<QuantizedBody> decoded;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Decoded part =
        decode_part(samples::header_of(snapshot, parts, i), parts[i].payload, snapshot.ids, lookup);
    if (!part) return false;
    decoded.insert(decoded.end(), part->begin(), part->end());
  }
  return decoded == bodies;
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

TEST(HostileSnapshot, ReencodesBodiesThatItAcceptsWithAFlippedBit) {
  const Sample sample;
  ASSERT_EQ(sample.header.count, sample.snapshot.bodies.size());
  const FlippedBits outcome = flip_each_bit(
      sample.payload, [&](std::span<const std::byte> bytes) { return sample.decode(bytes); },
      [&](const std::vector<QuantizedBody>& bodies) { return is_encodable(sample, bodies); });
  EXPECT_GT(outcome.refused, 200U);
  EXPECT_GT(outcome.changed, 500U);
  EXPECT_LE(outcome.ignored, 8U);
}

TEST(HostileSnapshot, RejectsRandomBytes) {
  const Sample sample;
  base::Random random(32);
  for (int round = 0; round < 50'000; ++round) {
    std::vector<std::byte> bytes(random.below(80));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(256));
    ASSERT_FALSE(sample.decode(bytes).has_value()) << round;
  }
}

TEST(HostileSnapshot, RejectsRandomHeaders) {
  const Sample sample;
  base::Random random(33);
  for (int round = 0; round < 20'000; ++round) {
    SnapshotHeader header = sample.header;
    if (random.chance(0.5f)) header.tick = {random.below(200)};
    if (random.chance(0.5f)) header.first = random.below(61);
    if (random.chance(0.3f)) header.first = static_cast<std::uint32_t>(random.next());
    if (random.chance(0.5f)) header.count = random.below(61);
    if (random.chance(0.3f)) header.count = static_cast<std::uint32_t>(random.next());
    const Decoded decoded =
        decode_part(header, sample.payload, sample.snapshot.ids, sample.history.lookup());
    ASSERT_EQ(decoded.has_value(), header == sample.header) << round;
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
  // 16 ticks before tick 16: tick 0, which must be encoded by the spawn bit instead
  writer.bits(15, 7);
  const Decoded decoded = sample.decode(writer.take());
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::OutOfRange);
}

}  // namespace
}  // namespace jostle::protocol
