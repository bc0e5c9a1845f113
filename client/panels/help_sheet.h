#pragma once

#include "client/controls/control_settings.h"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace jostle::panels {

/// Both empty: a gap between what belongs together.
struct HelpLine {
  std::string keys, meaning;
};

/// What keys do, as they are bound, in a server's world and with a recording; `gamepad` is the name
/// of the one that is there, or empty.
std::vector<HelpLine> play_help(const controls::ControlSettings& controls,
                                const std::string& gamepad);
std::vector<HelpLine> replay_help(const controls::ControlSettings& controls,
                                  const std::string& gamepad);
/// "P   .   Shift+.": the first key of each; "-" where there is none.
std::string keys_of(const controls::KeyTable& keys,
                    std::initializer_list<controls::UserAction> actions);

/// "H: help", for the corner of a panel; nothing where no key shows it.
void draw_help_hint(const controls::KeyTable& keys);
/// In the middle, in as many columns as it takes and as there is room for; what does not fit is
/// scrolled to with the wheel. `note` stands below.
void draw_help_sheet(std::span<const HelpLine> lines, const char* note);

}  // namespace jostle::panels
