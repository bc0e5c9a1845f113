#include "tools/bench/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace jostle::bench {
namespace {

using testing::HasSubstr;

SuiteRow make_row(const char* scene, double mean_ms, double p99_ms, double peer_mean_ms,
                  double peer_p99_ms) {
  SuiteRow row;
  row.ours.scene = scene;
  row.ours.engine = "a";
  row.ours.mean_ms = mean_ms;
  row.ours.p99_ms = p99_ms;
  row.peer = row.ours;
  row.peer->engine = "b";
  row.peer->mean_ms = peer_mean_ms;
  row.peer->p99_ms = peer_p99_ms;
  return row;
}

TEST(Suite, GivesGeometricMeansOfTimesAndQuotients) {
  const std::vector rows{make_row("x", 1, 2, 2, 2), make_row("y", 4, 8, 1, 4)};
  const SuiteMeans means = means_of(rows);
  EXPECT_NEAR(means.mean_ms, 2, 1e-9);
  EXPECT_NEAR(means.p99_ms, 4, 1e-9);
  EXPECT_NEAR(means.mean_quotient, std::sqrt(0.5 * 4), 1e-9);
  EXPECT_NEAR(means.p99_quotient, std::sqrt(1.0 * 2), 1e-9);
}

TEST(Suite, GivesNoQuotientsWithoutAPeer) {
  std::vector rows{make_row("x", 1, 2, 2, 2)};
  rows[0].peer.reset();
  EXPECT_TRUE(std::isnan(means_of(rows).mean_quotient));
  const std::string json = to_json_summary("wide", 7, rows);
  EXPECT_EQ(json, R"({"suite": "wide", "seed": 7, "scenes": 1, "mean_ms": 1, "p99_ms": 2})");
}

TEST(Suite, ListsTheHighestQuotientsFirst) {
  const std::vector rows{make_row("low", 1, 1, 2, 2), make_row("high", 3, 1, 1, 1),
                         make_row("middle", 1, 1, 1, 1)};
  const std::string text = to_text_summary("wide", 7, rows);
  EXPECT_THAT(text, HasSubstr("wide suite, seed 7"));
  EXPECT_LT(text.find("high"), text.find("middle"));
  EXPECT_LT(text.find("middle"), text.find("low"));
  EXPECT_THAT(to_json_summary("wide", 7, rows), HasSubstr("\"quotient\": \"a/b\""));
}

TEST(Suite, PrintsOneLinePerEngineAndScene) {
  Figures figures;
  figures.scene = "rods@7";
  figures.engine = "a";
  figures.nonfinite = 2;
  figures.energy_gain_share = 0.5;
  const std::string line = to_text_line(figures);
  EXPECT_THAT(line, HasSubstr("rods@7"));
  EXPECT_THAT(line, HasSubstr("gain 50 %"));
  EXPECT_THAT(line, HasSubstr("2 non-finite"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace jostle::bench
