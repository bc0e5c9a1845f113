#include "shared/base/random.h"
#include "shared/math/mat3.h"
#include "shared/math/quat.h"
#include "shared/math/transform.h"
#include "shared/math/trig.h"

#include <gtest/gtest.h>

namespace jostle::math {
namespace {

Vec3 random_vector(base::Random& random) {
  return {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
}
Quat random_rotation(base::Random& random) {
  return normalized(Quat{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1),
                         random.between(-1, 1)});
}
void expect_near(Vec3 a, Vec3 b, float tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Rotation, AxisAngleFollowsTheRightHandRule) {
  expect_near(rotate(from_axis_angle({0, 1, 0}, pi / 2), {0, 0, 1}), {1, 0, 0}, 1e-6f);
  expect_near(rotate(from_axis_angle({1, 0, 0}, pi / 2), {0, 1, 0}), {0, 0, 1}, 1e-6f);
  expect_near(rotate(from_axis_angle({0, 0, 1}, pi / 2), {1, 0, 0}), {0, 1, 0}, 1e-6f);
}

TEST(Rotation, ToRotationVectorInvertsFromAxisAngle) {
  base::Random random(1);
  for (int i = 0; i < 2'000; ++i) {
    SCOPED_TRACE(i);
    const Vec3 axis = normalized_or(random_vector(random), {0, 1, 0});
    const float angle = random.between(0, pi - 1e-3f) * (i % 5 == 0 ? 1e-5f : 1.0f);
    const Quat q = from_axis_angle(axis, angle);
    expect_near(to_rotation_vector(q), axis * angle, 2e-6f);
    expect_near(to_rotation_vector(negate(q)), axis * angle, 2e-6f);
  }
}

TEST(Rotation, IdentityHasAZeroRotationVector) {
  EXPECT_EQ(to_rotation_vector(Quat{}), Vec3{});
  EXPECT_EQ(from_axis_angle({0, 1, 0}, 0), Quat{});
}

TEST(Rotation, MatrixRotatesLikeItsQuaternion) {
  base::Random random(2);
  for (int i = 0; i < 1'000; ++i) {
    SCOPED_TRACE(i);
    const Quat q = random_rotation(random);
    const Vec3 v = random_vector(random);
    expect_near(to_matrix(q) * v, rotate(q, v), 1e-6f);
    expect_near(transpose_multiply(to_matrix(q), v), inverse_rotate(q, v), 1e-6f);
  }
}

TEST(Rotation, ProductAppliesTheRightFactorFirst) {
  base::Random random(3);
  for (int i = 0; i < 1'000; ++i) {
    SCOPED_TRACE(i);
    const Quat a = random_rotation(random), b = random_rotation(random);
    const Vec3 v = random_vector(random);
    expect_near(rotate(a * b, v), rotate(a, rotate(b, v)), 2e-6f);
  }
}

TEST(Mat3, InverseUndoesTheMatrixAndIsZeroForTheZeroMatrix) {
  base::Random random(4);
  for (int i = 0; i < 1'000; ++i) {
    SCOPED_TRACE(i);
    Mat3 m{random_vector(random), random_vector(random), random_vector(random)};
    m = m + Mat3{} * 3.0f;
    const Vec3 v = random_vector(random);
    expect_near(inverse(m) * (m * v), v, 1e-5f);
  }
  EXPECT_EQ(inverse(zero_matrix()), zero_matrix());
}

TEST(Vec3, PerpendicularReturnsAPerpendicularUnitVector) {
  base::Random random(5);
  for (int i = 0; i < 2'000; ++i) {
    SCOPED_TRACE(i);
    const Vec3 n = i == 0   ? Vec3{0, 0, -1}
                   : i == 1 ? Vec3{0, 0, 1}
                            : normalized_or(random_vector(random), {0, 1, 0});
    const Vec3 t = perpendicular(n);
    EXPECT_NEAR(dot(n, t), 0.0f, 1e-6f);
    EXPECT_NEAR(length(t), 1.0f, 1e-6f);
  }
}

TEST(Quat, IsUnitAcceptsASquaredLengthWithinTheTolerance) {
  const Quat near{0, 0, 0, 1.00004f};  // the squared length differs from 1 by 8e-5
  EXPECT_TRUE(is_unit(near, 1e-4f));
  EXPECT_FALSE(is_unit(near, 1e-5f));
  EXPECT_TRUE(is_unit(normalized({1, 2, 3, 4}), 1e-5f));
  EXPECT_FALSE(is_unit({0, 0, 0, std::nanf("")}, 1e30f));
}

TEST(Pose, RelativeKeepsPrecisionFarFromTheOrigin) {
  base::Random random(6);
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(i);
    const Pose a{to_position(random_vector(random)) + Vec3{1e5f, 0, -1e5f},
                 random_rotation(random)};
    const Pose b{a.position + random_vector(random), random_rotation(random)};
    const Pose back = a * relative(a, b);
    expect_near(back.position - b.position, {}, 1e-6f);
    EXPECT_NEAR(std::abs(dot(back.rotation, b.rotation)), 1.0f, 1e-6f);
  }
}

}  // namespace
}  // namespace jostle::math
