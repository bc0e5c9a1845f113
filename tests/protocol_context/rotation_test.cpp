#include "protocol/context/rotation.h"

#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace jostle::protocol::context {
namespace {

TEST(IntegerRotation, SquareRootRoundsDown) {
  for (std::uint64_t value = 0; value < 70'000; ++value) {
    const std::uint64_t root = square_root(value);
    ASSERT_LE(root * root, value);
    ASSERT_GT((root + 1) * (root + 1), value);
  }
  EXPECT_EQ(square_root(one_squared), static_cast<std::uint32_t>(one));
  EXPECT_EQ(square_root(0xFFFF'FFFE'0000'0001ULL), 0xFFFF'FFFFU);
}

TEST(IntegerRotation, LogSizeGrowsWithTheValue) {
  EXPECT_EQ(log_size(0), 0);
  EXPECT_EQ(log_size(1), 16);
  EXPECT_EQ(log_size(-3), 32);
  for (std::int64_t i = 0; i < 100'000; ++i)
    ASSERT_LE(log_size(i), log_size(i + 1));
  EXPECT_EQ(log_size(std::int64_t{1} << 40), 640);
}

TEST(IntegerRotation, LogSizeIsTheSameForBothWidths) {
  base::Random random(5);
  for (int i = 0; i < 100'000; ++i) {
    const auto value =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(random.next()) >> (i % 32));
    ASSERT_EQ(log_size(value), log_size(std::int64_t{value})) << value;
    ASSERT_EQ(log_size(-(value / 2)), log_size(-std::int64_t{value / 2})) << value;
  }
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(log_size(least), log_size(std::int64_t{least}));
}

TEST(IntegerRotation, UnpacksTheRotationOfABody) {
  base::Random random(3);
  for (int i = 0; i < 1'000; ++i) {
    const QuantizedBody body = samples::random_body(random);
    const IntQuat q = unpack_rotation(body);
    const math::Quat exact = dequantize(body).rotation;
    ASSERT_NEAR(q[0], exact.x * one, 4);
    ASSERT_NEAR(q[1], exact.y * one, 4);
    ASSERT_NEAR(q[2], exact.z * one, 4);
    ASSERT_NEAR(q[3], exact.w * one, 4);
  }
}

TEST(IntegerRotation, TurnBetweenRotatesOneIntoTheOther) {
  base::Random random(4);
  for (int i = 0; i < 1'000; ++i) {
    const IntQuat from = unpack_rotation(samples::random_body(random));
    const IntQuat to = unpack_rotation(samples::random_body(random));
    IntVec3 turn = turn_between(from, to);
    const IntQuat there = multiply(from_vector(turn), from);
    const bool is_mirrored = std::int64_t{there[0]} * to[0] + std::int64_t{there[1]} * to[1] +
                                 std::int64_t{there[2]} * to[2] + std::int64_t{there[3]} * to[3] <
                             0;
    // Turns close to half a circle are skipped: rounding destroys their small scalar part.
    if (std::abs(turn[0]) + std::abs(turn[1]) + std::abs(turn[2]) > 15'000) continue;
    for (std::size_t k = 0; k < 4; ++k)
      ASSERT_NEAR(there[k], is_mirrored ? -to[k] : to[k], 30);
  }
}

TEST(IntegerRotation, DisplacementOfAQuarterTurnIsCorrect) {
  // A quarter turn about y moves x to -z.
  const IntVec3 quarter{0, 11'585, 0};
  const IntVec3 moved = displacement_of_turn(quarter, {1'000, 50, 0});
  EXPECT_NEAR(moved[0], -1'000, 2);
  EXPECT_NEAR(moved[1], 0, 2);
  EXPECT_NEAR(moved[2], -1'000, 2);
}

}  // namespace
}  // namespace jostle::protocol::context
