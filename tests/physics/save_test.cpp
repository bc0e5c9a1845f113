#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

World wholly_restored(const std::vector<std::byte>& bytes) {
  World world{WorldOptions{}};
  base::ByteReader reader(bytes);
  const auto result = world.restore(reader);
  EXPECT_TRUE(result.has_value());
  EXPECT_TRUE(reader.at_end());
  return world;
}

/// A world that calls change in every tick. The calls create, destroy, push and move bodies, put
/// them to sleep, and add shapes and sensors. They depend only on the seed and on the number of the
/// tick.
class BusyWorld {
 public:
  explicit BusyWorld(std::uint64_t seed) : random_(seed) {
    add_ground(world);
    platform_ = add_body(world, MotionType::Kinematic, {{0, 0.3, 0}, {}},
                         shape_def(state::box({1.5f, 0.1f, 1.5f})));
    bodies_ = add_mixed_rain(world, 40, seed);
  }

  /// Makes the calls of the next tick, which has the number `tick`.
  void act(World& on, int tick) {
    if (tick % 3 == 0) {
      const double angle = tick * 0.05;
      on.move_kinematic(platform_, {{std::sin(angle), 0.3, 0}, {}});
    }
    const std::size_t pick = random_.below(static_cast<std::uint32_t>(bodies_.size()));
    switch (random_.below(24)) {
      case 0:
        on.destroy_body(bodies_[pick]);
        bodies_.erase(bodies_.begin() + static_cast<std::ptrdiff_t>(pick));
        break;
      case 1:
      case 2:
        bodies_.push_back(add_dynamic(on, {random_.between(-2, 2), 4, random_.between(-2, 2)},
                                      random_shape(random_)));
        break;
      case 3:
        on.apply_central_impulse(bodies_[pick], random_vector(random_, 400));
        break;
      case 4:
        on.apply_torque(bodies_[pick], random_vector(random_, 50));
        break;
      case 5:
        on.set_awake(bodies_[pick], false);
        break;
      case 6:
        on.add_shape(bodies_[pick], shape_def(random_shape(random_)));
        break;
      case 7:
        on.set_gravity_scale(bodies_[pick], 0.5f);
        break;
      case 9: {
        // The sensor belongs to an existing body or to a new one.
        ShapeDef def = shape_def(random_shape(random_));
        def.is_sensor = true;
        def.density = 0;
        def.local.offset = random_vector(random_, 0.5f);
        const bool is_new = random_.chance(0.5f);
        const auto motion = static_cast<MotionType>(random_.below(3));
        const Position at{random_.between(-2, 2), random_.between(0, 2), 0};
        if (is_new) bodies_.push_back(add_body(on, motion, {at, {}}, def));
        if (!is_new) on.add_shape(bodies_[pick], def);
        break;
      }
      case 11:
        on.set_surface_velocity(on.shapes(platform_)[0], random_vector(random_, 1));
        break;
      case 10:
        on.set_pose(bodies_[pick], {{random_.between(-2, 2), 3, random_.between(-2, 2)}, {}});
        break;
      case 8:
        bodies_.push_back(add_special(on));
        break;
      default:
        break;
    }
  }

  World world{WorldOptions{}};

 private:
  /// Adds a body with locks and with its own mass properties.
  BodyHandle add_special(World& on) {
    BodyDef def;
    def.pose = {{random_.between(-2, 2), 4, random_.between(-2, 2)}, random_rotation(random_)};
    def.locks = static_cast<MotionLocks>(random_.below(state::lock_all + 1));
    def.mass = random_.between(20, 60);
    if (random_.chance(0.5f)) def.inertia = math::diagonal({3, 4, random_.between(2, 6)});
    if (random_.chance(0.5f)) def.centre_of_mass = random_vector(random_, 0.2f);
    const BodyHandle body = on.create_body(def);
    on.add_shape(body, shape_def(random_shape(random_)));
    return body;
  }

  base::Random random_;
  BodyHandle platform_;
  std::vector<BodyHandle> bodies_;
};

TEST(Save, RestoredWorldHasTheSameHashAndTheSameBytes) {
  BusyWorld busy(1);
  for (int tick = 0; tick < 200; ++tick) {
    busy.act(busy.world, tick);
    busy.world.step();
  }
  const auto bytes = saved(busy.world);
  const World copy = wholly_restored(bytes);
  EXPECT_EQ(copy.hash(), busy.world.hash());
  EXPECT_EQ(saved(copy), bytes);
}

// The central invariant is that no state outside of the save affects the next step. A world that is
// saved and restored after every tick must equal a world that is never restored.
TEST(Save, RestoringAfterEveryStepChangesNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    BusyWorld straight(seed), through(seed);
    for (int tick = 0; tick < 400; ++tick) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " tick " << tick);
      straight.act(straight.world, tick);
      through.act(through.world, tick);
      straight.world.step();
      through.world.step();
      ASSERT_EQ(straight.world.hash(), through.world.hash());
      ASSERT_TRUE(
          std::ranges::equal(straight.world.contact_begins(), through.world.contact_begins()));
      ASSERT_TRUE(std::ranges::equal(straight.world.contact_ends(), through.world.contact_ends()));
      ASSERT_TRUE(std::ranges::equal(straight.world.contact_hits(), through.world.contact_hits()));
      ASSERT_TRUE(
          std::ranges::equal(straight.world.sleep_changes(), through.world.sleep_changes()));
      ASSERT_TRUE(
          std::ranges::equal(straight.world.sensor_begins(), through.world.sensor_begins()));
      ASSERT_TRUE(std::ranges::equal(straight.world.sensor_ends(), through.world.sensor_ends()));
      through.world = wholly_restored(saved(through.world));
    }
  }
}

TEST(Save, RestoringBetweenCallsAndStepChangesNothing) {
  BusyWorld straight(7), through(7);
  for (int tick = 0; tick < 300; ++tick) {
    SCOPED_TRACE(tick);
    straight.act(straight.world, tick);
    through.act(through.world, tick);
    through.world = wholly_restored(saved(through.world));
    straight.world.step();
    through.world.step();
    ASSERT_EQ(straight.world.hash(), through.world.hash());
    ASSERT_TRUE(std::ranges::equal(straight.world.contact_ends(), through.world.contact_ends()));
    ASSERT_TRUE(std::ranges::equal(straight.world.sleep_changes(), through.world.sleep_changes()));
  }
}

TEST(Save, RestoredWorldContinuesBitExactly) {
  World world{WorldOptions{}};
  add_ground(world);
  add_mixed_rain(world, 100, 5);
  run(world, 120);
  World copy = wholly_restored(saved(world));
  for (int tick = 0; tick < 600; ++tick) {
    SCOPED_TRACE(tick);
    world.step();
    copy.step();
    ASSERT_EQ(world.hash(), copy.hash());
  }
}

/// Adds overlapping bodies that do not collide because of joints, filters or their motion types.
void add_pairs_kept_apart(World& world) {
  add_ground(world);
  for (int i = 0; i < 3; ++i)
    add_ragdoll(world, {0.3 * i, 1.6 + 0.7 * i, 0.2}, 0.5f * static_cast<float>(i));
  ShapeDef ghost = shape_def(state::box({0.4f, 0.3f, 0.5f}));
  ghost.filter.group = -3;
  for (int i = 0; i < 8; ++i)
    add_body(world, MotionType::Dynamic, {{0.3 * i - 1, 0.6 + 0.3 * i, 0.1 * i}, {}}, ghost);
  add_body(world, MotionType::Kinematic, {{0, 0.05, 0}, {}}, shape_def(state::box({2, 0.2f, 2})));
}

TEST(Save, PairsThatDoNotCollideLeaveNoStateAfterRestore) {
  World straight{WorldOptions{}};
  add_pairs_kept_apart(straight);
  World moving = wholly_restored(saved(straight));
  for (int step = 0; step < 300; ++step) {
    if (step % 3 == 0) moving = wholly_restored(saved(moving));
    ASSERT_EQ(moving.hash(), straight.hash()) << "before step " << step;
    if (step % 50 == 20) {
      // A part of a ragdoll is destroyed together with its joints.
      const BodyHandle chest = straight.bodies()[2 + static_cast<std::size_t>(step / 50)];
      for (World* world : {&straight, &moving})
        world->destroy_body(chest);
      ASSERT_EQ(moving.hash(), straight.hash()) << "in step " << step;
    }
    if (step % 50 == 30) {
      const std::vector<BodyHandle> bodies = straight.bodies();
      JointDef def = make_joint_def(straight, JointKind::Ball, bodies[3], bodies.back(),
                                    straight.pose(bodies[3]).position, {0, 1, 0});
      ASSERT_EQ(moving.create_joint(def), straight.create_joint(def));
    }
    for (World* world : {&straight, &moving})
      world->step();
  }
}

TEST(Save, RestoresTheWorldOptions) {
  WorldOptions options;
  options.gravity = {1, -2, 3};
  options.substeps = 7;
  options.sleep_seconds = 2;
  World world(options);
  const World copy = wholly_restored(saved(world));
  EXPECT_EQ(copy.options().gravity, options.gravity);
  EXPECT_EQ(copy.options().substeps, 7);
  EXPECT_EQ(copy.options().sleep_seconds, 2);
}

std::vector<std::byte> small_save() {
  World world{WorldOptions{}};
  add_ground(world);
  add_mixed_rain(world, 12, 9);
  const BodyHandle gone = add_dynamic(world, {0, 8, 0}, state::sphere(0.3f));
  run(world, 40);
  world.destroy_body(gone);
  return saved(world);
}

TEST(Save, RejectsEveryTruncation) {
  const auto bytes = small_save();
  World world{WorldOptions{}};
  const StateHash before = world.hash();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    base::ByteReader reader(std::span<const std::byte>(bytes).first(size));
    const auto result = world.restore(reader);
    ASSERT_FALSE(result.has_value()) << size;
    ASSERT_EQ(result.error(), RestoreError::Truncated) << size;
  }
  EXPECT_EQ(world.hash(), before) << "a failed restore must not change the world";
}

TEST(Save, RejectsEveryFlippedBit) {
  auto bytes = small_save();
  World world{WorldOptions{}};
  const StateHash before = world.hash();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    base::ByteReader reader(bytes);
    ASSERT_FALSE(world.restore(reader).has_value()) << bit;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_EQ(world.hash(), before) << "a failed restore must not change the world";
}

void write_hash(std::vector<std::byte>& bytes) {
  const std::uint64_t hash = base::hash_bytes(std::span(bytes).subspan(save_header_bytes));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[16 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xFFU);
  }
}

// A forged save can have a correct hash. Every bit of the payload must then either make the save
// inconsistent, or be part of the state and of the world's hash.
TEST(Save, FlippedBitsWithAForgedHashAreRejectedOrChangeTheHash) {
  auto bytes = small_save();
  const StateHash before = wholly_restored(bytes).hash();
  int refused = 0, changed = 0;
  for (std::size_t bit = save_header_bytes * 8; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    write_hash(bytes);
    World world{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (world.restore(reader).has_value()) {
      ASSERT_EQ(saved(world), bytes) << "bit " << bit;
      ASSERT_NE(world.hash().total, before.total) << "bit " << bit;
      ++changed;
    } else {
      ++refused;
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_GT(refused, 1'000);
  EXPECT_GT(changed, 10'000);
}

// A forged save that passes the checks must be safe to step. Extreme numbers may only quarantine
// bodies.
TEST(Save, AcceptedForgedSavesCanBeSteppedSafely) {
  const auto original = small_save();
  base::Random random(99);
  int accepted = 0;
  for (int trial = 0; trial < 1'500; ++trial) {
    SCOPED_TRACE(trial);
    auto bytes = original;
    const std::uint32_t flips = 1 + random.below(8);
    for (std::uint32_t i = 0; i < flips; ++i) {
      const auto payload = static_cast<std::uint32_t>(bytes.size() - save_header_bytes);
      bytes[save_header_bytes + random.below(payload)] ^= static_cast<std::byte>(random.below(256));
    }
    write_hash(bytes);
    World world{WorldOptions{}};
    base::ByteReader reader(bytes);
    if (!world.restore(reader).has_value()) continue;
    ++accepted;
    run(world, 3);
    for (const BodyHandle body : world.bodies()) {
      ASSERT_TRUE(is_finite(world.pose(body).position));
      ASSERT_TRUE(is_finite(world.linear_velocity(body)));
    }
    wholly_restored(saved(world));
  }
  EXPECT_GT(accepted, 100);
}

TEST(Save, CanBeRestoredAfterAnExtremeAcceleration) {
  World world{WorldOptions{}};
  const BodyHandle body = add_dynamic(world, {0, 8, 0}, state::sphere(0.3f));
  run(world, 1);
  world.set_gravity_scale(body, 3e38f);
  for (int i = 0; i < 3; ++i) {
    run(world, 1);
    wholly_restored(saved(world));
  }
}

TEST(Save, RejectsRandomBytes) {
  base::Random random(3);
  World world{WorldOptions{}};
  for (int trial = 0; trial < 2'000; ++trial) {
    std::vector<std::byte> bytes(random.below(400));
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random.below(256));
    if (trial % 2 == 0 && bytes.size() > save_header_bytes) {
      const auto good = small_save();
      std::copy_n(good.begin(), 8, bytes.begin());
      const std::uint64_t length = bytes.size() - save_header_bytes;
      for (std::size_t i = 0; i < 8; ++i) {
        bytes[8 + i] = static_cast<std::byte>((length >> (8 * i)) & 0xFFU);
      }
      write_hash(bytes);
    }
    base::ByteReader reader(bytes);
    ASSERT_FALSE(world.restore(reader).has_value()) << trial;
  }
}

TEST(Save, ReportsAnotherFormatVersion) {
  auto bytes = small_save();
  bytes[4] ^= std::byte{1};
  World world{WorldOptions{}};
  base::ByteReader reader(bytes);
  EXPECT_EQ(world.restore(reader).error(), RestoreError::WrongFormat);
}

}  // namespace
}  // namespace jostle::physics
