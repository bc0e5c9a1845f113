#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <string>

// Tests of clients that use the profiles fine and lossless.

namespace jostle::match {
namespace {

using protocol::Profile;

struct ProfileCase {
  Profile profile = Profile::Lossless;
  double loss = 0;
};
void PrintTo(const ProfileCase& row, std::ostream* out) {
  *out << protocol::profile_names[static_cast<std::size_t>(row.profile)] << " at loss " << row.loss;
}

/// The server's state of every tick, for comparison with what a client received.
class Truth {
 public:
  explicit Truth(Match& match) : match_(match) {
    match.set_tick_hook([this] {
      state::Snapshot now = match_.simulation().capture();
      states_[now.tick.number] = std::move(now);
    });
  }

  void expect_told(const client::Client& client, Profile profile) {
    const auto received = client.newest_states();
    if (!received) return;
    const state::Snapshot& truth = states_.at(received->tick.number);
    ++compared_;
    if (profile == Profile::Lossless) {
      ASSERT_EQ(*received, truth);
      return;
    }
    ASSERT_EQ(received->bodies.size(), truth.bodies.size());
    for (std::size_t i = 0; i < truth.bodies.size(); ++i) {
      const state::BodyState &a = received->bodies[i], &b = truth.bodies[i];
      ASSERT_EQ(a.id, b.id);
      ASSERT_LE(length(a.pose.position - b.pose.position), 2.2e-4f);
      ASSERT_LE(length(a.linear_velocity - b.linear_velocity), 2.2e-4f);
      ASSERT_LE(length(a.angular_velocity - b.angular_velocity), 2.2e-4f);
      ASSERT_GT(std::abs(dot(a.pose.rotation, b.pose.rotation)), 1 - 5e-7f);
      ASSERT_EQ(a.is_awake, b.is_awake);
    }
  }
  std::size_t compared() const { return compared_; }

 private:
  Match& match_;
  std::map<std::uint32_t, state::Snapshot> states_;
  std::size_t compared_ = 0;
};

scene::SceneDef shipped_scene(const std::string& name) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + name + ".scene.json");
  return scene_of(
      std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()));
}

class PreciseProfiles : public ::testing::TestWithParam<ProfileCase> {};

// Bodies roll, are shot, spawn and despawn. In half of the cases, the network loses and reorders
// packets.
TEST_P(PreciseProfiles, ClientStatesMatchTheServers) {
  const auto [profile, loss] = GetParam();
  MatchOptions options;
  options.profile = profile;
  options.faults.latency_us = 30'000;
  options.faults.jitter_us = loss > 0 ? 20'000 : 0;
  options.faults.loss = loss;
  options.is_recorded = false;
  options.scene = shipped_scene("crates");
  Match match(options);
  Truth truth(match);
  Seat& ann = match.add_client("Ann");
  const Seat& ben = match.add_client("Ben", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(10.0));
  const std::array<const Seat*, 2> both{&ann, &ben};
  for (int i = 0; i < 250; ++i) {
    state::PlayerInput input;
    input.move_x = i % 20 < 10 ? 1.0f : -1.0f;
    if (i % 50 == 49) {
      state::Action shot;
      shot.kind = state::ActionKind::Shoot;
      shot.point = {0, 3, 0};
      shot.vector = {5, 5, 0};
      input.actions.push_back(shot);
    }
    ann.client->set_input(input);
    match.run_seconds(0.04);
    for (const Seat* seat : both) {
      truth.expect_told(*seat->client, profile);
      if (HasFatalFailure()) FAIL() << "after " << i << " looks, " << seat->name;
    }
  }
  EXPECT_GT(truth.compared(), 480U);

  EXPECT_EQ(ann.client->metrics().parts_refused, 0U);
  EXPECT_GT(ann.client->metrics().snapshots_complete, loss > 0 ? 120U : 540U);
  EXPECT_GT(match.simulation().world_def().revision, 1U)
      << "bodies should have spawned or despawned";
}
INSTANTIATE_TEST_SUITE_P(Links, PreciseProfiles,
                         ::testing::Values(ProfileCase{Profile::Fine, 0},
                                           ProfileCase{Profile::Lossless, 0},
                                           ProfileCase{Profile::Fine, 0.1},
                                           ProfileCase{Profile::Lossless, 0.1}));

// The hashes are those that are also compared for clients with the profile visual.
TEST(Profiles, ALosslessClientHasTheServersHashes) {
  MatchOptions options;
  options.profile = Profile::Lossless;
  Match match(options);
  const Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(5.0);
  const Match::Agreement agreement = match.agreement(ann);
  EXPECT_GT(agreement.common, 280U);
  EXPECT_EQ(agreement.different, 0U);
}

// Interpolation between two exact states of a resting body must be exact.
TEST(Profiles, BodiesAtRestAreShownExactlyInPlace) {
  MatchOptions options;
  options.profile = Profile::Lossless;
  Match match(options);
  const Seat& ann = match.add_client("Ann", protocol::Role::Spectator);
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(20.0);
  const state::Snapshot now = match.simulation().capture();
  std::size_t resting = 0;
  for (const client::ShownBody& body : ann.client->shown_bodies()) {
    for (const state::BodyState& truth : now.bodies) {
      if (truth.id != body.info->id || truth.is_awake) continue;
      EXPECT_EQ(body.pose, truth.pose);
      ++resting;
    }
  }
  EXPECT_GT(resting, 0U);
}

TEST(Profiles, ALosslessClientSurvivesAResetAndAServerRestart) {
  MatchOptions options;
  options.profile = Profile::Lossless;
  options.server.is_sandbox = true;
  options.is_recorded = false;
  Match match(options);
  const Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(5.0));
  match.run_seconds(2.0);
  ann.client->request({state::ControlKind::Reset, 0});
  match.run_seconds(2.0);
  Truth truth(match);
  match.run_seconds(1.0);
  truth.expect_told(*ann.client, Profile::Lossless);
  EXPECT_EQ(truth.compared(), 1U);
  match.set_tick_hook({});
  match.kill_server();
  match.run_seconds(1.0);
  match.start_server();
  ASSERT_TRUE(match.run_until_playing(20.0));
  match.run_seconds(2.0);
  const auto received = ann.client->newest_states();
  ASSERT_TRUE(received.has_value());
  EXPECT_LT(match.simulation().tick() - received->tick, 20);
}

// A player pushes 901 cubes around, which needs more bytes than the rate limit allows. Snapshots
// must arrive as often as the limit allows, and each must be complete and correct.
TEST(Profiles, LosslessSnapshotsAreLessFrequentOnAThinLink) {
  MatchOptions options;
  options.profile = Profile::Lossless;
  options.scene = shipped_scene("katamari");
  options.is_recorded = false;
  options.server.max_client_bytes_per_second = 8'000;
  Match match(options);
  Truth truth(match);
  Seat& ann = match.add_client("Ann");
  ASSERT_TRUE(match.run_until_playing(20.0));
  const auto turn = [&](int tenths) {
    state::PlayerInput input;
    input.move_x = std::cos(0.1f * static_cast<float>(tenths));
    input.move_z = std::sin(0.1f * static_cast<float>(tenths));
    input.buttons = tenths % 20 < 15 ? state::button_pull : state::button_push;
    ann.client->set_input(input);
  };
  turn(0);
  match.run_seconds(3.0);
  const std::uint64_t before = ann.client->metrics().snapshots_complete;
  const std::uint64_t bytes_before = ann.client->metrics().bytes_down;
  for (int i = 0; i < 100; ++i) {
    turn(i);
    match.run_seconds(0.1);
    truth.expect_told(*ann.client, Profile::Lossless);
    if (HasFatalFailure()) FAIL() << i;
  }
  const std::uint64_t snapshots = ann.client->metrics().snapshots_complete - before;
  EXPECT_GT(snapshots, 30U);
  EXPECT_LT(snapshots, 500U) << "the link did not limit the rate";
  EXPECT_LT(ann.client->metrics().bytes_down - bytes_before, 10'000U * 10U);
  EXPECT_EQ(ann.client->status().state, client::ClientState::Playing);
}

}  // namespace
}  // namespace jostle::match
