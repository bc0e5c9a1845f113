#pragma once

#include "shared/command_line/description.h"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace jostle::command_line {

/// Returns the checks of an option.
std::vector<CLI::Validator*> checks_of(CLI::Option& option);

/// Returns the placeholder of an option's value, such as "PORT", without the descriptions of the
/// checks. Returns an empty string if the option only has the placeholder of its C++ type.
std::string placeholder(CLI::Option& option, const std::vector<CLI::Validator*>& checks);

/// Returns the options of a command and of its subcommands. Leaves out hidden ones.
CommandDescription describe(CLI::App& command);

}  // namespace jostle::command_line
