#include "shared/character/detail/planes.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace jostle::character {
namespace {

using math::Vec3;

Vec3 random_unit(base::Random& random) {
  for (;;) {
    const float x = random.between(-1, 1);
    const float y = random.between(-1, 1);
    const float z = random.between(-1, 1);
    const Vec3 v{x, y, z};
    if (length(v) > 0.1f && length(v) < 1.0f) return v / length(v);
  }
}

TEST(NearestMotion, LeavesAMotionUnchangedThatSatisfiesAllPlanes) {
  const std::vector<Plane> planes{{{0, 1, 0}, 0}, {{1, 0, 0}, 0.5f}};
  EXPECT_EQ(nearest_motion({-0.4f, 0, 3}, planes), (Vec3{-0.4f, 0, 3}));
}

TEST(NearestMotion, RemovesOnlyThePartThatPointsIntoThePlane) {
  const std::vector<Plane> planes{{{0, 1, 0}, 0.25f}};
  EXPECT_EQ(nearest_motion({1, -2, 3}, planes), (Vec3{1, -0.25f, 3}));
}

TEST(NearestMotion, FollowsTheCreaseOfTwoPlanes) {
  const float s = std::sqrt(0.5f);
  const std::vector<Plane> planes{{{s, s, 0}, 0}, {{-s, s, 0}, 0}};
  const Vec3 motion = nearest_motion({0.3f, -2, 3}, planes);
  EXPECT_NEAR(motion.x, 0, 1e-6);
  EXPECT_NEAR(motion.y, 0, 1e-6);
  EXPECT_NEAR(motion.z, 3, 1e-6);
}

TEST(NearestMotion, StopsInAnAcuteCorner) {
  // The walls meet at 2°. Clipping the motion against one wall after the other would need dozens of
  // iterations.
  const float half = 1.0f * 3.14159265f / 180;
  const Vec3 left{std::sin(half), 0, std::cos(half)}, right{std::sin(half), 0, -std::cos(half)};
  const std::vector<Plane> planes{{left, 0}, {right, 0}, {{0, 1, 0}, 0}};
  const Vec3 motion = nearest_motion({-1, -1, 0.01f}, planes);
  EXPECT_NEAR(length(motion), 0, 1e-6);
}

TEST(NearestMotion, LeavesPenetratedPlanesByTheShortestWay) {
  const std::vector<Plane> planes{{{0, 1, 0}, -0.5f}, {{1, 0, 0}, -0.25f}};
  EXPECT_EQ(nearest_motion({}, planes), (Vec3{0.25f, 0.5f, 0}));
}

TEST(NearestMotion, StaysBetweenTwoContradictoryPlanes) {
  const std::vector<Plane> planes{{{0, 1, 0}, -0.5f}, {{0, -1, 0}, -0.25f}};
  const Vec3 motion = nearest_motion({}, planes);
  // No motion satisfies both planes. The result must lie between them.
  EXPECT_LE(motion.y, 0.5f);
  EXPECT_GE(motion.y, -0.25f);
}

// Returns the motion nearest to `wanted` that satisfies all `planes`. Uses Dykstra's alternating
// projections (1983), a method independent of the tested one.
Vec3 nearest_by_dykstra(Vec3 wanted, const std::vector<Plane>& planes) {
  double x = double(wanted.x), y = double(wanted.y), z = double(wanted.z);
  std::vector<double> memory(planes.size(), 0.0);
  for (int round = 0; round < 4000; ++round) {
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const double a = double(planes[i].normal.x), b = double(planes[i].normal.y),
                   c = double(planes[i].normal.z);
      const double size = a * a + b * b + c * c;
      // `memory[i]` is the distance, in multiples of the normal, by which the last projection onto
      // plane i moved the point.
      const double before = memory[i];
      const double missing =
          (-double(planes[i].gap) - (a * x + b * y + c * z) + before * size) / size;
      memory[i] = missing > 0 ? missing : 0;
      const double change = memory[i] - before;
      x += change * a;
      y += change * b;
      z += change * c;
    }
  }
  return {float(x), float(y), float(z)};
}

TEST(NearestMotion, MatchesDykstrasAlternatingProjections) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    std::vector<Plane> planes;
    const std::uint32_t count = 2 + random.below(5);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Vec3 normal = random_unit(random);
      planes.push_back({normal, random.between(0.0f, 0.3f)});
    }
    const Vec3 wanted = random_unit(random) * 2.0f;
    const Vec3 found = nearest_motion(wanted, planes);
    const Vec3 expected = nearest_by_dykstra(wanted, planes);
    EXPECT_TRUE(satisfies(found, planes));
    EXPECT_NEAR(length(found - wanted), length(expected - wanted), 2e-3);
  }
}

}  // namespace
}  // namespace jostle::character
