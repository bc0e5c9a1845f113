// The state listing must contain every number that the hash covers, each exactly once.
#include "shared/physics/state_listing.h"

#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <set>
#include <tuple>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

World busy_world() {
  World world{WorldOptions{}};
  add_ground(world);
  add_mixed_rain(world, 30, 5);
  for (int i = 0; i < 60; ++i)
    world.step();
  return world;
}

StateNumber number(NumberKind kind, std::uint64_t bits) {
  StateNumber made;
  made.kind = kind;
  made.bits = bits;
  return made;
}
StateNumber number(float value) {
  return number(NumberKind::F32, std::bit_cast<std::uint32_t>(value));
}

TEST(StateListing, IsSortedAndHasEachFieldOnce) {
  const World world = busy_world();
  const auto listing = world.dump_state();
  ASSERT_GT(listing.size(), 30U * 40U);
  std::set<std::tuple<int, std::uint64_t, std::string>> places;
  for (std::size_t i = 0; i < listing.size(); ++i) {
    const StateNumber& each = listing[i];
    ASSERT_TRUE(places.emplace(each.section, each.owner, each.field()).second)
        << describe(each.part) << " " << each.owner << " " << each.field();
    if (i > 0) {
      ASSERT_FALSE(is_listed_before(each, listing[i - 1])) << each.field();
    }
  }
}

TEST(StateListing, DiffersOnlyInTheChangedNumber) {
  World world = busy_world(), other = busy_world();
  const BodyHandle body = world.bodies()[7];
  for (const char* const field : {"position.x", "rotation.w", "linear_velocity.y",
                                  "angular_momentum.z", "gravity_scale", "sleep_time"}) {
    SCOPED_TRACE(field);
    other = busy_world();
    ASSERT_EQ(world.hash(), other.hash());
    const std::uint64_t hash_of_body = other.hash(body);
    ASSERT_TRUE(other.flip_lowest_bit(body, field));
    EXPECT_NE(world.hash().total, other.hash().total);
    EXPECT_NE(hash_of_body, other.hash(body));
    const auto a = world.dump_state(), b = other.dump_state();
    ASSERT_EQ(a.size(), b.size());
    int differences = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_TRUE(is_same_place(a[i], b[i]));
      if (a[i].bits == b[i].bits) continue;
      ++differences;
      EXPECT_EQ(a[i].field(), field);
      EXPECT_EQ(a[i].owner, body.index);
      EXPECT_EQ(ulps_between(a[i], b[i]), 1U);
    }
    EXPECT_EQ(differences, 1);
  }
}

TEST(StateListing, ChangingAnUnknownFieldFails) {
  World world = busy_world();
  const StateHash before = world.hash();
  EXPECT_FALSE(world.flip_lowest_bit(world.bodies()[3], "position"));
  EXPECT_FALSE(world.flip_lowest_bit(world.bodies()[3], "colour"));
  EXPECT_FALSE(world.flip_lowest_bit(world.bodies()[3], ""));
  EXPECT_FALSE(world.flip_lowest_bit(BodyHandle{}, "position.x"));
  EXPECT_EQ(world.hash(), before);
}

TEST(StateListing, CountsUlpsAcrossZero) {
  EXPECT_EQ(ulps_between(number(1.0F), number(std::nextafter(1.0F, 2.0F))), 1U);
  EXPECT_EQ(ulps_between(number(std::nextafter(1.0F, 2.0F)), number(1.0F)), 1U);
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(ulps_between(number(-least), number(least)), 2U);
  EXPECT_EQ(ulps_between(number(0.0F), number(-0.0F)), 0U);
  EXPECT_EQ(ulps_between(number(NumberKind::Unsigned32, 3), number(NumberKind::Unsigned32, 9)), 0U);
  const double most = std::numeric_limits<double>::max();
  EXPECT_GT(ulps_between(number(NumberKind::F64, std::bit_cast<std::uint64_t>(-most)),
                         number(NumberKind::F64, std::bit_cast<std::uint64_t>(most))),
            std::uint64_t{1} << 62);
}

TEST(StateListing, ShowsRoundTripDecimalsAndBits) {
  EXPECT_EQ(number(-0.412173F).text(), "-0.412173 (0xBED30857)");
  EXPECT_EQ(number(NumberKind::F64, std::bit_cast<std::uint64_t>(0.1)).text(),
            "0.1 (0x3FB999999999999A)");
  EXPECT_EQ(number(NumberKind::Signed32, static_cast<std::uint32_t>(-4)).text(), "-4");
  EXPECT_EQ(number(NumberKind::Boolean, 1).text(), "true");
}

TEST(StateListing, ChangesWheneverTheHashChanges) {
  // If the hash of a part changes between two steps, some listed number of that part must change.
  World world = busy_world();
  for (int i = 0; i < 30; ++i) {
    const auto before = world.dump_state();
    const StateHash hash_before = world.hash();
    world.step();
    const auto after = world.dump_state();
    std::set<StatePart> changed;
    for (std::size_t k = 0; k < std::min(before.size(), after.size()); ++k)
      if (!is_same_place(before[k], after[k]) || before[k].bits != after[k].bits)
        changed.insert(before[k].part);
    const StateHash hash = world.hash();
    EXPECT_EQ(changed.contains(StatePart::Bodies), hash.bodies != hash_before.bodies);
    EXPECT_EQ(changed.contains(StatePart::Contacts), hash.contacts != hash_before.contacts);
    EXPECT_EQ(changed.contains(StatePart::Shapes), hash.shapes != hash_before.shapes);
  }
}

}  // namespace
}  // namespace jostle::physics
