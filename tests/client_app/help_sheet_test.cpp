#include "client/panels/help_sheet.h"

#include "client/panels/imgui_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::panels {
namespace {

using controls::UserAction;

std::string keys_for(const std::vector<HelpLine>& lines, const std::string& meaning) {
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const HelpLine& line) { return line.meaning == meaning; });
  return found == lines.end() ? "no such line" : found->keys;
}

TEST(HelpSheet, ShowsTheBoundKeys) {
  controls::ControlSettings settings;
  EXPECT_EQ(keys_for(play_help(settings, ""), "jump, or brake"), "Space");
  settings.keys.bind(UserAction::Jump, {*controls::parse_chord("J", true)});
  settings.keys.bind(UserAction::Gravity, {});
  settings.keys.bind(UserAction::ReplayPlay, {*controls::parse_chord("K", false)});
  EXPECT_EQ(keys_for(play_help(settings, ""), "jump, or brake"), "J");
  EXPECT_EQ(keys_for(play_help(settings, ""), "reset, gravity off and on *"), "R   -");
  EXPECT_EQ(keys_for(replay_help(settings, ""), "play, pause"), "K");
}

TEST(HelpSheet, ShowsGamepadButtonsIfOneIsConnected) {
  controls::ControlSettings settings;
  settings.pad.bind(UserAction::Shoot, {*controls::parse_pad_input("b")});
  EXPECT_EQ(keys_for(play_help(settings, ""), "shoot a ball at the crosshair"), "no such line");
  EXPECT_EQ(keys_for(play_help(settings, "Pad"), "shoot a ball at the crosshair"), "B");
  EXPECT_EQ(keys_for(play_help(settings, "Pad"), "move (Pad)"), "Left stick");
}

TEST(PanelScale, IsTheDisplaysByDefaultAndLeavesRoomForPanels) {
  EXPECT_EQ(settled_scale(0, 1.5f, {1920, 1080}), 1.5f);
  EXPECT_EQ(settled_scale(2, 1.5f, {2560, 1440}), 2);
  EXPECT_EQ(settled_scale(0.5, 1, {1920, 1080}), 0.5f);
  EXPECT_EQ(settled_scale(4, 1, {1280, 720}), 2);  // 640 by 360 units remain
  EXPECT_EQ(settled_scale(2, 1, {320, 200}), 1);   // too small at any scale
}

}  // namespace
}  // namespace jostle::panels
