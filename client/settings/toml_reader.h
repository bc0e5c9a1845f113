#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jostle::settings {

/// In a file, both from 1.
struct TextPlace {
  std::size_t line = 0, column = 0;
};

/// A list of texts, or something that no setting is: a date, a list of other things.
using TomlTexts = std::vector<std::string>;
struct TomlOther {};
using TomlValue = std::variant<TomlOther, bool, std::int64_t, double, std::string, TomlTexts>;

/// A line of a file: "keys.jump" and what it is set to.
struct TomlEntry {
  std::string key;
  TomlValue value;
  TextPlace key_place, value_place;
};

struct TomlFault {
  TextPlace place;
  std::string words;
};

struct TomlContents {
  std::vector<TomlEntry> entries;  // in the order of their places
  std::vector<TomlFault> faults;   // what is no TOML; each took its line or its table with it
};

/// All that can be read of it.
TomlContents read_toml(std::string_view text);

/// The text as TOML has it, in quotes.
std::string toml_quoted(std::string_view text);

}  // namespace jostle::settings
