#pragma once

#include "client/controls/control_settings.h"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace jostle::panels {

/// A line of the help sheet. If both texts are empty, the line is a gap between groups.
struct HelpLine {
  std::string keys, meaning;
};

/// Returns the key bindings in a server's world. `gamepad` is the name of the connected gamepad, or
/// empty.
std::vector<HelpLine> play_help(const controls::ControlSettings& controls,
                                const std::string& gamepad);
/// Returns the key bindings while a recording is played.
std::vector<HelpLine> replay_help(const controls::ControlSettings& controls,
                                  const std::string& gamepad);
/// Returns the first key of each action, e.g. "P   .   Shift+."; "-" stands for an action without a
/// key.
std::string keys_of(const controls::KeyBindings& keys,
                    std::initializer_list<controls::UserAction> actions);

/// Draws "H: help" as a line of the current panel; nothing if no key is bound to help.
void draw_help_hint(const controls::KeyBindings& keys);
/// Draws the help in the middle of the window, in up to three columns. It scrolls if it does not
/// fit. `note` is shown below.
void draw_help_sheet(std::span<const HelpLine> lines, const char* note);

}  // namespace jostle::panels
