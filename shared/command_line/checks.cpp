#include "shared/base/parse_number.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace jostle::command_line {
namespace {

/// Returns a limit of a range without needless decimals: "86400", "0.5".
template <typename T>
std::string text_of(T number) {
  if constexpr (std::integral<T>) {
    return std::to_string(number);
  } else {
    std::array<char, 32> text{};
    const bool is_whole = number == std::floor(number) && std::abs(number) < 1e15;
    std::snprintf(text.data(), text.size(), is_whole ? "%.0f" : "%g", number);
    return text.data();
  }
}

/// Returns a check that calls `fault`. The help text shows `description` beside the type of the
/// option. The error for an option without a value shows `accepted`, which is stored as the
/// validator's name.
Check described(const Check::Fault& fault, std::string description, const std::string& accepted) {
  auto validator = std::make_shared<CLI::Validator>(
      [fault](std::string& text) { return fault(text); }, std::move(description));
  validator->name(accepted);
  return Check(std::move(validator));
}

}  // namespace

Check::Check(const Fault& fault, const std::string& accepted)
    : Check(described(fault, {}, accepted)) {}

template <typename T>
Check in_range(T least, T most) {
  const std::string kind = std::integral<T> ? "a whole number" : "a number";
  const std::string accepted = kind + " from " + text_of(least) + " to " + text_of(most);
  const auto fault = [=](const std::string& text) {
    const auto value = base::parse_number<T>(text);
    // NaN fails both comparisons.
    return value && *value >= least && *value <= most ? std::string()
                                                      : "'" + text + "' is not " + accepted;
  };
  return described(fault,
                   std::string(CLI::detail::type_name<T>()) + " in [" + text_of(least) + " - " +
                       text_of(most) + "]",
                   accepted);
}
template Check in_range(int, int);
template Check in_range(std::int64_t, std::int64_t);
template Check in_range(std::size_t, std::size_t);
template Check in_range(double, double);

Check is_uint64() {
  const std::string accepted = "a whole number from 0 to 2^64 - 1";
  const auto fault = [accepted](const std::string& text) {
    return base::parse_number<std::uint64_t>(text) ? std::string()
                                                   : "'" + text + "' is not " + accepted;
  };
  return Check(fault, accepted);
}

Check one_of(const std::vector<std::string>& words) {
  const auto fault = [words](const std::string& text) { return word_fault(text, words); };
  return described(fault, "{" + CLI::detail::join(words) + "}",
                   (words.size() == 1 ? "" : "one of ") + CLI::detail::join(words, ", "));
}

Check is_file() {
  const auto fault = [](const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return "there is no file '" + path + "'";
    return std::filesystem::is_directory(path, ignored) ? "'" + path + "' is a folder, not a file"
                                                        : std::string();
  };
  return described(fault, "FILE", "an existing file");
}

Check is_file_or_new() {
  const auto fault = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored) ? "'" + path + "' is a folder, not a file"
                                                        : std::string();
  };
  return Check(fault, "a file, which is created if it is missing");
}

Check is_folder() {
  const auto fault = [](const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::string();
    return std::filesystem::exists(path, ignored) ? "'" + path + "' is a file, not a folder"
                                                  : "there is no folder '" + path + "'";
  };
  return described(fault, "DIR", "an existing folder");
}

std::string folder_or_new_fault(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path there = path;
  while (there.has_relative_path() && !std::filesystem::exists(there, ignored))
    there = there.parent_path();
  return there.empty() || std::filesystem::is_directory(there, ignored)
             ? std::string()
             : "'" + there.string() + "' is a file, not a folder";
}

Check is_folder_or_new() {
  return Check(folder_or_new_fault, "a folder, which is created if it is missing");
}

}  // namespace jostle::command_line
