#pragma once

#include "shared/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::controls {

// What can be typed into the console. It knows words and numbers only; who runs it does the rest.

enum class ConsoleVerb : std::uint8_t {
  Help,
  Pause,
  Resume,
  Step,
  Rate,
  Reset,
  Gravity,
  Scene,
  Scenes,
  Look,
  Overlay,
  Ghosts,
  Follow,
  Screenshot,
  Quit,
};

struct ConsoleCommand {
  ConsoleVerb verb = ConsoleVerb::Help;
  std::uint32_t number = 0;  // of steps, percent, the id of a body; 0 and 1 for off and on
  std::string word;          // of a scene, a look, layers, a file, a command

  bool operator==(const ConsoleCommand&) const = default;
};

/// The error says in words what is wrong with the line, and what it could have been.
base::Result<ConsoleCommand, std::string> parse_console(std::string_view line);

/// The lines that this one can become, in their order: with its last word whole, of the commands,
/// of what goes with them and of the names of scenes.
std::vector<std::string> complete_console(std::string_view line,
                                          std::span<const std::string> scenes);

/// A line for each command, or for one, its meaning behind a tab; empty where there is no such.
std::vector<std::string> console_help(std::string_view command);

}  // namespace jostle::controls
