#include "shared/geometry/shape_check.h"

#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <limits>

namespace jostle::geometry {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

TEST(ShapeCheck, AcceptsValidShapes) {
  for (const state::Shape& shape : testing::solid_shapes())
    EXPECT_FALSE(check_shape(shape));
  EXPECT_FALSE(check_shape(state::plane()));
}

TEST(ShapeCheck, ReportsEachInvalidSize) {
  EXPECT_EQ(check_shape(state::sphere(0)), ShapeError::TooSmall);
  EXPECT_EQ(check_shape(state::sphere(-1)), ShapeError::TooSmall);
  EXPECT_EQ(check_shape(state::sphere(1e-4f)), ShapeError::TooSmall);
  EXPECT_EQ(check_shape(state::sphere(1e6f)), ShapeError::TooLarge);
  EXPECT_EQ(check_shape(state::sphere(infinite)), ShapeError::NotFinite);
  EXPECT_EQ(check_shape(state::sphere(not_a_number)), ShapeError::NotFinite);
  EXPECT_EQ(check_shape(state::box({1, 0, 1})), ShapeError::TooSmall);
  EXPECT_EQ(check_shape(state::box({1, 1, not_a_number})), ShapeError::NotFinite);
  EXPECT_EQ(check_shape(state::box({1, 1e6f, 1})), ShapeError::TooLarge);
  EXPECT_EQ(check_shape(state::capsule(0.5f, -1)), ShapeError::TooSmall);
  EXPECT_EQ(check_shape(state::capsule(0, 1)), ShapeError::TooSmall);
  EXPECT_EQ(check_shape(state::capsule(0.5f, infinite)), ShapeError::NotFinite);
}

TEST(ShapeCheck, RequiresUnusedSizesToBeZero) {
  state::Shape shape = state::sphere(1);
  shape.half_segment = 1;
  EXPECT_EQ(check_shape(shape), ShapeError::UnusedField);
  shape = state::plane();
  shape.half_extents = {0, 1, 0};
  EXPECT_EQ(check_shape(shape), ShapeError::UnusedField);
  shape.half_extents = {0, not_a_number, 0};
  EXPECT_EQ(check_shape(shape), ShapeError::NotFinite);
}

TEST(ShapeCheck, RejectsUnknownKinds) {
  state::Shape shape = state::sphere(1);
  shape.kind = static_cast<state::ShapeKind>(state::shape_kind_count);
  EXPECT_EQ(check_shape(shape), ShapeError::UnknownKind);
}

TEST(ShapeCheck, EveryErrorHasADescription) {
  for (const ShapeError error :
       {ShapeError::UnknownKind, ShapeError::NotFinite, ShapeError::TooSmall, ShapeError::TooLarge,
        ShapeError::UnusedField}) {
    EXPECT_GT(describe(error).size(), 5U);
  }
}

}  // namespace
}  // namespace jostle::geometry
