// Tests of correcting a body's precisely known state by a snapshot with less precision.
#include "client/sim/body_correction.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::prediction {
namespace {

math::Pose random_pose(base::Random& random) {
  math::Quat rotation{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                      random.between(-1, 1)};
  return {
      {static_cast<double>(random.between(-50, 50)), static_cast<double>(random.between(-50, 50)),
       static_cast<double>(random.between(-50, 50))},
      normalized(rotation)};
}

TEST(BodyCorrection, IgnoresDeviationsWithinTheRoundingError) {
  base::Random random(1);
  for (int i = 0; i < 10'000; ++i) {
    const math::Pose pose = random_pose(random);
    EXPECT_TRUE(deviation(pose, protocol::quantize(pose, true)).is_none());
  }
}

TEST(BodyCorrection, MovesByTheSmallestMatchingOffset) {
  const math::Pose pose{{1.0, 2.0, 3.0}, {}};
  protocol::QuantizedBody received = protocol::quantize(pose, true);
  received.position[0] += 10;  // steps of 1/512 m
  const Deviation apart = deviation(pose, received);
  EXPECT_NEAR(apart.offset.x, 9.5 / 512, 1e-4);
  EXPECT_EQ(apart.offset.y, 0.0f);
  EXPECT_EQ(apart.offset.z, 0.0f);
  EXPECT_EQ(apart.turn, math::Vec3{});
}

TEST(BodyCorrection, CorrectsTheVelocityByTheAccumulatedOffset) {
  state::BodyState known;
  known.pose = {{0, 5, 0}, {}};
  known.linear_velocity = {1, 0, 0};
  Deviation apart;
  apart.offset = {0.02f, 0, 0};
  apart.turn = {0, 0.05f, 0};
  const state::BodyState better = corrected(known, apart, 0.1);
  EXPECT_NEAR(better.pose.position.x, 0.02, 1e-6);
  EXPECT_NEAR(better.linear_velocity.x, 1.2, 1e-5);
  EXPECT_NEAR(better.angular_velocity.y, 0.5, 1e-5);
  EXPECT_NEAR(better.pose.rotation.y, std::sin(0.025), 1e-6);
}

TEST(BodyCorrection, EstimatesVelocitiesFromTwoPoses) {
  base::Random random(2);
  for (int i = 0; i < 1'000; ++i) {
    const math::Pose before = random_pose(random);
    math::Pose after = before;
    const math::Vec3 velocity{random.between(-5, 5), random.between(-5, 5), random.between(-5, 5)};
    const float spin = random.between(-3, 3);
    constexpr double seconds = 0.1;
    after.position = before.position + velocity * static_cast<float>(seconds);
    const float half = spin * static_cast<float>(seconds) / 2;
    after.rotation = normalized(math::Quat{0, std::sin(half), 0, std::cos(half)} * before.rotation);
    const Velocities found = velocities_between(protocol::quantize(before, true),
                                                protocol::quantize(after, true), seconds);
    EXPECT_LT(length(found.linear - velocity), 0.04f);
    EXPECT_LT(length(found.angular - math::Vec3{0, spin, 0}), 0.15f);
  }
}

}  // namespace
}  // namespace jostle::prediction
