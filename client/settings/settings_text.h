#pragma once

#include "client/settings/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace jostle::settings {

/// Result of reading the text of a settings file.
struct ReadSettings {
  Settings settings;
  /// Errors, each as "LINE:COLUMN: message", with the most similar valid name if there is one. The
  /// affected entries are ignored.
  std::vector<std::string> faults;
  /// Warnings in the same format about entries that are still applied: keys or buttons that are
  /// bound to two actions.
  std::vector<std::string> remarks;
};

ReadSettings read_settings(std::string_view text);
/// Returns the text of a file with all settings. A setting other than a key or button has its
/// description beside it; settings at their defaults are commented out.
std::string settings_text(const Settings& settings);

}  // namespace jostle::settings
