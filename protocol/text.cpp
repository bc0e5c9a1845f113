#include "protocol/text.h"

#include <cstdint>

namespace jostle::protocol {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// Returns the length in bytes of the valid character at `start`. Returns 0 for a control character
/// and for an invalid character (RFC 3629: shortest form, no surrogates).
std::size_t character_bytes(std::string_view text, std::size_t start) {
  const std::uint32_t lead = byte_at(text, start);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (size == 0 || lead > 0xF4 || text.size() - start < size) return 0;
  std::uint32_t code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const std::uint32_t next = byte_at(text, start + i);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = (code << 6) | (next & 0x3FU);
  }
  // Code points 0x80 to 0x9F are control characters.
  constexpr std::uint32_t first_of_size[] = {0, 0, 0xA0, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code >= first_of_size[size] && code <= 0x10FFFF && !is_surrogate ? size : 0;
}

}  // namespace

bool is_wire_text(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) return false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_bytes(text, i);
    if (size == 0) return false;
    i += size;
  }
  return true;
}

std::string to_wire_text(std::string_view text, std::size_t max_bytes) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_bytes(text, i);
    const std::string_view character = size == 0 ? std::string_view("?") : text.substr(i, size);
    if (result.size() + character.size() > max_bytes) break;
    result += character;
    i += size == 0 ? 1 : size;
  }
  return result;
}

}  // namespace jostle::protocol
