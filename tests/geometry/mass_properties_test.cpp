#include "shared/geometry/mass_properties.h"

#include "shared/geometry/bounds.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

namespace jostle::geometry {
namespace {

using math::Mat3;
using math::Vec3;
using namespace jostle::geometry::testing;

void expect_near(const Mat3& a, const Mat3& b, float tolerance) {
  for (const auto& [x, y] : {std::pair{a.cx, b.cx}, std::pair{a.cy, b.cy}, std::pair{a.cz, b.cz}}) {
    EXPECT_NEAR(x.x, y.x, tolerance);
    EXPECT_NEAR(x.y, y.y, tolerance);
    EXPECT_NEAR(x.z, y.z, tolerance);
  }
}

/// Computes volume, centre and inertia by summing over a fine grid of cells inside the shape.
MassProperties integrate(const state::Shape& shape, float density) {
  constexpr int cells = 100;
  const math::Aabb box = bounds(shape, {});
  const double sx = (box.upper.x - box.lower.x) / cells, sy = (box.upper.y - box.lower.y) / cells,
               sz = (box.upper.z - box.lower.z) / cells;
  double count = 0, x1 = 0, y1 = 0, z1 = 0;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const double x = box.lower.x + (i + 0.5) * sx, y = box.lower.y + (j + 0.5) * sy,
                     z = box.lower.z + (k + 0.5) * sz;
        if (!is_inside(shape, math::to_vec3({x, y, z}))) continue;
        count += 1;
        x1 += x;
        y1 += y;
        z1 += z;
        xy += x * y;
        xz += x * z;
        yz += y * z;
        xx += x * x;
        yy += y * y;
        zz += z * z;
      }
    }
  }
  const double cell_mass = static_cast<double>(density) * sx * sy * sz;
  MassProperties result;
  result.mass = static_cast<float>(cell_mass * count);
  x1 /= count;
  y1 /= count;
  z1 /= count;
  result.centre = math::to_vec3({x1, y1, z1});
  // Convert the sums to moments about the centre.
  const auto moment = [&](double sum, double a, double b) {
    return static_cast<float>(cell_mass * (sum - count * a * b));
  };
  const float mxx = moment(xx, x1, x1), myy = moment(yy, y1, y1), mzz = moment(zz, z1, z1);
  const float mxy = moment(xy, x1, y1), mxz = moment(xz, x1, z1), myz = moment(yz, y1, z1);
  result.inertia = {{myy + mzz, -mxy, -mxz}, {-mxy, mxx + mzz, -myz}, {-mxz, -myz, mxx + myy}};
  return result;
}

TEST(MassProperties, MatchANumericalIntegral) {
  for (const state::Shape& shape : solid_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const MassProperties exact = mass_properties(shape, 700.0f);
    const MassProperties summed = integrate(shape, 700.0f);
    EXPECT_NEAR(exact.mass, summed.mass, 3e-3f * exact.mass);
    const float scale = exact.inertia.cx.x + exact.inertia.cy.y + exact.inertia.cz.z;
    expect_near(exact.inertia, summed.inertia, 3e-3f * scale);
    EXPECT_NEAR(length(exact.centre - summed.centre), 0.0f, 3e-3f * bounding_radius(shape));
    EXPECT_FLOAT_EQ(exact.mass, 700.0f * volume(shape));
  }
}

TEST(MassProperties, AreZeroForAPlane) {
  EXPECT_EQ(volume(state::plane()), 0.0f);
  EXPECT_EQ(mass_properties(state::plane(), 1000.0f).mass, 0.0f);
}

TEST(MassProperties, CapsuleOfZeroLengthEqualsASphere) {
  const MassProperties capsule = mass_properties(state::capsule(0.7f, 0), 1000);
  const MassProperties sphere = mass_properties(state::sphere(0.7f), 1000);
  EXPECT_FLOAT_EQ(capsule.mass, sphere.mass);
  expect_near(capsule.inertia, sphere.inertia, 1e-3f);
}

TEST(MassProperties, CombiningTwoHalvesGivesTheWhole) {
  const MassProperties half = mass_properties(state::box({0.5f, 1, 1}), 1000);
  const MassProperties left = transformed(half, {{-0.5f, 0, 0}, {}});
  const MassProperties right = transformed(half, {{0.5f, 0, 0}, {}});
  const MassProperties joined = combined(left, right);
  const MassProperties whole = mass_properties(state::box({1, 1, 1}), 1000);
  EXPECT_FLOAT_EQ(joined.mass, whole.mass);
  EXPECT_NEAR(length(joined.centre - whole.centre), 0.0f, 1e-6f);
  expect_near(joined.inertia, whole.inertia, 1e-2f);
}

// Two balls of mass m at ±d have the inertia 2·(2/5·m·r² + m·|d|²)·1 − 2·m·d·dᵀ.
TEST(MassProperties, TiltedDumbbellHasProductsOfInertia) {
  const MassProperties ball = mass_properties(state::sphere(0.5f), 100);
  const Vec3 d{1, 0.5f, -0.25f};
  const MassProperties both =
      combined(transformed(ball, {d, {}}), transformed(ball, {d * -1.0f, {}}));
  const float m = ball.mass, own = 2 * (0.4f * m * 0.25f + m * dot(d, d));
  const Mat3 expected{Vec3{own - 2 * m * d.x * d.x, -2 * m * d.x * d.y, -2 * m * d.x * d.z},
                      Vec3{-2 * m * d.y * d.x, own - 2 * m * d.y * d.y, -2 * m * d.y * d.z},
                      Vec3{-2 * m * d.z * d.x, -2 * m * d.z * d.y, own - 2 * m * d.z * d.z}};
  expect_near(both.inertia, expected, 1e-5f * own);
}

TEST(MassProperties, RotatingTheFramePreservesTraceAndEnergy) {
  base::Random random(7);
  for (const state::Shape& shape : solid_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const MassProperties own = mass_properties(shape, 1000);
    const math::Quat q = random_rotation(random);
    const MassProperties turned = transformed(own, {{1, 2, 3}, q});
    EXPECT_NEAR(length(turned.centre - rotate(q, own.centre) - Vec3{1, 2, 3}), 0.0f, 1e-6f);
    const Vec3 omega = random_vector(random, 1);
    const float energy_own = dot(inverse_rotate(q, omega), own.inertia * inverse_rotate(q, omega));
    EXPECT_NEAR(dot(omega, turned.inertia * omega), energy_own,
                1e-5f * own.inertia.cx.x + 1e-5f * own.inertia.cy.y + 1e-5f * own.inertia.cz.z);
  }
}

}  // namespace
}  // namespace jostle::geometry
