#include "shared/keyring/folders.h"

#include <cstdlib>

namespace jostle::keyring {

std::optional<std::string> config_folder(const char* xdg_config_home, const char* home) {
  const auto is_absolute = [](const char* path) { return path != nullptr && path[0] == '/'; };
  // The XDG base directory specification requires relative paths to be ignored.
  if (is_absolute(xdg_config_home)) return std::string(xdg_config_home) + "/jostle";
  if (is_absolute(home)) return std::string(home) + "/.config/jostle";
  return std::nullopt;
}

std::optional<std::string> config_folder() {
  return config_folder(std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME"));
}

}  // namespace jostle::keyring
