// End-to-end tests of codec 3 (simulation-predicted baselines) between server and client.
#include "client/sim/world_predictor.h"
#include "protocol/control_codec.h"
#include "shared/base/random.h"
#include "tests/client_sim/predicting.h"
#include "tools/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace jostle::prediction {
namespace {

using match::Match;
using match::MatchOptions;
using match::Seat;

MatchOptions options_of_prediction_baseline(const std::string& scene, bool uses_prediction_baseline,
                                            float loss) {
  MatchOptions options;
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/" + scene + ".scene.json");
  options.scene = match::scene_of(
      std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()));
  options.faults.latency_us = 25'000;
  options.faults.loss = loss;
  options.faults.jitter_us = loss > 0 ? 5'000 : 0;
  options.is_recorded = false;
  options.server.uses_prediction_baseline = uses_prediction_baseline;
  options.server.is_sandbox = true;
  return options;
}

/// Returns the number of messages and bytes of `kind` that the client has received.
net::TrafficLine taken(const Seat& seat, const std::string& kind) {
  for (const net::TrafficLine& line : net::lines_of(seat.transport->counters().received))
    if (line.name == kind) return line;
  return {};
}

void stir_for(Match& match, Seat& seat, double seconds, std::uint64_t seed) {
  base::Random random(seed);
  for (double done = 0; done < seconds; done += 0.5) {
    state::PlayerInput input;
    input.move_x = static_cast<float>(random.below(3)) * 0.7f - 0.7f;
    input.move_z = static_cast<float>(random.below(3)) * 0.7f - 0.7f;
    input.buttons = random.chance(0.7f) ? state::button_pull : std::uint16_t{0};
    seat.client->set_input(input);
    match.run_seconds(0.5);
  }
}

TEST(PredictedBaseline, DecodesSnapshotsExactly) {
  for (const float loss : {0.0f, 0.1f}) {
    SCOPED_TRACE(loss);
    Match match(options_of_prediction_baseline("katamari", true, loss));
    Seat& seat = add_predicting(match, "ahead");
    Seat& thin = match.add_client("thin", protocol::Role::Spectator, {4'000, true});
    ASSERT_TRUE(match.run_until_playing(10));
    stir_for(match, seat, 4, 5);
    for (Seat* each : {&seat, &thin}) {
      const Match::Agreement agreement = match.agreement(*each);
      EXPECT_GT(agreement.common, 175U);
      EXPECT_EQ(agreement.different, 0U);
      EXPECT_EQ(each->client->metrics().parts_refused, 0U);
    }
    EXPECT_GT(taken(seat, "JSN3").messages, 125U);
    EXPECT_EQ(taken(thin, "JSN3").messages, 0U) << "it has no engine";
    EXPECT_GT(taken(thin, "JSN2").messages, 125U);
  }
}

TEST(PredictedBaseline, ReducesSnapshotBytes) {
  std::uint64_t bytes[2] = {};
  for (const bool uses_prediction_baseline : {false, true}) {
    Match match(options_of_prediction_baseline("katamari", uses_prediction_baseline, 0));
    Seat& seat = add_predicting(match, "ahead");
    ASSERT_TRUE(match.run_until_playing(10));
    match.run_seconds(2);
    const auto all = [&] { return taken(seat, "JSN2").bytes + taken(seat, "JSN3").bytes; };
    const std::uint64_t before = all();
    stir_for(match, seat, 6, 5);
    bytes[uses_prediction_baseline ? 1 : 0] = all() - before;
  }
  EXPECT_LT(bytes[1], 0.95 * static_cast<double>(bytes[0])) << "headers of 48 B included";
}

TEST(PredictedBaseline, ContinuesThroughJoinsResetsAndSceneChanges) {
  MatchOptions options = options_of_prediction_baseline("crates", true, 0.02f);
  options.scenes.entries = {{"match", "Crates that fall."}};
  options.scenes.load = [](const std::string&) -> base::Result<scene::SceneDef, std::string> {
    return match::scene_of(match::match_scene);
  };
  Match match(options);
  Seat& seat = add_predicting(match, "ahead");
  ASSERT_TRUE(match.run_until_playing(10));
  const auto predicted_in = [&](double seconds) {
    match.run_seconds(1);
    const std::uint64_t before = taken(seat, "JSN3").messages;
    stir_for(match, seat, seconds, 8);
    return taken(seat, "JSN3").messages - before;
  };
  EXPECT_GT(predicted_in(1), 30U);
  match.add_client("other");
  ASSERT_TRUE(match.run_until_playing(10));
  EXPECT_GT(predicted_in(1), 30U);
  seat.client->request({state::ControlKind::Reset, 0});
  EXPECT_GT(predicted_in(1), 30U);
  seat.client->load_scene("match");
  EXPECT_GT(predicted_in(1), 30U);
  EXPECT_EQ(match.agreement(seat).different, 0U);
}

// If the client's offer contains the fingerprint of another engine or the hash of another scene,
// the server stops using codec 3 for this client.
TEST(PredictedBaseline, IsNotUsedForAnotherEngineOrScene) {
  Match match(options_of_prediction_baseline("katamari", true, 0));
  Seat& seat = add_predicting(match, "ahead");
  ASSERT_TRUE(match.run_until_playing(10));
  match.run_seconds(1);
  ASSERT_GT(taken(seat, "JSN3").messages, 0U);
  const auto scene_hash = scene::hash(match.simulation().scene());
  for (const protocol::PredictionBaselineOffer& offer :
       {protocol::PredictionBaselineOffer{prediction_baseline::fingerprint() + 1, scene_hash},
        protocol::PredictionBaselineOffer{prediction_baseline::fingerprint(), scene_hash + 1}}) {
    seat.transport->send(net::PeerId{1}, net::Channel::Control, protocol::encode_control(offer));
    match.run_seconds(0.5);
    const std::uint64_t before = taken(seat, "JSN3").messages;
    match.run_seconds(1);
    EXPECT_EQ(taken(seat, "JSN3").messages, before);
  }
}

}  // namespace
}  // namespace jostle::prediction
