#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

/// Command-line parsing for all programs, a wrapper of CLI11. CLI11 is header-only, and each file
/// that includes it takes seconds longer to compile. Only command_line.cpp includes it.
namespace jostle::command_line {

/// A condition on the text of an option's value.
class Check {
 public:
  using Fault = std::function<std::string(const std::string&)>;

  /// Wraps a function that returns what is wrong with a text, or an empty string if it is valid.
  template <std::convertible_to<Fault> Function>
  Check(Function fault)  // NOLINT(google-explicit-constructor): a function is a check
      : Check(Fault(std::move(fault)), {}) {}
  /// The error for an option without a value shows `accepted`, such as "a whole number from 0".
  Check(const Fault& fault, const std::string& accepted);
  explicit Check(std::shared_ptr<const CLI::Validator> validator)
      : validator_(std::move(validator)) {}

  const CLI::Validator& validator() const { return *validator_; }

 private:
  std::shared_ptr<const CLI::Validator> validator_;
};

/// Returns a check that accepts a number from `least` to `most`, but not NaN. T is int,
/// std::int64_t, std::size_t or double.
template <typename T>
Check in_range(T least, T most);
/// Returns a check that accepts a whole number of 64 bits, without a sign.
Check is_uint64();
Check one_of(const std::vector<std::string>& words);
Check is_file();
/// Accepts a file, and a path at which no file is yet; rejects a folder.
Check is_file_or_new();
Check is_folder();
/// Accepts a folder, and a path at which a folder can be created.
Check is_folder_or_new();
/// Returns the error of is_folder_or_new() for a path, or an empty string if it accepts the path.
std::string folder_or_new_fault(const std::string& path);

/// An option or a positional argument. Functions that change it return the option itself. An Option
/// is valid as long as its program exists.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required() const;
  /// Adds a check. All checks of an option must pass; they run in the order in which they were
  /// added.
  Option check(const Check& check) const;
  /// Sets the placeholder of the value in the help text.
  Option type_name(const std::string& name) const;
  /// Shows the variable's current value as the default in the help text.
  Option capture_default_str() const;
  /// Shows this text as the default in the help text.
  Option default_str(const std::string& text) const;
  Option excludes(const Option& other) const;
  Option needs(const Option& other) const;
  /// Makes a list option take one value per occurrence. Without this call, the option takes all
  /// values that follow it.
  Option one_each() const;
  /// Sets the separator between the values of a list.
  Option delimiter(char between) const;

  /// Returns the number of times that the option was given.
  std::size_t count() const;

 private:
  CLI::Option* option_;
};

/// The options of a program or of one of its subcommands. An App is valid as long as its program
/// exists. Variables that options write to must live until the program has parsed its command line.
class App {
 public:
  explicit App(CLI::App& app) : app_(&app) {}

  /// Adds an option. `name` is "--port", "-o,--output", or "file" for a positional argument. T is
  /// std::string, int, std::uint16_t, std::uint32_t, std::uint64_t or double. It may also be an
  /// optional int, std::uint32_t or double, or a list of int, double or std::string. Rejects an
  /// empty text, which is typically a shell variable that is not set, and the name of another
  /// option of the command. Whole numbers are decimal, also with leading zeros.
  template <typename T>
  Option add_option(const std::string& name, T& value, const std::string& description = {}) const;
  /// Adds an option whose text is passed to `take`.
  Option add_text(const std::string& name, const std::function<void(const std::string&)>& take,
                  const std::string& description) const;
  Option add_flag(const std::string& name, bool& is_given, const std::string& description) const;
  Option add_flag(const std::string& name, std::function<void()> take,
                  const std::string& description) const;

  App add_subcommand(const std::string& name, const std::string& description) const;
  void require_subcommand() const;
  /// Sets the heading under which the help text lists this subcommand; "" hides it.
  void group(const std::string& name) const;
  /// Sets the heading in the help text for the options that are added after this call.
  void begin_group(const std::string& name) const;
  void footer(const std::string& text) const;
  /// Sets a check that runs after all options were parsed; it replaces an earlier one. `fault`
  /// returns what is wrong, or an empty string. `subject` names the option at the start of the
  /// error.
  void check_at_end(const std::string& subject, std::function<std::string()> fault) const;

  /// Returns the names of the options that the command line contained, such as "--port" or "file".
  std::vector<std::string> given() const;

  /// Returns the subcommands in the order in which they were added.
  std::vector<App> subcommands() const;
  /// Returns an existing subcommand.
  App subcommand(const std::string& name) const;
  /// Returns true if the command line named this subcommand.
  bool is_parsed() const;

 protected:
  CLI::App* app_;
};

/// The result of parsing if the program must exit: an error, or the answer to --help or --version.
struct EarlyExit {
  bool is_refused;   // true for an error; false if help or the version was requested
  std::string text;  // the error, or the requested text, without a trailing newline
  // for an error: full name of the command whose --help lists the options, e.g. "jostle record"
  std::string command;
};

/// The command line of a whole program.
class Program : public App {
 public:
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Adds --version, which prints `text`, and --generate, which prints the manual page and
  /// completion scripts (description.h).
  void set_version(const std::string& text);
  /// Parses the command line. Returns null if the program can start.
  std::optional<EarlyExit> parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> owned_;
  std::string version_;  // first line of --version
};

}  // namespace jostle::command_line
