#include "shared/base/printable.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace jostle::base {

std::size_t printable_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = at(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  unsigned code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6) | (at(i) & 0x3FU);
  }
  const bool is_control = code < 0xA0;
  const bool turns_direction = code == 0x200E || code == 0x200F || code == 0x2028 ||
                               code == 0x2029 || (code >= 0x202A && code <= 0x202E) ||
                               (code >= 0x2066 && code <= 0x2069);
  return is_control || turns_direction ? 0 : length;
}

std::string escape_of(char byte) {
  std::array<char, 8> escaped{};
  std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<unsigned char>(byte));
  return escaped.data();
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    out += bytes == 0 ? escape_of(text[0]) : std::string(text.substr(0, bytes));
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

}  // namespace jostle::base
