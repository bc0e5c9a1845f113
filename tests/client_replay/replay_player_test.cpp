#include "client/replay/replay_player.h"

#include "shared/record/recording_reader.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/scene/scene.h"
#include "shared/sim/default_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace jostle::replay {
namespace {

constexpr std::uint32_t tick_count = 700;

/// Returns a recording of the scene `tower` with `ticks` ticks. A player shoots at the tower in
/// tick `shot_at`.
record::Recording record_tower(std::uint32_t shot_at, std::uint32_t ticks) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/scenes/tower.scene.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  sim::Simulation simulation(*scene::parse_scene(text, "tower"), {60, 3}, sim::default_rules());
  std::vector<std::byte> bytes;
  record::RecordingWriter writer(simulation, record::rule_names(sim::default_rules()), "tower",
                                 [&](std::span<const std::byte> part) {
                                   bytes.insert(bytes.end(), part.begin(), part.end());
                                   return true;
                                 });
  for (std::uint32_t i = 1; i <= ticks; ++i) {
    state::TickCommands commands{{i}, {}};
    if (i == 1) commands.commands.emplace_back(state::JoinCommand{{1}, "Ann"});
    if (i == shot_at) {
      state::PlayerInput input;
      input.tick = {i};
      input.actions.push_back({state::ActionKind::Shoot, {}, {0, 3, 8}, {0, 0, -25}});
      commands.commands.emplace_back(state::InputCommand{{1}, input});
    }
    simulation.step(commands);
    writer.add_tick(commands, simulation, {});
  }
  writer.close(simulation);
  return *record::read_recording(bytes);
}

/// Returns the recording that record_tower() makes from these arguments. Each recording is made
/// once and shared by the tests, because recording takes most of their time.
const record::Recording& recorded(std::uint32_t shot_at, std::uint32_t ticks = tick_count) {
  static std::map<std::pair<std::uint32_t, std::uint32_t>, record::Recording> known;
  const auto at = known.find({shot_at, ticks});
  if (at != known.end()) return at->second;
  return known[{shot_at, ticks}] = record_tower(shot_at, ticks);
}

std::unique_ptr<ReplayPlayer> player_of(record::Recording shown,
                                        std::optional<record::Recording> other = std::nullopt) {
  auto player = ReplayPlayer::create(std::move(shown), std::move(other));
  EXPECT_TRUE(player) << player.error();
  return *std::move(player);
}

bool always() {
  return true;
}

TEST(ReplayPlayer, PlaysInRealTimeAndStopsAtTheEnd) {
  const auto player = player_of(recorded(50));
  EXPECT_FALSE(player->is_playing());
  player->advance(1, always);
  EXPECT_EQ(player->tick(), state::Tick{0});
  player->toggle();
  for (int frame = 0; frame < 144; ++frame)
    player->advance(1.0 / 144, always);
  EXPECT_NEAR(player->tick().number, 60, 1);
  player->change_rate(1);
  EXPECT_EQ(player->rate(), 2);
  for (int frame = 0; frame < 60; ++frame)
    player->advance(1.0 / 60, always);
  EXPECT_NEAR(player->tick().number, 180, 2);
  player->change_rate(100);
  player->advance(1'000, always);
  EXPECT_EQ(player->tick(), player->last());
  EXPECT_FALSE(player->is_playing());
  player->toggle();  // restarts from the beginning
  EXPECT_TRUE(player->is_playing());
  EXPECT_EQ(player->wanted(), player->first());
}

TEST(ReplayPlayer, ReportsOnABodyOfTheDisplayedTick) {
  const auto player = player_of(recorded(50));
  player->seek({40});
  player->advance(1, always);
  const auto& bodies = player->scene().bodies;
  const auto brick = std::ranges::find_if(bodies, [](const client::ShownBody& body) {
    return body.info->motion == state::MotionType::Dynamic && body.info->owner.is_null();
  });
  ASSERT_NE(brick, bodies.end());
  const state::BodyId id = brick->info->id;
  const state::BodyReport* const before = player->report(id);
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->tick, state::Tick{40});
  EXPECT_EQ(before->body, id);
  EXPECT_GT(before->mass, 0);
  EXPECT_GT(before->island_bodies, 10U) << "the tower stands";
  EXPECT_EQ(player->report({4'000'000'000U}), nullptr);
  player->seek({41});
  player->advance(1, always);
  EXPECT_EQ(player->report(id)->tick, state::Tick{41});
  // The velocity is that of the simulated tick. It must not depend on the tick that was displayed
  // before.
  player->seek({60});  // the shot has hit
  player->advance(1, always);
  const auto fastest = [&] {
    float speed = 0;
    for (const client::ShownBody& body : player->scene().bodies)
      if (const auto velocity = player->velocity(body.info->id))
        speed = std::max(speed, math::length(velocity->linear));
    return speed;
  };
  const float speed = fastest();
  EXPECT_GT(speed, 1);
  player->step(1);
  player->advance(0, always);
  player->step(-1);
  player->advance(0, always);
  EXPECT_EQ(fastest(), speed);
  EXPECT_FALSE(player->velocity({4'000'000'000U}));
}

TEST(ReplayPlayer, PlaysOneTickPerSecondAtTheSlowestSpeed) {
  const auto player = player_of(recorded(50));
  player->change_rate(-100);
  player->toggle();
  std::uint32_t last = 0;
  for (int frame = 0; frame < 605; ++frame) {
    player->advance(1.0 / 60, always);
    EXPECT_LE(player->tick().number, last + 1);
    last = player->tick().number;
  }
  EXPECT_EQ(last, 10U);
}

TEST(ReplayPlayer, KeepsPlayingWhenSeekingAndPausesWhenStepping) {
  const auto player = player_of(recorded(50));
  player->seek({300});
  player->advance(1, always);
  EXPECT_EQ(player->tick(), state::Tick{300});
  EXPECT_FALSE(player->is_playing());
  player->toggle();
  player->seek({100});
  EXPECT_TRUE(player->is_playing());
  player->advance(0, always);
  EXPECT_EQ(player->tick(), state::Tick{100});
  player->step(-1);
  player->advance(1, always);
  EXPECT_FALSE(player->is_playing());
  EXPECT_EQ(player->tick(), state::Tick{99});
  player->step(5);
  player->advance(0, always);
  EXPECT_EQ(player->tick(), state::Tick{104});
  player->step(-1'000'000);
  EXPECT_EQ(player->wanted(), player->first());
  player->step(1'000'000);
  EXPECT_EQ(player->wanted(), player->last());
}

TEST(ReplayPlayer, SeeksInPartsWhilePlaybackTimeWaits) {
  const auto player = player_of(recorded(50));
  player->toggle();
  player->seek({400});
  int rounds = 0;
  while (!player->is_there()) {
    player->advance(0.1, [] { return false; });  // one tick per iteration
    ++rounds;
  }
  EXPECT_EQ(rounds, 400);
  EXPECT_EQ(player->tick(), state::Tick{400});
  EXPECT_TRUE(player->is_playing());
}

TEST(ReplayPlayer, ShowsDifferencesToTheOtherRecording) {
  const auto player = player_of(recorded(50), recorded(80));
  ASSERT_FALSE(player->differing().empty());
  EXPECT_EQ(player->differing().front().first, state::Tick{50});
  player->seek({49});
  player->advance(0, always);
  ASSERT_NE(player->difference(), nullptr);
  EXPECT_EQ(player->difference()->bodies, 0U);
  EXPECT_TRUE(player->difference()->ghosts.empty());
  player->toggle();
  EXPECT_TRUE(player->seek_difference());
  EXPECT_FALSE(player->is_playing());
  player->advance(0, always);
  EXPECT_EQ(player->tick(), state::Tick{50});
  EXPECT_GE(player->difference()->bodies, 1U);  // the ball exists only in this recording
  player->seek({150});
  player->advance(0, always);
  EXPECT_FALSE(player->difference()->ghosts.empty());
  EXPECT_GT(player->difference()->distance, 0.01f);
}

TEST(ReplayPlayer, ReportsNoDifferenceBeyondTheEndOfTheOtherRecording) {
  const auto player = player_of(recorded(50), recorded(50, 200));
  EXPECT_TRUE(player->differing().empty());
  player->seek({200});
  player->advance(0, always);
  EXPECT_NE(player->difference(), nullptr);
  player->seek({201});
  player->advance(0, always);
  EXPECT_TRUE(player->is_there());
  EXPECT_EQ(player->difference(), nullptr);
  EXPECT_FALSE(player->seek_difference());
}

TEST(ReplayPlayer, ReportsWhetherATickMatchesTheRecording) {
  record::Recording recording = recorded(50);
  recording.blocks[0].ticks[299].hash.total ^= 1;
  const auto player = player_of(std::move(recording));
  EXPECT_FALSE(player->matches_recording());
  player->seek({299});
  player->advance(0, always);
  EXPECT_EQ(player->matches_recording(), true);
  EXPECT_TRUE(player->diverged().empty());
  player->step(1);
  player->advance(0, always);
  EXPECT_EQ(player->matches_recording(), false);
  EXPECT_EQ(player->diverged(), (std::vector<record::TickRange>{{{300}, {300}}}));
  player->step(1);
  player->advance(0, always);
  EXPECT_EQ(player->matches_recording(), true);
  EXPECT_TRUE(player->seek_difference());
  EXPECT_EQ(player->wanted(), state::Tick{300});
}

TEST(ReplayPlayer, RefusesToCompareRecordingsOfDifferentScenes) {
  record::Recording other = recorded(50, 10);
  other.header.scene_hash += 1;
  const auto player = ReplayPlayer::create(recorded(50, 10), std::move(other));
  ASSERT_FALSE(player);
  EXPECT_NE(player.error().find("different scenes"), std::string::npos) << player.error();
}

}  // namespace
}  // namespace jostle::replay
