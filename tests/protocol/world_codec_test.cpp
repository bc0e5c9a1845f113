#include "protocol/world_codec.h"

#include "protocol/detail/checks.h"
#include "protocol/limits.h"
#include "shared/base/hash.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <string>

namespace jostle::protocol {
namespace {

using samples::nan;

/// The shapes that a client has received, by content hash.
class ShapeStore {
 public:
  explicit ShapeStore(const EncodedWorld& world) {
    for (const Blob& blob : world.shapes) {
      EXPECT_EQ(blob.content_hash, base::hash_bytes(blob.bytes));
      const auto shape = decode_shape(blob.bytes);
      EXPECT_TRUE(shape.has_value());
      if (shape) shapes_[blob.content_hash] = *shape;
    }
  }
  ShapeLookup lookup() const {
    return [this](std::uint64_t hash) -> const state::Shape* {
      const auto found = shapes_.find(hash);
      return found == shapes_.end() ? nullptr : &found->second;
    };
  }

 private:
  std::map<std::uint64_t, state::Shape> shapes_;
};

void expect_round_trip(const state::WorldDef& world) {
  const EncodedWorld encoded = encode_world(world);
  EXPECT_EQ(encoded.world.content_hash, base::hash_bytes(encoded.world.bytes));
  const ShapeStore shapes(encoded);
  const auto decoded = decode_world(encoded.world.bytes, shapes.lookup());
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, world);
}

state::WorldDef random_world(std::uint64_t seed, std::uint32_t count) {
  base::Random random(seed);
  state::WorldDef world = samples::world();
  world.bodies.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    world.bodies.push_back(samples::random_body_info(random, {3 * i + 1}));
  return world;
}

TEST(WorldCodec, RoundTripsWorlds) {
  expect_round_trip(samples::world());
  expect_round_trip({});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip(random_world(seed, 100));
  }
}

TEST(WorldCodec, ListsEachShapeOnce) {
  const EncodedWorld encoded = encode_world(samples::world());
  EXPECT_EQ(encoded.shapes.size(), 4U) << "the dumbbell has two equal spheres";
  const auto needed = shapes_needed(encoded.world.bytes);
  ASSERT_TRUE(needed.has_value());
  ASSERT_EQ(needed->size(), encoded.shapes.size());
  for (std::size_t i = 0; i < needed->size(); ++i)
    EXPECT_EQ((*needed)[i], encoded.shapes[i].content_hash) << i;
}

TEST(WorldCodec, EncodesAThousandCratesCompactly) {
  state::WorldDef world = samples::world();
  world.bodies.clear();
  for (std::uint32_t i = 1; i <= 1000; ++i) {
    state::BodyInfo crate;
    crate.id = {i};
    crate.shapes = {{state::box({0.5f, 0.5f, 0.5f}), {}}};
    world.bodies.push_back(crate);
  }
  const EncodedWorld encoded = encode_world(world);
  EXPECT_LT(encoded.world.bytes.size(), 62'000U);
  EXPECT_EQ(encoded.shapes.size(), 1U);
}

TEST(WorldCodec, RejectsAWorldWhoseShapesAreMissing) {
  const EncodedWorld encoded = encode_world(samples::world());
  const auto decoded = decode_world(encoded.world.bytes,
                                    [](std::uint64_t) -> const state::Shape* { return nullptr; });
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error(), DecodeError::Malformed);
}

TEST(WorldCodec, TruncatesNamesThatAreTooLong) {
  state::WorldDef world = samples::world();
  world.bodies[0].name.assign(max_name_bytes + 5, 'x');
  const EncodedWorld encoded = encode_world(world);
  const ShapeStore shapes(encoded);
  const auto decoded = decode_world(encoded.world.bytes, shapes.lookup());
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->bodies[0].name, std::string(max_name_bytes, 'x'));
}

TEST(WorldCodec, EqualContentHasTheSameHash) {
  EXPECT_EQ(encode_world(samples::world()).world.content_hash,
            encode_world(samples::world()).world.content_hash);
  EXPECT_NE(encode_shape(state::sphere(1)).content_hash,
            encode_shape(state::sphere(2)).content_hash);
}

struct WorldCase {
  std::string name;
  std::function<void(state::WorldDef&)> change;
  std::optional<DecodeError> fault;
};

class WorldRule : public testing::TestWithParam<WorldCase> {};

TEST_P(WorldRule, IsTheSameForEncoderAndDecoder) {
  state::WorldDef world = samples::world();
  GetParam().change(world);
  EXPECT_EQ(detail::check(world), GetParam().fault);
  if (GetParam().fault) {
    EXPECT_DEATH(encode_world(world), "check");
  } else {
    expect_round_trip(world);
  }
}

constexpr auto out_of_range = DecodeError::OutOfRange;

INSTANTIATE_TEST_SUITE_P(
    WorldCodec, WorldRule,
    testing::Values(
        WorldCase{"IdNull", [](auto& w) { w.bodies[0].id = {}; }, out_of_range},
        WorldCase{"IdTwice", [](auto& w) { w.bodies[1].id = w.bodies[0].id; }, out_of_range},
        WorldCase{"IdsDescend", [](auto& w) { std::swap(w.bodies[0], w.bodies[1]); }, out_of_range},
        WorldCase{"MotionUnknown",
                  [](auto& w) { w.bodies[0].motion = static_cast<state::MotionType>(3); },
                  out_of_range},
        WorldCase{"PositionFar", [](auto& w) { w.bodies[1].pose.position.x = 9e6; }, {}},
        WorldCase{"PositionTooFar", [](auto& w) { w.bodies[1].pose.position.x = -1.1e7; },
                  out_of_range},
        WorldCase{"PositionNan",
                  [](auto& w) { w.bodies[1].pose.position.y = static_cast<double>(nan); },
                  DecodeError::NotFinite},
        WorldCase{"RotationNotUnit", [](auto& w) { w.bodies[1].pose.rotation.x = 0.1f; },
                  out_of_range},
        WorldCase{"RotationNan", [](auto& w) { w.bodies[1].pose.rotation.x = nan; },
                  DecodeError::NotFinite},
        WorldCase{"LocalNan", [](auto& w) { w.bodies[1].shapes[0].local.offset.x = nan; },
                  DecodeError::NotFinite},
        WorldCase{"RadiusZero", [](auto& w) { w.bodies[1].shapes[0].shape.radius = 0; },
                  out_of_range},
        WorldCase{"RadiusNegative", [](auto& w) { w.bodies[1].shapes[0].shape.radius = -1; },
                  out_of_range},
        WorldCase{"RadiusNan", [](auto& w) { w.bodies[1].shapes[0].shape.radius = nan; },
                  DecodeError::NotFinite},
        WorldCase{"BoxFlat", [](auto& w) { w.bodies[2].shapes[0].shape.half_extents.y = 0; },
                  out_of_range},
        WorldCase{"FieldOfAnotherKind", [](auto& w) { w.bodies[2].shapes[0].shape.radius = 1; },
                  out_of_range},
        WorldCase{
            "ShapeUnknown",
            [](auto& w) { w.bodies[2].shapes[0].shape.kind = static_cast<state::ShapeKind>(4); },
            out_of_range},
        WorldCase{
            "MostShapes",
            [](auto& w) { w.bodies[0].shapes.resize(max_shapes_per_body, w.bodies[0].shapes[0]); },
            {}},
        WorldCase{"TooManyShapes",
                  [](auto& w) {
                    w.bodies[0].shapes.resize(max_shapes_per_body + 1, w.bodies[0].shapes[0]);
                  },
                  out_of_range},
        WorldCase{"NoShapes", [](auto& w) { w.bodies[0].shapes.clear(); }, {}},
        WorldCase{"CameraNan", [](auto& w) { w.camera.eye.x = static_cast<double>(nan); },
                  DecodeError::NotFinite}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace jostle::protocol
