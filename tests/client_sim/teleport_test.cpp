// Tests of bodies that are set elsewhere: clients show them there at once, and never in between.
#include "shared/sim/rule.h"
#include "tests/client_sim/predicting.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jostle::prediction {
namespace {

using match::Match;
using match::MatchOptions;
using match::Seat;

/// A ball that rolls through a sensor, which sets it back to its start.
constexpr std::string_view portal_scene = R"({
  "name": "portal", "world": {"gravity": [0, 0, 0]},
  "spawns": [{"position": [0, 0, 30]}, {"position": [0, 0, 40]}],
  "bodies": [
    {"shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0], "linear_velocity": [6, 0, 0]},
    {"motion_type": "static", "position": [4, 0, 0],
     "shape": {"box": {"size": [0.5, 2, 2]}, "sensor": true},
     "on_enter": {"teleport_to": [0, 0, 4]}}]})";

/// Sets the first body to and fro every half second, with BodyRegistry::teleport or directly.
class Shuttle final : public sim::Rule {
 public:
  Shuttle(float distance, bool is_direct) : distance_(distance), is_direct_(is_direct) {}
  std::string_view name() const override { return "shuttle"; }
  std::unique_ptr<sim::Rule> another() const override {
    return std::make_unique<Shuttle>(distance_, is_direct_);
  }
  void before_step(sim::RuleContext& context) override {
    if (context.tick.number % 30 != 0) return;
    const auto body = context.bodies.find({1});
    if (!body) return;
    const float side = context.tick.number % 60 == 0 ? 1.0f : 0.0f;
    const math::Pose there{{static_cast<double>(side * distance_), 0, 0}, {}};
    if (is_direct_) {
      context.world.set_pose(*body, there);
    } else {
      context.bodies.teleport(context.world, *body, there);
    }
  }

 private:
  float distance_ = 0;
  bool is_direct_ = false;
};

constexpr std::string_view still_scene = R"({
  "name": "still", "world": {"gravity": [0, 0, 0]},
  "spawns": [{"position": [0, 0, 30]}, {"position": [0, 0, 40]}],
  "bodies": [{"shape": {"sphere": {"radius": 0.5}}}]})";

math::Position shown(const Seat& seat, std::uint32_t id) {
  for (const client::ShownBody& body : seat.client->shown_bodies())
    if (body.info->id.value == id) return body.pose.position;
  ADD_FAILURE() << "body " << id << " is not shown";
  return {};
}

struct Link {
  std::string name;
  net::LinkFaults faults;
  int snapshot_interval_ticks = 1;
};

std::vector<Link> links() {
  net::LinkFaults clean, lossy, grave;
  clean.latency_us = lossy.latency_us = grave.latency_us = 50'000;
  lossy.loss = 0.05f;
  lossy.jitter_us = 10'000;
  grave.loss = 0.3f;
  return {{"clean", clean},
          {"5 % lost", lossy},
          {"30 % lost", grave},
          {"20 snapshots per second", lossy, 3}};
}

/// Runs a match with a plain and a predicting client. Returns how often the clients show the first
/// body at a place that is neither within `slack` of x = 0 nor of x = `distance`, and counts the
/// moves in `moves`.
int frames_in_between(const Link& link, float distance, bool is_direct, double slack, int& moves) {
  MatchOptions options;
  options.scene = match::scene_of(still_scene);
  options.faults = link.faults;
  options.is_recorded = options.is_remembered = false;
  options.server.snapshot_interval_ticks = link.snapshot_interval_ticks;
  options.own_rule = [&] { return std::make_unique<Shuttle>(distance, is_direct); };
  Match match(options);
  const Seat* seats[] = {&match.add_client("plain"), &add_predicting(match, "ahead")};
  EXPECT_TRUE(match.run_until_playing(20));
  match.run_seconds(3);
  int between = 0;
  bool was_far[] = {false, false};
  for (int i = 0; i < 1'200; ++i) {
    match.run_to(match.network().now_us() + 16'667);
    for (int j = 0; j < 2; ++j) {
      const double x = shown(*seats[j], 1).x;
      const bool is_far = std::abs(x - static_cast<double>(distance)) <= slack;
      between += is_far || std::abs(x) <= slack ? 0 : 1;
      moves += is_far != std::exchange(was_far[j], is_far) ? 1 : 0;
    }
  }
  return between;
}

TEST(Teleport, ABodyIsNeverShownOnItsWay) {
  for (const Link& link : links()) {
    for (const float distance : {0.3f, 3.0f, 20.0f}) {
      SCOPED_TRACE(link.name + ", " + std::to_string(distance) + " m");
      int moves = 0;
      EXPECT_EQ(frames_in_between(link, distance, false, 0.01, moves), 0);
      EXPECT_GE(moves, 2 * 35) << "40 teleports for each client";
    }
  }
}

TEST(Teleport, AJumpThatARuleMakesWithoutTheRegistryIsNotShownOnItsWay) {
  for (const Link& link : links()) {
    SCOPED_TRACE(link.name);
    int moves = 0;
    EXPECT_EQ(frames_in_between(link, 20, true, 0.01, moves), 0);
    EXPECT_GE(moves, 2 * 35);
  }
}

// A portal of a scene: the ball comes in at z = 0 and lies at z = 4 afterwards.
TEST(Teleport, APortalOfASceneIsCrossedAtOnce) {
  for (const Link& link : links()) {
    SCOPED_TRACE(link.name);
    MatchOptions options;
    options.scene = match::scene_of(portal_scene);
    options.faults = link.faults;
    options.is_recorded = options.is_remembered = false;
    options.server.is_sandbox = true;
    options.server.snapshot_interval_ticks = link.snapshot_interval_ticks;
    Match match(options);
    const Seat& plain = match.add_client("plain");
    const Seat& ahead = add_predicting(match, "ahead");
    ASSERT_TRUE(match.run_until_playing(20));
    match.run_seconds(3);
    const state::BodyId ball = match.simulation().world_def().bodies.front().id;
    ASSERT_TRUE(match.simulation().find_body(ball));
    for (const Seat* seat : {&plain, &ahead}) {
      seat->client->request({state::ControlKind::Reset, 0});
      int frames = 0;
      bool is_through = false;
      for (int i = 0; i < 150; ++i) {
        match.run_to(match.network().now_us() + 16'667);
        for (const client::ShownBody& body : seat->client->shown_bodies()) {
          if (body.info->shapes.empty() || body.info->motion == state::MotionType::Static ||
              !body.info->owner.is_null())
            continue;
          const double z = body.pose.position.z;
          EXPECT_TRUE(std::abs(z) < 0.02 || std::abs(z - 4) < 0.02) << "frame " << i << ": " << z;
          is_through |= std::abs(z - 4) < 0.02 && i > 60;
          ++frames;
        }
      }
      EXPECT_GT(frames, 100);
      EXPECT_TRUE(is_through);
    }
  }
}

}  // namespace
}  // namespace jostle::prediction
