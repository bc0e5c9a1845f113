#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace jostle::base {

/// Converts the text to a number. Returns nothing unless the whole text is one number that T can
/// hold.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace jostle::base
