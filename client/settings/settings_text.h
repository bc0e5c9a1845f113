#pragma once

#include "client/settings/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace jostle::settings {

/// What a file's text says, and what in it says nothing.
struct ReadSettings {
  Settings settings;
  /// "LINE:COLUMN: what is wrong", with the nearest right word where there is one. What they are
  /// about counts as not written.
  std::vector<std::string> faults;
  /// Likewise, of what counts all the same: keys that would do two things.
  std::vector<std::string> remarks;
};

ReadSettings read_settings(std::string_view text);
/// All settings with what they mean; those that are as they begin are commented out.
std::string settings_text(const Settings& settings);

}  // namespace jostle::settings
