#include "client/app/window_commands.h"

#include "tests/client_app/studio.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jostle::client_app {
namespace {

using controls::Command;

class WindowCommands : public StudioTest<64, 64> {
 protected:
  bool execute(Command command) {
    return execute_window_command(
        command, {.window = studio_->window(),
                  .live = live_,
                  .choice = choice_,
                  .is_quit = is_quit_,
                  .toggle = [this](panels::Panel panel) { toggled_.push_back(panel); },
                  .toggle_panels = [this] { said_.emplace_back("panels"); },
                  .inspect = [this] { said_.emplace_back("inspect"); },
                  .take_screenshot = [this] { said_.emplace_back("screenshot"); },
                  .say = [this](const std::string& words) { said_.push_back(words); }});
  }

  RuntimeSettings live_{std::nullopt, {}};
  panels::DrawChoice choice_;
  bool is_quit_ = false;
  std::vector<panels::Panel> toggled_;
  std::vector<std::string> said_;
};

TEST_F(WindowCommands, OpenPanelsChangeTheDrawModeAndQuit) {
  for (const Command command : {Command::ToggleHelp, Command::ToggleBodies, Command::ToggleDraw})
    EXPECT_TRUE(execute(command));
  EXPECT_EQ(toggled_,
            (std::vector{panels::Panel::Help, panels::Panel::Bodies, panels::Panel::Draw}));
  for (const Command command : {Command::ToggleHud, Command::Inspect, Command::Screenshot,
                                Command::NextLook, Command::ToggleSettings})
    EXPECT_TRUE(execute(command));
  EXPECT_EQ(said_,
            (std::vector<std::string>{"panels", "inspect", "screenshot", "bodies: with edges"}));
  EXPECT_TRUE(live_.panel().is_shown());
  EXPECT_FALSE(is_quit_);
  EXPECT_TRUE(execute(Command::Quit));
  EXPECT_TRUE(is_quit_);
}

TEST_F(WindowCommands, LeaveOtherCommandsToTheCaller) {
  for (const Command command : {Command::TogglePause, Command::ToggleConsole, Command::ToggleFly})
    EXPECT_FALSE(execute(command));
  EXPECT_TRUE(toggled_.empty());
  EXPECT_TRUE(said_.empty());
}

}  // namespace
}  // namespace jostle::client_app
