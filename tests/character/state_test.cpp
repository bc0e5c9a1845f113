// Saved state of a character, and the independence of its results from threads and SIMD level.
#include "shared/base/random.h"
#include "shared/simd/instruction_set.h"
#include "tests/character/figure.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>

namespace jostle::character {
namespace {

using namespace jostle::character::testing;
using physics::MotionType;

/// A world of crates, a lift and stairs, with a character that has a body.
struct Playground {
  Figure figure;
  physics::BodyHandle lift;

  Playground() {
    World& world = figure.world;
    add_ground(world);
    for (int i = 1; i <= 5; ++i)
      add_static_box(world, {0.3 * i + 2.7, 0.2 * i - 1, 4}, {1, 1, 2});
    for (int i = 0; i < 12; ++i)
      add_box(world, MotionType::Dynamic, {-2 - 0.9 * (i % 4), 0.4 + 0.8 * (i / 4), -1},
              {0.4f, 0.4f, 0.4f});
    lift = add_box(world, MotionType::Kinematic, {0, 0.1, -3}, {1, 0.1f, 1});
    figure.put({});
    create_body(world, figure.character, figure.options, 5);
  }

  void tick(int i) {
    figure.world.move_kinematic(lift, {{0, 0.1 + 0.02 * (i % 100 < 50 ? i % 50 : 50 - i % 50), -3},
                                       math::from_axis_angle({0, 1, 0}, 0.01f * float(i))});
    const float turn = 0.02f * float(i);
    figure.step({3 * std::cos(turn), 0, 3 * std::sin(turn)}, i % 47 == 0);
  }
};

std::uint64_t hash_of(const Playground& playground) {
  return hash(playground.figure.character) ^ (playground.figure.world.hash().total * 3);
}

std::vector<std::byte> bytes_of(const Character& character) {
  base::ByteWriter writer;
  save(character, writer);
  return writer.take();
}

TEST(CharacterState, IsBitIdenticalForAllThreadCountsAndSimdLevels) {
  const auto run = [](const physics::Execution& execution) {
    Playground playground;
    playground.figure.world.set_execution(execution);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 600; ++i) {
      playground.tick(i);
      hashes.push_back(hash_of(playground));
    }
    return hashes;
  };
  const std::vector<std::uint64_t> first = run({1, simd::InstructionSet::Plain});
  for (const simd::InstructionSet level : simd::all_instruction_sets) {
    if (!simd::is_supported(level)) continue;
    for (const int threads : {1, 2})
      EXPECT_EQ(run({threads, level}), first) << threads << " threads, " << simd::name_of(level);
  }
}

TEST(CharacterState, ContinuesBitExactlyAfterRestore) {
  Playground straight, interrupted;
  for (int i = 0; i < 400; ++i) {
    straight.tick(i);
    if (i % 3 == 0) {
      base::ByteWriter writer;
      interrupted.figure.world.save(writer);
      save(interrupted.figure.character, writer);
      base::ByteReader reader(writer.bytes());
      interrupted.figure.world = World(awake_options());
      ASSERT_TRUE(interrupted.figure.world.restore(reader));
      interrupted.figure.character = restore(reader, interrupted.figure.world);
      ASSERT_TRUE(reader.at_end());
    }
    interrupted.tick(i);
    ASSERT_EQ(hash_of(straight), hash_of(interrupted)) << i;
  }
}

/// Puts the playground's character on a turning lift, so that the fields of its ground and its
/// anchor are set. Copies the playground's world to `world`, and returns the character.
Character character_on_lift(World& world, Playground& playground) {
  Figure& figure = playground.figure;
  figure.character.position = {0.5, 1.2, -3};
  figure.world.set_velocity(playground.lift, {0.1f, 0.2f, 0.3f}, {0, 0.3f, 0});
  figure.walk(20, {});
  base::ByteWriter writer;
  figure.world.save(writer);
  base::ByteReader reader(writer.bytes());
  EXPECT_TRUE(world.restore(reader));
  return figure.character;
}

TEST(CharacterState, HashDependsOnEverySavedBit) {
  Playground playground;
  World world{awake_options()};
  const Character character = character_on_lift(world, playground);
  ASSERT_TRUE(character.is_anchored);
  const std::vector<std::byte> bytes = bytes_of(character);
  const std::uint64_t before = hash(character);
  int accepted = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::vector<std::byte> flipped = bytes;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    base::ByteReader reader(flipped);
    const Character other = restore(reader, world);
    if (!reader.ok()) continue;
    ++accepted;
    EXPECT_NE(hash(other), before) << "bit " << bit;
    EXPECT_EQ(bytes_of(other), flipped);
  }
  EXPECT_GT(accepted, 400);
}

TEST(CharacterState, RestoreRejectsInvalidStates) {
  Playground playground;
  World world{awake_options()};
  const Character good = character_on_lift(world, playground);
  const auto is_taken = [&](const Character& character) {
    const std::vector<std::byte> bytes = bytes_of(character);
    base::ByteReader reader(bytes);
    (void)restore(reader, world);
    return reader.ok();
  };
  ASSERT_TRUE(is_taken(good));
  const auto is_taken_with = [&](auto change) {
    Character character = good;
    change(character);
    return is_taken(character);
  };
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(is_taken_with([&](Character& c) { c.velocity.x = infinity; }));
  EXPECT_FALSE(is_taken_with([&](Character& c) { c.position.y = double(infinity); }));
  EXPECT_FALSE(is_taken_with([&](Character& c) { c.anchor_local.z = infinity; }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.velocity.y = 1e20f; }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.up = {0, 1.1f, 0}; }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.ground = static_cast<GroundState>(3); }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.ground = GroundState::InAir; }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.ground_body = {}; }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.ground_body.index = 1000; }));
  EXPECT_FALSE(is_taken_with([](Character& c) { c.body.generation += 1; }));
  EXPECT_FALSE(is_taken_with([&](Character& c) { c.body = world.bodies().front(); }))
      << "a static body";
  const std::vector<std::byte> bytes = bytes_of(good);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    base::ByteReader reader({bytes.data(), size});
    (void)restore(reader, world);
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(CharacterState, IgnoresAnImpossibleGroundNormal) {
  Figure figure;
  const physics::BodyHandle ground = add_ground(figure.world);
  figure.put({0, 0.2, 0});
  figure.character.ground = GroundState::OnGround;
  figure.character.ground_body = ground;
  figure.character.ground_normal = {-1, 0, 0};
  figure.walk(10, {3, 0, 0});
  EXPECT_TRUE(figure.is_firm());
  EXPECT_NEAR(figure.character.position.x, 0.5, 1e-3);
  EXPECT_NEAR(figure.character.position.y, figure.standing(), 1e-3);
}

TEST(CharacterOptions, OutOfRangeValuesAreInvalid) {
  EXPECT_TRUE(are_valid({}));
  const auto is_valid_with = [](auto change) {
    CharacterOptions options;
    change(options);
    return are_valid(options);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.radius = 0; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.height = 0.5f; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.skin = 0; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.skin = 0.2f; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.max_slope = 1.6f; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.step_height = 1; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.step_down = -1; }));
  EXPECT_FALSE(is_valid_with([](CharacterOptions& o) { o.mass = 0; }));
  EXPECT_FALSE(is_valid_with([&](CharacterOptions& o) { o.gravity = nan; }));
  EXPECT_FALSE(is_valid_with([&](CharacterOptions& o) { o.jump_speed = nan; }));
  EXPECT_FALSE(is_valid_with([&](CharacterOptions& o) { o.air_acceleration = nan; }));
  EXPECT_FALSE(is_valid_with([&](CharacterOptions& o) { o.push_force = nan; }));
}

TEST(CharacterWalking, StepsUpALedgeFarFromTheOrigin) {
  Figure figure;
  const Position far{100000, 2000, -70000};
  add_static_box(figure.world, far + Vec3{0, -0.5f, 0}, {20, 0.5f, 20});
  add_static_box(figure.world, far + Vec3{4, 0.1f, 0}, {2, 0.1f, 20});
  figure.put(far);
  figure.settle();
  figure.walk(120, {2, 0, 0});
  EXPECT_NEAR(length(figure.foot() - far - Vec3{4, 0.21f, 0}), 0, 2e-3f);
}

}  // namespace
}  // namespace jostle::character
