#pragma once

#include "shared/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::controls {

// Parser of console commands; console_runner executes them.

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
  DebugDraw,
  Ghosts,
  Follow,
  Screenshot,
  Quit,
};

struct ConsoleCommand {
  ConsoleVerb verb = ConsoleVerb::Help;
  std::uint32_t number = 0;  // number of steps, percent or body id; 0 for off and 1 for on
  std::string word;          // name of a scene, draw mode, layer set, file or command

  bool operator==(const ConsoleCommand&) const = default;
};

/// Parses a line. The error says what is wrong with it and what is accepted.
base::Result<ConsoleCommand, std::string> parse_console(std::string_view line);

/// Returns one line for each possible completion of the last word of `line`. The completions are
/// commands, their arguments and the names in `scenes`.
std::vector<std::string> complete_console(std::string_view line,
                                          std::span<const std::string> scenes);

/// Returns one line per command, with its description after a tab, and a footnote that explains the
/// '*'. If `command` is not empty, returns only the line of that command with its footnotes, or
/// nothing if the command is unknown.
std::vector<std::string> console_help(std::string_view command);

}  // namespace jostle::controls
