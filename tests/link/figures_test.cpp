#include "shared/net/system_io.h"
#include "shared/scene_files/scene_files.h"
#include "tests/link/latency.h"
#include "tools/link/join_run.h"
#include "tools/link/snapshot_run.h"
#include "tools/link/table.h"
#include "tools/link/targets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace jostle::link {
namespace {

Link make_link(float loss, std::int64_t jitter_us) {
  Link link;
  link.faults.loss = loss;
  link.faults.latency_us = latency_us;
  link.faults.jitter_us = jitter_us;
  return link;
}

SnapshotRun short_run(std::uint64_t seed) {
  SnapshotRun run;
  run.scene = match::scene_of(match::match_scene);
  run.links = {make_link(0, 0), make_link(0.1f, 0), make_link(0.3f, 0), make_link(0.05f, 10'000)};
  run.first_seed = seed;
  run.seeds = 1;
  run.minutes = 0.5;
  return run;
}

TEST(SnapshotRuns, EveryDeliveredSnapshotIsDecoded) {
  auto figures = run_snapshots(short_run(1));
  ASSERT_TRUE(figures.has_value()) << figures.error();
  const double losses[] = {0, 0.1, 0.3, 0.05};
  for (std::size_t i = 0; i < figures->size(); ++i) {
    SCOPED_TRACE("link " + std::to_string(i));
    SnapshotFigures& row = (*figures)[i];
    EXPECT_NEAR(static_cast<double>(row.sent), 1'800, 2);
    EXPECT_EQ(row.decoded, row.delivered);
    EXPECT_EQ(row.wrong, 0U);
    EXPECT_NEAR(static_cast<double>(row.delivered) / static_cast<double>(row.sent), 1 - losses[i],
                0.03);
    EXPECT_LE(row.longest_gap_ms, 250);
    EXPECT_GT(row.wire_bytes, row.payload_bytes);
  }
  EXPECT_LE((*figures)[0].added_delay_ms.quantile(0.95), 35);
  EXPECT_GE((*figures)[0].added_delay_ms.median(), 16) << "the delay must allow interpolation";
  EXPECT_LE((*figures)[3].added_delay_ms.quantile(0.95), 70);
  EXPECT_EQ((*figures)[0].guesses, 0U);
  EXPECT_GT((*figures)[2].guesses, 0U);
}

TEST(SnapshotRuns, TheSameSeedGivesTheSameFigures) {
  const auto bytes = [](std::uint64_t seed) {
    SnapshotRun run = short_run(seed);
    run.minutes = 0.1;
    const auto figures = run_snapshots(run);
    return figures ? figures->back().wire_bytes : 0;
  };
  EXPECT_EQ(bytes(3), bytes(3));
  EXPECT_NE(bytes(3), bytes(4));
}

TEST(JoinRuns, JoiningNineHundredCubesTakesHalfASecondAtAHundredMillisecondsOfRoundTrip) {
  net::SystemIo io;
  auto scene = scene::load_scene(io, JOSTLE_SOURCE_DIR "/scenes/katamari.scene.json");
  ASSERT_TRUE(scene.has_value()) << scene.error();
  JoinRun run;
  run.scene = *std::move(scene);
  run.links = {make_link(0, 0)};
  run.links[0].faults.latency_us = 50'000;
  run.seeds = 1;
  run.joins = 3;
  auto figures = run_joins(run);
  ASSERT_TRUE(figures.has_value()) << figures.error();
  EXPECT_EQ(figures->front().bodies, 902U) << "and the ground";
  EXPECT_EQ(figures->front().joined_ms.count(), 3U);
  EXPECT_LE(figures->front().joined_ms.largest(), 500);
  EXPECT_GE(figures->front().joined_ms.quantile(0), 200)
      << "joining takes at least two round trips";
}

TEST(Samples, ReturnQuantilesAndMean) {
  Samples samples;
  EXPECT_TRUE(std::isnan(samples.median()));
  for (int i = 100; i >= 1; --i)
    samples.add(i);
  EXPECT_EQ(samples.quantile(0), 1);
  EXPECT_EQ(samples.median(), 50);
  EXPECT_EQ(samples.quantile(0.95), 95);
  EXPECT_EQ(samples.largest(), 100);
  EXPECT_EQ(samples.mean(), 50.5);
}

TEST(Tables, AreWrittenAsMarkdownAndJson) {
  const Table table{.key = "k",
                    .title = "T",
                    .text = "How.",
                    .columns = {{"link", "link", 0}, {"share", "of all", 2}},
                    .rows = {{std::string("5 %"), 0.125}, {std::string("x"), std::nan("")}}};
  EXPECT_EQ(to_markdown(table),
            "### T\n\nHow.\n\n| link | of all |\n|---|---|\n| 5 % | 0.12 |\n| x | – |\n");
  EXPECT_EQ(to_json(table), R"([{"link": "5 %", "share": 0.125}, {"link": "x", "share": null}])");
}

TEST(Targets, AreMetUpToTheirLimitAndNeverByMissingValues) {
  Table table = make_target_table();
  add_target(table, "a", 1.5, 1.5, 2, " ms");
  add_target(table, "b", 1.5, 1.51, 2, " ms");
  add_target(table, "c", 1.5, std::nan(""), 2, " ms");
  const auto is_met = [&](std::size_t row) { return std::get<std::string>(table.rows[row][3]); };
  EXPECT_EQ(is_met(0), "yes");
  EXPECT_EQ(is_met(1), "no");
  EXPECT_EQ(is_met(2), "no");
  EXPECT_EQ(std::get<std::string>(table.rows[1][2]), "1.51 ms");
}

}  // namespace
}  // namespace jostle::link
