#include "shared/forces/point_action.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace jostle::forces {
namespace {

using math::Vec3;
using math::Vec3d;

constexpr Vec3 ten_down{0, -10, 0};

Region ball_of(float radius) {
  return {RegionKind::Sphere, {1, 2, 3}, {}, radius};
}

TEST(CentralLaw, FallsOffWithTheExponent) {
  for (std::int32_t exponent = min_exponent; exponent <= max_exponent; ++exponent) {
    const Vec3d f = central({5, 0, 0, exponent}, {0, 3, 4});
    EXPECT_NEAR(length(f), 5 / std::pow(5.0, exponent), 1e-12) << exponent;
    EXPECT_NEAR(f.y / f.z, 0.75, 1e-12);
    EXPECT_GT(f.z, 0);
  }
}

TEST(CentralLaw, SofteningFollowsPlummer) {
  const Vec3d f = central({2, 4, 0, 2}, {3, 0, 0});
  EXPECT_NEAR(f.x, 2 * 3 / 125.0, 1e-12);
  EXPECT_EQ(length(central({2, 4, 0, 2}, {})), 0);
  EXPECT_EQ(length(central({2, 0, 0, 2}, {})), 0);
}

TEST(CentralLaw, IsZeroBeyondTheOuterRadius) {
  EXPECT_GT(central({1, 0, 2, 2}, {2, 0, 0}).x, 0);
  EXPECT_EQ(central({1, 0, 2, 2}, {2.001, 0, 0}).x, 0);
  EXPECT_GT(central({1, 0, 0, 2}, {1e6, 0, 0}).x, 0);
}

TEST(Attraction, AcceleratesAllMassesEquallyToTheCentre) {
  Attraction field;
  field.centre = {1, 0, 0};
  field.law.strength = 8;
  const PointAction action = action_on(field, {{3, 0, 0}, 5, 0, 0}, ten_down);
  EXPECT_NEAR(action.force.x, -5 * 8 / 4.0, 1e-12);
}

TEST(Pole, RepelsChargesOfItsSign) {
  Pole pole;
  pole.point = {0, 1, 0};
  pole.law.strength = 6;
  EXPECT_NEAR(action_on(pole, {{0, 3, 0}, 9, 2, 0}, ten_down).force.y, 3, 1e-12);
  EXPECT_NEAR(action_on(pole, {{0, 3, 0}, 9, -2, 0}, ten_down).force.y, -3, 1e-12);
  EXPECT_EQ(action_on(pole, {{0, 3, 0}, 9, 0, 0}, ten_down).force, Vec3d{});
}

TEST(Acceleration, ActsOnlyInsideItsRegion) {
  const Acceleration field{ball_of(2), {1, 2, 3}};
  EXPECT_EQ(action_on(field, {{1, 4, 3}, 2, 0, 0}, ten_down).force, (Vec3d{2, 4, 6}));
  EXPECT_EQ(action_on(field, {{1, 4.01, 3}, 2, 0, 0}, ten_down).force, Vec3d{});
}

TEST(Region, ContainsItsBorder) {
  const Region box{RegionKind::Box, {1, 2, 3}, {1, 2, 3}, 0};
  EXPECT_TRUE(contains(box, {2, 4, 6}));
  EXPECT_TRUE(contains(box, {0, 0, 0}));
  EXPECT_FALSE(contains(box, {2.001, 2, 3}));
  EXPECT_FALSE(contains(box, {1, 4.001, 3}));
  EXPECT_FALSE(contains(box, {1, 2, -0.001}));
  EXPECT_TRUE(contains(Region{}, {1e9, 1e9, 1e9}));
}

TEST(DragField, ActsWithItsRatesInsideItsRegion) {
  Drag field{ball_of(2), {1, 0, 0}, 2, 3, 4};
  const DragTerm term = action_on(field, {{1, 2, 3}, 7, 0, 0}, ten_down).drag;
  EXPECT_EQ(term.medium_velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(term.linear, 2);
  EXPECT_EQ(term.quadratic, 3);
  EXPECT_EQ(term.angular, 4);
  EXPECT_EQ(action_on(field, {{9, 2, 3}, 7, 0, 0}, ten_down).drag.linear, 0);
}

TEST(Wind, DragOnASphereUsesItsCrossSection) {
  Wind wind;
  wind.density = 1.2f;
  wind.coefficient = 0.47f;
  wind.linear = 3;
  const DragTerm term = action_on(wind, {{}, 4, 0, 0.5f}, ten_down).drag;
  const double area = std::numbers::pi * 0.25;
  EXPECT_NEAR(static_cast<double>(term.quadratic), 0.5 * 1.2 * 0.47 * area / 4, 1e-6);
  EXPECT_NEAR(static_cast<double>(term.linear), 3 * area / 4, 1e-6);
}

TEST(Fluid, BuoyancyEqualsTheDisplacedWeight) {
  Fluid water;
  water.linear = 2;
  const double volume = std::numbers::pi * 4 / 3 * 0.125;
  const PointAction deep = action_on(water, {{0, -5, 0}, 100, 0, 0.5f}, ten_down);
  EXPECT_NEAR(deep.force.y, 1000 * volume * 10, 0.01);
  EXPECT_NEAR(static_cast<double>(deep.drag.linear), 2 * 1000 * volume / 100, 1e-4);
  EXPECT_NEAR(action_on(water, {{0, 0, 0}, 100, 0, 0.5f}, ten_down).force.y, 5000 * volume, 0.01);
  EXPECT_EQ(action_on(water, {{0, -5, 0}, 100, 0, 0}, ten_down).force, Vec3d{});
}

TEST(PointAction, ChargesAndThrustsDoNotActOnPoints) {
  EXPECT_EQ(action_on(Charges{}, {{}, 1, 1, 1}, ten_down).force, Vec3d{});
  EXPECT_EQ(action_on(Thrust{{1, 1, 1}, {}, {}, false}, {{}, 1, 1, 1}, ten_down).force, Vec3d{});
}

}  // namespace
}  // namespace jostle::forces
