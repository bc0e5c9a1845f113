#include "client/settings/toml_reader.h"

#include "shared/base/printable.h"

// toml++ 3.3 asserts a property of keys that an invalid file can violate, and also reports the
// violation as an error. With NDEBUG, toml++ tells the compiler to assume that the property holds.
// Therefore NDEBUG is undefined here and the assertion is disabled.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace jostle::settings {
namespace {

// Maximum number of syntax errors. If there are more, no entries are returned: the file is probably
// not a settings file.
constexpr std::size_t max_faults = 8;

TextPlace place_of(const toml::source_region& source) {
  return {source.begin.line, source.begin.column};
}

TomlValue value_of(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  const toml::array* const list = node.as_array();
  if (list == nullptr) return TomlOther{};
  TomlTexts texts;
  for (const toml::node& each : *list) {
    if (!each.is_string()) return TomlOther{};
    texts.push_back(each.as_string()->get());
  }
  return texts;
}

void collect(const toml::table& table, const std::string& prefix, std::vector<TomlEntry>& entries) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* const inner = node.as_table()) {
      collect(*inner, name + ".", entries);
    } else {
      entries.push_back({name, value_of(node), place_of(key.source()), place_of(node.source())});
    }
  }
}

/// Overwrites a line of the text with spaces. If the line is the header of a table, also overwrites
/// the entries of that table, because they would be assigned to the preceding table. Returns false
/// if there is no such line or it is already blank.
bool blank_out(std::string& text, std::size_t line) {
  bool is_table = false, is_found = false;
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of(" \t", begin);
    const bool is_header = first < end && text[first] == '[';
    if (number == line) {
      is_table = is_header;
      is_found = first < end;
    }
    if (number == line || (number > line && is_table && !is_header))
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    if (number > line && (!is_table || is_header)) break;
    begin = end + 1;
  }
  return is_found;
}

}  // namespace

TomlContents read_toml(std::string_view text) {
  TomlContents contents;
  std::string rest(text);
  for (std::size_t round = 0; round <= max_faults; ++round) {
    const toml::parse_result result = toml::parse(rest);
    if (result) {
      collect(result.table(), "", contents.entries);
      break;
    }
    const TextPlace place = place_of(result.error().source());
    contents.faults.push_back({place, base::printable(result.error().description())});
    if (!blank_out(rest, place.line)) break;
  }
  std::sort(contents.entries.begin(), contents.entries.end(),
            [](const TomlEntry& a, const TomlEntry& b) {
              return a.key_place.line != b.key_place.line ? a.key_place.line < b.key_place.line
                                                          : a.key_place.column < b.key_place.column;
            });
  return contents;
}

std::string toml_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      result.push_back('\\');
      result.push_back(letter);
    } else if (code < 0x20 || code == 0x7F) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(code));
      result += escape.data();
    } else {
      result.push_back(letter);
    }
  }
  return result + "\"";
}

}  // namespace jostle::settings
