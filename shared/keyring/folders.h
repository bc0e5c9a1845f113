#pragma once

#include <optional>
#include <string>

namespace jostle::keyring {

/// Where a person's programs keep what they are set up by: $XDG_CONFIG_HOME/jostle, or else
/// $HOME/.config/jostle. Nothing when neither variable names an absolute path. Null: not set.
std::optional<std::string> config_folder(const char* xdg_config_home, const char* home);
/// That of this process's environment.
std::optional<std::string> config_folder();

/// What to say where there is none.
inline constexpr const char* no_config_folder = "neither XDG_CONFIG_HOME nor HOME names a folder";

}  // namespace jostle::keyring
