#pragma once

#include <string>
#include <vector>

/// The options of a program as data, and texts that are generated from them: its manual page and
/// the completion scripts of shells. They cannot differ from what the program accepts.
namespace jostle::command_line {

/// The kind of an option's value, for completion.
enum class ValueKind { None, Other, Word, File, Folder, Scene };

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--output"; one without dashes is an argument
  std::string placeholder;         // of the value; empty if the option takes none
  std::string description;
  std::string accepted;  // such as "a whole number from 1 to 10"; may be empty
  std::string default_value;
  std::string group;  // heading in the help text
  ValueKind kind = ValueKind::None;
  std::vector<std::string> words;  // accepted values of the kind Word
  bool is_required = false;
  bool is_list = false;

  bool is_argument() const { return !names.front().starts_with('-'); }
};

struct CommandDescription {
  std::string name;  // without the names of the commands above it
  std::string description;
  std::string footer;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> subcommands;
};

/// Returns the manual page in the format of man(7). `version` is the first line of --version.
std::string manual_page(const CommandDescription& program, const std::string& version);

/// Returns the completion script for bash, zsh or fish. The scripts complete names of commands and
/// options, accepted words, files, folders, and the scenes beside the installed program.
std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

}  // namespace jostle::command_line
