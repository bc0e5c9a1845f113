#include "shared/command_line/description.h"

#include <functional>
#include <string_view>

namespace jostle::command_line {
namespace {

/// The folder of the scenes beside an installed program, in the language of all three shells.
std::string scenes_folder(const std::string& program) {
  return "$(dirname $(command -v " + program + "))/../share/jostle/scenes";
}

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? std::string() : std::string(between)) + word;
  return out;
}

/// Returns a text in single quotes, for a shell. In bash and zsh a quote inside is written as
/// '\'', in fish as \'.
std::string quoted(std::string_view text, std::string_view inner_quote = "'\\''") {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string(inner_quote) : std::string(1, c);
  return out + "'";
}

/// Returns the first sentence of a description, without a full stop.
std::string brief(const std::string& text) {
  std::string out = text.substr(0, text.find("; "));
  // "e.g. 1,2" does not end a sentence.
  for (std::size_t dot = out.find(". "); dot != std::string::npos; dot = out.find(". ", dot + 1)) {
    if (dot + 2 < out.size() && out[dot + 2] >= 'A' && out[dot + 2] <= 'Z') out.resize(dot);
  }
  if (out.ends_with('.')) out.pop_back();
  return out;
}

using Visit = std::function<void(const CommandDescription&, const std::string& path)>;

/// Calls `visit` for a command and all commands below it. The path of "jostle key new" is
/// "jostle key new".
void for_each(const CommandDescription& command, const std::string& path, const Visit& visit) {
  visit(command, path);
  for (const CommandDescription& sub : command.subcommands)
    for_each(sub, path + " " + sub.name, visit);
}

/// Returns the words of a command line that a command can be followed by: names of subcommands and
/// options.
std::string next_words(const CommandDescription& command) {
  std::vector<std::string> words;
  for (const CommandDescription& sub : command.subcommands)
    words.push_back(sub.name);
  for (const OptionDescription& option : command.options)
    if (!option.is_argument()) words.insert(words.end(), option.names.begin(), option.names.end());
  return joined(words);
}

/// Returns the bash command that completes the value of an option.
std::string bash_values(const OptionDescription& option, const std::string& program) {
  switch (option.kind) {
    case ValueKind::Word:
      return "COMPREPLY=($(compgen -W " + quoted(joined(option.words)) + " -- \"$word\"))";
    case ValueKind::File:
      return "_" + program + "_files -f";
    case ValueKind::Folder:
      return "_" + program + "_files -d";
    case ValueKind::Scene:
      return "_" + program + "_scenes";
    case ValueKind::None:
    case ValueKind::Other:
      break;
  }
  return ":";
}

/// Returns a name of a shell function or variable for a program.
std::string identifier(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

/// Returns the case of bash that completes the values of a command's options and arguments.
std::string bash_case(const CommandDescription& command, const std::string& path,
                      const std::string& program) {
  std::string out, argument = ":";
  for (const OptionDescription& option : command.options) {
    if (option.kind == ValueKind::None) continue;
    if (option.is_argument()) {
      if (argument == ":") argument = bash_values(option, program);
    } else {
      out += "        " + joined(option.names, "|") + ") " + bash_values(option, program) +
             "; return ;;\n";
    }
  }
  if (!out.empty()) out = "      case $previous in\n" + out + "      esac\n";
  return "    " + quoted(path) + ")\n" + out + "      words=" + quoted(next_words(command)) +
         "\n      [[ $word == -* ]] || " + argument + " ;;\n";
}

/// Returns the option of zsh's _arguments for a value, such as ":N:_files".
std::string zsh_value(const OptionDescription& option, const std::string& program) {
  const std::string name = option.placeholder.empty() ? " " : option.placeholder;
  std::string safe;
  for (const char c : name)
    safe += c == ':' ? std::string("\\:") : std::string(1, c);
  switch (option.kind) {
    case ValueKind::None:
      return "";
    case ValueKind::Word:
      return ":" + safe + ":(" + joined(option.words) + ")";
    case ValueKind::File:
      return ":" + safe + ":_files";
    case ValueKind::Folder:
      return ":" + safe + ":_files -/";
    case ValueKind::Scene:
      return ":" + safe + ":_" + program + "_scenes";
    case ValueKind::Other:
      break;
  }
  return ":" + safe + ": ";
}

/// Returns the arguments of zsh's _arguments for the options of a command, one a line.
std::string zsh_options(const CommandDescription& command, const std::string& program) {
  std::string out;
  for (const OptionDescription& option : command.options) {
    if (option.is_argument()) {
      out += "        " +
             quoted((option.is_list       ? "*"
                     : option.is_required ? ""
                                          : ":") +
                    zsh_value(option, program)) +
             " \\\n";
      continue;
    }
    std::string text;
    for (const char c : brief(option.description))
      text += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    for (const std::string& name : option.names)
      out += "        " +
             quoted((option.is_list ? "*" : "") + name + "[" + text + "]" +
                    zsh_value(option, program)) +
             " \\\n";
  }
  return out;
}

/// Returns the condition of fish that the command line names this command and none below it.
std::string fish_condition(const CommandDescription& command, const std::string& path) {
  std::string below;
  for (const CommandDescription& sub : command.subcommands)
    below += " " + sub.name;
  std::string out;
  for (std::size_t space = path.find(' '); space != std::string::npos;) {
    const std::size_t next = path.find(' ', space + 1);
    out += (out.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") +
           path.substr(space + 1, next == std::string::npos ? next : next - space - 1);
    space = next;
  }
  if (!below.empty())
    out += (out.empty() ? "" : "; and ") + std::string("not __fish_seen_subcommand_from") + below;
  return out.empty() ? "" : " -n " + quoted(out, "\\'");
}

std::string fish_values(const OptionDescription& option, const std::string& program) {
  switch (option.kind) {
    case ValueKind::None:
      return "";
    case ValueKind::Word:
      return " -x -a " + quoted(joined(option.words), "\\'");
    case ValueKind::File:
      return " -r -F";
    case ValueKind::Folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::Scene:
      return " -r -F -a '(__" + program + "_scenes)'";
    case ValueKind::Other:
      break;
  }
  return " -x";
}

}  // namespace

std::string bash_completion(const CommandDescription& program) {
  const std::string name = identifier(program.name);
  std::string commands, cases;
  for_each(program, program.name, [&](const CommandDescription& command, const std::string& path) {
    if (&command != &program) commands += (commands.empty() ? "" : "|") + quoted(path);
    cases += bash_case(command, path, name);
  });
  std::string out = "# bash completion for " + program.name +
                    ", generated from its options.\n"
                    "_" +
                    name +
                    "_files() {\n"
                    "  compopt -o filenames 2>/dev/null\n"
                    "  mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$word\")\n"
                    "}\n"
                    "_" +
                    name +
                    "_scenes() {\n"
                    "  local file\n"
                    "  _" +
                    name +
                    "_files -f\n"
                    "  for file in \"" +
                    scenes_folder(program.name) +
                    "\"/*.scene.json; do\n"
                    "    file=${file##*/}; file=${file%.scene.json}\n"
                    "    [[ $file == '*' || $file != \"$word\"* ]] || COMPREPLY+=(\"$file\")\n"
                    "  done\n"
                    "}\n";
  out += "_" + name +
         "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} i words=\n"
         "  local command=" +
         program.name +
         "\n"
         "  COMPREPLY=()\n";
  if (!commands.empty()) {
    out +=
        "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
        "    case \"$command ${COMP_WORDS[i]}\" in\n"
        "      " +
        commands +
        ") command+=\" ${COMP_WORDS[i]}\" ;;\n"
        "    esac\n"
        "  done\n";
  }
  return out + "  case $command in\n" + cases +
         "  esac\n"
         "  mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -F _" +
         name + " " + program.name + "\n";
}

std::string zsh_completion(const CommandDescription& program) {
  const std::string name = identifier(program.name);
  std::string cases, commands;
  for_each(program, program.name, [&](const CommandDescription& command, const std::string& path) {
    if (&command != &program) commands += (commands.empty() ? "" : "|") + quoted(path);
    cases += "    " + quoted(path) + ")\n";
    if (!command.subcommands.empty()) {
      cases += "      known=(";
      for (const CommandDescription& sub : command.subcommands)
        cases += "\n        " + quoted(sub.name + ":" + brief(sub.description));
      cases += ")\n      [[ $PREFIX == -* ]] || _describe command known\n";
    }
    cases += "      _arguments -s \\\n" + zsh_options(command, name) + "        && return 0 ;;\n";
  });
  std::string out = "#compdef " + program.name +
                    "\n# Generated from the options of the program.\n"
                    "_" +
                    name +
                    "_scenes() {\n"
                    "  local -a scenes\n"
                    "  scenes=(\"" +
                    scenes_folder(program.name) +
                    "\"/*.scene.json(N:t:r:r))\n"
                    "  compadd -a scenes\n"
                    "  _files -g '*.json'\n"
                    "}\n"
                    "_" +
                    name +
                    "() {\n"
                    "  local command=" +
                    program.name +
                    " i\n"
                    "  local -a known\n";
  if (!commands.empty()) {
    out +=
        "  for ((i = 2; i < CURRENT; ++i)); do\n"
        "    case \"$command ${words[2]}\" in\n"
        "      " +
        commands +
        ")\n"
        "        command+=\" ${words[2]}\"\n"
        "        shift words; ((--CURRENT, --i)) ;;\n"
        "      *) break ;;\n"
        "    esac\n"
        "  done\n";
  }
  return out + "  case $command in\n" + cases +
         "  esac\n"
         "}\n"
         "_" +
         name + " \"$@\"\n";
}

std::string fish_completion(const CommandDescription& program) {
  const std::string name = identifier(program.name);
  std::string out = "# fish completion for " + program.name +
                    ", generated from its options.\n"
                    "function __" +
                    name +
                    "_scenes\n"
                    "  for file in (dirname (command -v " +
                    program.name +
                    "))/../share/jostle/scenes/*.scene.json\n"
                    "    basename $file .scene.json\n"
                    "  end\n"
                    "end\n";
  const std::string complete = "complete -c " + program.name;
  for_each(program, program.name, [&](const CommandDescription& command, const std::string& path) {
    const std::string condition = fish_condition(command, path);
    bool takes_files = false;
    for (const CommandDescription& sub : command.subcommands)
      out += complete + condition + " -f -a " + sub.name + " -d " +
             quoted(brief(sub.description), "\\'") + "\n";
    for (const OptionDescription& option : command.options) {
      if (option.is_argument()) {
        takes_files = takes_files || option.kind == ValueKind::File;
        continue;
      }
      out += complete + condition;
      for (const std::string& each : option.names)
        out += each.starts_with("--") ? " -l " + each.substr(2) : " -s " + each.substr(1);
      out += " -d " + quoted(brief(option.description), "\\'") + fish_values(option, name) + "\n";
    }
    if (!takes_files) out += complete + condition + " -f\n";
  });
  return out;
}

}  // namespace jostle::command_line
