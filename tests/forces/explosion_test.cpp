#include "shared/forces/explosion.h"

#include "shared/math/trig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace jostle::forces {
namespace {

using math::Vec3;
using std::numbers::pi;

TEST(Explosion, ImpulseOnASphereDependsOnCrossSectionAndDistance) {
  const Explosion blast{{1, 0, 0}, 10, 50};
  const Blow blow = blow_of(blast, state::sphere(0.5f), {{1, 4.5, 0}, {}});
  EXPECT_NEAR(static_cast<double>(blow.impulse.y), 50 * pi * 0.25 * 0.6, 1e-4);
  EXPECT_NEAR(static_cast<double>(blow.impulse.x), 0, 1e-5);
  EXPECT_NEAR(blow.point.y, 4, 1e-6);
}

TEST(Explosion, HasNoEffectBeyondItsRadius) {
  const Explosion blast{{}, 4, 50};
  EXPECT_GT(blow_of(blast, state::sphere(0.5f), {{4.49, 0, 0}, {}}).impulse.x, 0);
  EXPECT_EQ(blow_of(blast, state::sphere(0.5f), {{4.51, 0, 0}, {}}).impulse, Vec3{});
  EXPECT_EQ(blow_of({{}, 0, 50}, state::sphere(0.5f), {{4, 0, 0}, {}}).impulse, Vec3{});
}

TEST(Explosion, ActsAtTheNearestPointOfABox) {
  // The explosion is beside the upper end of a tall box. The impulse is perpendicular to the
  // nearest face and acts at the height of the explosion.
  const Explosion blast{{-2, 0.8, 0}, 5, 10};
  const Blow blow = blow_of(blast, state::box({0.5f, 1, 0.25f}), {});
  EXPECT_NEAR(static_cast<double>(blow.impulse.x), 10 * (1 - 1.5 / 5) * 1, 1e-5);
  EXPECT_NEAR(static_cast<double>(blow.impulse.y), 0, 1e-6);
  EXPECT_NEAR(blow.point.x, -0.5, 1e-6);
  EXPECT_NEAR(blow.point.y, 0.8, 1e-6);
}

TEST(Explosion, ImpulseFollowsTheRotationOfTheShape) {
  const math::Quat turned = math::from_axis_angle({0, 0, 1}, static_cast<float>(pi / 2));
  const Blow blow = blow_of({{0, -3, 0}, 8, 10}, state::box({0.5f, 1, 0.25f}), {{}, turned});
  // The lower face measures 2 m by 0.5 m and is 0.5 m below the centre.
  EXPECT_NEAR(static_cast<double>(blow.impulse.y), 10 * (1 - 2.5 / 8) * 1, 1e-5);
}

TEST(Explosion, InsideAShapePushesItsCentreOfMass) {
  const Blow blow = blow_of({{0.1, 0, 0}, 5, 10}, state::sphere(1), {});
  EXPECT_NEAR(static_cast<double>(blow.impulse.x), -10 * pi, 1e-4);
  EXPECT_NEAR(blow.point.x, 0, 1e-6);
  const Blow centred = blow_of({{}, 5, 10}, state::sphere(1), {});
  EXPECT_NEAR(static_cast<double>(length(centred.impulse)), 10 * pi, 1e-4);
}

TEST(Explosion, DoesNotPushPlanes) {
  EXPECT_EQ(blow_of({{}, 5, 10}, state::plane(), {}).impulse, Vec3{});
}

TEST(Explosion, RejectsValuesOutsideTheLimits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(is_valid(Explosion{{}, 1, 1}));
  EXPECT_FALSE(is_valid(Explosion{{}, nan, 1}));
  EXPECT_FALSE(is_valid(Explosion{{}, 1, nan}));
  EXPECT_FALSE(is_valid(Explosion{{}, -1, 1}));
  EXPECT_FALSE(is_valid(Explosion{{}, 1, -1}));
  EXPECT_FALSE(is_valid(Explosion{{0, static_cast<double>(nan), 0}, 1, 1}));
  EXPECT_FALSE(is_valid(Explosion{{}, 1, max_blast_impulse * 2}));
}

}  // namespace
}  // namespace jostle::forces
