#include "shared/base/visible_name.h"

#include "shared/base/printable.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::base {
namespace {

struct CodeRange {
  std::uint32_t first = 0, last = 0;
};

/// White space (Unicode property White_Space) other than U+0020 and control characters.
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
/// The blocks of combining marks that belong to no script. A mark is drawn on the character before
/// it.
constexpr std::array<CodeRange, 5> marks{
    {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}}};
/// First code point of the planes in which all characters are tags, variation selectors, private
/// use or unassigned.
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

/// Returns the code point of a character of valid UTF-8 text.
std::uint32_t code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  std::uint32_t code = character.size() == 1 ? lead : lead & (0x7FU >> character.size());
  for (const char next : character.substr(1))
    code = (code << 6) | (static_cast<unsigned char>(next) & 0x3FU);
  return code;
}

}  // namespace

std::string visible_name_fault(std::string_view name) {
  if (name.starts_with(' ') || name.ends_with(' ')) return "must not begin or end with a space";
  bool is_visible = false;
  while (!name.empty()) {
    const std::size_t bytes = printable_bytes(name);
    if (bytes == 0)
      return "must be UTF-8 text without control characters and marks of the writing direction";
    const std::uint32_t code = code_of(name.substr(0, bytes));
    name.remove_prefix(bytes);
    if (is_in(other_spaces, code)) return "must have no other spaces than that of the space bar";
    if (is_invisible(code)) return "must have no invisible characters, such as zero-width spaces";
    is_visible |= !is_in(joiners, code) && !is_in(marks, code);
  }
  return is_visible ? std::string() : "must have a visible character";
}

}  // namespace jostle::base
