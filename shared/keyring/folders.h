#pragma once

#include <optional>
#include <string>

namespace jostle::keyring {

/// Returns the user's configuration folder: $XDG_CONFIG_HOME/jostle, or else $HOME/.config/jostle.
/// Returns nothing if neither variable is an absolute path. A null pointer stands for an unset
/// variable.
std::optional<std::string> config_folder(const char* xdg_config_home, const char* home);
/// Returns the configuration folder for this process's environment.
std::optional<std::string> config_folder();

/// Text for messages about a missing configuration folder.
inline constexpr const char* no_config_folder =
    "neither XDG_CONFIG_HOME nor HOME is set to an absolute path";

}  // namespace jostle::keyring
