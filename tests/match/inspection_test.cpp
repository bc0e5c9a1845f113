#include "server/options.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace jostle::match {
namespace {

using state::DebugDrawLayer;

MatchOptions options_of(const std::string& scene) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + scene + ".scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  MatchOptions options;
  options.scene = scene_of(text);
  return options;
}

std::size_t count(const state::DebugDrawFrame& debug_draw, state::DebugDrawKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(debug_draw.items, kind, &state::DebugDrawItem::kind));
}

TEST(Inspection, ADebugDrawMatchesTheShownTickAndEndsOnRequest) {
  MatchOptions options = options_of("pendulums");
  options.faults.latency_us = 40'000;
  options.faults.jitter_us = 10'000;
  options.faults.loss = 0.02;
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  EXPECT_EQ(ann.client->debug_draw(), nullptr);
  ann.client->inspect({bit_of(DebugDrawLayer::Joints), false, {}});
  match.run_seconds(2.0);
  int shown = 0;
  for (int i = 0; i < 100; ++i) {
    match.run_seconds(0.02);
    const state::DebugDrawFrame* const debug_draw = ann.client->debug_draw();
    if (debug_draw == nullptr) continue;
    ++shown;
    EXPECT_GT(count(*debug_draw, state::DebugDrawKind::JointX), 0U);
    EXPECT_EQ(count(*debug_draw, state::DebugDrawKind::Velocity), 0U) << "not requested";
    EXPECT_LE(debug_draw->tick.number, ann.client->shown_tick());
    EXPECT_GT(debug_draw->tick.number, ann.client->shown_tick() - 30);
  }
  EXPECT_GT(shown, 95);
  EXPECT_FALSE(ann.client->statistics());
  ann.client->inspect({});
  match.run_seconds(2.0);
  EXPECT_EQ(ann.client->debug_draw(), nullptr);
}

// The scene has 902 bodies, and every debug draw layer is enabled.
TEST(Inspection, DebugDrawsStayWithinTheirBudget) {
  MatchOptions options = options_of("katamari");
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  const Seat& bob = match.add_client("Bob", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->inspect({state::all_debug_draw_layers, false, {}});
  match.run_seconds(2.0);
  const std::uint64_t ann_before = ann.client->metrics().bytes_down;
  const std::uint64_t bob_before = bob.client->metrics().bytes_down;
  constexpr double seconds = 5;
  match.run_seconds(seconds);
  const auto more = static_cast<double>((ann.client->metrics().bytes_down - ann_before) -
                                        (bob.client->metrics().bytes_down - bob_before));
  EXPECT_GT(more, 0.5 * server::debug_draw_bytes_per_second * seconds);
  EXPECT_LE(more, 1.1 * server::debug_draw_bytes_per_second * seconds);
  ASSERT_NE(ann.client->debug_draw(), nullptr);
  EXPECT_LE(ann.client->debug_draw()->items.size(), server::most_debug_draw_items);
  EXPECT_GT(ann.client->debug_draw()->left_out, 0U);
  EXPECT_EQ(bob.client->debug_draw(), nullptr);
}

TEST(Inspection, SnapshotsHavePriorityOverDebugDrawsOnAThinLink) {
  MatchOptions options = options_of("ragdolls");
  options.server.max_client_bytes_per_second = 16e3;
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(10.0));
  const auto snapshots_in = [&](double seconds) {
    const std::uint64_t before = ann.client->metrics().snapshots_complete;
    match.run_seconds(seconds);
    return ann.client->metrics().snapshots_complete - before;
  };
  match.run_seconds(4.0);
  const std::uint64_t without = snapshots_in(4.0);
  ann.client->inspect({state::all_debug_draw_layers, false, {}});
  match.run_seconds(1.0);
  const std::uint64_t with = snapshots_in(4.0);
  EXPECT_GE(with, without * 4 / 5);
}

TEST(Inspection, StatisticsHaveTheRightCounts) {
  Match match(options_of("ragdolls"));
  const Seat& ann = match.add_client("Ann");
  match.add_client("Eve", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  ann.client->inspect({0, true, {}});
  match.run_seconds(1.5);
  const auto statistics = ann.client->statistics();
  ASSERT_TRUE(statistics);
  EXPECT_LE(match.simulation().tick() - statistics->tick, 40);
  EXPECT_EQ(statistics->count(state::ServerCount::Players), 1U);
  EXPECT_EQ(statistics->count(state::ServerCount::Clients), 2U);
  EXPECT_EQ(statistics->count(state::ServerCount::Bodies),
            match.simulation().world_def().bodies.size());
  EXPECT_EQ(statistics->count(state::ServerCount::Joints),
            match.simulation().world().joint_count());
  EXPECT_GT(statistics->count(state::ServerCount::ContactPoints), 0U);
  EXPECT_GT(statistics->bytes_per_second, 0);
}

// A crate of 100 kg stands on one of 200 kg. A third crate is 9 m away.
constexpr const char* crates_text = R"({"name": "three", "spawns": [{"position": [0, 0, 50]}],
  "bodies": [{"name": "ground", "motion_type": "static", "shape": {"plane": {}}},
             {"name": "under", "position": [0, 0.5, 0],
              "shape": {"box": {"size": [1, 1, 1]}, "density": 200}},
             {"name": "over", "position": [0, 1.5, 0],
              "shape": {"box": {"size": [1, 1, 1]}, "density": 100}},
             {"name": "far", "position": [9, 0.5, 0], "shape": {"box": {"size": [1, 1, 1]}}}]})";

TEST(Inspection, ReportsTheSelectedBody) {
  MatchOptions options;
  options.scene = scene_of(crates_text);
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  const Seat& bob = match.add_client("Bob", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  const auto id_of = [&](const std::string& name) {
    const auto& bodies = match.simulation().world_def().bodies;
    return std::ranges::find(bodies, name, &state::BodyInfo::name)->id;
  };
  EXPECT_FALSE(ann.client->body_report());
  ann.client->inspect({0, false, id_of("over")});
  match.run_seconds(0.5);
  const auto over = ann.client->body_report();
  ASSERT_TRUE(over);
  EXPECT_EQ(over->body, id_of("over"));
  EXPECT_FLOAT_EQ(over->mass, 100);
  EXPECT_EQ(over->contact_points, 4U);
  EXPECT_EQ(over->island_bodies, 2U);
  EXPECT_LE(match.simulation().tick() - over->tick, 20);
  ann.client->inspect({0, false, id_of("under")});
  EXPECT_FALSE(ann.client->body_report()) << "the old report is for another body";
  match.run_seconds(0.1);
  ASSERT_TRUE(ann.client->body_report()) << "a newly selected body is reported at once";
  EXPECT_FLOAT_EQ(ann.client->body_report()->mass, 200);
  EXPECT_EQ(ann.client->body_report()->contact_points, 8U);
  ann.client->inspect({0, false, id_of("ground")});
  bob.client->inspect({0, false, id_of("far")});
  match.run_seconds(0.5);
  ASSERT_TRUE(ann.client->body_report() && bob.client->body_report());
  EXPECT_EQ(ann.client->body_report()->island_bodies, 0U);
  EXPECT_EQ(ann.client->body_report()->mass, 0);
  EXPECT_EQ(bob.client->body_report()->island_bodies, 1U);
  ann.client->inspect({0, false, {4'000'000'000U}});
  match.run_seconds(0.5);
  EXPECT_FALSE(ann.client->body_report()) << "there is no such body";
}

TEST(Inspection, TheNewestStateIsAheadOfTheShownState) {
  MatchOptions options;
  options.scene = scene_of(R"({"name": "train", "world": {"gravity": [0, 0, 0]},
    "spawns": [{"position": [0, 0, 50]}],
    "bodies": [{"name": "car", "position": [0, 0, 0], "linear_velocity": [6, 0, 0],
                "shape": {"sphere": {"radius": 0.5}}}]})");
  options.faults.latency_us = 50'000;
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  EXPECT_TRUE(ann.client->newest_bodies().empty());
  ann.client->set_newest_wanted(true);
  match.run_seconds(0.5);
  const auto x_of = [](const std::vector<client::ShownBody>& bodies) {
    const auto car = std::ranges::find_if(
        bodies, [](const client::ShownBody& body) { return body.info->name == "car"; });
    return car == bodies.end() ? -1.0 : car->pose.position.x;
  };
  const double newest = x_of(ann.client->newest_bodies()), shown = x_of(ann.client->shown_bodies());
  const double ticks = ann.client->metrics().newest_tick.number - ann.client->shown_tick();
  EXPECT_GT(ticks, 0.5);
  EXPECT_NEAR(newest - shown, 6 * ticks / 60, 0.02);
}

}  // namespace
}  // namespace jostle::match
