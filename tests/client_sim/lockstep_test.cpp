#include "client/sim/lockstep_peer.h"
#include "shared/base/random.h"
#include "shared/record/compare.h"
#include "shared/record/recording_reader.h"
#include "shared/record/replay.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace jostle::prediction {
namespace {

using match::Match;
using match::MatchOptions;
using match::Seat;

scene::SceneDef shipped_scene(const std::string& name) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return *scene::parse_scene(text, name);
}

MatchOptions lockstep_options(float loss, const std::string& scene = "crates") {
  MatchOptions options;
  options.scene = shipped_scene(scene);
  options.faults.latency_us = 20'000;
  options.faults.jitter_us = 2'000;
  options.faults.loss = loss;
  options.server.is_lockstep = true;
  return options;
}

/// A client in lockstep. act() gives it a new random input; play() calls act() every 0.5 s.
class Peer {
 public:
  Peer(Match& match, const std::string& name, std::uint64_t seed, record::FaultsByTick faults = {},
       protocol::Role role = protocol::Role::Player, std::uint32_t sync_test_ticks = 0)
      : engine({std::move(faults), sync_test_ticks}),
        seat_(match.add_client(name, role, {4'000, true})),
        random_(seed) {
    seat_.client->set_lockstep(&engine);
  }

  void act() {
    state::PlayerInput input;
    input.move_x = random_.between(-0.7f, 0.7f);
    input.move_z = random_.between(-0.7f, 0.7f);
    input.buttons = random_.chance(0.3f) ? state::button_push : std::uint16_t{0};
    if (random_.chance(0.3f)) {
      input.actions.push_back({state::ActionKind::Shoot,
                               {},
                               {random_.between(-3.0f, 3.0f), 4, 5},
                               {0, 0, random_.between(-9.0f, -3.0f)}});
    }
    seat_.client->set_input(input);
  }

  client::Client& client() { return *seat_.client; }
  LockstepPeer engine;

 private:
  Seat& seat_;
  base::Random random_;
};

void play(Match& match, const std::vector<Peer*>& peers, double seconds) {
  for (double done = 0; done < seconds; done += 0.5) {
    for (Peer* const peer : peers)
      peer->act();
    match.run_seconds(0.5);
  }
}

/// Returns the server's hash of each tick.
std::map<std::uint32_t, std::uint64_t> hashes_of(const Match& match) {
  const auto recording = record::read_recording(match.recording());
  std::map<std::uint32_t, std::uint64_t> hashes;
  for (const record::RecordedBlock& block : recording->blocks)
    for (const record::RecordedTick& tick : block.ticks)
      hashes[tick.commands.tick.number] = tick.hash.total;
  return hashes;
}

class Lockstep : public testing::TestWithParam<float> {};

TEST_P(Lockstep, ReproducesTheServersTicks) {
  Match match(lockstep_options(GetParam()));
  Peer ann(match, "Ann", 1), bob(match, "Bob", 2);
  ASSERT_TRUE(match.run_until_playing(10.0));
  play(match, {&ann, &bob}, 2.5);
  // Eve joins late: this spectator first receives the current simulation state, and then frames of
  // commands.
  Peer eve(match, "Eve", 3, {}, protocol::Role::Spectator);
  play(match, {&ann, &bob}, 5.5);
  EXPECT_FALSE(match.server().take_desync());
  match.close_recording();
  const auto hashes = hashes_of(match);
  for (Peer* const peer : {&ann, &bob, &eve}) {
    ASSERT_NE(peer->engine.simulation(), nullptr) << peer->engine.figures().text;
    const sim::Simulation& simulation = *peer->engine.simulation();
    EXPECT_EQ(simulation.hash().total, hashes.at(simulation.tick().number));
    EXPECT_LE(match.simulation().tick() - simulation.tick(), GetParam() > 0 ? 30 : 4);
    EXPECT_GT(peer->engine.figures().hashes, 15U);
    EXPECT_FALSE(peer->engine.figures().has_desynced);
    EXPECT_EQ(peer->client().status().state, client::ClientState::Playing);
    EXPECT_NEAR(peer->client().metrics().loss, GetParam(), 0.08);
    EXPECT_EQ(peer->client().metrics().loss > 0, GetParam() > 0);
    EXPECT_GT(peer->client().shown_bodies().size(), 200U);
  }
  EXPECT_EQ(match.server().metrics().snapshots_sent, 0U);
  EXPECT_GT(ann.client().metrics().lockstep.ticks, 400U);
}

/// Parameters: packet loss, and the tick of the injected fault. Peers report hashes every 16 ticks.
class LockstepFault : public testing::TestWithParam<std::tuple<float, std::uint32_t>> {};

TEST_P(LockstepFault, IsLocatedWithinTwoIntervalsOrThreeWithLoss) {
  record::FaultsByTick faults;
  const auto [loss, when] = GetParam();
  faults[{when}].push_back({{37}, "linear_velocity.y"});
  Match match(lockstep_options(loss));
  Peer ann(match, "Ann", 1), bob(match, "Bob", 2, faults), eve(match, "Eve", 3);
  ASSERT_TRUE(match.run_until_playing(10.0));
  std::optional<server::Desync> found;
  std::uint32_t found_at = 0;
  match.set_tick_hook([&] {
    if (found) return;
    found = match.server().take_desync();
    found_at = match.simulation().tick().number;
  });
  play(match, {&ann, &bob, &eve}, 3.5);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->peer, "Bob");
  EXPECT_EQ(found->report.tick.number, when);
  EXPECT_EQ(found->report.body.value, 37U);
  EXPECT_NE(found->report.text.find("linear_velocity.y"), std::string::npos) << found->report.text;
  EXPECT_NE(found->report.text.find("1 ulp apart"), std::string::npos) << found->report.text;
  EXPECT_LE(found_at - when, loss > 0 ? 48U : 32U) << "the loss of a message delays it";
  EXPECT_TRUE(bob.engine.figures().has_desynced);
  EXPECT_EQ(bob.engine.figures().text, found->report.text);
  EXPECT_FALSE(ann.engine.figures().has_desynced);
  EXPECT_FALSE(match.server().take_desync()) << "reported once";

  // Bob's recording must replay to the same hashes, and a comparison with the server's recording
  // must find the tick and the body of the fault.
  match.close_recording();
  const auto theirs = record::read_recording(bob.engine.recording()->bytes);
  ASSERT_TRUE(theirs);
  auto replay = record::start_replay(*theirs);
  ASSERT_TRUE(replay);
  EXPECT_FALSE(record::verify(*theirs, **replay).divergence);
  const auto ours = record::read_recording(match.recording());
  const auto comparison = record::compare(*ours, *theirs);
  ASSERT_TRUE(comparison) << comparison.error();
  EXPECT_EQ(comparison->hashes_differ, state::Tick{when});
  ASSERT_FALSE(comparison->states.bodies.empty());
  EXPECT_EQ(comparison->states.bodies.front().value, 37U);
}

INSTANTIATE_TEST_SUITE_P(Losses, Lockstep, testing::Values(0.0f, 0.1f));
INSTANTIATE_TEST_SUITE_P(Losses, LockstepFault,
                         testing::Combine(testing::Values(0.0f, 0.1f),
                                          testing::Values(129U, 137U, 144U)));

TEST(LockstepSyncTest, DetectsStateChangesOutsideOfCommands) {
  MatchOptions options = lockstep_options(0.05f);
  options.server.sync_test_ticks = 8;
  Match match(options);
  record::FaultsByTick faults;
  faults[{100}].push_back({{37}, "linear_velocity.y"});
  Peer ann(match, "Ann", 1, {}, protocol::Role::Player, 5),
      bob(match, "Bob", 2, faults, protocol::Role::Player, 5);
  ASSERT_TRUE(match.run_until_playing(10.0));
  play(match, {&ann, &bob}, 2.5);
  EXPECT_GT(match.server().sync_test().checked(), 125U);
  EXPECT_FALSE(match.server().sync_test().mismatch());
  EXPECT_GT(ann.engine.sync_test().checked(), 100U);
  EXPECT_FALSE(ann.engine.sync_test().mismatch());
  EXPECT_EQ(bob.engine.sync_test().mismatch(), state::Tick{100});
}

TEST(LockstepPlayers, LoseNoInputsThatExceedAMessage) {
  MatchOptions options = lockstep_options(0.02f);
  options.server.max_players = 16;
  Match match(options);
  std::vector<std::unique_ptr<Peer>> peers;
  for (std::uint64_t i = 0; i < 14; ++i)
    peers.push_back(std::make_unique<Peer>(match, "P" + std::to_string(i), i));
  ASSERT_TRUE(match.run_until_playing(20.0));
  state::PlayerInput much;
  much.custom.assign(state::max_custom_bytes, std::byte{1});
  for (std::size_t i = 0; i < state::max_actions_per_input; ++i)
    much.actions.push_back({state::ActionKind::Push, {5}, {}, {0, 1, 0}});
  for (int round = 0; round < 3; ++round) {
    for (const auto& peer : peers)
      peer->client().set_input(much);
    match.run_seconds(0.5);
  }
  EXPECT_FALSE(match.server().take_desync());
  for (const auto& peer : peers) {
    EXPECT_EQ(peer->client().status().state, client::ClientState::Playing);
    EXPECT_GT(peer->engine.figures().hashes, 1U);
    EXPECT_LE(match.simulation().tick() - peer->engine.simulation()->tick(), 30);
  }
}

/// The client requests the simulation state before the server sends its first snapshot, which the
/// snapshot interval of 10 ticks delays. The client must start from this state alone.
TEST(LockstepJoin, NeedsNoSnapshot) {
  MatchOptions options = lockstep_options(0);
  options.faults.latency_us = 1'000;
  options.faults.jitter_us = 0;
  options.server.snapshot_interval_ticks = 10;
  Match match(options);
  match.run_seconds(0.02);
  Peer ann(match, "Ann", 1), eve(match, "Eve", 2, {}, protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(3.0));
  play(match, {&ann}, 2);
  EXPECT_FALSE(match.server().take_desync());
  EXPECT_GT(eve.engine.figures().hashes, 3U);
}

TEST(LockstepRefusal, IsReportedByASnapshotServer) {
  MatchOptions options = lockstep_options(0);
  options.server.is_lockstep = false;
  Match match(options);
  Peer ann(match, "Ann", 1);
  match.run_seconds(2);
  EXPECT_EQ(ann.client().status().state, client::ClientState::Failed);
  EXPECT_NE(ann.client().status().text.find("does not support lockstep"), std::string::npos)
      << ann.client().status().text;
}

TEST(LockstepAndSnapshots, ServeClientsOfBothKindsTogether) {
  Match match(lockstep_options(0.05f));
  Peer ann(match, "Ann", 1);
  Seat& thin = match.add_client("Bob");
  ASSERT_TRUE(match.run_until_playing(10.0));
  play(match, {&ann}, 5);
  EXPECT_GT(match.agreement(thin).common, 200U);
  EXPECT_EQ(match.agreement(thin).different, 0U);
  EXPECT_FALSE(match.server().take_desync());
  EXPECT_GT(ann.engine.figures().hashes, 10U);
}

TEST(LockstepAndControls, ContinuesThroughPauseResetAndReconnect) {
  MatchOptions options = lockstep_options(0);
  options.server.is_sandbox = true;
  Match match(options);
  Peer ann(match, "Ann", 1);
  ASSERT_TRUE(match.run_until_playing(10.0));
  play(match, {&ann}, 1);
  ann.client().request({state::ControlKind::Pause, 0});
  match.run_seconds(1);
  ann.client().request({state::ControlKind::Resume, 0});
  ann.client().request({state::ControlKind::Reset, 0});
  play(match, {&ann}, 2);
  EXPECT_FALSE(match.server().take_desync());
  EXPECT_LE(match.simulation().tick() - ann.engine.simulation()->tick(), 4);
  match.kill_server();
  match.run_seconds(1);
  match.start_server();
  ASSERT_TRUE(match.run_until_playing(20.0));
  play(match, {&ann}, 2);
  EXPECT_FALSE(match.server().take_desync());
  EXPECT_LE(match.simulation().tick() - ann.engine.simulation()->tick(), 4);
}

}  // namespace
}  // namespace jostle::prediction
