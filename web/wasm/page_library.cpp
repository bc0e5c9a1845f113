// Functions of third-party libraries that the page provides or does not need: decompression,
// Unicode, the text of token IDs.
#include "shared/compression/compression.h"
#include "shared/secure/token.h"
#include "shared/unicode/normalization.h"

#include "web/wasm/imports.h"
#include <algorithm>
#include <cstdint>

namespace jostle {
namespace {

constexpr std::size_t raw_block_bytes = std::size_t{128} << 10;

/// Appends `size` bytes of a number, lowest first.
void append(std::vector<std::byte>& out, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i)
    out.push_back(static_cast<std::byte>(number >> (8 * i)));
}

std::string normalized(std::uint32_t form, std::string_view text) {
  // The longest growth of a code point in NFKC is a factor of 18 (Unicode Standard Annex 15).
  std::string out(text.size() * 18 + 16, '\0');
  const std::int32_t size = page_normalize(form, text.data(), text.size(), out.data(), out.size());
  if (size < 0) return std::string(text);
  out.resize(static_cast<std::size_t>(size));
  return out;
}

}  // namespace

namespace compression {

/// Writes a valid zstd frame (RFC 8878) of raw blocks. The module compresses only for the same
/// machine, where size does not matter.
std::vector<std::byte> compress(std::span<const std::byte> bytes) {
  std::vector<std::byte> out;
  out.reserve(bytes.size() + 64 + 3 * (bytes.size() / raw_block_bytes));
  append(out, 0xFD2FB528U, 4);
  append(out, 0xE0, 1);  // one segment, eight bytes of content size
  append(out, bytes.size(), 8);
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(bytes.size() - at, raw_block_bytes);
    const bool is_last = at + size == bytes.size();
    append(out, (size << 3) | (is_last ? 1U : 0U), 3);
    out.insert(out.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
               bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  } while (at < bytes.size());
  return out;
}

std::optional<std::vector<std::byte>> decompress(std::span<const std::byte> bytes,
                                                 std::size_t raw_bytes) {
  std::vector<std::byte> out(raw_bytes);
  const std::int32_t size = page_unzstd(bytes.data(), bytes.size(), out.data(), out.size());
  if (size < 0 || static_cast<std::size_t>(size) != raw_bytes) return std::nullopt;
  return out;
}

// States in memory are kept without compression.

std::vector<std::byte> compress_with_prefix(std::span<const std::byte> bytes,
                                            std::span<const std::byte>) {
  return {bytes.begin(), bytes.end()};
}

std::optional<std::vector<std::byte>> decompress_with_prefix(std::span<const std::byte> packed,
                                                             std::span<const std::byte>,
                                                             std::size_t raw_bytes) {
  if (packed.size() != raw_bytes) return std::nullopt;
  return std::vector<std::byte>{packed.begin(), packed.end()};
}

}  // namespace compression

namespace secure {

/// Returns no text, because the server in the page has no tokens.
std::string to_string(const TokenId&) {
  return {};
}

}  // namespace secure

namespace unicode {

std::string to_nfc(std::string_view text) {
  return normalized(0, text);
}
std::string to_nfkc_casefold(std::string_view text) {
  return normalized(1, text);
}

}  // namespace unicode
}  // namespace jostle
