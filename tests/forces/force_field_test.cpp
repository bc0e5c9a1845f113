#include "shared/forces/force_field.h"

#include <gtest/gtest.h>

#include <limits>

namespace jostle::forces {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

Region box(float x, float y, float z) {
  return {RegionKind::Box, {}, {x, y, z}, 0};
}

TEST(ForceField, DefaultOfEachKindIsValidAndHasItsNumber) {
  for (std::uint8_t kind = 0; kind < field_kind_count; ++kind) {
    EXPECT_EQ(field_of_kind(kind).index(), kind);
    EXPECT_TRUE(is_valid(field_of_kind(kind)));
  }
}

TEST(ForceField, RejectsValuesThatAreNotFinite) {
  for (const float bad : {nan, infinite, -infinite}) {
    EXPECT_FALSE(is_valid(Attraction{{0, static_cast<double>(bad), 0}, {}}));
    EXPECT_FALSE(is_valid(Attraction{{}, {bad, 0, 0, 2}}));
    EXPECT_FALSE(is_valid(Attraction{{}, {1, bad, 0, 2}}));
    EXPECT_FALSE(is_valid(Attraction{{}, {1, 0, bad, 2}}));
    EXPECT_FALSE(is_valid(Acceleration{{}, {0, bad, 0}}));
    EXPECT_FALSE(is_valid(Wind{{}, {bad, 0, 0}, 1, 1, 0}));
    EXPECT_FALSE(is_valid(Wind{{}, {}, bad, 1, 0}));
    EXPECT_FALSE(is_valid(Wind{{}, {}, 1, bad, 0}));
    EXPECT_FALSE(is_valid(Wind{{}, {}, 1, 1, bad}));
    EXPECT_FALSE(is_valid(Drag{{}, {0, 0, bad}, 0, 0, 0}));
    EXPECT_FALSE(is_valid(Drag{{}, {}, bad, 0, 0}));
    EXPECT_FALSE(is_valid(Drag{{}, {}, 0, bad, 0}));
    EXPECT_FALSE(is_valid(Drag{{}, {}, 0, 0, bad}));
    EXPECT_FALSE(is_valid(Drag{box(1, bad, 1), {}, 0, 0, 0}));
    EXPECT_FALSE(is_valid(Pole{{static_cast<double>(bad), 0, 0}, {}}));
    EXPECT_FALSE(is_valid(Charges{{bad, 0, 0, 2}}));
    EXPECT_FALSE(is_valid(Fluid{{}, static_cast<double>(bad), 1, {}, 0, 0, 0}));
    EXPECT_FALSE(is_valid(Fluid{{}, 0, bad, {}, 0, 0, 0}));
    EXPECT_FALSE(is_valid(Fluid{{}, 0, 1, {bad, 0, 0}, 0, 0, 0}));
    EXPECT_FALSE(is_valid(Fluid{{}, 0, 1, {}, bad, 0, 0}));
    EXPECT_FALSE(is_valid(Fluid{{}, 0, 1, {}, 0, bad, 0}));
    EXPECT_FALSE(is_valid(Fluid{{}, 0, 1, {}, 0, 0, bad}));
    EXPECT_FALSE(is_valid(Thrust{{bad, 0, 0}, {}, {}, false}));
    EXPECT_FALSE(is_valid(Thrust{{}, {0, bad, 0}, {}, false}));
    EXPECT_FALSE(is_valid(Thrust{{}, {}, {0, 0, bad}, false}));
  }
}

TEST(ForceField, RejectsNegativeRatesAndDensities) {
  EXPECT_FALSE(is_valid(Drag{{}, {}, -1, 0, 0}));
  EXPECT_FALSE(is_valid(Drag{{}, {}, 0, -1, 0}));
  EXPECT_FALSE(is_valid(Drag{{}, {}, 0, 0, -1}));
  EXPECT_FALSE(is_valid(Wind{{}, {}, -1, 1, 0}));
  EXPECT_FALSE(is_valid(Fluid{{}, 0, -1, {}, 0, 0, 0}));
  EXPECT_TRUE(is_valid(Attraction{{}, {-1, 0, 0, 2}}));
  EXPECT_FALSE(is_valid(Attraction{{}, {1, -1, 0, 2}}));
  EXPECT_FALSE(is_valid(Attraction{{}, {1, 0, -1, 2}}));
}

TEST(ForceField, LimitsExponents) {
  for (std::int32_t exponent = min_exponent; exponent <= max_exponent; ++exponent)
    EXPECT_TRUE(is_valid(Charges{{1, 0, 0, exponent}}));
  EXPECT_FALSE(is_valid(Charges{{1, 0, 0, min_exponent - 1}}));
  EXPECT_FALSE(is_valid(Charges{{1, 0, 0, max_exponent + 1}}));
}

TEST(ForceField, RejectsRegionsWithoutSize) {
  EXPECT_TRUE(is_valid(Drag{box(1, 2, 3), {}, 0, 0, 0}));
  EXPECT_FALSE(is_valid(Drag{box(0, 2, 3), {}, 0, 0, 0}));
  EXPECT_FALSE(is_valid(Drag{box(1, 2, -3), {}, 0, 0, 0}));
  EXPECT_FALSE(is_valid(Drag{{RegionKind::Sphere, {}, {}, 0}, {}, 0, 0, 0}));
  EXPECT_TRUE(is_valid(Drag{{RegionKind::Sphere, {}, {}, 1}, {}, 0, 0, 0}));
}

TEST(ForceField, RejectsSphericalFluidRegions) {
  Fluid fluid;
  fluid.region = {RegionKind::Sphere, {}, {}, 1};
  EXPECT_FALSE(is_valid(fluid));
  fluid.region = box(1, 1, 1);
  EXPECT_TRUE(is_valid(fluid));
}

TEST(ForceField, OnlyThrustsAndPolesMayHaveABody) {
  EXPECT_TRUE(needs_body(Thrust{}));
  EXPECT_FALSE(needs_body(Pole{}));
  EXPECT_TRUE(may_have_body(Pole{}));
  EXPECT_FALSE(may_have_body(Attraction{}));
  EXPECT_TRUE(is_between_bodies(Charges{}, false));
  EXPECT_TRUE(is_between_bodies(Pole{}, true));
  EXPECT_FALSE(is_between_bodies(Pole{}, false));
  EXPECT_FALSE(is_between_bodies(Thrust{}, true));
}

}  // namespace
}  // namespace jostle::forces
