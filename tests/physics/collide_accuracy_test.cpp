#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

#include <sstream>
#include <tuple>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

constexpr float margin = 0.05f;
// Preference of collide() for faces, as a fraction of the smaller body's size: a face is chosen
// over an edge if its overlap is larger by at most this fraction. The engine uses 0.01; the test
// adds a tolerance.
constexpr float face_preference = 0.011f;

class ConvexPairs : public ::testing::TestWithParam<std::tuple<ShapeKind, ShapeKind>> {
 protected:
  /// Returns a seed that depends on the two kinds.
  static std::uint64_t kinds_seed() {
    return static_cast<std::uint64_t>(std::get<0>(GetParam())) * 16 +
           static_cast<std::uint64_t>(std::get<1>(GetParam()));
  }
  /// Returns two bodies in random poses that overlap, touch or nearly touch.
  static std::array<Placed, 2> random_pair(base::Random& random) {
    std::array<Placed, 2> pair;
    pair[0].shape = random_convex(random, std::get<0>(GetParam()));
    pair[1].shape = random_convex(random, std::get<1>(GetParam()));
    for (Placed& body : pair)
      body.axes = to_matrix(random_rotation(random));
    const Vec3 direction = normalized_or(random_vector(random, 1), {0, 1, 0});
    // From the position at which they touch along `direction`, the second body moves in or out.
    const double touching =
        support_height(pair[0], exact(direction)) + support_height(pair[1], exact(direction) * -1);
    const float depth = random.between(-0.03f, random.chance(0.5f) ? 0.01f : 0.3f);
    pair[1].at = direction * (static_cast<float>(touching) - depth);
    return pair;
  }
};

/// Returns by how much the separation of two boxes may be too small. If the boxes are apart and
/// face each other with corners, the fifteen axes of the separating-axis test do not find the true
/// separation.
double lost_between_boxes(const Placed& a, const Placed& b, double truth) {
  return a.shape.kind == ShapeKind::Box && b.shape.kind == ShapeKind::Box && truth > 0 ? truth : 0;
}

/// Checks the collision `c` against `truth`, the separation that the search found.
void expect_true(const Collision& c, const Placed& a, const Placed& b, double truth) {
  const float slack = face_preference * std::min(size_of(a.shape), size_of(b.shape));
  ASSERT_TRUE(is_finite(c.normal));
  ASSERT_NEAR(length(c.normal), 1, 1e-5f);
  const double along = separation_along(a, b, unit(exact(c.normal)));
  // The separation along the collision's normal must be the largest over all directions, apart from
  // the tolerances.
  const double lost = lost_between_boxes(a, b, truth);
  ASSERT_GE(along, truth - lost - static_cast<double>(slack) - 2e-5);
  ASSERT_LE(c.point_count, 4U);
  for (std::uint32_t i = 0; i < c.point_count; ++i) {
    ASSERT_TRUE(is_finite(c.points[i].position));
    // No point may be deeper than the overlap along the normal.
    ASSERT_GE(static_cast<double>(c.points[i].separation), along - 3e-5);
    // The point is midway between the surfaces, so it is at most half the margin outside body a.
    const double place = inner(exact(c.points[i].position), exact(c.normal));
    ASSERT_LE(place, support_height(a, exact(c.normal)) + 0.5 * static_cast<double>(margin) + 3e-5);
    for (std::uint32_t k = 0; k < i; ++k)
      ASSERT_NE(c.points[i].feature, c.points[k].feature);
  }
  ASSERT_LE(static_cast<double>(deepest(c)), along + lost + 2 * static_cast<double>(slack) + 3e-5);
}

TEST_P(ConvexPairs, MatchASearchOverAllDirections) {
  const std::uint64_t seed = kinds_seed();
  base::Random random(seed);
  int met = 0;
  for (int i = 0; i < 150; ++i) {
    const std::array<Placed, 2> pair = random_pair(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", pair " + std::to_string(i));
    const double truth = search_separation(pair[0], pair[1]);
    const Collision ab = collide(pair[0], pair[1], margin);
    const Collision ba = collide(pair[1], pair[0], margin);
    if (ab.point_count == 0) {
      // The bodies are apart by more than the margin, or their nearest features are two corners
      // without a contact point.
      ASSERT_GT(truth, 0.0);
      continue;
    }
    ++met;
    expect_true(ab, pair[0], pair[1], truth);
    if (HasFatalFailure()) return;
    // With the shapes exchanged, the result must match the same separation.
    ASSERT_GT(ba.point_count, 0U);
    Placed a = pair[0], b = pair[1];
    a.at = a.at - b.at;
    b.at = {};
    expect_true(ba, b, a, truth);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(met, 40);
}

// The normal of the previous step is the first guess. A good one saves work; a bad one must not
// change the result.
TEST_P(ConvexPairs, MatchASearchForAnyFirstGuess) {
  const std::uint64_t seed = 1000 + kinds_seed();
  base::Random random(seed);
  int met = 0;
  for (int i = 0; i < 150; ++i) {
    const std::array<Placed, 2> pair = random_pair(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", pair " + std::to_string(i));
    const double truth = search_separation(pair[0], pair[1]);
    const Collision found = collide(pair[0], pair[1], margin);
    for (const float wrong : {0.0f, 0.02f, 0.1f, 0.5f, 3.0f}) {
      const Vec3 guess = normalized_or(found.normal + random_vector(random, wrong), {0, 1, 0});
      const Collision again =
          physics::collide({pair[0].shape, pair[0].axes}, {pair[1].shape, pair[1].axes},
                           pair[1].at - pair[0].at, margin, guess);
      SCOPED_TRACE(wrong);
      if (again.point_count == 0) {
        ASSERT_GT(truth, 0.0);
        continue;
      }
      ++met;
      expect_true(again, pair[0], pair[1], truth);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(met, 200);
}

TEST_P(ConvexPairs, DepthIsInvariantUnderRotation) {
  base::Random random(77);
  int compared = 0;
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(i);
    std::array<Placed, 2> pair = random_pair(random);
    const Collision before = collide(pair[0], pair[1], margin);
    const math::Mat3 turn = to_matrix(random_rotation(random));
    for (Placed& body : pair) {
      body.axes = turn * body.axes;
      body.at = turn * body.at;
    }
    const Collision after = collide(pair[0], pair[1], margin);
    if (before.point_count == 0 || after.point_count == 0) continue;
    ++compared;
    const float slack = face_preference * std::min(size_of(pair[0].shape), size_of(pair[1].shape));
    EXPECT_NEAR(deepest(before), deepest(after), 2 * slack + 1e-4f);
  }
  EXPECT_GT(compared, 20);
}

TEST_P(ConvexPairs, GiveFiniteResultsInDegeneratePoses) {
  base::Random random(5);
  const std::array<math::Quat, 5> turns{
      math::Quat{}, math::Quat{1, 0, 0, 0}, math::Quat{0.70710678f, 0, 0, 0.70710678f},
      math::Quat{0, 0.70710678f, 0, 0.70710678f}, math::Quat{0.5f, 0.5f, 0.5f, 0.5f}};
  const std::array<Vec3, 8> offsets{Vec3{},         Vec3{0, 0.5f, 0},   Vec3{1, 0, 0},
                                    Vec3{0, 1, 0},  Vec3{0, -1e-7f, 0}, Vec3{0.5f, 0.5f, 0},
                                    Vec3{0, 0, -1}, Vec3{1e-20f, 0, 0}};
  const state::Shape a = random_convex(random, std::get<0>(GetParam()));
  state::Shape b = random_convex(random, std::get<1>(GetParam()));
  if (a.kind == b.kind) b = a;
  for (const math::Quat turn_a : turns) {
    for (const math::Quat turn_b : turns) {
      for (const Vec3 offset : offsets) {
        const Placed place_a{a, to_matrix(turn_a), {}}, place_b{b, to_matrix(turn_b), offset};
        const Collision c = collide(place_a, place_b, margin);
        std::ostringstream where;
        where << offset.x << ' ' << offset.y << ' ' << offset.z << " turn " << turn_a.x << ' '
              << turn_b.x << ' ' << turn_b.y;
        SCOPED_TRACE(where.str());
        if (c.point_count == 0) continue;
        expect_true(c, place_a, place_b, search_separation(place_a, place_b));
        if (HasFatalFailure()) return;
      }
    }
  }
}

constexpr std::array<const char*, 9> kind_names{
    "Sphere", "Box", "Capsule", "Plane", "Cylinder", "Cone", "Hull", "Mesh", "HeightField"};
std::string pair_name(const ::testing::TestParamInfo<std::tuple<ShapeKind, ShapeKind>>& info) {
  return std::string(kind_names[static_cast<std::size_t>(std::get<0>(info.param))]) + "And" +
         kind_names[static_cast<std::size_t>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(All, ConvexPairs,
                         ::testing::Combine(::testing::ValuesIn(convex_kinds),
                                            ::testing::ValuesIn(convex_kinds)),
                         pair_name);

}  // namespace
}  // namespace jostle::physics
