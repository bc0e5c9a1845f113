// Tests of the messages to clients that run the simulation themselves.
#include "server/simulation_stream.h"

#include "protocol/control_codec.h"
#include "protocol/limits.h"

#include <gtest/gtest.h>

#include <optional>
#include <variant>

namespace jostle::server {
namespace {

constexpr state::PlayerId ann{1}, bob{2};

state::InputCommand walk(state::PlayerId player, float x, std::uint16_t buttons = 0) {
  state::InputCommand command{player, {}};
  command.input.tick = {7};
  command.input.move_x = x;
  command.input.buttons = buttons;
  return command;
}

state::TickCommands read(const std::vector<std::byte>& bytes) {
  auto message = protocol::decode_control(bytes, protocol::max_control_message_bytes);
  EXPECT_TRUE(message.has_value());
  return std::get<state::TickCommands>(*message);
}

/// Returns the commands of a tick as a client decodes them, or nullopt if nothing was sent.
std::optional<state::TickCommands> sent(SimulationStream& feed, std::uint32_t tick,
                                        std::vector<state::Command> commands) {
  const auto news = feed.commands_of({{tick}, std::move(commands)});
  EXPECT_LE(news.size(), 1U);
  if (news.empty()) return std::nullopt;
  return read(news[0]);
}

TEST(SimulationStream, SendsHeldInputsOnlyWhenTheyChange) {
  SimulationStream feed;
  EXPECT_FALSE(sent(feed, 1, {}));
  const auto first = sent(feed, 2, {walk(ann, 0.5f)});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->tick.number, 2U);
  EXPECT_EQ(first->commands, (std::vector<state::Command>{walk(ann, 0.5f)}));
  EXPECT_FALSE(sent(feed, 3, {walk(ann, 0.5f)})) << "nothing has changed";
  const auto both = sent(feed, 4, {walk(ann, 0.5f), walk(bob, 0, state::button_pull)});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->commands.size(), 1U) << "only Bob's input has changed";
  const auto idle = sent(feed, 5, {walk(bob, 0, state::button_pull)});
  ASSERT_TRUE(idle);
  ASSERT_EQ(idle->commands.size(), 1U);
  const auto& stop = std::get<state::InputCommand>(idle->commands[0]);
  EXPECT_EQ(stop.player, ann);
  EXPECT_EQ(stop.input.move_x, 0);
}

TEST(SimulationStream, SendsInputsInTheOrderOfPlayers) {
  SimulationStream feed;
  ASSERT_TRUE(sent(feed, 1, {walk(ann, 1)}));
  const auto news = sent(feed, 2, {walk(bob, 1)});  // Ann has released her input
  ASSERT_TRUE(news);
  ASSERT_EQ(news->commands.size(), 2U);
  EXPECT_EQ(std::get<state::InputCommand>(news->commands[0]).player, ann);
  EXPECT_EQ(std::get<state::InputCommand>(news->commands[1]), walk(bob, 1));
}

TEST(SimulationStream, SendsEveryPushAndShotButNoDrags) {
  SimulationStream feed;
  state::InputCommand command = walk(ann, 1);
  command.input.actions = {{state::ActionKind::Push, {3}, {}, {0, 9, 0}},
                           {state::ActionKind::Grab, {3}, {}, {0, 2, 0}},
                           {state::ActionKind::Shoot, {}, {1, 1, 1}, {0, 0, 5}}};
  for (std::uint32_t tick = 1; tick < 3; ++tick) {
    const auto news = sent(feed, tick, {command});
    ASSERT_TRUE(news);
    const auto& input = std::get<state::InputCommand>(news->commands[0]).input;
    ASSERT_EQ(input.actions.size(), 2U);
    EXPECT_EQ(input.actions[0].kind, state::ActionKind::Push);
    EXPECT_EQ(input.actions[1].kind, state::ActionKind::Shoot);
  }
  state::InputCommand drags = walk(ann, 1);
  drags.input.actions = {{state::ActionKind::Grab, {3}, {}, {0, 2, 0}}};
  EXPECT_FALSE(sent(feed, 3, {drags}));
}

TEST(SimulationStream, SendsJoinsLeavesAndControlsUnchanged) {
  SimulationStream feed;
  const std::vector<state::Command> commands{state::JoinCommand{bob, "Bob"},
                                             state::LeaveCommand{ann},
                                             state::ControlCommand{state::ControlKind::Pause, 0}};
  const auto news = sent(feed, 9, commands);
  ASSERT_TRUE(news);
  EXPECT_EQ(news->commands, commands);
}

TEST(SimulationStream, SplitsManyCommandsIntoSeveralMessages) {
  SimulationStream feed;
  std::vector<state::Command> commands;
  for (std::uint16_t i = 1; i < 400; ++i)
    commands.emplace_back(state::JoinCommand{{i}, std::string(protocol::max_name_bytes, 'n')});
  for (std::uint16_t i = 1; i < 400; ++i) {
    state::InputCommand command = walk({i}, 1);
    command.input.actions.assign(state::max_actions_per_input,
                                 {state::ActionKind::Push, {3}, {}, {0, 9, 0}});
    commands.emplace_back(command);
  }
  std::vector<state::Command> read_back;
  for (const auto& message : feed.commands_of({{7}, commands})) {
    const state::TickCommands part = read(message);
    EXPECT_EQ(part.tick.number, 7U);
    read_back.insert(read_back.end(), part.commands.begin(), part.commands.end());
  }
  EXPECT_EQ(read_back, commands);
}

}  // namespace
}  // namespace jostle::server
