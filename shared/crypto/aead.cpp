#include "shared/crypto/aead.h"

#include "shared/base/assert.h"
#include "shared/crypto/detail/sodium.h"

namespace jostle::crypto {
namespace {

static_assert(aead_key_bytes == crypto_aead_chacha20poly1305_IETF_KEYBYTES);
static_assert(aead_tag_bytes == crypto_aead_chacha20poly1305_IETF_ABYTES);

using Nonce = std::array<unsigned char, crypto_aead_chacha20poly1305_IETF_NPUBBYTES>;

Nonce nonce_of(std::uint64_t number) {
  Nonce nonce{};
  for (std::size_t i = 0; i < 8; ++i)
    nonce[4 + i] = static_cast<unsigned char>(number >> (8 * i));
  return nonce;
}

}  // namespace

void aead_encrypt(const AeadKey& key, std::uint64_t number, std::span<const std::byte> header,
                  std::span<std::byte> sealed) {
  detail::prepare_sodium();
  JOSTLE_ASSERT(sealed.size() >= aead_tag_bytes);
  const std::size_t text_bytes = sealed.size() - aead_tag_bytes;
  crypto_aead_chacha20poly1305_ietf_encrypt_detached(
      detail::out(sealed), detail::out(sealed.subspan(text_bytes)), nullptr, detail::in(sealed),
      text_bytes, detail::in(header), header.size(), nullptr, nonce_of(number).data(),
      detail::in(key.bytes()));
}

bool aead_decrypt(const AeadKey& key, std::uint64_t number, std::span<const std::byte> header,
                  std::span<std::byte> sealed) {
  detail::prepare_sodium();
  if (sealed.size() < aead_tag_bytes) return false;
  const std::size_t text_bytes = sealed.size() - aead_tag_bytes;
  return crypto_aead_chacha20poly1305_ietf_decrypt_detached(
             detail::out(sealed), nullptr, detail::in(sealed), text_bytes,
             detail::in(sealed.subspan(text_bytes)), detail::in(header), header.size(),
             nonce_of(number).data(), detail::in(key.bytes())) == 0;
}

}  // namespace jostle::crypto
