#include "shared/command_line/describe.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace jostle::command_line {
namespace {

/// Returns the words of a check that accepts only these: "{a,b}".
std::vector<std::string> accepted_words(const std::vector<CLI::Validator*>& checks) {
  for (const CLI::Validator* const check : checks) {
    const std::string text = check->get_description();
    if (text.starts_with('{') && text.ends_with('}'))
      return CLI::detail::split(text.substr(1, text.size() - 2), ',');
  }
  return {};
}

bool is_numeric(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
}

ValueKind kind_of(const OptionDescription& option, const CLI::Option& source) {
  const auto mentions = [&](const char* word) {
    return option.placeholder.find(word) != std::string::npos;
  };
  if (option.placeholder.empty()) return ValueKind::None;
  if (!option.words.empty()) return ValueKind::Word;
  if (mentions("DIR")) return ValueKind::Folder;
  if (mentions("SCENE") || option.names.back() == "--scene") return ValueKind::Scene;
  const bool is_path = mentions("FILE") || mentions("PROGRAM") || option.names.back() == "--output";
  if (is_path || (option.is_argument() && !is_numeric(source))) return ValueKind::File;
  return ValueKind::Other;
}

OptionDescription describe_option(CLI::Option& source) {
  OptionDescription option;
  for (const std::string& name : source.get_snames())
    option.names.push_back("-" + name);
  for (const std::string& name : source.get_lnames())
    option.names.push_back("--" + name);
  if (source.get_positional()) option.names = {source.get_single_name()};
  const std::vector<CLI::Validator*> checks = checks_of(source);
  if (source.get_items_expected_max() > 0) {
    option.placeholder = placeholder(source, checks);
    if (option.placeholder.empty()) option.placeholder = is_numeric(source) ? "N" : "TEXT";
    option.default_value = source.get_default_str();
  }
  option.description = source.get_description();
  for (const CLI::Validator* const check : checks)
    if (option.accepted.empty()) option.accepted = check->get_name();
  option.group = source.get_group();
  option.words = accepted_words(checks);
  option.is_required = source.get_required();
  option.is_list = source.get_items_expected_max() > 1;
  option.kind = kind_of(option, source);
  return option;
}

}  // namespace

std::vector<CLI::Validator*> checks_of(CLI::Option& option) {
  std::vector<CLI::Validator*> checks;
  try {
    for (int i = 0;; ++i)
      checks.push_back(option.get_validator(i));
  } catch (const CLI::OptionNotFound&) {  // there are no further checks
  }
  return checks;
}

std::string placeholder(CLI::Option& option, const std::vector<CLI::Validator*>& checks) {
  std::string descriptions;
  for (const CLI::Validator* const check : checks)
    if (const std::string words = check->get_description(); !words.empty())
      descriptions += ":" + words;
  std::string type = option.get_type_name();
  type.resize(type.size() - std::min(descriptions.size(), type.size()));
  const bool is_general =
      type == "TEXT" || type == "INT" || type == "UINT" || type == "FLOAT" || type.empty();
  return is_general ? std::string() : type;
}

CommandDescription describe(CLI::App& command) {
  CommandDescription described;
  described.name = command.get_name();
  described.description = command.get_description();
  described.footer = command.get_footer();
  for (CLI::Option* const option : command.get_options())
    if (!option->get_group().empty()) described.options.push_back(describe_option(*option));
  for (CLI::App* const sub : command.get_subcommands([](CLI::App*) { return true; }))
    if (!sub->get_group().empty()) described.subcommands.push_back(describe(*sub));
  return described;
}

}  // namespace jostle::command_line
