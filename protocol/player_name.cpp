#include "protocol/player_name.h"

#include "protocol/limits.h"
#include "protocol/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace jostle::protocol {
namespace {

struct CodeRange {
  std::uint32_t first = 0, last = 0;
};

/// White space (Unicode property White_Space) other than U+0020. Control characters are no wire
/// text.
constexpr std::array<CodeRange, 7> other_spaces{{{0xA0, 0xA0},
                                                 {0x1680, 0x1680},
                                                 {0x2000, 0x200A},
                                                 {0x2028, 0x2029},
                                                 {0x202F, 0x202F},
                                                 {0x205F, 0x205F},
                                                 {0x3000, 0x3000}}};
/// Characters that are drawn as nothing: Default_Ignorable_Code_Point and format characters (Cf) of
/// Unicode 15, private use, noncharacters and the blank Braille pattern, without `joiners`.
constexpr std::array<CodeRange, 22> invisible{
    {{0xAD, 0xAD},       {0x34F, 0x34F},    {0x600, 0x605},   {0x61C, 0x61C},   {0x6DD, 0x6DD},
     {0x70F, 0x70F},     {0x115F, 0x1160},  {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200B},
     {0x200E, 0x200F},   {0x202A, 0x202E},  {0x2060, 0x206F}, {0x2800, 0x2800}, {0x3164, 0x3164},
     {0xE000, 0xF8FF},   {0xFDD0, 0xFDEF},  {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFC},
     {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}}};
/// From here on, all characters are tags, variation selectors, private use or unassigned.
constexpr std::uint32_t first_of_special_planes = 0xE0000;
/// Zero-width joiners and variation selectors, which choose the form of their neighbours.
constexpr std::array<CodeRange, 2> joiners{{{0x200C, 0x200D}, {0xFE00, 0xFE0F}}};

template <std::size_t count>
bool is_in(const std::array<CodeRange, count>& ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](const CodeRange& range) {
    return code >= range.first && code <= range.last;
  });
}

bool is_invisible(std::uint32_t code) {
  const bool is_noncharacter = (code & 0xFFFEU) == 0xFFFEU;
  return is_in(invisible, code) || is_noncharacter || code >= first_of_special_planes;
}

/// Takes the first character from a valid wire text.
std::uint32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  std::uint32_t code = size == 1 ? lead : lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  text.remove_prefix(size);
  return code;
}

}  // namespace

std::string name_fault(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    return "a name must have 1 to " + std::to_string(max_name_bytes) + " bytes";
  if (!is_wire_text(name, max_name_bytes))
    return "a name must be UTF-8 text without control characters";
  if (name.front() == ' ' || name.back() == ' ') return "a name must not begin or end with a space";
  bool is_visible = false;
  while (!name.empty()) {
    const std::uint32_t code = take_character(name);
    if (is_in(other_spaces, code))
      return "a name must have no other spaces than that of the space bar";
    if (is_invisible(code))
      return "a name must have no invisible characters, such as zero-width spaces and marks of the "
             "writing direction";
    is_visible |= !is_in(joiners, code);
  }
  return is_visible ? std::string() : "a name must have a visible character";
}

bool are_names_alike(std::string_view a, std::string_view b) {
  const auto next = [](std::string_view& text) -> std::uint32_t {
    while (!text.empty()) {
      const std::uint32_t code = take_character(text);
      if (!is_in(joiners, code)) return code;
    }
    return 0;
  };
  for (;;) {
    const std::uint32_t of_a = next(a), of_b = next(b);
    if (of_a != of_b) return false;
    if (of_a == 0) return true;
  }
}

}  // namespace jostle::protocol
