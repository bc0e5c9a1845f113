#include "shared/forces/point_fields.h"

#include "shared/base/random.h"
#include "shared/forces/point_action.h"
#include "shared/forces/potential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace jostle::forces {
namespace {

using math::Vec3;
using math::Vec3d;

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr Vec3 gravity{0, -9.81f, 0};

/// Returns one field of each kind, except charges and thrusts.
std::vector<ForceField> some_fields() {
  Attraction attraction;
  attraction.centre = {1, 2, 3};
  attraction.law = {7, 0.5f, 20, 2};
  Acceleration even;
  even.region = {RegionKind::Sphere, {0, 0, 0}, {}, 2};
  even.acceleration = {1, 2, 3};
  Wind wind;
  wind.velocity = {3, 0, 1};
  wind.linear = 0.2f;
  Drag drag;
  drag.region = {RegionKind::Box, {1, 0, 0}, {1, 1, 1}, 0};
  drag.velocity = {0, 1, 0};
  drag.linear = 0.5f;
  drag.quadratic = 0.25f;
  Pole pole;
  pole.point = {-1, 0, 0};
  pole.law = {3, 0.1f, 0, 1};
  Fluid fluid;
  fluid.level = 0.1;
  fluid.linear = 2;
  fluid.quadratic = 1;
  return {attraction, even, wind, drag, pole, fluid};
}

TEST(PointFields, SumMatchesTheIndividualFields) {
  base::Random random(5);
  const auto draw = [&] { return static_cast<double>(random.between(-2, 2)); };
  const PointTraits point{0.3f, 0.7f, 0.2f, 0.5f};
  PointFields all(gravity);
  for (const ForceField& field : some_fields())
    all.add(field);
  for (int i = 0; i < 200; ++i) {
    const double x = draw(), y = draw(), z = draw(), u = draw(), v = draw(), w = draw();
    const Vec3d place{x, y, z}, velocity{u, v, w};
    Vec3d expected = math::widened(gravity) * 0.5;
    for (const ForceField& field : some_fields()) {
      const PointAction action =
          action_on(field, {{x, y, z}, point.mass, point.charge, point.radius}, gravity);
      const Vec3d past = velocity - math::widened(action.drag.medium_velocity);
      const double rate = static_cast<double>(action.drag.linear) +
                          static_cast<double>(action.drag.quadratic) * length(past);
      expected = expected + action.force * (1 / 0.3) - past * rate;
    }
    const Vec3d found = all.acceleration(point, place, velocity, unlimited);
    EXPECT_LT(length(found - expected), 1e-5 * (1 + length(expected))) << i;
  }
}

TEST(PointFields, LimitTheTotalDragRate) {
  PointFields fields({});
  Drag one, two;
  one.linear = 300;
  two.linear = 100;
  two.velocity = {8, 0, 0};
  fields.add(one);
  fields.add(two);
  // Together, the two media pull the point towards 2 m/s. With a total drag rate of 60/s, it has
  // this velocity after a step of 1/60 s.
  const Vec3d free = fields.acceleration({}, {}, {10, 0, 0}, unlimited);
  EXPECT_NEAR(free.x, -400 * 8, 1e-3);
  const Vec3d limited = fields.acceleration({}, {}, {10, 0, 0}, 60);
  EXPECT_NEAR(10 + limited.x / 60, 2, 1e-6);
}

TEST(PointFields, ChargesActOnChargedPointsOnly) {
  PointFields fields({});
  Charges charges;
  charges.law.strength = 2;
  fields.add(charges);
  const std::vector<StandingCharge> standing{{{0, 0, 0}, 3.0}, {{0, 4, 0}, -3.0}};
  fields.set_charges(standing);
  const Vec3d a = fields.acceleration({2, -0.5f, 0, 1}, {0, 2, 0}, {}, unlimited);
  EXPECT_NEAR(a.y, -2 * (2 * 3 * 0.5 / 4) / 2, 1e-9);
  EXPECT_EQ(fields.acceleration({2, 0, 0, 1}, {0, 2, 0}, {}, unlimited), Vec3d{});
}

TEST(Potential, NegativeGradientIsTheForceForEveryExponent) {
  base::Random random(11);
  for (std::int32_t exponent = min_exponent; exponent <= max_exponent; ++exponent) {
    for (const float outer : {0.0f, 9.0f}) {
      const CentralLaw law{3, 0.4f, outer, exponent};
      for (int i = 0; i < 20; ++i) {
        const auto draw = [&] { return static_cast<double>(random.between(-2, 2)); };
        const double x = draw(), y = draw(), z = draw();
        const Vec3d force = central(law, {x, y, z});
        // The potential for exponent 1 uses a logarithm in float precision.
        const double step = exponent == 1 ? 0.05 : 1e-4;
        const double tolerance = exponent == 1 ? 2e-2 : 1e-5;
        const double slope =
            (potential(law, {x + step, y, z}) - potential(law, {x - step, y, z})) / (2 * step);
        EXPECT_NEAR(-slope, force.x, tolerance * (1 + std::abs(force.x))) << exponent;
      }
    }
  }
}

TEST(Potential, IsZeroBeyondTheOuterRadius) {
  const CentralLaw spring{-2, 0, 3, -1};
  EXPECT_EQ(potential(spring, {0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(potential(spring, {3, 0, 0}), 9);
  EXPECT_EQ(potential(spring, {30, 0, 0}), 0);
}

TEST(Potential, OfFieldsScalesWithMassOrCharge) {
  Attraction sun;
  sun.law.strength = 10;
  const PointMass point{{2, 0, 0}, 3, -2, 0};
  EXPECT_DOUBLE_EQ(potential(sun, point), -3 * 10 / 2.0);
  Pole pole;
  pole.law.strength = 4;
  EXPECT_DOUBLE_EQ(potential(pole, point), -2 * 4 / 2.0);
  Acceleration even;
  even.acceleration = {5, 0, 0};
  EXPECT_DOUBLE_EQ(potential(even, point), -3 * 5 * 2.0);
  even.region.kind = RegionKind::Sphere;
  even.region.radius = 9;
  EXPECT_EQ(potential(even, point), 0);
  EXPECT_EQ(potential(Wind{}, point), 0);
}

}  // namespace
}  // namespace jostle::forces
