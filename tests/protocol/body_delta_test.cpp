#include "protocol/detail/body_delta.h"

#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <limits>

namespace jostle::protocol::detail {
namespace {

QuantizedBody any_body(base::Random& random) {
  QuantizedBody body;
  for (std::int32_t& axis : body.position)
    axis = static_cast<std::int32_t>(random.next());
  body.largest = static_cast<std::uint8_t>(random.below(4));
  for (std::uint16_t& component : body.smallest)
    component = static_cast<std::uint16_t>(random.below(rotation_max + 1));
  body.is_awake = random.chance(0.5f);
  return body;
}

// The test includes bodies that quantize() never returns, because any decoded state can be a
// baseline.
TEST(BodyDelta, AddReversesSubtract) {
  base::Random random(11);
  for (int round = 0; round < 50'000; ++round) {
    const QuantizedBody baseline = any_body(random), body = any_body(random);
    const BodyDelta delta = subtract(body, baseline);
    const auto result = add(baseline, delta);
    ASSERT_TRUE(result.has_value()) << round;
    ASSERT_EQ(*result, body) << round;
    ASSERT_LE(delta.rotation_width, max_rotation_width);
  }
}

TEST(BodyDelta, OfABodyFromItselfIsUnchanged) {
  base::Random random(12);
  for (int round = 0; round < 1'000; ++round) {
    const QuantizedBody body = any_body(random);
    ASSERT_FALSE(subtract(body, body).is_changed()) << round;
  }
}

TEST(BodyDelta, StaysSmallWhenTheLargestComponentChanges) {
  const float before = 0.708f, after = 0.706f;
  const math::Quat a = math::normalized({before, 0, 0, after});
  const math::Quat b = math::normalized({-after, 0, 0, -before});
  const BodyDelta delta = subtract(quantize({{}, b}, true), quantize({{}, a}, true));
  EXPECT_FALSE(delta.is_largest_kept);
  EXPECT_LE(delta.rotation_width, 2U);
}

TEST(BodyDelta, ReadsBackWhatWasWritten) {
  base::Random random(13);
  for (int round = 0; round < 20'000; ++round) {
    const QuantizedBody baseline = any_body(random);
    QuantizedBody body = random.chance(0.2f) ? any_body(random) : baseline;
    if (random.chance(0.5f)) body.position[1] += static_cast<std::int32_t>(random.below(100));
    body.is_awake = random.chance(0.5f);
    const BodyDelta delta = subtract(body, baseline);
    if (!delta.is_changed()) continue;
    DeltaCoding coding;
    coding.width_mode = random.below(4);
    coding.rotation_offset = random.below(4);
    coding.rotation_order = random.below(2);
    coding.is_any_falling_asleep = random.chance(0.5f) || !body.is_awake;
    const unsigned last_width = random.below(max_position_width + 1);

    BitWriter writer;
    write(writer, delta, last_width, coding);
    ASSERT_EQ(writer.bit_count(), body_bits(delta, last_width, coding)) << round;
    const std::vector<std::byte> bytes = writer.take();
    BitReader reader(bytes);
    BodyDelta copy;
    copy.was_awake = baseline.is_awake;
    read(reader, copy, baseline.largest, last_width, coding);
    ASSERT_TRUE(reader.at_end()) << round;
    const auto result = add(baseline, copy);
    ASSERT_TRUE(result.has_value()) << round;
    ASSERT_EQ(*result, body) << round;
  }
}

TEST(BodyDelta, RejectsARotationOutOfRange) {
  QuantizedBody baseline = quantize({{}, {}}, true);
  baseline.smallest[0] = rotation_max;
  BodyDelta delta;
  delta.rotation = {zigzag(1), 0, 0};
  EXPECT_FALSE(add(baseline, delta).has_value());
  delta.rotation = {zigzag(-rotation_max - 1), 0, 0};
  EXPECT_FALSE(add(baseline, delta).has_value());
}

TEST(BodyDelta, CodingParametersRoundTrip) {
  base::Random random(14);
  for (int round = 0; round < 200; ++round) {
    DeltaCoding coding;
    coding.is_awake_body_changed = random.chance(0.5f);
    coding.awake_gap_order = random.below(8);
    coding.asleep_gap_order = random.below(8);
    coding.width_mode = random.below(4);
    coding.rotation_offset = random.below(4);
    coding.rotation_order = random.below(2);
    coding.is_any_falling_asleep = random.chance(0.5f);
    BitWriter writer;
    write(writer, coding);
    ASSERT_EQ(writer.bit_count(), delta_coding_bits);
    const std::vector<std::byte> bytes = writer.take();
    BitReader reader(bytes);
    ASSERT_EQ(read_coding(reader), coding) << round;
  }
}

}  // namespace
}  // namespace jostle::protocol::detail
