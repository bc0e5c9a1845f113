#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jostle::settings {

/// A position in a file; line and column count from 1.
struct TextPlace {
  std::size_t line = 0, column = 0;
};

/// A list of texts.
using TomlTexts = std::vector<std::string>;
/// A value of a type that no setting has: a date, or a list with values that are no texts.
struct TomlOther {};
using TomlValue = std::variant<TomlOther, bool, std::int64_t, double, std::string, TomlTexts>;

/// An entry of a file: "keys.jump" and its value.
struct TomlEntry {
  std::string key;
  TomlValue value;
  TextPlace key_place, value_place;
};

struct TomlFault {
  TextPlace place;
  std::string text;
};

struct TomlContents {
  std::vector<TomlEntry> entries;  // entries in file order
  std::vector<TomlFault> faults;   // syntax errors; each skips its line or table
};

/// Reads all entries that are valid TOML. Returns no entries if there are more than 8 syntax
/// errors.
TomlContents read_toml(std::string_view text);

/// Returns the text as a quoted TOML string.
std::string toml_quoted(std::string_view text);

}  // namespace jostle::settings
