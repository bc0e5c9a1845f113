#include "shared/crypto/encode.h"

#include "shared/crypto/blake2b.h"
#include "shared/crypto/detail/sodium.h"

#include <array>

namespace jostle::crypto {
namespace {

constexpr int base64_form = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
  detail::prepare_sodium();
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), base64_form), '\0');
  sodium_bin2base64(text.data(), text.size(), detail::in(bytes), bytes.size(), base64_form);
  text.resize(text.size() - 1);  // The reported length includes the terminating zero.
  return text;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  detail::prepare_sodium();
  // Reject bytes outside ASCII here, because libsodium decodes some of them as base64 characters.
  unsigned all_bits = 0;
  for (const char letter : text)
    all_bits |= static_cast<unsigned char>(letter);
  if (all_bits > 0x7F) return std::nullopt;
  std::vector<std::byte> bytes(text.size() * 3 / 4 + 1);
  std::size_t length = 0;
  const char* end = nullptr;
  if (sodium_base642bin(detail::out(bytes), bytes.size(), text.data(), text.size(), nullptr,
                        &length, &end, base64_form) != 0 ||
      end != text.data() + text.size()) {
    return std::nullopt;
  }
  bytes.resize(length);
  return bytes;
}

std::string fingerprint(std::span<const std::byte> key) {
  constexpr std::size_t shown_bytes = 10;
  constexpr std::string_view digits = "0123456789abcdef";
  const Digest digest = blake2b({key});
  std::string text;
  for (std::size_t i = 0; i < shown_bytes; ++i) {
    if (i > 0 && i % 2 == 0) text += ' ';
    text += digits[std::to_integer<std::size_t>(digest[i] >> 4)];
    text += digits[std::to_integer<std::size_t>(digest[i] & std::byte{15})];
  }
  return text;
}

}  // namespace jostle::crypto
