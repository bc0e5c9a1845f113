#include "client/controls/console_language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jostle::controls {
namespace {

using Lines = std::vector<std::string>;

TEST(ConsoleLanguage, ParsesEveryCommand) {
  const std::vector<std::pair<std::string, ConsoleCommand>> good{
      {"help", {ConsoleVerb::Help, 0, ""}},
      {"help rate", {ConsoleVerb::Help, 0, "rate"}},
      {"pause", {ConsoleVerb::Pause, 0, ""}},
      {" resume ", {ConsoleVerb::Resume, 0, ""}},
      {"step", {ConsoleVerb::Step, 1, ""}},
      {"step  20", {ConsoleVerb::Step, 20, ""}},
      {"rate 25", {ConsoleVerb::Rate, 25, ""}},
      {"reset", {ConsoleVerb::Reset, 0, ""}},
      {"gravity off", {ConsoleVerb::Gravity, 0, ""}},
      {"gravity on", {ConsoleVerb::Gravity, 1, ""}},
      {"scene pool", {ConsoleVerb::Scene, 0, "pool"}},
      {"scenes", {ConsoleVerb::Scenes, 0, ""}},
      {"draw-mode x-ray", {ConsoleVerb::Look, 0, "x-ray"}},
      {"debug-draw contacts,joints", {ConsoleVerb::DebugDraw, 0, "contacts,joints"}},
      {"debug-draw none", {ConsoleVerb::DebugDraw, 0, "none"}},
      {"ghosts on", {ConsoleVerb::Ghosts, 1, ""}},
      {"follow 37", {ConsoleVerb::Follow, 37, ""}},
      {"screenshot", {ConsoleVerb::Screenshot, 0, ""}},
      {"screenshot a.png", {ConsoleVerb::Screenshot, 0, "a.png"}},
      {"quit", {ConsoleVerb::Quit, 0, ""}}};
  for (const auto& [line, command] : good) {
    const auto read = parse_console(line);
    ASSERT_TRUE(read.has_value()) << line << ": " << read.error();
    EXPECT_EQ(*read, command) << line;
  }
}

TEST(ConsoleLanguage, ReportsWhatIsWrongWithALine) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "missing"},
      {"jump", "unknown command 'jump'"},
      {"pause now", "'now' is not expected; usage: pause"},
      {"rate", "missing; usage: rate PERCENT"},
      {"rate fast", "'fast' is not a whole number from 1 to 1000; usage: rate PERCENT"},
      {"rate 0", "from 1 to 1000"},
      {"rate -5", "1 to 1000"},
      {"step 100001", "1 to 100000"},
      {"gravity up", "'up' is neither on nor off; usage: gravity on|off"},
      {"draw-mode nice", "'nice' is not a draw mode; usage: draw-mode solid|edges|wireframe|x-ray"},
      {"debug-draw contacts,", "'' is not a layer"},
      {"debug-draw contacts,hats", "'hats' is not a layer: expected a list of aabbs, contacts, "},
      {"debug-draw contacts,all", "'all' cannot be combined with other layers"},
      {"scene", "missing; usage: scene NAME"},
      {"scene a b", "'b' is not expected"},
      {"screenshot my.scene.json",
       "'my.scene.json' does not end with .png; did you mean 'my.scene.json.png'?"},
      {"follow me", "'me' is not a whole number from 0 to 4294967295; usage: follow BODY"},
      {"help jump", "unknown command 'jump'"}};
  for (const auto& [line, words] : bad) {
    const auto read = parse_console(line);
    ASSERT_FALSE(read.has_value()) << line;
    EXPECT_NE(read.error().find(words), std::string::npos) << line << ": " << read.error();
  }
}

TEST(ConsoleLanguage, CompletesCommandsAndArguments) {
  const Lines scenes{"pool", "pyramid", "tower"};
  EXPECT_EQ(complete_console("re", scenes), (Lines{"resume", "reset"}));
  EXPECT_EQ(complete_console("gravity o", scenes), (Lines{"gravity off", "gravity on"}));
  EXPECT_EQ(complete_console("scene p", scenes), (Lines{"scene pool", "scene pyramid"}));
  EXPECT_EQ(complete_console("scene ", scenes).size(), 3U);
  EXPECT_EQ(complete_console("draw-mode w", scenes), (Lines{"draw-mode wireframe"}));
  EXPECT_EQ(complete_console("debug-draw contacts,ve", scenes),
            (Lines{"debug-draw contacts,velocities"}));
  EXPECT_EQ(complete_console("debug-draw a", scenes),
            (Lines{"debug-draw aabbs", "debug-draw all"}));
  EXPECT_EQ(complete_console("help qu", scenes), (Lines{"help quit"}));
  EXPECT_TRUE(complete_console("jump ", scenes).empty());
  EXPECT_TRUE(complete_console("scene pool ", scenes).empty());
  EXPECT_GT(complete_console("", scenes).size(), 10U);
}

TEST(ConsoleLanguage, HasHelpForEveryCommandAndCompletesToValidLines) {
  const Lines names = complete_console("", {});
  EXPECT_EQ(console_help("").size(), names.size() + 1);
  for (const std::string& name : names) {
    ASSERT_FALSE(console_help(name).empty());
    EXPECT_TRUE(console_help(name)[0].starts_with(name));
  }
  EXPECT_TRUE(console_help("jump").empty());
  EXPECT_EQ(console_help("pause"),
            (Lines{"pause\tpause the world *", "* needs an operator token, or jostled --sandbox"}));
  EXPECT_EQ(console_help("quit").size(), 1U);
  ASSERT_EQ(console_help("debug-draw").size(), 2U);
  EXPECT_TRUE(console_help("debug-draw")[1].starts_with("LAYER is one of aabbs, contacts, "));
}

}  // namespace
}  // namespace jostle::controls
