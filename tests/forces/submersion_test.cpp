#include "shared/forces/submersion.h"

#include "shared/geometry/bounds.h"
#include "shared/geometry/mass_properties.h"
#include "shared/math/trig.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <numbers>

namespace jostle::forces {
namespace {

using geometry::testing::hull_of;
using geometry::testing::random_rotation;
using math::Position;
using math::Quat;
using math::Vec3;
using math::Vec3d;
using std::numbers::pi;

double volume_of(const state::Shape& shape) {
  return static_cast<double>(geometry::volume(shape));
}

Fluid below(double level) {
  Fluid fluid;
  fluid.level = level;
  return fluid;
}

Fluid pool(Position centre, Vec3 half_extents, double level) {
  Fluid fluid = below(level);
  fluid.region = {RegionKind::Box, centre, half_extents, 0};
  return fluid;
}

Submersion submerged_at(const state::Shape& shape, const math::Pose& pose, const Fluid& fluid) {
  return submerged(shape, to_matrix(pose.rotation), fluid, pose.position);
}

/// Estimates the submersion from one random point per cell of a lattice: counts the points that are
/// in the shape and in the fluid. This method does not use polyhedron clipping.
Submersion counted(const state::Shape& shape, const math::Pose& pose, const Fluid& fluid) {
  constexpr int count = 90;
  const double reach = static_cast<double>(geometry::bounding_radius(shape));
  const double cell = 2 * reach / count;
  Submersion sum;
  base::Random random(8);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      for (int k = 0; k < count; ++k) {
        const Vec3d in_cell = math::widened(geometry::testing::random_vector(random, 0.5f));
        const Vec3d offset{(i + 0.5 + in_cell.x) * cell - reach,
                           (j + 0.5 + in_cell.y) * cell - reach,
                           (k + 0.5 + in_cell.z) * cell - reach};
        const Position at{pose.position.x + offset.x, pose.position.y + offset.y,
                          pose.position.z + offset.z};
        if (at.y > fluid.level || !contains(fluid.region, at)) continue;
        const Vec3 local = inverse_transform_point(pose, at);
        if (!geometry::testing::is_inside(shape, local)) continue;
        sum.volume += 1;
        sum.centre = sum.centre + offset;
      }
    }
  }
  if (sum.volume > 0) sum.centre = sum.centre * (1 / sum.volume);
  sum.volume *= cell * cell * cell;
  return sum;
}

state::Shape wedge() {
  return hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0.2f, 0.9f, 1}});
}

TEST(Submersion, OfAnUprightBoxIsBaseAreaTimesDepth) {
  for (const double depth : {0.1, 0.5, 0.9}) {
    const Submersion part =
        submerged_at(state::box({0.3f, 0.5f, 0.4f}), {{7, 20.5, -3}, {}}, below(20 + depth));
    EXPECT_NEAR(part.volume, 0.6 * 0.8 * depth, 1e-7);
    EXPECT_NEAR(part.centre.y, depth / 2 - 0.5, 1e-7);
    EXPECT_NEAR(part.centre.x, 0, 1e-7);
    EXPECT_NEAR(part.centre.z, 0, 1e-7);
  }
}

TEST(Submersion, OfACubeOnItsEdgeIsAPrism) {
  // Half the diagonal of a face is √½ m. If the lower edge is at a depth d ≤ √½ m, the submerged
  // part is a prism with the cross-section d².
  const float half = std::sqrt(0.5f);
  const math::Pose pose{{0, 0, 0}, math::from_axis_angle({0, 0, 1}, std::numbers::pi_v<float> / 4)};
  const double bottom = -static_cast<double>(half);
  for (const double depth : {0.2, 0.5, 0.7}) {
    const Submersion part =
        submerged_at(state::box({0.5f, 0.5f, 0.5f}), pose, below(bottom + depth));
    EXPECT_NEAR(part.volume, depth * depth, 1e-6);
    EXPECT_NEAR(part.centre.y, bottom + depth * 2 / 3, 1e-6);
  }
}

TEST(Submersion, OfASphereIsASphericalCap) {
  const double r = 0.7;
  const state::Shape ball = state::sphere(0.7f);
  for (const double h : {0.01, 0.3, 0.7, 1.2, 1.39}) {
    const Submersion part = submerged_at(ball, {{1, 2, 3}, {}}, below(2 - r + h));
    EXPECT_NEAR(part.volume, pi * h * h * (3 * r - h) / 3, 1e-6);
    // The expected value is ∫ y·π·(r² − y²) dy from −r to h − r.
    const double top = h - r;
    const auto moment = [&](double y) { return pi * (r * r * y * y / 2 - y * y * y * y / 4); };
    EXPECT_NEAR(part.centre.y * part.volume, moment(top) - moment(-r), 1e-6);
  }
}

/// Returns shapes of all kinds that have a volume.
std::vector<state::Shape> shapes() {
  return {state::sphere(0.5f),         state::box({0.2f, 0.5f, 0.7f}), state::capsule(0.3f, 0.4f),
          state::cylinder(0.4f, 0.3f), state::cone(0.5f, 0.4f),        wedge()};
}

bool is_exact(const state::Shape& shape) {
  return shape.kind == state::ShapeKind::Box || shape.kind == state::ShapeKind::Hull;
}

TEST(Submersion, OfAllShapesMatchesPointCounting) {
  base::Random random(4);
  for (const state::Shape& shape : shapes()) {
    for (int trial = 0; trial < 6; ++trial) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(shape.kind) << " trial " << trial);
      const math::Pose pose{{random.between(-5, 5), 40, random.between(-5, 5)},
                            random_rotation(random)};
      const double level = 40 + static_cast<double>(random.between(-0.35f, 0.45f));
      // In the last three trials, three walls of a pool also cut the shape.
      const Fluid fluid = trial < 3 ? below(level)
                                    : pool({pose.position.x + 0.9, 39.8, pose.position.z - 0.9},
                                           {1, 0.5f, 1}, level);
      const Submersion part = submerged_at(shape, pose, fluid);
      const Submersion expected = counted(shape, pose, fluid);
      const double whole = volume_of(shape);
      // The estimate itself has an error of about 0.1 %.
      EXPECT_NEAR(part.volume / whole, expected.volume / whole, is_exact(shape) ? 0.002 : 0.005);
      if (expected.volume < 0.02 * whole) continue;
      const double size = static_cast<double>(geometry::bounding_radius(shape));
      EXPECT_NEAR(part.centre.x / size, expected.centre.x / size, 0.01);
      EXPECT_NEAR(part.centre.y / size, expected.centre.y / size, 0.01);
      EXPECT_NEAR(part.centre.z / size, expected.centre.z / size, 0.01);
    }
  }
}

TEST(Submersion, PartsBelowAndAboveAddUpToTheVolume) {
  base::Random random(5);
  for (const state::Shape& shape : shapes()) {
    for (int trial = 0; trial < 20; ++trial) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(shape.kind) << " trial " << trial);
      const math::Pose pose{{0, 0, 0}, random_rotation(random)};
      const double level = static_cast<double>(random.between(-0.6f, 0.6f));
      const Submersion low = submerged_at(shape, pose, below(level));
      // After a rotation by 180° about x, the part that was above `level` is below −`level`.
      const Quat over = math::from_axis_angle({1, 0, 0}, std::numbers::pi_v<float>);
      const Submersion high =
          submerged_at(shape, {{}, normalized(over * pose.rotation)}, below(-level));
      EXPECT_NEAR(low.volume + high.volume, volume_of(shape), 2e-6);
    }
  }
}

TEST(Submersion, IsCompleteOrZeroAwayFromTheFluidSurface) {
  for (const state::Shape& shape : shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const geometry::MassProperties all = geometry::mass_properties(shape, 1);
    const Submersion deep = submerged_at(shape, {{1e5, -2, 0}, {}}, below(0));
    EXPECT_NEAR(deep.volume, volume_of(shape), 1e-6);
    EXPECT_NEAR(deep.centre.y, static_cast<double>(all.centre.y), 1e-6);
    EXPECT_EQ(submerged_at(shape, {{0, 2, 0}, {}}, below(0)).volume, 0);
    EXPECT_EQ(submerged_at(shape, {{9, -2, 0}, {}}, pool({0, -2, 0}, {2, 2, 2}, 0)).volume, 0);
  }
}

TEST(Submersion, IsContinuousAtFirstContactWithTheFluidSurface) {
  for (const state::Shape& shape : shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const double reach = static_cast<double>(geometry::bounding_radius(shape));
    double before = 0;
    for (int i = -220; i <= 220; ++i) {
      const double now = submerged_at(shape, {}, below(reach * i / 200)).volume;
      EXPECT_GE(now, before - 1e-6);
      EXPECT_LE(now, before + 0.03 * volume_of(shape) + 1e-6);
      before = now;
    }
    EXPECT_NEAR(before, volume_of(shape), 1e-6);
  }
}

TEST(Submersion, OfAPlaneIsZero) {
  EXPECT_EQ(submerged_at(state::plane(), {}, below(1)).volume, 0);
}

}  // namespace
}  // namespace jostle::forces
