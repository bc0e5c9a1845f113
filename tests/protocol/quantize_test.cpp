#include "protocol/quantize.h"

#include "shared/base/random.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jostle::protocol {
namespace {

/// Maximum angle between a rotation and its quantised image, rad. It is 2·√5.5 steps of 1/(255·√2).
/// Each component has an error of at most half a step, or of a whole step if a tie for the largest
/// component is broken. The error of the dropped component w is c·e / w, where c are the other
/// components and e their errors. It is largest if all four components are ½. With e = (1, ½, ½)
/// steps it is two steps. Half the angle is the length of all four errors, √(1 + ¼ + ¼ + 4) steps.
constexpr double max_rotation_error = 0.0131;
/// Maximum angle without a tie, rad. Here e = (½, ½, ½), which gives 2·√3 steps.
constexpr double max_plain_rotation_error = 0.0097;

double angle_between(const math::Quat& a, const math::Quat& b) {
  const auto d = [](float x) { return static_cast<double>(x); };
  const math::Quat r = math::conjugate(a) * b;
  const double sine = std::sqrt(d(r.x) * d(r.x) + d(r.y) * d(r.y) + d(r.z) * d(r.z));
  return 2.0 * std::atan2(sine, std::abs(d(r.w)));
}

QuantizedBody position_of(double x) {
  return quantize({{x, 0, 0}, {}}, true);
}

TEST(Quantize, RoundsPositionsHalfAwayFromZero) {
  constexpr double step = 1.0 / position_steps_per_metre;
  EXPECT_EQ(position_of(0.5 * step).position[0], 1);
  EXPECT_EQ(position_of(-0.5 * step).position[0], -1);
  EXPECT_EQ(position_of(0.499 * step).position[0], 0);
  EXPECT_EQ(position_of(2.5 * step).position[0], 3);
  EXPECT_EQ(position_of(std::nextafter(0.5, 0.0) * step).position[0], 0)
      << "adding 0.5 and cutting would round this up";
}

TEST(Quantize, KeepsPositionsWithinHalfAStep) {
  base::Random random(3);
  for (int round = 0; round < 20'000; ++round) {
    const math::Position p{static_cast<double>(random.between(-1e5f, 1e5f)),
                           static_cast<double>(random.between(-10, 10)),
                           static_cast<double>(random.unit())};
    const math::Position q = dequantize(quantize({p, {}}, true)).position;
    const double error = std::max({std::abs(p.x - q.x), std::abs(p.y - q.y), std::abs(p.z - q.z)});
    ASSERT_LE(error, 0.5 / position_steps_per_metre) << "round " << round;
  }
}

TEST(Quantize, ClampsPositionsBeyondTheLimit) {
  EXPECT_EQ(position_of(1e12).position[0], 4'194'303 * position_steps_per_metre);
  EXPECT_EQ(position_of(-1e12).position[0], -4'194'303 * position_steps_per_metre);
}

TEST(Quantize, KeepsRotationErrorsWithinTheBound) {
  base::Random random(4);
  double worst = 0;
  int beyond_plain = 0;
  for (int round = 0; round < 200'000; ++round) {
    const math::Quat q = samples::random_rotation(random);
    const double angle = angle_between(q, dequantize(quantize({{}, q}, true)).rotation);
    worst = std::max(worst, angle);
    beyond_plain += angle > max_plain_rotation_error ? 1 : 0;
  }
  EXPECT_LE(worst, max_rotation_error);
  EXPECT_GE(worst, 0.8 * max_plain_rotation_error) << "the stated bound is loose";
  EXPECT_LE(beyond_plain, 200) << "ties are rare";
}

TEST(Quantize, RepresentsAxisAlignedRotationsExactly) {
  const math::Quat axes[] = {{}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  for (const math::Quat& q : axes)
    EXPECT_EQ(dequantize(quantize({{}, q}, true)).rotation, q);
  const QuantizedBody identity = quantize({{}, {}}, true);
  EXPECT_EQ(identity.largest, 3);
  EXPECT_EQ(identity.smallest, (std::array<std::uint16_t, 3>{256, 256, 256}));
}

TEST(Quantize, MapsARotationAndItsNegativeToTheSameCode) {
  base::Random random(5);
  for (int round = 0; round < 1'000; ++round) {
    const math::Quat q = samples::random_rotation(random);
    ASSERT_EQ(quantize({{}, q}, true), quantize({{}, math::negate(q)}, true)) << round;
  }
}

TEST(Quantize, BreaksTiesTowardsTheLowestIndex) {
  const float half = 0.5f, root = std::sqrt(0.5f);
  EXPECT_EQ(quantize({{}, {half, half, half, half}}, true).largest, 0);
  EXPECT_EQ(quantize({{}, {0, root, 0, root}}, true).largest, 1);
  EXPECT_EQ(quantize({{}, {0, -root, 0, root}}, true).largest, 1);
  EXPECT_EQ(quantize({{}, {0, -root, 0, root}}, true).smallest[2], 1) << "the largest is positive";
}

void expect_fixed_point(const QuantizedBody& q) {
  ASSERT_EQ(quantize(dequantize(q), q.is_awake), q)
      << int{q.largest} << ' ' << q.smallest[0] << ' ' << q.smallest[1] << ' ' << q.smallest[2];
}

TEST(Quantize, IsIdempotent) {
  base::Random random(6);
  for (int round = 0; round < 200'000; ++round)
    ASSERT_NO_FATAL_FAILURE(expect_fixed_point(samples::random_body(random)));
}

// If two, three or four components are nearly equal, rounding may lift one above the dropped one.
TEST(Quantize, IsIdempotentAroundTies) {
  base::Random random(7);
  for (int round = 0; round < 200'000; ++round) {
    float c[4] = {1, 1, 1, 1};
    const std::uint32_t equal = 2 + random.below(3);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const float offset = random.between(-0.01f, 0.01f);
      c[(i + static_cast<std::uint32_t>(round)) % 4] =
          (i < equal ? 1.0f + offset : random.between(-1, 1)) * (random.chance(0.5f) ? 1 : -1);
    }
    const math::Quat q = math::normalized({c[0], c[1], c[2], c[3]});
    ASSERT_NO_FATAL_FAILURE(expect_fixed_point(quantize({{}, q}, true)));
    ASSERT_LE(angle_between(q, dequantize(quantize({{}, q}, true)).rotation), max_rotation_error);
  }
}

TEST(Quantize, DequantizesAnyCodeToAUnitQuaternion) {
  base::Random random(8);
  for (int round = 0; round < 20'000; ++round) {
    QuantizedBody body;
    body.largest = static_cast<std::uint8_t>(random.below(4));
    for (std::uint16_t& component : body.smallest)
      component = static_cast<std::uint16_t>(random.below(rotation_max + 1));
    const math::Quat q = dequantize(body).rotation;
    ASSERT_NEAR(math::dot(q, q), 1.0f, 1e-6f) << round;
  }
}

TEST(Quantize, HashDependsOnEveryField) {
  const QuantizedSnapshot base = samples::resting({5}, 3);
  QuantizedSnapshot other[8];
  for (QuantizedSnapshot& snapshot : other)
    snapshot = base;
  other[0].tick = {6};
  other[1].world_revision = 2;
  other[2].ids[2] = {9};
  other[3].bodies[1].position[2] += 1;
  other[4].bodies[1].largest = 0;
  other[5].bodies[1].smallest[0] += 1;
  other[6].bodies[1].is_awake = true;
  other[7].ids.pop_back();
  other[7].bodies.pop_back();
  EXPECT_EQ(hash(base), hash(samples::resting({5}, 3)));
  for (const QuantizedSnapshot& snapshot : other)
    EXPECT_NE(hash(snapshot), hash(base));
}

TEST(QuantizeDeathTest, RejectsNonFinitePoses) {
  const math::Pose pose{{std::numeric_limits<double>::quiet_NaN(), 0, 0}, {}};
  EXPECT_DEATH(quantize(pose, true), "is_finite");
}

}  // namespace
}  // namespace jostle::protocol
