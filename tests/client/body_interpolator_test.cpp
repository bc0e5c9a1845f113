#include "client/body_interpolator.h"

#include "tests/client/tick_rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <vector>

namespace jostle::client {
namespace {

using state::BodyId;
using state::BodyInfo;
using state::Tick;

BodyInfo body_at_height(std::uint32_t id, state::MotionType motion = state::MotionType::Dynamic) {
  BodyInfo info;
  info.id = {id};
  info.motion = motion;
  info.pose.position = {0, static_cast<double>(id), 0};
  return info;
}

/// A world of one static body (1) and two bodies (2, 3) that move along x according to `x_at`.
struct Scene {
  std::function<double(std::uint32_t id, std::uint32_t tick)> x_at;
  WorldReplica world;
  SnapshotBuffer buffer;
  BodyInterpolator interpolator{test_tick_rate_hz, 1};

  explicit Scene(std::function<double(std::uint32_t, std::uint32_t)> x_at_)
      : x_at(std::move(x_at_)) {
    world.replace({.revision = 1,
                   .scene_name = "",
                   .camera = {},
                   .bodies = {body_at_height(1, state::MotionType::Static), body_at_height(2),
                              body_at_height(3)}});
  }

  /// Receives a snapshot in parts of one body each. The parts of the bodies in `without` are lost.
  void receive(std::uint32_t tick, std::set<std::uint32_t> without = {}, bool is_awake = true) {
    const MovingIds ids = world.moving_ids(world.revision());
    for (std::uint32_t i = 0; i < ids->size(); ++i) {
      const std::uint32_t id = (*ids)[i].value;
      if (without.contains(id)) continue;
      SnapshotBuffer::Part part;
      part.tick = {tick};
      part.world_revision = world.revision();
      part.ids = ids;
      part.part = static_cast<std::uint8_t>(i);
      part.parts = static_cast<std::uint8_t>(ids->size());
      part.first = i;
      const math::Pose pose{{x_at(id, tick), static_cast<double>(id), 0}, {}};
      part.bodies = {protocol::quantize(pose, is_awake)};
      buffer.insert(std::move(part));
    }
  }
  void show(double tick) { interpolator.show(tick, buffer, world); }
  const ShownBody* find(std::uint32_t id) const {
    for (const ShownBody& shown : interpolator.bodies()) {
      if (shown.info->id.value == id) return &shown;
    }
    return nullptr;
  }
  double x(std::uint32_t id) const { return find(id)->pose.position.x; }
};

/// Returns the x coordinate at `tick` of a body that moves 0.25 m per tick.
double steady(std::uint32_t, std::uint32_t tick) {
  return tick * 0.25;
}

TEST(BodyInterpolator, ShowsNothingWithoutSnapshots) {
  Scene scene(steady);
  scene.show(10);
  EXPECT_TRUE(scene.interpolator.bodies().empty());
}

TEST(BodyInterpolator, ShowsStaticBodiesFromTheWorldAndInterpolatesOthers) {
  Scene scene(steady);
  scene.receive(100);
  scene.receive(104);
  scene.show(101);
  ASSERT_EQ(scene.interpolator.bodies().size(), 3U);
  EXPECT_EQ(scene.interpolator.bodies()[0].pose, body_at_height(1).pose);
  EXPECT_EQ(scene.x(2), 25.25);
  EXPECT_EQ(scene.x(3), 25.25);
}

TEST(BodyInterpolator, InterpolatesAcrossASnapshotWithAMissingPart) {
  Scene scene(steady);
  scene.receive(100);
  scene.receive(101, {3});
  scene.receive(102);
  scene.show(101.5);
  EXPECT_EQ(scene.x(2), 25.375);
  EXPECT_EQ(scene.x(3), 25.375);
}

TEST(BodyInterpolator, ExtrapolatesForTwoTicksAndThenHolds) {
  Scene scene(steady);
  scene.receive(99);
  scene.receive(100);
  scene.show(101);
  EXPECT_EQ(scene.x(2), 25.25);
  scene.show(104);
  EXPECT_EQ(scene.x(2), 25.5);
  scene.show(110);
  EXPECT_EQ(scene.x(2), 25.5);
}

TEST(BodyInterpolator, DoesNotExtrapolateASleepingBody) {
  Scene scene(steady);
  scene.receive(99);
  scene.receive(100, {}, false);
  scene.show(102);
  EXPECT_EQ(scene.x(2), 25.0);
  EXPECT_FALSE(scene.find(2)->is_awake);
}

TEST(BodyInterpolator, FadesOutExtrapolationErrorsOverAHundredMilliseconds) {
  // The body stops at a wall at tick 100. The interpolator does not know this yet and extrapolates
  // the motion.
  Scene scene([](std::uint32_t, std::uint32_t tick) { return std::min(tick, 100U) * 0.25; });
  scene.receive(99);
  scene.receive(100);
  for (double tick = 100; tick <= 102; tick += 0.25)
    scene.show(tick);
  EXPECT_EQ(scene.x(2), 25.5) << "extrapolated two ticks ahead";
  for (std::uint32_t tick = 101; tick <= 120; ++tick)
    scene.receive(tick);
  double before = scene.x(2);
  for (double tick = 102.25; tick < 108; tick += 0.25) {
    SCOPED_TRACE(testing::Message() << "tick " << tick);
    scene.show(tick);
    EXPECT_LT(scene.x(2), before);
    EXPECT_LT(before - scene.x(2), 0.5 * 0.25 / 6 + 1e-3) << "evenly over six ticks";
    before = scene.x(2);
  }
  scene.show(108);
  EXPECT_EQ(scene.x(2), 25.0) << "exactly where it stopped";
  scene.show(115);
  EXPECT_EQ(scene.x(2), 25.0);
}

TEST(BodyInterpolator, DoesNotCorrectAnExactExtrapolation) {
  Scene scene(steady);
  scene.receive(99);
  scene.receive(100);
  scene.show(101.5);
  for (std::uint32_t tick = 101; tick <= 110; ++tick)
    scene.receive(tick);
  for (double tick = 102; tick <= 110; tick += 0.5) {
    scene.show(tick);
    EXPECT_EQ(scene.x(2), tick * 0.25);
  }
}

TEST(BodyInterpolator, ShowsABodyFromTheFirstSnapshotOfItsRevision) {
  Scene scene(steady);
  scene.receive(100);
  scene.world.change({2, {BodyId{3}}, {body_at_height(7)}});
  scene.receive(104);
  scene.show(103.9);
  EXPECT_EQ(scene.interpolator.revision(), 1U);
  EXPECT_NE(scene.find(3), nullptr);
  EXPECT_EQ(scene.find(7), nullptr);
  scene.show(104);
  EXPECT_EQ(scene.interpolator.revision(), 2U);
  EXPECT_EQ(scene.find(3), nullptr);
  ASSERT_NE(scene.find(7), nullptr);
  EXPECT_EQ(scene.x(7), 26.0);
}

TEST(BodyInterpolator, ShowsABodyAtItsSpawnPoseUntilItsFirstPartArrives) {
  Scene scene(steady);
  scene.receive(100);
  scene.world.change({2, {}, {body_at_height(7)}});
  scene.receive(101, {7});
  scene.show(101);
  ASSERT_NE(scene.find(7), nullptr);
  EXPECT_EQ(scene.find(7)->pose, body_at_height(7).pose);
}

TEST(BodyInterpolator, ShowsTheFirstSnapshotForEarlierTicks) {
  Scene scene(steady);
  scene.receive(100);
  scene.show(90);
  EXPECT_EQ(scene.interpolator.bodies().size(), 3U);
}

TEST(BodyInterpolator, KeepsBodiesWithoutUpdatesAtTheirLastPose) {
  Scene scene([](std::uint32_t id, std::uint32_t) { return id * 10.0; });
  for (std::uint32_t tick = 1; tick <= 3; ++tick) {
    scene.receive(tick, {}, tick < 3);
    scene.show(tick);
  }
  ASSERT_EQ(scene.x(2), 20);
  // Only body 3 is updated, for longer than the buffer keeps snapshots. In 40 of every 100 ticks,
  // show() is not called.
  for (std::uint32_t tick = 4; tick <= 3 * SnapshotBuffer::window_ticks; ++tick) {
    scene.receive(tick, {2});
    if (tick % 100 < 60) scene.show(tick);
    ASSERT_EQ(scene.x(2), 20) << tick;
    ASSERT_FALSE(scene.find(2)->is_awake);
  }
}

TEST(BodyInterpolator, ShowsAnUpdateThatFollowsALongPause) {
  Scene scene([](std::uint32_t id, std::uint32_t tick) { return id + (tick < 100 ? 0.0 : 5.0); });
  for (std::uint32_t tick = 1; tick <= 99; ++tick)
    scene.receive(tick);
  scene.show(99);
  scene.receive(100, {}, false);
  for (std::uint32_t tick = 101; tick <= 220; ++tick)
    scene.receive(tick, {2});
  scene.show(220);
  scene.show(240);
  EXPECT_EQ(scene.x(2), 7);
}

}  // namespace
}  // namespace jostle::client
