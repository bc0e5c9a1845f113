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

/// The command lines of all programs, read by CLI11. Its functions are all inline: what includes
/// its header compiles them for itself, for some seconds each time. Here one source does for all.
namespace jostle::command_line {

/// What a text of the command line must be.
class Check {
 public:
  using Fault = std::function<std::string(const std::string&)>;

  /// From a function that says in words what is wrong with a text, and nothing where it is right.
  template <std::convertible_to<Fault> Function>
  Check(Function fault)  // NOLINT(google-explicit-constructor): a function is a check
      : Check(Fault(std::move(fault))) {}
  explicit Check(const Fault& fault);
  explicit Check(std::shared_ptr<const CLI::Validator> validator)
      : validator_(std::move(validator)) {}

  const CLI::Validator& validator() const { return *validator_; }

 private:
  std::shared_ptr<const CLI::Validator> validator_;
};

/// A number from `least` to `most`. For int, std::int64_t, std::size_t and double.
template <typename T>
Check in_range(T least, T most);
Check one_of(const std::vector<std::string>& words);
Check is_positive();
/// Not the text of a shell's variable that was never set.
Check is_not_empty();
Check is_file();
Check is_folder();

/// An option, or an argument that is known by its place. All return the option itself; it lives as
/// long as its program.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option required() const;
  /// All checks hold, in their order.
  Option check(const Check& check) const;
  /// What stands for its value in the help.
  Option type_name(const std::string& name) const;
  /// What the help calls its default: what the value is now, or these words.
  Option capture_default_str() const;
  Option default_str(const std::string& words) const;
  Option excludes(const Option& other) const;
  Option needs(const Option& other) const;
  /// Of a list: one value each time that it is given; without it, all that follow are its own.
  Option one_each() const;
  /// Between the values of a list.
  Option delimiter(char between) const;

  /// How often it was given.
  std::size_t count() const;

 private:
  CLI::Option* option_;
};

/// What a command line may hold: that of a program, or of one of its commands. Lives as long as its
/// program; what options write to lives until that has parsed.
class App {
 public:
  explicit App(CLI::App& app) : app_(&app) {}

  /// `name`: as "--port", as "-o,--output", or as "file" where its place tells. T: std::string,
  /// int, std::uint16_t, std::uint32_t, std::uint64_t or double; an int, a std::uint32_t or a
  /// double that may be missing; a list of int, double or std::string.
  template <typename T>
  Option add_option(const std::string& name, T& value, const std::string& description = {}) const;
  /// Hands the text to `take` instead of writing it.
  Option add_text(const std::string& name, const std::function<void(const std::string&)>& take,
                  const std::string& description) const;
  Option add_flag(const std::string& name, bool& is_given, const std::string& description) const;
  Option add_flag(const std::string& name, std::function<void()> take,
                  const std::string& description) const;

  App add_subcommand(const std::string& name, const std::string& description) const;
  void require_subcommand() const;
  /// Of this app among its siblings in the help; "" leaves it out there.
  void group(const std::string& name) const;
  /// Of the options that are added from here on.
  void begin_group(const std::string& name) const;
  void footer(const std::string& words) const;
  /// When all has been taken: what is wrong with it together, in words, or nothing.
  void check_at_end(const std::string& subject, std::function<std::string()> fault) const;

  /// What the command line held of its options, by name: "--port", "file".
  std::vector<std::string> given() const;

  /// In the order in which they were added.
  std::vector<App> subcommands() const;
  bool has_subcommand(const std::string& name) const;
  /// One that it has.
  App subcommand(const std::string& name) const;
  /// Whether the command line named this command.
  bool is_parsed() const;

 protected:
  CLI::App* app_;
};

/// How the reading of a command line ended where the program has no more to do.
struct Ending {
  bool is_refused;    // else asked for: help, or the version
  std::string words;  // what is wrong, or what was asked for, without a newline at its end
};

/// The command line of a whole program.
class Program : public App {
 public:
  Program(const std::string& name, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// `words` for --version.
  void set_version(const std::string& words);
  /// Nothing where the program can begin.
  std::optional<Ending> parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> owned_;
};

}  // namespace jostle::command_line
