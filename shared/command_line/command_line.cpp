#include "shared/command_line/command_line.h"

#include "shared/command_line/describe.h"
#include "shared/command_line/suggestion.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace jostle::command_line {
namespace {

/// Returns the words separated by commas.
std::string listed(const std::vector<std::string>& words) {
  return CLI::detail::join(words, ", ");
}

template <typename T>
constexpr bool is_number = std::integral<T> || std::floating_point<T>;
template <typename T>
constexpr bool is_number<std::optional<T>> = is_number<T>;
template <typename T>
constexpr bool is_number<std::vector<T>> = is_number<T>;

/// Removes the leading zeros of a whole number: CLI11 would take "060" for an octal number.
std::string remove_leading_zeros(std::string& text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first == text.size() || text.find_first_not_of("0123456789", first) != std::string::npos)
    return {};
  const std::size_t digit = std::min(text.find_first_not_of('0', first), text.size() - 1);
  text.erase(first, digit - first);
  return {};
}

/// Adds the checks that all options with a value have. `app` is the command of the option.
template <typename T>
CLI::Option* with_general_checks(CLI::Option* option, const CLI::App* app) {
  option->check([app](const std::string& text) {
    if (text.empty() && !is_number<T>) return std::string("the value is empty");
    // CLI11 takes the next argument as the value, whatever it is.
    const bool is_option = text.starts_with("--") && app->get_option_no_throw(text) != nullptr;
    return is_option ? "the value is missing: '" + text + "' is another option" : std::string();
  });
  if constexpr (is_number<T>) option->transform(CLI::Validator(remove_leading_zeros, ""));
  return option;
}

/// Returns the last subcommand on the command line, or the program itself.
CLI::App& last_command(CLI::App& program) {
  CLI::App* command = &program;
  while (!command->get_subcommands().empty())
    command = command->get_subcommands().back();
  return *command;
}

/// Returns the name with all commands before it: "jostle bench physics".
std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

/// Returns the error message for an option that no command takes, with the name that was probably
/// meant.
std::string unknown_option(const CLI::App& command, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* const option : command.get_options())
    for (const std::string& each : option->get_lnames())
      known.push_back("--" + each);
  return "unknown option '" + name + "'" + suggestion(name, known);
}

/// Returns the names of the subcommands that --help lists.
std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  const auto is_listed = [](const CLI::App* known) { return !known->get_group().empty(); };
  for (const CLI::App* const known : command.get_subcommands(is_listed))
    names.push_back(known->get_name());
  return names;
}

/// Returns the error message for a command that lacks the subcommand that it requires.
std::string missing_command(const CLI::App& command) {
  const std::vector<std::string> unknown = command.remaining();
  const std::vector<std::string> names = command_names(command);
  if (!unknown.empty())
    return "unknown command '" + unknown.front() + "'" + suggestion(unknown.front(), names);
  return "a command is required: one of " + listed(names);
}

/// Returns true if an argument that no command takes looks like an option and not like a number.
bool is_option(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-' && argument != "--" &&
         (argument[1] < '0' || argument[1] > '9') && argument[1] != '.';
}

/// Returns the first unknown option on the command line. Arguments after "--" are no options.
std::optional<std::string> first_unknown_option(const CLI::App& command) {
  for (const std::string& argument : command.remaining()) {
    if (argument == "--") break;
    if (is_option(argument)) return argument;
  }
  return std::nullopt;
}

/// Returns the arguments that a command takes besides options, such as "takes 1 argument besides
/// options: file". Shows the placeholder of an argument unless it is the name in upper case.
std::string accepted_arguments(CLI::App& command) {
  std::vector<std::string> names;
  for (CLI::Option* const option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_single_name();
    const std::string type = placeholder(*option, checks_of(*option));
    const bool is_name = CLI::detail::to_lower(type) == CLI::detail::to_lower(name);
    names.push_back(name + (type.empty() || is_name ? "" : " (" + type + ")"));
  }
  if (names.empty()) return full_name(command) + " takes only options";
  return full_name(command) + " takes " + std::to_string(names.size()) +
         (names.size() == 1 ? " argument" : " arguments") + " besides options: " + listed(names);
}

/// Returns the error message for arguments that no option of the command takes, in the order in
/// which they were given. CLI11's own message reverses this order.
std::string unexpected(CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<std::string> shown;
  for (const std::string& argument : arguments)
    shown.push_back(argument.empty() ? "''" : argument);
  return (shown.size() > 1 ? "unexpected arguments: " : "unexpected argument: ") +
         CLI::detail::join(shown, " ") + "; " + accepted_arguments(command);
}

/// Returns the error message for an option that is the last argument and lacks its value.
std::string missing_value(CLI::Option& option) {
  const std::vector<CLI::Validator*> checks = checks_of(option);
  std::string accepted;
  for (const CLI::Validator* const check : checks)
    if (accepted.empty()) accepted = check->get_name();
  const std::string type = placeholder(option, checks);
  return option.get_name() + " needs a value" + (type.empty() && accepted.empty() ? "" : ": ") +
         type + (type.empty() || accepted.empty() ? "" : ", ") + accepted;
}

/// Returns the error message for an option with the wrong number of values.
std::string wrong_count(CLI::App& command, const std::string& words) {
  // CLI11 gives the name of the option only as part of its message.
  const std::string name = words.substr(0, words.find(": "));
  for (CLI::App* owner = &command; owner != nullptr; owner = owner->get_parent()) {
    CLI::Option* const option = owner->get_option_no_throw(name);
    if (option == nullptr) continue;
    if (words.ends_with(" missing")) return missing_value(*option);
    if (words.find(": At Most 1 ") != std::string::npos) return name + " may be given only once";
  }
  return words;
}

/// Returns the command line with "--name=" as two arguments, "--name" and "". CLI11 would take the
/// argument after "--name=" as the value.
std::vector<std::string> split_empty_values(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  bool are_options = true;
  for (int i = 0; i < argc; ++i) {
    std::string argument = argv[i];
    are_options = are_options && argument != "--";
    const bool is_split = i > 0 && are_options && argument.starts_with("--") &&
                          argument.find('=') == argument.size() - 1;
    if (is_split) argument.pop_back();
    arguments.push_back(std::move(argument));
    if (is_split) arguments.emplace_back();
  }
  return arguments;
}

/// Returns the early exit for a command line that CLI11 refused.
EarlyExit refusal(CLI::App& program, const CLI::ParseError& error) {
  CLI::App& command = last_command(program);
  // Report an unknown option first: CLI11 took the value after it for a positional argument, and
  // may report the option that was meant as missing.
  for (const CLI::App* owner = &command; owner != nullptr; owner = owner->get_parent()) {
    const bool starts_with_command =
        owner->get_require_subcommand_min() > 0 && owner->get_subcommands().empty() &&
        !owner->remaining().empty() && !is_option(owner->remaining().front());
    const std::optional<std::string> option = first_unknown_option(*owner);
    if (option && !starts_with_command)
      return EarlyExit{true, unknown_option(*owner, *option), full_name(*owner)};
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return EarlyExit{true, unexpected(command, program.remaining(true)), full_name(command)};
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return EarlyExit{true, wrong_count(command, error.what()), full_name(command)};
  const bool lacks_command =
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) &&
      command.get_require_subcommand_min() > 0 && command.get_subcommands().empty();
  return EarlyExit{true, lacks_command ? missing_command(command) : error.what(),
                   full_name(command)};
}

/// Thrown by --generate KIND; its message is the kind.
struct GenerateText : CLI::Success {
  explicit GenerateText(const std::string& kind)
      : CLI::Success("GenerateText", kind, CLI::ExitCodes::Success) {}
};

const std::vector<std::string> generated_kinds{"man", "complete-bash", "complete-zsh",
                                               "complete-fish"};

/// Returns the text of a kind for a program, without a trailing newline.
std::string generated(CLI::App& program, const std::string& kind, const std::string& version) {
  const CommandDescription description = describe(program);
  std::string text;
  if (kind == "complete-bash") text = bash_completion(description);
  if (kind == "complete-zsh") text = zsh_completion(description);
  if (kind == "complete-fish") text = fish_completion(description);
  if (kind == "man") text = manual_page(description, version);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::check(const Check& check) const {
  option_->check(check.validator());
  return *this;
}

Option Option::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Option Option::capture_default_str() const {
  option_->capture_default_str();
  return *this;
}

Option Option::default_str(const std::string& words) const {
  option_->default_str(words);
  return *this;
}

Option Option::excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::needs(const Option& other) const {
  option_->needs(other.option_);
  return *this;
}

Option Option::one_each() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::delimiter(char between) const {
  option_->delimiter(between);
  return *this;
}

std::size_t Option::count() const {
  return option_->count();
}

template <typename T>
Option App::add_option(const std::string& name, T& value, const std::string& description) const {
  return Option(*with_general_checks<T>(app_->add_option(name, value, description), app_));
}
template Option App::add_option(const std::string&, std::string&, const std::string&) const;
template Option App::add_option(const std::string&, int&, const std::string&) const;
template Option App::add_option(const std::string&, std::uint16_t&, const std::string&) const;
template Option App::add_option(const std::string&, std::uint32_t&, const std::string&) const;
template Option App::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template Option App::add_option(const std::string&, double&, const std::string&) const;
template Option App::add_option(const std::string&, std::optional<int>&, const std::string&) const;
template Option App::add_option(const std::string&, std::optional<std::uint32_t>&,
                                const std::string&) const;
template Option App::add_option(const std::string&, std::optional<double>&,
                                const std::string&) const;
template Option App::add_option(const std::string&, std::vector<int>&, const std::string&) const;
template Option App::add_option(const std::string&, std::vector<double>&, const std::string&) const;
template Option App::add_option(const std::string&, std::vector<std::string>&,
                                const std::string&) const;

Option App::add_text(const std::string& name, const std::function<void(const std::string&)>& take,
                     const std::string& description) const {
  return Option(*with_general_checks<std::string>(
      app_->add_option_function<std::string>(name, take, description), app_));
}

Option App::add_flag(const std::string& name, bool& is_given,
                     const std::string& description) const {
  return Option(*app_->add_flag(name, is_given, description));
}

Option App::add_flag(const std::string& name, std::function<void()> take,
                     const std::string& description) const {
  return Option(*app_->add_flag_callback(name, std::move(take), description));
}

App App::add_subcommand(const std::string& name, const std::string& description) const {
  return App(*app_->add_subcommand(name, description));
}

void App::require_subcommand() const {
  app_->require_subcommand(1);
}

void App::group(const std::string& name) const {
  app_->group(name);
}

void App::begin_group(const std::string& name) const {
  app_->option_defaults()->group(name);
}

void App::footer(const std::string& words) const {
  app_->footer(words);
}

void App::check_at_end(const std::string& subject, std::function<std::string()> fault) const {
  app_->final_callback([subject, fault = std::move(fault)] {
    if (const std::string words = fault(); !words.empty())
      throw CLI::ValidationError(subject, words);
  });
}

std::vector<App> App::subcommands() const {
  std::vector<App> found;
  for (CLI::App* const command : app_->get_subcommands([](CLI::App*) { return true; })) {
    const App known(*command);
    found.push_back(known);
  }
  return found;
}

App App::subcommand(const std::string& name) const {
  return App(*app_->get_subcommand(name));
}

std::vector<std::string> App::given() const {
  std::vector<std::string> names;
  for (const CLI::Option* const option : std::as_const(*app_).get_options())
    if (option->count() > 0) names.push_back(option->get_name());
  return names;
}

bool App::is_parsed() const {
  return app_->parsed();
}

Program::Program(const std::string& name, const std::string& description)
    : App(*new CLI::App(description, name)), owned_(app_) {}

Program::~Program() = default;

void Program::set_version(const std::string& words) {
  app_->set_version_flag("--version", words);
  version_ = words.substr(0, words.find('\n'));
  // As a flag with a callback, it ends the parsing before missing options are reported.
  app_->add_option_function<std::string>(
          "--generate", [](const std::string& kind) { throw GenerateText(kind); },
          "Print the manual page or the completion script of a shell, and exit")
      ->check(one_of(generated_kinds).validator())
      ->type_name("KIND")
      ->trigger_on_parse();
}

std::optional<EarlyExit> Program::parse(int argc, const char* const* argv) {
  const std::vector<std::string> arguments = split_empty_values(argc, argv);
  std::vector<const char*> texts;
  for (const std::string& argument : arguments)
    texts.push_back(argument.c_str());
  try {
    app_->parse(static_cast<int>(texts.size()), texts.data());
  } catch (const GenerateText& wanted) {
    return EarlyExit{false, generated(*app_, wanted.what(), version_), {}};
  } catch (const CLI::CallForHelp&) {
    std::string help = app_->help();
    if (help.ends_with('\n')) help.pop_back();
    return EarlyExit{false, std::move(help), {}};
  } catch (const CLI::Success& wanted) {
    return EarlyExit{false, wanted.what(), {}};
  } catch (const CLI::ParseError& error) {
    return refusal(*app_, error);
  }
  return std::nullopt;
}

}  // namespace jostle::command_line
