#include "protocol/precise/precise_codec.h"

#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "tests/protocol/flipped_bits.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace jostle::protocol::precise {
namespace {

using state::BodyState;

BodyState random_state(base::Random& random) {
  const auto draw = [&] { return random.between(-10, 10); };
  BodyState body;
  body.pose.position = {static_cast<double>(draw()), static_cast<double>(draw()) / 3,
                        static_cast<double>(draw()) * 7};
  const float x = draw(), y = draw(), z = draw(), w = draw();
  body.pose.rotation = math::normalized({x, y, z, w});
  const float vx = draw(), vy = draw(), vz = draw();
  body.linear_velocity = {vx, vy, vz};
  const float wx = draw(), wy = draw(), wz = draw();
  body.angular_velocity = {wx, wy, wz};
  body.is_awake = random.chance(0.7f);
  return body;
}

std::optional<FineBody> convert(const BodyState& body, const FineBody*) {
  return to_fine(body);
}
std::optional<LosslessBody> convert(const BodyState& body, const LosslessBody*) {
  return to_exact(body);
}

/// A world, and the same world a tenth of a second later: some bodies move at constant velocity,
/// some get a new state, and the others are unchanged.
template <class Body>
struct Sample {
  std::vector<Body> baseline, bodies;
  Reference<Body> reference;

  Sample(std::uint64_t seed, std::size_t count) {
    base::Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      BodyState state = random_state(random);
      baseline.push_back(*convert(state, static_cast<Body*>(nullptr)));
      if (random.chance(0.3f))
        state.pose.position = state.pose.position + state.linear_velocity * 0.1f;
      if (random.chance(0.1f)) state = random_state(random);
      bodies.push_back(*convert(state, static_cast<Body*>(nullptr)));
    }
    reference = {baseline, 0.1f};
  }
};

template <class Body>
class PreciseCodec : public ::testing::Test {};
using BodyKinds = ::testing::Types<FineBody, LosslessBody>;
TYPED_TEST_SUITE(PreciseCodec, BodyKinds);

TYPED_TEST(PreciseCodec, RoundTripsRandomBodiesBitForBit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Sample<TypeParam> sample(seed, seed * 17 % 300);
    for (const bool has_baseline : {true, false}) {
      const Reference<TypeParam> reference =
          has_baseline ? sample.reference : Reference<TypeParam>{};
      const auto bytes = encode(std::span<const TypeParam>(sample.bodies), reference);
      const auto back = decode(bytes, sample.bodies.size(), reference);
      ASSERT_TRUE(back.has_value());
      ASSERT_EQ(*back, sample.bodies);
    }
  }
}

TYPED_TEST(PreciseCodec, UnchangedBodiesTakeAFewBytes) {
  const Sample<TypeParam> sample(3, 900);
  const auto bytes = encode(std::span<const TypeParam>(sample.baseline), sample.reference);
  EXPECT_LE(bytes.size(), 20U);
  EXPECT_EQ(*decode(bytes, 900, sample.reference), sample.baseline);
}

TYPED_TEST(PreciseCodec, RejectsMostTruncationsAndBytesAfterTheEnd) {
  const Sample<TypeParam> sample(5, 40);
  const auto bytes = encode(std::span<const TypeParam>(sample.bodies), sample.reference);
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto back = decode(std::span(bytes).first(size), 40, sample.reference);
    refused += back ? 0 : 1;
    EXPECT_TRUE(!back || back->size() == 40U);
  }
  EXPECT_GT(refused, bytes.size() / 2);
  auto longer = bytes;
  longer.resize(bytes.size() + 20, std::byte{7});
  EXPECT_EQ(decode(longer, 40, sample.reference).error(), DecodeError::Malformed);
}

/// Returns true if a body decoded from untrusted bytes is valid.
bool is_usable(const FineBody& body) {
  bool is_good = body.largest < 4;
  for (const std::uint16_t component : body.smallest)
    is_good = is_good && component < 1 << fine_rotation_bits;
  const BodyState state = from_fine(body);
  return is_good && math::is_finite(state.pose.position) &&
         math::is_unit(state.pose.rotation, 1e-3f);
}
bool is_usable(const LosslessBody& body) {
  return from_exact(body).has_value();
}

TYPED_TEST(PreciseCodec, ReencodesBodiesThatItAcceptsWithAFlippedBit) {
  const Sample<TypeParam> sample(6, 30);
  const FlippedBits outcome = decode_with_flipped_bits(
      encode(std::span<const TypeParam>(sample.bodies), sample.reference),
      [&](std::span<const std::byte> bytes) { return decode(bytes, 30, sample.reference); },
      [&](const std::vector<TypeParam>& bodies) {
        for (const TypeParam& body : bodies)
          EXPECT_TRUE(is_usable(body));
        return encode(std::span<const TypeParam>(bodies), sample.reference);
      });
  EXPECT_GT(outcome.refused, 1'000U);
  EXPECT_GT(outcome.changed, 100U);
  EXPECT_LE(outcome.ignored, 32U) << "the end of the last bytes";
}

TEST(ExactBodies, KeepEveryBitOfExtremeNumbers) {
  BodyState body;
  body.pose.position = {-0.0, std::numeric_limits<double>::max(),
                        -std::numeric_limits<double>::denorm_min()};
  body.pose.rotation = {-0.0f, 0.0f, std::numeric_limits<float>::denorm_min(), -1.0f};
  body.linear_velocity = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
                          -0.0f};
  body.angular_velocity = {1e-30f, -1e30f, 0.0f};
  const LosslessBody exact = *to_exact(body);
  const std::vector<LosslessBody> bodies{exact, LosslessBody{}, exact};
  for (const std::vector<LosslessBody>& baseline :
       {std::vector<LosslessBody>{}, std::vector<LosslessBody>{exact, exact, LosslessBody{}}}) {
    const Reference<LosslessBody> reference{baseline, 0.5f};
    const auto back =
        decode(encode(std::span<const LosslessBody>(bodies), reference), 3, reference);
    ASSERT_TRUE(back.has_value());
    ASSERT_EQ(*back, bodies);
    const BodyState state = *from_exact((*back)[0]);
    EXPECT_TRUE(std::signbit(state.pose.position.x));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(state.pose.position.z), 0x8000'0000'0000'0001U);
    EXPECT_EQ(state.pose.position.y, std::numeric_limits<double>::max());
    EXPECT_TRUE(std::signbit(state.pose.rotation.x));
    EXPECT_FALSE(std::signbit(state.pose.rotation.y));
    EXPECT_TRUE(std::signbit(state.linear_velocity.z));
    EXPECT_EQ(state, body);
  }
}

TEST(PreciseBodies, RejectNonFiniteNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, infinity, -infinity}) {
    BodyState body;
    body.pose.position.y = static_cast<double>(bad);
    EXPECT_FALSE(to_fine(body) || to_exact(body));
    body = {};
    body.pose.rotation.w = bad;
    EXPECT_FALSE(to_fine(body) || to_exact(body));
    body = {};
    body.linear_velocity.z = bad;
    EXPECT_FALSE(to_fine(body) || to_exact(body));
    body = {};
    body.angular_velocity.x = bad;
    EXPECT_FALSE(to_fine(body) || to_exact(body));
  }
  LosslessBody bits;
  bits.linear_velocity[0] = 0x7F80'0000;  // infinity
  EXPECT_FALSE(from_exact(bits).has_value());
}

TEST(FineBodies, AreAccurateToHalfAStep) {
  base::Random random(11);
  for (int i = 0; i < 2'000; ++i) {
    const BodyState body = random_state(random);
    const BodyState back = from_fine(*to_fine(body));
    const double half = 0.5 / fine_steps + 1e-6;
    EXPECT_LE(std::abs(back.pose.position.x - body.pose.position.x), half);
    EXPECT_LE(std::abs(back.linear_velocity.y - body.linear_velocity.y), half);
    EXPECT_LE(std::abs(back.angular_velocity.z - body.angular_velocity.z), half);
    // Three components have an error of at most half a step, 1/(√2 · 16,383) / 2. They determine
    // the error of the fourth.
    EXPECT_GT(std::abs(dot(back.pose.rotation, body.pose.rotation)), 1.0f - 1e-6f);
    EXPECT_EQ(to_fine(back)->smallest, to_fine(body)->smallest)
        << "quantisation must be idempotent";
  }
  BodyState far;
  far.pose.position = {1e300, -1e300, 0};
  EXPECT_EQ(from_fine(*to_fine(far)).pose.position.x, max_fine);
  EXPECT_EQ(from_fine(*to_fine(far)).pose.position.y, -max_fine);
}

std::string digest(const std::vector<std::byte>& bytes) {
  return std::to_string(bytes.size()) + " bytes, " + std::to_string(base::hash_bytes(bytes));
}

// Golden values of the bytes of version 1 of both profiles, which are the same on every machine.
TEST(PreciseBytes, MatchTheGoldenBytes) {
  const Sample<FineBody> fine(31, 60);
  EXPECT_EQ(digest(encode(std::span<const FineBody>(fine.bodies), fine.reference)),
            "277 bytes, 17963764642193537118");
  const Sample<LosslessBody> exact(31, 60);
  EXPECT_EQ(digest(encode(std::span<const LosslessBody>(exact.bodies), exact.reference)),
            "574 bytes, 3818359259836999423");
}

}  // namespace
}  // namespace jostle::protocol::precise
