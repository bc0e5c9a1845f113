#include "client/controls/user_actions.h"

namespace jostle::controls {
namespace {

using enum UserAction;

constexpr auto world = ActionGroup::World, recording = ActionGroup::Recording;
constexpr auto none = std::nullopt;

// One row per action: whether it is active while pressed or one-shot, whether its keys are given by
// position or label, and its default bindings. Keys have SDL's names, preceded by Shift+, Ctrl+ or
// Alt+. Buttons and triggers also have SDL's names.
constexpr ActionInfo table[] = {
    {Forward, world, "forward", "forward", true, true, none, {"W", "Up"}, {}},
    {Back, world, "back", "back", true, true, none, {"S", "Down"}, {}},
    {Left, world, "left", "left", true, true, none, {"A", "Left"}, {}},
    {Right, world, "right", "right", true, true, none, {"D", "Right"}, {}},
    {Jump, world, "jump", "jump, or brake", true, true, none, {"Space"}, {"a"}},
    {Attract,
     world,
     "attract",
     "attract nearby bodies",
     true,
     true,
     none,
     {"E"},
     {"rightshoulder"}},
    {Repel, world, "repel", "repel nearby bodies", true, true, none, {"Q"}, {"leftshoulder"}},
    {Push, world, "push", "push a body", false, false, none, {}, {"x"}},
    {Shoot, world, "shoot", "shoot a ball", false, false, none, {}, {"righttrigger"}},
    {Hold, world, "grab", "drag a body", true, false, none, {}, {"lefttrigger"}},
    {Crate, world, "crate", "spawn a crate", false, false, none, {"T"}, {}},
    {Blast, world, "blast", "blast", false, false, none, {"X"}, {}},
    {Nearer, world, "nearer", "zoom in", true, false, none, {"PageUp"}, {"dpup"}},
    {Further, world, "further", "zoom out", true, false, none, {"PageDown"}, {"dpdown"}},
    {Pause, world, "pause", "pause", false, false, Command::TogglePause, {"P"}, {"start"}},
    {Step, world, "step", "one step", false, false, Command::StepOnce, {"."}, {"back"}},
    {StepFive, world, "step-five", "five steps", false, false, Command::StepFive, {"Shift+."}, {}},
    {Slower, world, "slower", "slow down time", false, false, Command::Slower, {"-"}, {}},
    {Faster, world, "faster", "speed up time", false, false, Command::Faster, {"="}, {}},
    {Reset, world, "reset", "reset", false, false, Command::Reset, {"R"}, {}},
    {Gravity, world, "gravity", "gravity on, off", false, false, Command::ToggleGravity, {"G"}, {}},
    {PreviousScene,
     world,
     "previous-scene",
     "previous scene",
     false,
     false,
     Command::PreviousScene,
     {"["},
     {"dpleft"}},
    {NextScene,
     world,
     "next-scene",
     "next scene",
     false,
     false,
     Command::NextScene,
     {"]"},
     {"dpright"}},
    {Scenes, world, "scenes", "scene list", false, false, Command::ToggleScenes, {"L"}, {}},
    {Follow, world, "follow", "follow camera", false, false, Command::ToggleFollow, {"F"}, {"y"}},
    {Fly, world, "fly", "fly camera", false, false, Command::ToggleFly, {"C"}, {"b"}},
    {Look, world, "draw-mode", "draw mode of bodies", false, false, Command::NextLook, {"V"}, {}},
    {Bodies, world, "bodies", "body list", false, false, Command::ToggleBodies, {"O"}, {}},
    {Inspect,
     world,
     "inspect",
     "inspect the body under the cursor",
     false,
     false,
     Command::Inspect,
     {"I"},
     {}},
    {Draw, world, "debug-draw", "debug draw", false, false, Command::ToggleDraw, {"B"}, {}},
    {Ghosts, world, "ghosts", "ghosts", false, false, Command::ToggleGhost, {"K"}, {}},
    {NetGraph, world, "net-graph", "net graph", false, false, Command::ToggleNetGraph, {"N"}, {}},
    {Statistics,
     world,
     "statistics",
     "server statistics",
     false,
     false,
     Command::ToggleStatistics,
     {"M"},
     {}},
    {Console, world, "console", "console", false, false, Command::ToggleConsole, {"`"}, {}},
    {Panels, world, "panels", "panels on, off", false, false, Command::ToggleHud, {"Tab"}, {}},
    {Help,
     world,
     "help",
     "help",
     false,
     false,
     Command::ToggleHelp,
     {"H", "F1", "Shift+/", "?"},
     {"rightstick"}},
    {Settings, world, "settings", "settings", false, false, Command::ToggleSettings, {"F10"}, {}},
    {Fullscreen,
     world,
     "fullscreen",
     "full screen",
     false,
     false,
     Command::ToggleFullscreen,
     {"F11"},
     {}},
    {Screenshot, world, "screenshot", "screenshot", false, false, Command::Screenshot, {"F12"}, {}},
    {Quit, world, "quit", "quit", false, false, Command::Quit, {"Escape"}, {}},
    {ReplayPlay, recording, "play", "play, pause", false, false, none, {"Space", "P"}, {}},
    {ReplayStep, recording, "step", "next tick", false, false, none, {"."}, {}},
    {ReplayStepFive,
     recording,
     "step-five",
     "five ticks forward",
     false,
     false,
     none,
     {"Shift+."},
     {}},
    {ReplayBack, recording, "step-back", "previous tick", false, false, none, {","}, {}},
    {ReplayBackFive,
     recording,
     "step-back-five",
     "five ticks back",
     false,
     false,
     none,
     {"Shift+,"},
     {}},
    {ReplaySecondOn,
     recording,
     "second-on",
     "one second forward",
     false,
     false,
     none,
     {"Right"},
     {}},
    {ReplaySecondBack,
     recording,
     "second-back",
     "one second back",
     false,
     false,
     none,
     {"Left"},
     {}},
    {ReplayStart, recording, "start", "go to start", false, false, none, {"Home", "R"}, {}},
    {ReplayEnd, recording, "end", "go to end", false, false, none, {"End"}, {}},
    {ReplayFaster, recording, "faster", "faster", false, false, none, {"]"}, {}},
    {ReplaySlower, recording, "slower", "slower", false, false, none, {"["}, {}},
    {ReplayDifference, recording, "difference", "first difference", false, false, none, {"X"}, {}},
    {ReplayGhost, recording, "ghost", "ghost", false, false, none, {"G"}, {}},
};
static_assert(std::size(table) == user_action_count);

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (index_of(table[i].action) != i) return false;
  return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const ActionInfo> all_actions() {
  return table;
}

const ActionInfo& info_of(UserAction action) {
  return table[index_of(action)];
}

}  // namespace jostle::controls
