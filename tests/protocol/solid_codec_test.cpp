#include "protocol/detail/world_change.h"
#include "protocol/world_codec.h"
#include "shared/base/random.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/surface.h"
#include "tests/protocol/flipped_bits.h"
#include "tests/protocol/samples.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace jostle::protocol {
namespace {

using math::Vec3;

state::Shape rock(std::uint64_t seed) {
  base::Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i)
    points.push_back({random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
  return state::solid(geometry::share(geometry::build_hull(points).value()));
}

state::Shape roof() {
  state::TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}, {1, -1, 0}, {-1, -1, 0}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
  return state::solid(geometry::share(std::move(mesh)));
}

state::Shape hills() {
  state::HeightField field;
  field.count_x = 3;
  field.count_z = 4;
  field.cell_x = 0.5f;
  field.heights = {0, 1, 2, 3, 0, -1, 0, 0, 5, 6, 7, 8};
  return state::solid(geometry::share(std::move(field)));
}

std::vector<state::Shape> all() {
  return {rock(1), rock(2), roof(), hills(), state::cylinder(1, 2), state::cone(0.5f, 1)};
}

state::WorldChange change_with(const std::vector<state::Shape>& shapes) {
  state::WorldChange change;
  change.revision = 2;
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    state::BodyInfo& body = change.spawns.emplace_back();
    body.id = {i + 1};
    body.motion = state::MotionType::Static;
    body.shapes = {{shapes[i], {}}, {shapes[0], {}}};
  }
  return change;
}

TEST(SolidCodec, RoundTripsEveryKindOfSolid) {
  for (const state::Shape& shape : all()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const auto decoded = decode_shape(encode_shape(shape).bytes);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, shape);
    if (shape.solid) {
      EXPECT_EQ(decoded->solid->content, shape.solid->content) << "including derived data";
    }
  }
}

TEST(SolidCodec, AWorldChangeContainsEachSolidOnce) {
  const state::WorldChange change = change_with(all());
  const auto bytes = detail::encode_world_change(change);
  const auto decoded = detail::decode_world_change(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, change);
  const auto twice = detail::encode_world_change(change_with({rock(1), rock(1), rock(1)}));
  const auto once = detail::encode_world_change(change_with({rock(1)}));
  EXPECT_LT(twice.size(), once.size() + encode_shape(rock(1)).bytes.size());
}

TEST(SolidCodec, AWorldRefersToSolidsByContentHash) {
  state::WorldDef world = samples::world();
  world.bodies[0].motion = state::MotionType::Static;
  world.bodies[0].shapes = {{rock(1), {}}, {roof(), {}}, {rock(1), {{1, 2, 3}, {}}}};
  const EncodedWorld encoded = encode_world(world);
  std::map<std::uint64_t, state::Shape> shapes;
  for (const Blob& blob : encoded.shapes)
    shapes[blob.content_hash] = decode_shape(blob.bytes).value();
  const auto decoded = decode_world(encoded.world.bytes, [&](std::uint64_t hash) {
    const auto found = shapes.find(hash);
    return found == shapes.end() ? nullptr : &found->second;
  });
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, world);
}

TEST(SolidCodec, RejectsEveryTruncation) {
  for (const state::Shape& shape : all()) {
    const Blob blob = encode_shape(shape);
    for (std::size_t size = 0; size < blob.bytes.size(); ++size)
      ASSERT_FALSE(decode_shape(std::span(blob.bytes).first(size)).has_value()) << size;
  }
}

TEST(SolidCodec, ReencodesShapesThatItAcceptsWithAFlippedBit) {
  FlippedBits sum;
  for (const state::Shape& shape : all()) {
    const FlippedBits outcome = decode_with_flipped_bits(
        encode_shape(shape).bytes, decode_shape,
        [](const state::Shape& accepted) { return encode_shape(accepted).bytes; });
    EXPECT_LE(outcome.ignored, 100U) << static_cast<int>(shape.kind);
    sum.refused += outcome.refused;
    sum.changed += outcome.changed;
  }
  EXPECT_GT(sum.refused, 1'000U);
  EXPECT_GT(sum.changed, 100U) << "low bits of coordinates";
}

TEST(SolidCodec, ReencodesAWorldChangeThatItAcceptsWithAFlippedBit) {
  const FlippedBits outcome =
      decode_with_flipped_bits(detail::encode_world_change(change_with(all())),
                               detail::decode_world_change, detail::encode_world_change);
  EXPECT_GT(outcome.refused, 5'000U);
  EXPECT_GT(outcome.changed, 3'000U);
  EXPECT_LT(outcome.ignored, 400U);
}

}  // namespace
}  // namespace jostle::protocol
