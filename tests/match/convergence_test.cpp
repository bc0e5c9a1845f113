#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>

namespace jostle::match {
namespace {

struct Link {
  std::string name;
  net::LinkFaults faults;
  std::size_t least_common;  // minimum number of ticks that both ends hashed, of about 960
};

net::LinkFaults faults(float loss, std::int64_t latency_us, std::int64_t jitter_us) {
  net::LinkFaults made;
  made.loss = loss;
  made.latency_us = latency_us;
  made.jitter_us = jitter_us;
  return made;
}

net::LinkFaults everything_at_once() {
  net::LinkFaults made = faults(0.1f, 40'000, 30'000);
  made.duplication = 0.1f;
  made.reordering = 0.2f;
  made.corruption = 0.02f;
  return made;
}

void PrintTo(const Link& link, std::ostream* out) {
  *out << link.name;
}

/// Parameters: the link, and the seed of the network and of the players.
class Convergence : public testing::TestWithParam<std::tuple<Link, std::uint64_t>> {};

// Two players walk, push and shoot for ten seconds and then stand still. Every tick that a client
// decodes must equal what the server sent, over any link. When the world is at rest, the client
// must show the world at rest in the same place.
TEST_P(Convergence, ClientsDecodeAndShowTheServersWorld) {
  const auto& [link, seed] = GetParam();
  MatchOptions options;
  options.seed = seed;
  options.faults = link.faults;
  Match match(options);
  match.add_client("Ann");
  match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(10.0));

  base::Random random(seed);
  for (int second = 0; second < 10; ++second) {
    for (const auto& seat : match.seats()) {
      state::PlayerInput input;
      input.move_x = random.between(-0.7f, 0.7f);
      input.move_z = random.between(-0.7f, 0.7f);
      const auto body = static_cast<std::uint32_t>(3 + random.below(30));
      input.actions.push_back({state::ActionKind::Push, {body}, {}, {0, 100, 20}});
      input.actions.push_back({state::ActionKind::Shoot, {}, {0, 6, 0}, {0, -10, 1}});
      seat->client->set_input(input);
    }
    match.run_seconds(1.0);
  }
  for (const auto& seat : match.seats())
    seat->client->set_input({});
  match.run_seconds(6.0);

  for (const auto& seat : match.seats()) {
    ASSERT_EQ(seat->client->status().state, client::ClientState::Playing)
        << seat->client->status().text;
    const Match::Agreement agreement = match.agreement(*seat);
    EXPECT_EQ(agreement.different, 0U);
    EXPECT_GE(agreement.common, link.least_common);
    EXPECT_LT(match.largest_error(*seat), shown_tolerance);
  }
  // The link is fast enough for this small world, so the server sent every snapshot completely,
  // except one at most while a client begins to acknowledge.
  EXPECT_LE(match.server().metrics().snapshots_shortened, 1U);
  // Ten pushes and ten shots of each player arrived exactly once: 20 balls were spawned.
  std::size_t shots = 0;
  for (const state::BodyInfo& body : match.simulation().world_def().bodies) {
    shots += body.name == "shot" ? 1 : 0;
  }
  EXPECT_EQ(shots, 20U);
}

const Link links[] = {{"Perfect", faults(0, 0, 0), 900},
                      {"Distant", faults(0, 60'000, 5'000), 900},
                      {"FivePercentLoss", faults(0.05f, 30'000, 10'000), 850},
                      {"TwentyPercentLoss", faults(0.20f, 30'000, 10'000), 650},
                      {"EverythingAtOnce", everything_at_once(), 700}};

std::string name_of_row(const testing::TestParamInfo<Convergence::ParamType>& row) {
  return std::get<0>(row.param).name + "Seed" + std::to_string(std::get<1>(row.param));
}

INSTANTIATE_TEST_SUITE_P(Links, Convergence,
                         testing::Combine(testing::ValuesIn(links), testing::Values(1U)),
                         name_of_row);
INSTANTIATE_TEST_SUITE_P(Full, Convergence,
                         testing::Combine(testing::ValuesIn(links), testing::Values(2U, 3U)),
                         name_of_row);

TEST(Match, TheSameSeedGivesTheSameDatagrams) {
  const auto run = [](std::uint64_t seed) {
    MatchOptions options;
    options.seed = seed;
    options.faults = everything_at_once();
    Match match(options);
    match.add_client("Ann");
    match.add_client("Bob");
    match.run_seconds(5.0);
    return std::pair(match.network().event_hash(), match.simulation().hash().total);
  };
  EXPECT_EQ(run(4), run(4));
  EXPECT_NE(run(4).first, run(5).first);
}

TEST(Match, ARecordingOfALiveRunReplaysToTheSameHashes) {
  MatchOptions options;
  options.faults = faults(0.05f, 30'000, 10'000);
  options.server.is_sandbox = true;
  Match match(options);
  Seat& ann = match.add_client("Ann");
  match.add_client("Bob");
  match.run_seconds(3.0);
  state::PlayerInput input;
  input.move_x = 1;
  input.actions.push_back({state::ActionKind::Shoot, {}, {0, 6, 0}, {0, -10, 1}});
  ann.client->set_input(input);
  match.run_seconds(1.0);
  ann.client->request({state::ControlKind::Reset, 0});
  match.run_seconds(2.0);
  match.kill_client(1);
  match.run_seconds(8.0);
  match.close_recording();

  const auto recording = record::read_recording(match.recording());
  ASSERT_TRUE(recording.has_value()) << recording.error().text();
  EXPECT_TRUE(recording->is_closed);
  auto replay = record::start_replay(*recording);
  ASSERT_TRUE(replay.has_value()) << replay.error();
  const record::VerifyReport report = record::verify(*recording, **replay);
  EXPECT_FALSE(report.divergence.has_value());
  EXPECT_EQ(report.ticks, match.simulation().tick().number);
  EXPECT_EQ(report.last_hash, match.simulation().hash().total);
}

}  // namespace
}  // namespace jostle::match
