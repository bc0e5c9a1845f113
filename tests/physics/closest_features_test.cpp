#include "shared/physics/collision/closest_features.h"

#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

#include <tuple>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

class RoundPairs : public ::testing::TestWithParam<std::tuple<ShapeKind, ShapeKind>> {};

struct Found {
  int tries = 0, found = 0;
};

Vector as_vector(math::Vec3d v) {
  return {v.x, v.y, v.z};
}

/// Checks that a point in the frame of the first body lies in a body without its convex radius.
void expect_inside(const Placed& body, const Placed& first, float rounding, math::Vec3d point,
                   base::Random& random) {
  const Vector at = as_vector(widened(first.axes) * point);
  for (int i = 0; i < 50; ++i) {
    const Vector d = unit(exact(normalized_or(random_vector(random, 1), {0, 1, 0})));
    EXPECT_LT(inner(at, d), support_height(body, d) - static_cast<double>(rounding) + 1e-6);
  }
}

/// Searches pairs that are up to 0.1 m apart, with first normals that are off by up to `wrong`. The
/// results are right if the closest points lie in the bodies, and the bodies are as far apart along
/// the normal.
Found search_pairs(base::Random& random, ShapeKind kind_a, ShapeKind kind_b, float wrong) {
  Found counts;
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(i);
    Placed a{random_convex(random, kind_a), to_matrix(random_rotation(random)), {}};
    Placed b{random_convex(random, kind_b), to_matrix(random_rotation(random)), {}};
    const Vec3 direction = normalized_or(random_vector(random, 1), {0, 1, 0});
    b.at = direction * random.between(0.2f, 1.5f);
    const double truth = search_separation(a, b);
    if (truth < 1e-3 || truth > 0.1) continue;
    const Collision met = collide(a, b, 0.2f);
    if (met.point_count == 0) continue;
    ++counts.tries;
    const Convex convex_a = convex_of(a.shape), convex_b = convex_of(b.shape);
    const math::Mat3d axes = widened(a.axes);
    const ConvexPair pair{convex_a, convex_b, transpose_multiply(axes, widened(b.at)),
                          transpose_multiply(axes, widened(b.axes))};
    const Vec3 guess = normalized_or(met.normal + random_vector(random, wrong), direction);
    const auto result = closest_features(pair, transpose_multiply(axes, widened(guess)), 10);
    if (!result) continue;
    ++counts.found;
    const double radii = static_cast<double>(convex_a.rounding + convex_b.rounding);
    const Vector normal = unit(as_vector(axes * result->normal));
    EXPECT_GT(separation_along(a, b, normal), result->distance - radii - 2e-6);
    EXPECT_NEAR(length(result->on_b - result->on_a), result->distance, 1e-6);
    expect_inside(a, a, convex_a.rounding, result->on_a, random);
    expect_inside(b, a, convex_b.rounding, result->on_b, random);
  }
  return counts;
}

TEST_P(RoundPairs, AreFoundFromTheNormalOfThePreviousStep) {
  base::Random random(11);
  const auto [kind_a, kind_b] = GetParam();
  Found counts;
  while (counts.tries < 40) {
    const Found more = search_pairs(random, kind_a, kind_b, 0.03f);
    counts.tries += more.tries;
    counts.found += more.found;
  }
  EXPECT_GT(counts.found, counts.tries / 2);
}

INSTANTIATE_TEST_SUITE_P(
    Rims, RoundPairs,
    ::testing::Combine(::testing::Values(ShapeKind::Cylinder, ShapeKind::Cone),
                       ::testing::Values(ShapeKind::Sphere, ShapeKind::Box, ShapeKind::Capsule,
                                         ShapeKind::Cylinder, ShapeKind::Cone, ShapeKind::Hull)));

}  // namespace
}  // namespace jostle::physics
