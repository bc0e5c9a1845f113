#include "shared/command_line/description.h"

#include <cctype>
#include <string_view>

namespace jostle::command_line {
namespace {

/// Returns a text in which man(7) finds no commands: hyphens are those of programs, and no line
/// begins with a dot or a quote.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

/// Returns a text as a sentence with a full stop.
std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

std::string synopsis(const std::string& name, const CommandDescription& command) {
  std::string out = ".B " + escaped(name) + "\n[\\fIOPTIONS\\fR]";
  for (const OptionDescription& option : command.options) {
    if (option.is_argument()) {
      const std::string shown = italic(upper(option.names.front())) + (option.is_list ? "..." : "");
      out += "\n" + (option.is_required ? shown : "[" + shown + "]");
    } else if (option.is_required) {
      out += "\n" + bold(option.names.back()) + " " + italic(option.placeholder);
    }
  }
  if (!command.subcommands.empty()) out += "\n\\fICOMMAND\\fR ...";
  return out + "\n";
}

std::string option_entry(const OptionDescription& option) {
  std::string out = ".TP\n";
  if (option.is_argument()) {
    out += italic(upper(option.names.front()));
  } else {
    for (std::size_t i = 0; i < option.names.size(); ++i)
      out += (i > 0 ? ", " : "") + bold(option.names[i]);
    if (!option.placeholder.empty()) out += " " + italic(option.placeholder);
  }
  out += "\n" + escaped(sentence(option.description));
  if (!option.accepted.empty()) out += "\nAccepted: " + escaped(sentence(option.accepted));
  if (!option.default_value.empty()) out += "\nDefault: " + escaped(sentence(option.default_value));
  if (option.is_required && !option.is_argument()) out += "\nRequired.";
  return out + "\n";
}

/// Returns the options of a command under the headings of their groups.
std::string option_list(const CommandDescription& command, const std::string& heading) {
  std::string out, group = "Options";
  for (const OptionDescription& option : command.options) {
    if (option.group != group && option.group != "Positionals") {
      group = option.group;
      out += heading + " \"" + escaped(group) + "\"\n";
    }
    out += option_entry(option);
  }
  return out;
}

std::string subcommand_sections(const CommandDescription& command, const std::string& prefix) {
  std::string out;
  for (const CommandDescription& sub : command.subcommands) {
    const std::string name = prefix + " " + sub.name;
    out += ".SS \"" + escaped(name) + "\"\n" + synopsis(name, sub) + ".PP\n" +
           escaped(sentence(sub.description)) + "\n";
    if (!sub.footer.empty()) out += ".PP\n" + escaped(sub.footer) + "\n";
    out += option_list(sub, ".PP\n.B") + subcommand_sections(sub, name);
  }
  return out;
}

}  // namespace

std::string manual_page(const CommandDescription& program, const std::string& version) {
  std::string out = ".\\\" Generated from the options of the program.\n";
  out += ".TH " + upper(program.name) + " 1 \"\" \"" + escaped(version) + "\" \"User Commands\"\n";
  // The description begins with the name of the program, as a sentence.
  std::string purpose = program.description;
  if (purpose.starts_with(program.name + " ")) purpose.erase(0, program.name.size() + 1);
  if (const std::size_t end = purpose.find(". "); end != std::string::npos) purpose.resize(end);
  if (purpose.ends_with('.')) purpose.pop_back();
  out += ".SH NAME\n" + escaped(program.name) + " \\- " + escaped(purpose) + "\n";
  out += ".SH SYNOPSIS\n" + synopsis(program.name, program);
  out += ".SH DESCRIPTION\n" + escaped(program.description) + "\n";
  out += ".SH OPTIONS\n" + option_list(program, ".SS");
  if (!program.subcommands.empty())
    out += ".SH COMMANDS\n" + subcommand_sections(program, program.name);
  if (!program.footer.empty()) out += ".SH NOTES\n.nf\n" + escaped(program.footer) + "\n.fi\n";
  return out;
}

}  // namespace jostle::command_line
