#include "protocol/limits.h"
#include "protocol/snapshot_codec.h"
#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::protocol {
namespace {

constexpr std::size_t small_payload_bytes = 64;

std::vector<BaselineRun> one_run(const QuantizedSnapshot& snapshot, std::uint32_t baseline) {
  return {{static_cast<std::uint32_t>(snapshot.bodies.size()), {baseline}}};
}

/// Decodes the parts in the given order and returns the bodies in the order of the snapshot.
std::vector<QuantizedBody> decode_all(const QuantizedSnapshot& snapshot,
                                      const std::vector<EncodedPart>& parts,
                                      const std::vector<std::size_t>& order,
                                      const BaselineLookup& lookup) {
  std::vector<QuantizedBody> bodies(snapshot.bodies.size());
  for (const std::size_t index : order) {
    const auto part = decode_part(samples::header_of(snapshot, parts, index), parts[index].payload,
                                  snapshot.ids, lookup);
    EXPECT_TRUE(part.has_value()) << "part " << index;
    if (part) std::copy(part->begin(), part->end(), bodies.begin() + parts[index].first);
  }
  return bodies;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i)
    order[i] = i;
  return order;
}

TEST(SnapshotParts, RoundTripASnapshot) {
  base::Random random(21);
  for (const std::uint32_t one_in : {1U, 2U, 10U, 100U}) {
    for (const std::size_t payload : {small_payload_bytes, max_part_payload_bytes()}) {
      SCOPED_TRACE(testing::Message() << "one in " << one_in << ", payload " << payload);
      samples::History history;
      QuantizedSnapshot before = samples::resting({100}, 300);
      for (QuantizedBody& body : before.bodies)
        body = samples::random_body(random);
      history.put(before);
      const QuantizedSnapshot after = samples::moved(before, {106}, one_in, random);
      const auto parts = encode_parts(after, one_run(after, 100), history.lookup(), payload);
      for (const EncodedPart& part : parts)
        EXPECT_LE(part.payload.size(), payload);
      EXPECT_EQ(decode_all(after, parts, in_order(parts.size()), history.lookup()), after.bodies);
    }
  }
}

TEST(SnapshotParts, DecodeInAnyOrder) {
  base::Random random(22);
  samples::History history;
  const QuantizedSnapshot before = samples::resting({10}, 500);
  history.put(before);
  const QuantizedSnapshot after = samples::moved(before, {11}, 2, random);
  const auto parts = encode_parts(after, one_run(after, 10), history.lookup(), small_payload_bytes);
  ASSERT_GT(parts.size(), 10U);
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::size_t> order = in_order(parts.size());
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    EXPECT_EQ(decode_all(after, parts, order, history.lookup()), after.bodies);
  }
}

TEST(SnapshotParts, CoverEveryBodyOnceAndInOrder) {
  base::Random random(23);
  samples::History history;
  const QuantizedSnapshot before = samples::resting({10}, 901);
  history.put(before);
  const QuantizedSnapshot after = samples::moved(before, {16}, 1, random);
  const auto parts =
      encode_parts(after, one_run(after, 10), history.lookup(), max_part_payload_bytes());
  ASSERT_GT(parts.size(), 1U);
  std::uint32_t next = 0;
  for (const EncodedPart& part : parts) {
    EXPECT_EQ(part.first, next);
    EXPECT_GT(part.count, 0U);
    next += part.count;
  }
  EXPECT_EQ(next, 901U);
}

TEST(SnapshotParts, AWorldAtRestTakesAFewBytes) {
  samples::History history;
  const QuantizedSnapshot before = samples::resting({10}, 901);
  history.put(before);
  QuantizedSnapshot after = before;
  after.tick = {16};
  const auto parts =
      encode_parts(after, one_run(after, 10), history.lookup(), max_part_payload_bytes());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_LE(parts[0].payload.size(), 6U);
}

TEST(SnapshotParts, AnEmptyWorldIsOneEmptyPart) {
  QuantizedSnapshot empty;
  empty.tick = {4};
  const samples::History history;
  const auto parts = encode_parts(empty, {}, history.lookup(), max_part_payload_bytes());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_TRUE(parts[0].payload.empty());
  const auto bodies = decode_part(samples::header_of(empty, parts, 0), parts[0].payload, empty.ids,
                                  history.lookup());
  ASSERT_TRUE(bodies.has_value());
  EXPECT_TRUE(bodies->empty());
}

// In a match, a newly spawned body has its spawn pose as baseline, and a body of a lost part has an
// older baseline than the others. Here, the baselines are random.
TEST(SnapshotParts, RoundTripWithMixedBaselines) {
  base::Random random(24);
  samples::History history;
  QuantizedSnapshot tick = samples::resting({1}, 200);
  QuantizedSnapshot spawn = tick;
  spawn.tick = {0};
  history.put(spawn);
  for (std::uint32_t t = 1; t < 100; ++t) {
    tick = samples::moved(tick, {t}, 8, random);
    history.put(tick);
  }
  for (int round = 0; round < 50; ++round) {
    SCOPED_TRACE(round);
    const QuantizedSnapshot now = samples::moved(tick, {100}, 3, random);
    std::vector<BaselineRun> runs;
    for (std::uint32_t left = 200; left > 0;) {
      const std::uint32_t count = std::min(left, 1 + random.below(round % 2 == 0 ? 4 : 60));
      runs.push_back({count, {random.below(100)}});
      left -= count;
    }
    const auto parts = encode_parts(now, runs, history.lookup(), max_part_payload_bytes());
    EXPECT_EQ(decode_all(now, parts, in_order(parts.size()), history.lookup()), now.bodies);
  }
}

TEST(SnapshotParts, AcceptBaselinesUpToTheEndOfTheWindow) {
  samples::History history;
  const QuantizedSnapshot before = samples::resting({1000 - bit_packed_window_ticks}, 5);
  history.put(before);
  QuantizedSnapshot after = before;
  after.tick = {1000};
  after.bodies[3].position[0] += 7;
  const auto parts = encode_parts(after, one_run(after, before.tick.number), history.lookup(),
                                  max_part_payload_bytes());
  EXPECT_EQ(decode_all(after, parts, {0}, history.lookup()), after.bodies);
}

TEST(SnapshotParts, FitTheLargestWorldWithRandomMotion) {
  base::Random random(25);
  samples::History history;
  QuantizedSnapshot before = samples::resting({10}, max_snapshot_bodies);
  QuantizedSnapshot after = before;
  after.tick = {16};
  for (std::size_t i = 0; i < max_snapshot_bodies; ++i) {
    for (std::int32_t& axis : after.bodies[i].position)
      axis = static_cast<std::int32_t>(random.next());
    const math::Quat rotation = samples::random_rotation(random);
    after.bodies[i].largest = quantize({{}, rotation}, true).largest;
    after.bodies[i].smallest = quantize({{}, rotation}, true).smallest;
    after.bodies[i].is_awake = random.chance(0.5f);
    before.bodies[i].is_awake = random.chance(0.5f);
  }
  history.put(before);
  const auto parts =
      encode_parts(after, one_run(after, 10), history.lookup(), max_part_payload_bytes());
  EXPECT_LE(parts.size(), max_snapshot_parts);
  EXPECT_EQ(decode_all(after, parts, in_order(parts.size()), history.lookup()), after.bodies);
}

TEST(SnapshotParts, AreDeterministic) {
  base::Random random(26);
  samples::History history;
  const QuantizedSnapshot before = samples::resting({10}, 300);
  history.put(before);
  const QuantizedSnapshot after = samples::moved(before, {16}, 4, random);
  const auto a = encode_parts(after, one_run(after, 10), history.lookup(), small_payload_bytes);
  const auto b = encode_parts(after, one_run(after, 10), history.lookup(), small_payload_bytes);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(a[i].payload, b[i].payload) << i;
}

// The payload is shared by all clients with the same baselines; only the headers differ.
TEST(SnapshotParts, NeedOnlyTheirBaselineToDecode) {
  base::Random random(27);
  samples::History sender, receiver;
  const QuantizedSnapshot t10 = samples::resting({10}, 100);
  const QuantizedSnapshot t13 = samples::moved(t10, {13}, 3, random);
  const QuantizedSnapshot t16 = samples::moved(t13, {16}, 3, random);
  sender.put(t10);
  sender.put(t13);
  receiver.put(t10);
  const auto parts = encode_parts(t16, one_run(t16, 10), sender.lookup(), max_part_payload_bytes());
  EXPECT_EQ(decode_all(t16, parts, in_order(parts.size()), receiver.lookup()), t16.bodies);
}

TEST(SnapshotParts, EveryPartHasAnAckBit) {
  for (int parts = 1; parts <= static_cast<int>(max_snapshot_parts); ++parts) {
    SCOPED_TRACE(parts);
    EXPECT_EQ(ack_bit(0, parts), 0);
    EXPECT_LT(ack_bit(parts - 1, parts), 64);
    for (int part = 1; part < parts; ++part)
      EXPECT_LE(ack_bit(part, parts) - ack_bit(part - 1, parts), 1);
  }
  EXPECT_EQ(ack_bit(40, 64), 40);
}

TEST(SnapshotPartsDeathTest, RejectAnUnknownBaseline) {
  const QuantizedSnapshot snapshot = samples::resting({10}, 3);
  const samples::History history;
  EXPECT_DEATH(
      encode_parts(snapshot, one_run(snapshot, 9), history.lookup(), max_part_payload_bytes()),
      "baseline");
}

}  // namespace
}  // namespace jostle::protocol
