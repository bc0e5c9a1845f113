#include "shared/command_line/command_line.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace jostle::command_line {

Check::Check(const Fault& fault)
    : Check(std::make_shared<CLI::Validator>([fault](std::string& text) { return fault(text); },
                                             std::string())) {}

template <typename T>
Check in_range(T least, T most) {
  return Check(std::make_shared<CLI::Range>(least, most));
}
template Check in_range(int, int);
template Check in_range(std::int64_t, std::int64_t);
template Check in_range(std::size_t, std::size_t);
template Check in_range(double, double);

Check one_of(const std::vector<std::string>& words) {
  return Check(std::make_shared<CLI::IsMember>(words));
}

Check is_positive() {
  return Check(std::make_shared<CLI::Validator>(CLI::PositiveNumber));
}

Check is_not_empty() {
  return Check(Check::Fault(
      [](const std::string& text) { return text.empty() ? "the value is empty" : std::string(); }));
}

Check is_file() {
  return Check(std::make_shared<CLI::Validator>(CLI::ExistingFile));
}

Check is_folder() {
  return Check(std::make_shared<CLI::Validator>(CLI::ExistingDirectory));
}

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
  return Option(*app_->add_option(name, value, description));
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
  return Option(*app_->add_option_function<std::string>(name, take, description));
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

bool App::has_subcommand(const std::string& name) const {
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == name; };
  return !std::as_const(*app_).get_subcommands(is_named).empty();
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
}

std::optional<EarlyExit> Program::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::string help = app_->help();
    if (help.ends_with('\n')) help.pop_back();
    return EarlyExit{false, std::move(help)};
  } catch (const CLI::Success& wanted) {
    return EarlyExit{false, wanted.what()};
  } catch (const CLI::ParseError& error) {
    return EarlyExit{true, error.what()};
  }
  return std::nullopt;
}

}  // namespace jostle::command_line
