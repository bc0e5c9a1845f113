#include "client/app/window_commands.h"

#include "tests/client_app/studio.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace jostle::client_app {
namespace {

using controls::Command;

/// Panels that record which of them are toggled.
struct FakeHud {
  void toggle(panels::Panel panel) { toggled.push_back(panel); }
  void toggle_panels() { ++toggles_of_all; }
  std::vector<panels::Panel> toggled;
  int toggles_of_all = 0;
};

/// A main loop that records which of its functions are called.
struct FakeLoop {
  void inspect() { said.emplace_back("inspect"); }
  void take_screenshot() { said.emplace_back("screenshot"); }
  void say(const std::string& words) { said.push_back(words); }
  std::vector<std::string> said;
};

class WindowCommands : public StudioTest<64, 64> {
 protected:
  bool execute(Command command) {
    return execute_window_command(
        command, make_window_parts(studio_->window(), live_, choice_, is_quit_, hud_, loop_));
  }

  RuntimeSettings live_{std::nullopt, {}};
  panels::DrawChoice choice_;
  bool is_quit_ = false;
  std::unique_ptr<FakeHud> hud_ = std::make_unique<FakeHud>();
  FakeLoop loop_;
};

TEST_F(WindowCommands, OpenPanelsChangeTheDrawModeAndQuit) {
  for (const Command command : {Command::ToggleHelp, Command::ToggleBodies, Command::ToggleDraw})
    EXPECT_TRUE(execute(command));
  EXPECT_EQ(hud_->toggled,
            (std::vector{panels::Panel::Help, panels::Panel::Bodies, panels::Panel::Draw}));
  for (const Command command : {Command::ToggleHud, Command::Inspect, Command::Screenshot,
                                Command::NextLook, Command::ToggleSettings})
    EXPECT_TRUE(execute(command));
  EXPECT_EQ(hud_->toggles_of_all, 1);
  EXPECT_EQ(loop_.said, (std::vector<std::string>{"inspect", "screenshot", "bodies: with edges"}));
  EXPECT_TRUE(live_.panel().is_shown());
  EXPECT_FALSE(is_quit_);
  EXPECT_TRUE(execute(Command::Quit));
  EXPECT_TRUE(is_quit_);
}

TEST_F(WindowCommands, LeaveOtherCommandsToTheCaller) {
  for (const Command command : {Command::TogglePause, Command::ToggleConsole, Command::ToggleFly})
    EXPECT_FALSE(execute(command));
  EXPECT_TRUE(hud_->toggled.empty());
  EXPECT_TRUE(loop_.said.empty());
}

TEST_F(WindowCommands, DoNothingToPanelsThatAreMissing) {
  hud_.reset();
  for (const Command command : {Command::ToggleHelp, Command::ToggleHud, Command::Screenshot})
    EXPECT_TRUE(execute(command));
  EXPECT_EQ(loop_.said, (std::vector<std::string>{"screenshot"}));
}

}  // namespace
}  // namespace jostle::client_app
